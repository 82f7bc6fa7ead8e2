import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { startReceiver } from '../../receiver.ts'
import { makeContact, settle, start, startImpatient } from './empty-world.ts'

/** A port without a listener. */
const NOWHERE = 'http://127.0.0.1:9/hook'

const onlyDelivery = async ({ client }: Sandbox) => {
  const { data } = await client.events.deliveries()
  expect(data).toHaveLength(1)
  return data[0]!
}

test('an event that is never accepted is attempted at 0, 1 min, 5 min, 1 h and 24 h, and then failed', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(500)
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  const seen: [string, number][] = []
  for (const [at, by] of [
    ['0', '0s'],
    ['59 s', '59s'],
    ['1 min', '1s'],
    ['4 min 59 s', '239s'],
    ['5 min', '1s'],
    ['59 min 59 s', '3299s'],
    ['1 h', '1s'],
    ['24 h less 1 s', '82799s'],
    ['24 h', '1s'],
    ['a week', '7d'],
  ] as const) {
    await sandbox.clock.advance(by)
    seen.push([at, receiver.received.length])
  }
  expect(seen).toEqual([
    ['0', 1],
    ['59 s', 1],
    ['1 min', 2],
    ['4 min 59 s', 2],
    ['5 min', 3],
    ['59 min 59 s', 3],
    ['1 h', 4],
    ['24 h less 1 s', 4],
    ['24 h', 5],
    ['a week', 5],
  ])
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
  ])
})

test('one advance runs every attempt at its own instant, and all of them are written down', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n < 5 ? { status: 503, body: 'busy' } : 204))
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await sandbox.clock.advance('2d')
  const delivery = await onlyDelivery(sandbox)
  expect(delivery).toMatchObject({
    event: 'contact.created',
    event_id: receiver.received[0]!.event.id,
    endpoint_id: id,
    status: 'delivered',
    next_attempt_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    ended_at: '2026-01-02T00:00:00.000Z',
  })
  const error = 'The receiver answered 503.'
  expect(delivery.attempts).toMatchObject([
    { number: 1, at: '2026-01-01T00:00:00.000Z', status_code: 503, error, response: 'busy' },
    { number: 2, at: '2026-01-01T00:01:00.000Z', status_code: 503, error },
    { number: 3, at: '2026-01-01T00:05:00.000Z', status_code: 503, error },
    { number: 4, at: '2026-01-01T01:00:00.000Z', status_code: 503, error },
    { number: 5, at: '2026-01-02T00:00:00.000Z', status_code: 204, error: null, response: '' },
  ])
})

test('while retries are due, the delivery says when the next comes', async () => {
  await using sandbox = await start()
  await sandbox.client.webhooks.create({ url: NOWHERE, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  expect(await onlyDelivery(sandbox)).toMatchObject({
    status: 'pending',
    next_attempt_at: '2026-01-01T00:01:00.000Z',
    ended_at: null,
  })
  expect(await sandbox.client.clock.show()).toMatchObject({ next_due_at: '2026-01-01T00:01:00.000Z' })
})

test('when a delivery has failed for good, the next of its record has its turn', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(({ event }) => (event.event === 'contact.created' ? 500 : 200))
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const id = await makeContact(sandbox)
  await sandbox.client.contacts.update(id, { first_name: 'Ada' })
  await settle(sandbox)
  const waiting = await sandbox.client.events.deliveries({ status: 'waiting' })
  const [first] = (await sandbox.client.events.deliveries({ status: 'pending' })).data
  const { event_id, event, next_attempt_at } = first!
  expect(waiting.data).toMatchObject([
    { event: 'contact.updated', next_attempt_at: null, waits_for: { event_id, event, next_attempt_at } },
  ])
  expect(first).toMatchObject({ event: 'contact.created', next_attempt_at: '2026-01-01T00:01:00.000Z' })
  expect(first).not.toHaveProperty('waits_for')
  await sandbox.clock.advance('24h')
  const { data } = await sandbox.client.events.deliveries()
  expect(data.map(({ event, status, ended_at }) => [event, status, ended_at])).toEqual([
    ['contact.updated', 'delivered', '2026-01-02T00:00:00.000Z'],
    ['contact.created', 'failed', '2026-01-02T00:00:00.000Z'],
  ])
})

test('a receiver that is down is recorded as the reason', async () => {
  await using sandbox = await start()
  await sandbox.client.webhooks.create({ url: NOWHERE, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  const [attempt] = (await onlyDelivery(sandbox)).attempts
  expect(attempt).toMatchObject({ status_code: null, response: null, error: expect.stringContaining('ECONNREFUSED') })
})

test('a receiver that accepts and never answers is given up after the time it has', async () => {
  await using sandbox = await startImpatient()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 'never' : 200))
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  const from = performance.now()
  // The next attempts have a tenth of the time, which a busy machine can miss.
  await sandbox.clock.advance('24h')
  expect(performance.now() - from).toBeGreaterThanOrEqual(350)
  const { status, attempts } = await onlyDelivery(sandbox)
  expect(status).toBe('delivered')
  expect(attempts[0]).toMatchObject({ status_code: null, error: expect.stringContaining('no answer within 400 ms') })
  expect(attempts.at(-1)).toMatchObject({ status_code: 200, error: null })
})

test('an attempt has a duration on a running clock, and 0 on a frozen one', async () => {
  for (const clock of ['frozen', 'real'] as const) {
    await using sandbox = await startImpatient({ clock })
    await using receiver = await startReceiver()
    receiver.answer('never')
    const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
    const { duration_ms } = await sandbox.client.webhooks.test(id)
    if (clock === 'frozen') expect(duration_ms).toBe(0)
    else expect(duration_ms).toBeGreaterThanOrEqual(390)
  }
})

test('a redirect is a failure and is not followed', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await using elsewhere = await startReceiver()
  receiver.answer({ status: 307, headers: { Location: elsewhere.url } })
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  expect(elsewhere.received).toEqual([])
  expect(await onlyDelivery(sandbox)).toMatchObject({
    status: 'pending',
    attempts: [{ status_code: 307, error: expect.stringContaining('redirects are not followed') }],
  })
})

