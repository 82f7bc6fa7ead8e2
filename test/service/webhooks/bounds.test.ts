import { expect, test } from 'vitest'
import { folder, worldWith } from '../../folder.ts'
import { startReceiver } from '../../receiver.ts'
import { follow } from '../../relay/follow.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox.ts'
import { openEventStream } from './event-stream.ts'

const small = async (options: SandboxOptions = {}, bounds: object = { keep: 100 }) =>
  createSandbox({ world: await worldWith({ event_log: bounds }), ...options })

/** As many events as wanted, in a few requests. */
async function happen({ client }: Pick<Sandbox, 'client'>, count: number, from = 0, first_name?: string) {
  const contacts = Array.from({ length: count }, (_, i) => ({
    email: `n${from + i}@example.com`,
    ...(first_name && { first_name }),
  }))
  await client.contacts.import({ contacts })
}

const seqsOf = async ({ client }: Pick<Sandbox, 'client'>, query = {}) =>
  (await client.events.list({ limit: 1000, ...query })).events.map(({ seq }) => seq)

test('the log keeps the newest events up to its limit, and reports how many it dropped', async () => {
  await using sandbox = await small()
  for (let n = 1; n <= 8; n++) {
    await happen(sandbox, 37, n * 37)
    const { events, first_seq, last_seq, dropped } = await sandbox.client.events.list({ limit: 1000 })
    expect(events.length).toBeLessThanOrEqual(100)
    expect({ first: events[0]!.seq, last: events.at(-1)!.seq }).toEqual({ first: first_seq, last: last_seq })
    expect(dropped).toBe(first_seq - 1)
    expect(events).toHaveLength(last_seq - first_seq + 1)
  }
  const { last_seq, first_seq } = await sandbox.client.events.list()
  expect(last_seq).toBeGreaterThan(250)
  expect(first_seq).toBeGreaterThan(last_seq - 100)
})

test('the log is bounded by bytes as well', async () => {
  await using sandbox = await small({}, { keep: 10_000, keep_bytes: 64 * 1024 })
  await happen(sandbox, 1_000)
  const { events, dropped } = await sandbox.client.events.list({ limit: 1000 })
  const { body } = await sandbox.client.events.show(String(events[0]!.seq))
  expect(dropped).toBeGreaterThan(500)
  expect(events.length * body.length).toBeLessThan(80 * 1024)
  expect(events.length * body.length).toBeGreaterThan(48 * 1024)
})

test('an event that is still to be delivered stays until its delivery has ended', async () => {
  await using receiver = await startReceiver()
  receiver.answer(500)
  await using sandbox = await small()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.deleted'] })
  const { id } = await sandbox.client.contacts.create({ email: 'early@example.com' })
  await sandbox.client.contacts.delete(id)
  await sandbox.clock.advance('0s')
  await happen(sandbox, 300)
  expect((await seqsOf(sandbox)).slice(0, 2)).toEqual([2, expect.any(Number)])
  expect(await sandbox.client.events.show('2')).toMatchObject({
    event: 'contact.deleted',
    deliveries: [{ status: 'pending' }],
  })
  await sandbox.clock.advance('2d')
  expect(receiver.received).toHaveLength(5)
  await expect(sandbox.client.events.show('2')).rejects.toMatchObject({ status: 404 })
  const { events, dropped, first_seq } = await sandbox.client.events.list({ limit: 1000 })
  expect(events[0]!.seq).toBe(first_seq)
  expect(dropped).toBe(first_seq - 1)
  expect((await sandbox.client.events.deliveries()).data).toEqual([])
})

test('a delivery is dropped with its event, and the refusal gives the reason', async () => {
  await using receiver = await startReceiver()
  await using sandbox = await small()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await sandbox.client.contacts.create({ email: 'early@example.com' })
  await sandbox.clock.advance('0s')
  const { id } = await sandbox.client.events.show('1')
  await happen(sandbox, 150)
  await sandbox.clock.advance('0s')
  await happen(sandbox, 150, 150)
  await sandbox.clock.advance('0s')
  const { data } = await sandbox.client.events.deliveries({ limit: 200 })
  const { first_seq, events } = await sandbox.client.events.list({ limit: 1000 })
  expect(data).toHaveLength(events.length)
  expect(first_seq).toBeGreaterThan(100)
  await expect(sandbox.client.events.show(id)).rejects.toMatchObject({
    message: expect.stringMatching(/oldest \d+ events were dropped/),
  })
  await expect(sandbox.client.events.replay(id, {})).rejects.toMatchObject({ status: 404 })
})

test('a stream reports events that were dropped before they could be read', async () => {
  await using sandbox = await small()
  await happen(sandbox, 300)
  const { first_seq, dropped } = await sandbox.client.events.list()
  await using stream = await openEventStream(sandbox, '?after=3')
  expect(await stream.hello()).toMatchObject({ first_seq, dropped })
  const [gap, first] = await stream.events(2)
  expect(gap).toMatchObject({ id: undefined, event: 'dropped' })
  expect(JSON.parse(gap!.data)).toEqual({ after: 3, first_seq, dropped })
  expect(first!.id).toBe(String(first_seq))
})

test('a reader that is up to date receives nothing', async () => {
  await using sandbox = await small()
  await happen(sandbox, 300)
  await using stream = await openEventStream(sandbox)
  await stream.hello()
  await happen(sandbox, 1, 300)
  expect(await stream.events(1)).toMatchObject([{ event: 'contact.imported' }])
})

test('a relay reports missed events and continues with the remaining ones', async () => {
  await using sandbox = await small()
  await happen(sandbox, 300)
  const { first_seq } = await sandbox.client.events.list()
  await using relay = follow(sandbox, { since: String(10) })
  await relay.until('event')
  expect(relay.reported.slice(0, 3)).toEqual(['connected 10', `dropped 10 to ${first_seq}`, 'event contact.imported'])
  expect(relay.events[0]!.event.seq).toBe(first_seq)
})

test('the number of dropped events survives a restart', async () => {
  const data = await folder()
  let before: unknown
  {
    await using sandbox = await small({ data })
    await happen(sandbox, 300)
    const { first_seq, dropped, last_seq } = await sandbox.client.events.list()
    before = { first_seq, dropped, last_seq }
  }
  await using sandbox = await small({ data })
  expect(await sandbox.client.events.list()).toMatchObject(before as object)
  await happen(sandbox, 100, 300)
  expect((await seqsOf(sandbox)).length).toBeLessThanOrEqual(100)
})

test.for([
  [{ keep: 99 }, 'event_log.keep'],
  [{ keep_bytes: 1 }, 'event_log.keep_bytes'],
  [{ kep: 200 }, 'event_log.kep'],
] as const)('a world file with the event log %j is refused', async ([bounds, field]) => {
  await expect(small({}, bounds)).rejects.toMatchObject({ details: [{ field }] })
})
