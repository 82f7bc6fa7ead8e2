import { expect, test } from 'vitest'
import { startReceiver } from '../../receiver.ts'
import { makeContact, start } from './empty-world.ts'
import { openEventStream } from './event-stream.ts'

const seqs = (events: { id: string | undefined }[]) => events.map(({ id }) => Number(id))

test('a stream begins with the position of the log, followed by new events', async () => {
  await using sandbox = await start()
  await makeContact(sandbox, 'before@example.com')
  await using stream = await openEventStream(sandbox)
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.headers.get('x-accel-buffering')).toBe('no')
  const { log_id } = await sandbox.client.events.list()
  expect(await stream.hello()).toMatchObject({ log_id, last_seq: 1, begins_after: 0, namespace: 'default' })
  const id = await makeContact(sandbox, 'after@example.com')
  const [event] = await stream.events(1)
  expect(event).toMatchObject({ id: '2', event: 'contact.created' })
  expect(JSON.parse(event!.data)).toMatchObject({ event: 'contact.created', data: { contact_id: id } })
})

test('what is streamed are the exact bytes that endpoints get', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await using stream = await openEventStream(sandbox)
  await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'line\u2028break "and" ✓' })
  const [delivered] = await receiver.until(1)
  const [streamed] = await stream.events(1)
  expect(streamed!.data).toBe(delivered!.body)
})

test('a stream goes on after Last-Event-ID, without a gap and without a repetition', async () => {
  await using sandbox = await start()
  for (let i = 1; i <= 5; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  await using stream = await openEventStream(sandbox, '?after=0', { lastEventId: '3' })
  expect(seqs(await stream.events(2))).toEqual([4, 5])
  await makeContact(sandbox, 'contact-6@example.com')
  expect(seqs(await stream.events(3))).toEqual([4, 5, 6])
})

test('a stream can be read from the very beginning, over many pages', async () => {
  await using sandbox = await start()
  for (let i = 1; i <= 250; i++) await makeContact(sandbox, `contact-${i}@example.com`)
  await using stream = await openEventStream(sandbox, '?after=0')
  const first = await stream.events(250)
  await makeContact(sandbox, 'last@example.com')
  await stream.events(251)
  expect(seqs(first)).toEqual(Array.from({ length: 250 }, (_, i) => i + 1))
})

test('a stream shows only the events that are asked for', async () => {
  await using sandbox = await start()
  await using stream = await openEventStream(sandbox, '?events=message.*,contact.deleted')
  await stream.hello()
  const id = await makeContact(sandbox)
  await sandbox.client.contacts.delete(id)
  expect((await stream.events(1)).map(({ event }) => event)).toEqual(['contact.deleted'])
})

test('a silent stream sends heartbeats with its position', async () => {
  await using sandbox = await start()
  await using stream = await openEventStream(sandbox, '?heartbeat=100ms&events=message.*')
  await makeContact(sandbox)
  const comments = await stream.comments(2)
  expect(comments.at(-1)).toBe('at 1')
})

test('a position beyond the log belongs to another log: this one is sent from its beginning', async () => {
  await using sandbox = await start()
  await makeContact(sandbox)
  await using stream = await openEventStream(sandbox, '', { lastEventId: '500' })
  expect(seqs(await stream.events(1))).toEqual([1])
})

test('every reader of a stream gets all events', async () => {
  await using sandbox = await start()
  await using one = await openEventStream(sandbox)
  await using two = await openEventStream(sandbox)
  await Promise.all([one.hello(), two.hello()])
  await makeContact(sandbox)
  expect(await one.events(1)).toEqual(await two.events(1))
})

test('a stream contains no events of another namespace', async () => {
  await using sandbox = await start()
  await using stream = await openEventStream(sandbox, '', { apiKey: 'sk_sandbox_other' })
  expect(await stream.hello()).toMatchObject({ namespace: 'other', last_seq: 0 })
  await makeContact(sandbox)
  await sandbox.as('other').contacts.create({ email: 'other@example.com' })
  const [event] = await stream.events(1)
  expect(JSON.parse(event!.data).data.email).toBe('other@example.com')
})

test('a stream survives a reset and announces the new log', async () => {
  await using sandbox = await start()
  await makeContact(sandbox)
  await using stream = await openEventStream(sandbox)
  const { log_id } = await stream.hello()
  await sandbox.client.world.reset({ scope: 'all' })
  await makeContact(sandbox, 'after@example.com')
  const [again, event] = await stream.events(2)
  expect(again!.event).toBe('hello')
  expect(JSON.parse(again!.data).log_id).not.toBe(log_id)
  expect(JSON.parse(event!.data).data.email).toBe('after@example.com')
})

test('a stream can be limited to one record', async () => {
  await using sandbox = await start()
  const ada = await makeContact(sandbox)
  await using stream = await openEventStream(sandbox, `?after=0&subject=${ada}`)
  await makeContact(sandbox, 'bea@example.com')
  await sandbox.client.contacts.delete(ada)
  expect((await stream.events(2)).map(({ event }) => event)).toEqual(['contact.created', 'contact.deleted'])
})

test('a stream ends when the server stops', async () => {
  const sandbox = await start()
  await using stream = await openEventStream(sandbox)
  await stream.hello()
  await sandbox.stop()
  await expect(stream.ended).resolves.toBeUndefined()
})

test.for([
  ['?after=-1', 'after'],
  ['?after=x', 'after'],
  ['?events=message.deliverd', 'events[0]'],
  ['?events=', 'events[0]'],
  ['?heartbeat=1ms', 'heartbeat'],
  ['?since=yesterday', 'since'],
])('a stream asked for with %s is refused', async ([query, field]) => {
  await using sandbox = await start()
  const response = await fetch(`${sandbox.url}/_sandbox/events/stream${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'validation_error', details: [{ field }] })
})

test('a Last-Event-ID that this stream never gave is refused', async () => {
  await using sandbox = await start()
  const response = await fetch(`${sandbox.url}/_sandbox/events/stream`, { headers: { 'Last-Event-ID': 'evt_1' } })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ details: [{ field: 'Last-Event-ID' }] })
})
