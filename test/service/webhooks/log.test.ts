import { expect, test } from 'vitest'
import { startReceiver } from '../../receiver.ts'
import { makeContact, settle, start } from './empty-world.ts'
import { openEventStream } from './event-stream.ts'

test('the log lists what happened, oldest first, page by page', async () => {
  await using sandbox = await start()
  const { events } = sandbox.client
  for (let i = 1; i <= 3; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  const first = await events.list({ limit: 2 })
  expect(first).toMatchObject({
    events: [{ seq: 1, event: 'contact.created' }, { seq: 2 }],
    has_more: true,
    last_seq: 3,
  })
  const rest = await events.list({ after: 2 })
  expect(rest).toMatchObject({ events: [{ seq: 3 }], has_more: false, last_seq: 3, log_id: first.log_id })
})

test('the log is searched by event and by record', async () => {
  await using sandbox = await start()
  const { events } = sandbox.client
  const ada = await makeContact(sandbox, 'ada@example.com')
  const bea = await makeContact(sandbox, 'bea@example.com')
  await sandbox.client.contacts.delete(ada)
  const seqsOf = async (query: Parameters<typeof events.list>[0]) =>
    (await events.list(query)).events.map(({ seq }) => seq)
  expect(await seqsOf({ event: 'contact.deleted' })).toEqual([3])
  expect(await seqsOf({ event: 'contact.*' })).toEqual([1, 2, 3])
  expect(await seqsOf({ event: 'message.*' })).toEqual([])
  expect(await seqsOf({ subject: ada })).toEqual([1, 3])
  expect(await seqsOf({ subject: bea, after: 2 })).toEqual([])
})

test('matching events are counted on request, those of other pages too', async () => {
  await using sandbox = await start()
  const { events } = sandbox.client
  for (let i = 1; i <= 3; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  expect(await events.list({ limit: 1, event: 'contact.*', count: 'true' })).toMatchObject({ total: 3 })
  expect(await events.list({ event: 'message.*', count: 'true' })).toMatchObject({ total: 0 })
  expect(await events.list({ limit: 1 })).not.toHaveProperty('total')
})

test('the log is searched by time on the clock of the world', async () => {
  await using sandbox = await start()
  for (const hour of [0, 1, 2]) {
    await makeContact(sandbox, `at-${hour}@example.com`)
    await sandbox.clock.advance('1h')
  }
  const seqsOf = async (query: Parameters<typeof sandbox.client.events.list>[0]) =>
    (await sandbox.client.events.list(query)).events.map(({ seq }) => seq)
  expect(await seqsOf({ from: '2026-01-01T01:00:00Z' })).toEqual([2, 3])
  expect(await seqsOf({ to: '2026-01-01T01:00:00Z' })).toEqual([1, 2])
  expect(await seqsOf({ from: '2026-01-01T00:30Z', to: '2026-01-01T01:30Z' })).toEqual([2])
  await expect(seqsOf({ from: 'noon' })).rejects.toMatchObject({ status: 400, details: [{ field: 'from' }] })
})

test('an event is shown with its exact bytes and with every attempt to deliver it', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 503 : 200))
  const { id: endpoint_id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const contact = await makeContact(sandbox)
  await sandbox.clock.advance('1m')
  const { id } = receiver.received[0]!.event
  const shown = await sandbox.client.events.show(id)
  expect(shown).toMatchObject({
    seq: 1,
    id,
    event: 'contact.created',
    subject: contact,
    body: receiver.received[0]!.body,
    deliveries: [
      { endpoint_id, status: 'delivered', attempts: [{ number: 1, status_code: 503 }, { status_code: 200 }] },
    ],
  })
  expect(await sandbox.client.events.show('1')).toEqual(shown)
  await expect(sandbox.client.events.show('2')).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('an empty log has position 0', async () => {
  await using sandbox = await start()
  expect(await sandbox.client.events.list()).toMatchObject({ events: [], has_more: false, last_seq: 0 })
})

test('two equal runs give equal answers about their logs, but different stream ids', async () => {
  const received: unknown[] = []
  const instances: (string | undefined)[] = []
  for (let i = 0; i < 2; i++) {
    await using sandbox = await start({ seed: 'again' })
    await makeContact(sandbox)
    received.push(await sandbox.client.events.list())
    await using stream = await openEventStream(sandbox)
    instances.push((await stream.hello()).instance)
  }
  expect(received[0]).toEqual(received[1])
  expect(instances[0]).not.toBe(instances[1])
})

test('a restarted log has another id: positions of the old one are invalid in it', async () => {
  await using sandbox = await start()
  const before = (await sandbox.client.events.list()).log_id
  await sandbox.client.world.reset({ scope: 'events' })
  const after = (await sandbox.client.events.list()).log_id
  await sandbox.client.world.reset()
  expect(new Set([before, after, (await sandbox.client.events.list()).log_id]).size).toBe(3)
})

test('a cursor is new, moves, and may move back to repeat', async () => {
  await using sandbox = await start()
  const { events } = sandbox.client
  for (let i = 1; i <= 3; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  expect(await events.cursor('mine')).toMatchObject({ name: 'mine', seq: null, last_seq: 3 })
  expect(await events.moveCursor('mine', { seq: 3 })).toMatchObject({ seq: 3 })
  expect(await events.moveCursor('mine', { seq: 1 })).toMatchObject({ seq: 1 })
  expect(await events.cursor('mine')).toMatchObject({ seq: 1, last_seq: 3 })
  expect(await events.cursor('other')).toMatchObject({ seq: null })
})

test('a cursor cannot move beyond the log or have an invalid name', async () => {
  await using sandbox = await start()
  const { events } = sandbox.client
  await expect(events.moveCursor('mine', { seq: 1 })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'seq' }],
  })
  await expect(events.moveCursor('mine', { seq: -1 })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'seq' }],
  })
  await expect(events.cursor('a b')).rejects.toMatchObject({ status: 400, details: [{ field: 'name' }] })
  await expect(events.cursor('x'.repeat(65))).rejects.toMatchObject({ status: 400 })
})