test.for([400, 401, 403])('a %i tells to check the signature', async (status) => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(status)
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  expect((await onlyDelivery(sandbox)).attempts[0]!.error).toContain('exact body bytes')
})

test('only the start of a long answer is kept', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer({ status: 200, body: 'x'.repeat(200_000) })
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  expect((await onlyDelivery(sandbox)).attempts[0]!.response).toBe('x'.repeat(500))
})

test('deleting an endpoint ends what was to be delivered to it', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(500)
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const contact = await makeContact(sandbox)
  await sandbox.client.contacts.update(contact, { first_name: 'Ada' })
  await settle(sandbox)
  await sandbox.client.webhooks.delete(id)
  await sandbox.clock.advance('2d')
  expect(receiver.received).toHaveLength(1)
  const { data } = await sandbox.client.events.deliveries({ endpoint_id: id })
  expect(data.map(({ status, next_attempt_at }) => [status, next_attempt_at])).toEqual([
    ['cancelled', null],
    ['cancelled', null],
  ])
  expect((await sandbox.client.clock.show()).next_due_at).toBeNull()
})

test('deleting an endpoint while it is answering is not an error', async () => {
  const faults: unknown[] = []
  await using sandbox = await startImpatient({ onFault: (error) => faults.push(error) })
  await using receiver = await startReceiver()
  receiver.answer('never')
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await receiver.until(1)
  await sandbox.client.webhooks.delete(id)
  await settle(sandbox)
  expect(await onlyDelivery(sandbox)).toMatchObject({ status: 'cancelled', attempts: [{ status_code: null }] })
  expect(faults).toEqual([])
})

test('an attempt in progress is the last one if its subscription ends meanwhile', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  let answer = (_status: number) => {}
  receiver.answer((_, n) => (n === 1 ? new Promise((resolve) => (answer = resolve)) : 200))
  const events = ['contact.created', 'contact.updated'] as const
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: [...events] })
  const contact = await makeContact(sandbox)
  await receiver.until(1)
  await sandbox.client.webhooks.update(id, { events: ['contact.updated'] })
  await sandbox.client.contacts.update(contact, { first_name: 'Ada' })
  answer(500)
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.event)).toEqual(events)
})

test('an event that the endpoint no longer subscribes to is not retried, and does not delay the next one', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(500)
  const { id } = await sandbox.client.webhooks.create({
    url: receiver.url,
    events: ['contact.created', 'contact.updated'],
  })
  const contact = await makeContact(sandbox)
  await settle(sandbox)
  await sandbox.client.webhooks.update(id, { events: ['contact.updated'] })
  await sandbox.client.contacts.update(contact, { first_name: 'Ada' })
  receiver.answer(200)
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['contact.created', 'contact.updated'])
  const { data } = await sandbox.client.events.deliveries()
  expect(data.map(({ status }) => status).sort()).toEqual(['cancelled', 'delivered'])
})

test('an event that waits for an earlier one is not sent to an endpoint that no longer subscribes to it', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer(500)
  const events = ['contact.created', 'contact.updated', 'contact.deleted'] as const
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: [...events] })
  const contact = await makeContact(sandbox)
  await settle(sandbox)
  await sandbox.client.contacts.update(contact, { first_name: 'Ada' })
  await sandbox.client.contacts.delete(contact)
  await sandbox.client.webhooks.update(id, { events: ['contact.deleted'] })
  receiver.answer(200)
  await sandbox.clock.advance('48h')
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['contact.created', 'contact.deleted'])
})
