import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { follow, SECRET } from './follow.ts'

const addContact = (sandbox: Sandbox, n: number) =>
  sandbox.client.contacts.create({ email: `n${n}@example.com`, first_name: 'Zoë 🚀' })

test('each event reaches the target with the exact bytes of the log and a signature that verifies', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await using relay = follow(sandbox, { to: receiver.url })
  await relay.until('connected')
  await addContact(sandbox, 1)
  const [got] = await receiver.until(1)
  await relay.until('event')
  expect(got!.body).toBe(relay.events[0]!.event.body)
  expect(await verify(SECRET, got!.body, got!.headers['x-service-signature']!)).toBe(true)
  expect(got!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event-id': got!.event.id,
    'x-service-delivery-attempt': '1',
    'user-agent': expect.stringMatching(/^messaging-sandbox\/\d/),
  })
})

test('what is forwarded names the leases that it concerns, as what goes to an endpoint does', async () => {
  await using sandbox = await createSandbox()
  await using endpoint = await sandbox.receiver()
  await using receiver = await startReceiver()
  await using relay = follow(sandbox, { to: receiver.url, since: 'start' })
  const lease = await sandbox.lease.email()
  await sandbox.client.contacts.create({ email: lease.address })
  await addContact(sandbox, 1)
  await relay.until('event', 2)
  await sandbox.settle()
  expect(receiver.received.map(({ headers }) => headers['x-sandbox-lease'])).toEqual([lease.id, undefined])
  expect(endpoint.deliveries.map(({ headers }) => headers['x-sandbox-lease'])).toEqual([lease.id, undefined])
})

test('events come in the order of the log, one after the other', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await using relay = follow(sandbox, { to: receiver.url })
  await relay.until('connected')
  for (let n = 1; n <= 20; n++) await addContact(sandbox, n)
  await relay.until('event', 20)
  const emails = receiver.received.map(({ event }) => event.data.email)
  expect(emails).toEqual(Array.from({ length: 20 }, (_, i) => `n${i + 1}@example.com`))
})

test('a relay begins now, at the start or after a position', async () => {
  await using sandbox = await createSandbox()
  for (let n = 1; n <= 3; n++) await addContact(sandbox, n)
  const { events: logged } = await sandbox.client.events.list()
  await using fromStart = follow(sandbox, { since: 'start' })
  await fromStart.until('event', 3)
  await using after = follow(sandbox, { since: logged[1]!.id })
  await after.until('event')
  expect(after.events[0]!.event.seq).toBe(logged[2]!.seq)
  await using now = follow(sandbox)
  await now.until('connected')
  await addContact(sandbox, 4)
  await now.until('event')
  expect(JSON.parse(now.events[0]!.event.body).data.email).toBe('n4@example.com')
})

test('only the selected events arrive, and a misspelt name is refused', async () => {
  await using sandbox = await createSandbox()
  await using relay = follow(sandbox, { query: { events: 'contact.deleted' } })
  await relay.until('connected')
  const { id } = await addContact(sandbox, 1)
  await sandbox.client.contacts.delete(id)
  await relay.until('event')
  expect(relay.reported).toEqual(['connected 0', 'event contact.deleted'])
  await using wrong = follow(sandbox, { query: { events: 'contact.delete' } })
  await wrong.until('failed')
  expect(wrong.reported[0]).toContain('did you mean "contact.deleted"')
})

test('a named cursor goes on where it stopped', async () => {
  await using sandbox = await createSandbox()
  const first = follow(sandbox, { cursor: 'dev' })
  await first.until('connected')
  await addContact(sandbox, 1)
  await first.until('event')
  await first.stop()
  await addContact(sandbox, 2)
  await using second = follow(sandbox, { cursor: 'dev' })
  await second.until('event')
  expect(JSON.parse(second.events[0]!.event.body).data.email).toBe('n2@example.com')
})

test('an event without a 2xx is tried again with growing delays, then it is skipped and the next one follows', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(({ event }) => (event.data.email === 'n1@example.com' ? 500 : 200))
  await using relay = follow(sandbox, { to: receiver.url, retries: 3 })
  await relay.until('connected')
  await addContact(sandbox, 1)
  await addContact(sandbox, 2)
  await relay.until('event', 2)
  expect(relay.events.map(({ delivery }) => [delivery!.delivered, delivery!.attempts])).toEqual([
    [false, 4],
    [true, 1],
  ])
  expect(relay.waits).toEqual([200, 400, 800])
  expect(relay.reported.filter((line) => line.startsWith('target'))).toEqual(['target failing'])
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual([
    '1',
    '2',
    '3',
    '4',
    '1',
  ])
  expect(new Set(receiver.received.slice(0, 4).map(({ headers }) => headers['x-service-event-id']))).toHaveLength(1)
})

test('a target that never answers counts as failed after its time limit', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer('never')
  await using relay = follow(sandbox, { to: receiver.url, retries: 0, timeoutMs: 20 })
  await relay.until('connected')
  await addContact(sandbox, 1)
  await relay.until('event')
  expect(relay.events[0]!.delivery).toMatchObject({ delivered: false, last: { status: null, isDown: false } })
})

test('a receiver that is down gets all events when it is back, however long that takes', async () => {
  await using sandbox = await createSandbox()
  const first = await startReceiver()
  const port = Number(new URL(first.url).port)
  await first[Symbol.asyncDispose]()
  await using relay = follow(sandbox, { to: first.url, retries: 0 })
  await relay.until('connected')
  for (let n = 1; n <= 3; n++) await addContact(sandbox, n)
  await relay.until('target down')
  await using receiver = await startReceiver({ port })
  await relay.until('event', 3)
  expect(receiver.received.map(({ event }) => event.data.email)).toEqual([
    'n1@example.com',
    'n2@example.com',
    'n3@example.com',
  ])
  expect(relay.reported.filter((line) => line.startsWith('target'))).toEqual(['target down', 'target up'])
})