test("the relay's secret follows from the seed", async () => {
  const secretOf = async (seed: string) => {
    await using sandbox = await start({ seed })
    return (await sandbox.client.events.secret()).secret
  }
  expect(await secretOf('one')).toMatch(/^whsec_[A-Za-z0-9]{32}$/)
  expect(await secretOf('one')).toBe(await secretOf('one'))
  expect(await secretOf('two')).not.toBe(await secretOf('one'))
})

test('an event is replayed with the same id and the same bytes', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  const { id } = receiver.received[0]!.event
  await sandbox.clock.advance('3d')
  const replayed = await sandbox.client.events.replay(id, {})
  expect(replayed).toMatchObject({ event_id: id, deliveries: [{ event_id: id, status: 'pending', attempts: [] }] })
  const [first, second] = await receiver.until(2)
  expect(second!.body).toBe(first!.body)
  expect(second!.headers).toMatchObject({ 'x-service-event-id': id, 'x-service-delivery-attempt': '1' })
  expect((await sandbox.client.events.list()).last_seq).toBe(1)
})

test('an event that failed for good is replayed to that endpoint alone', async () => {
  await using sandbox = await start()
  await using broken = await startReceiver()
  await using sound = await startReceiver()
  broken.answer(500)
  const { id: endpoint_id } = await sandbox.client.webhooks.create({ url: broken.url, events: ['*'] })
  await sandbox.client.webhooks.create({ url: sound.url, events: ['*'] })
  await makeContact(sandbox)
  await sandbox.clock.advance('2d')
  const failed = await sandbox.client.events.deliveries({ status: 'failed' })
  expect(failed.data).toMatchObject([{ endpoint_id, attempts: { length: 5 } }])
  broken.answer(200)
  const { event_id } = failed.data[0]!
  expect((await sandbox.client.events.replay(event_id, { endpoint_id })).deliveries).toHaveLength(1)
  await settle(sandbox)
  expect(sound.received).toHaveLength(1)
  const { data } = await sandbox.client.events.deliveries({ event_id, endpoint_id })
  expect(data.map(({ status }) => status)).toEqual(['delivered', 'failed'])
})

test('replaying an unknown event, or to an endpoint that did not subscribe, is refused', async () => {
  await using sandbox = await start()
  const { events, webhooks } = sandbox.client
  const unknown = 'evt_00000000-0000-4000-8000-000000000999'
  await expect(events.replay(unknown, {})).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await expect(events.deliveries({ event_id: unknown })).rejects.toMatchObject({ status: 404 })
  await makeContact(sandbox)
  const { id } = (await events.list()).events[0]!
  expect(await events.replay(id, {})).toEqual({ event_id: id, seq: 1, deliveries: [] })
  const { id: endpoint_id } = await webhooks.create({ url: 'https://example.com/', events: ['email.*'] })
  await expect(events.replay(id, { endpoint_id })).rejects.toMatchObject({
    status: 400,
    details: [{ code: 'not_subscribed' }],
  })
})

test('deliveries are listed page by page', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  for (let i = 1; i <= 3; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  await settle(sandbox)
  const first = await sandbox.client.events.deliveries({ limit: 2, status: 'delivered' })
  expect(first).toMatchObject({ data: { length: 2 }, has_more: true })
  const rest = await sandbox.client.events.deliveries({ limit: 2, cursor: first.next_cursor! })
  expect(rest).toMatchObject({ data: { length: 1 }, has_more: false, next_cursor: null })
  const ids = [...first.data, ...rest.data].map(({ event_id }) => event_id)
  expect(ids).toEqual((await sandbox.client.events.list()).events.map(({ id }) => id).reverse())
})
