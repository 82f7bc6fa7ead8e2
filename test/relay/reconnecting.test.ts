import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openStream } from '../../src/relay/stream.ts'
import { folder } from '../folder.ts'
import { holdLimits } from '../machine-clock.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { follow } from './follow.ts'

const addContact = (sandbox: Sandbox, n: number) => sandbox.client.contacts.create({ email: `n${n}@example.com` })
const emails = (received: readonly { event: { data: Record<string, unknown> } }[]) =>
  received.map(({ event }) => event.data.email)

test('a restart of the emulator on the same folder loses nothing and repeats nothing', async () => {
  const data = await folder()
  await using receiver = await startReceiver()
  const before = await createSandbox({ data })
  const port = Number(new URL(before.url).port)
  await using relay = follow(before, { to: receiver.url })
  await relay.until('connected')
  await addContact(before, 1)
  await relay.until('event')
  await before.stop()
  await relay.until('lost')
  await using after = await createSandbox({ data, port })
  await addContact(after, 2)
  await relay.until('event', 2)
  await addContact(after, 3)
  await relay.until('event', 3)
  expect(emails(receiver.received)).toEqual(['n1@example.com', 'n2@example.com', 'n3@example.com'])
})

test('an emulator with a fresh log is read from its start', async () => {
  await using receiver = await startReceiver()
  const before = await createSandbox({ seed: 'one' })
  const port = Number(new URL(before.url).port)
  await using relay = follow(before, { to: receiver.url })
  await relay.until('connected')
  for (let n = 1; n <= 3; n++) await addContact(before, n)
  await relay.until('event', 3)
  await before.stop()
  await using after = await createSandbox({ port, seed: 'two' })
  await addContact(after, 4)
  await relay.until('new log')
  await relay.until('event', 4)
  expect(relay.reported).toContain('new log 0')
  expect(emails(receiver.received).at(-1)).toBe('n4@example.com')
})

test('an emulator that was never there is not waited for', async () => {
  await using relay = follow({ url: 'http://localhost:1', apiKey: 'sk_sandbox_default' })
  await relay.until('failed')
  expect(relay.reported[0]).toContain('cannot be reached')
})

/** A stream with scripted content, for cases that a real emulator shows only when it is broken. */
async function startStream(onRequest: (n: number, url: string, res: ServerResponse) => void) {
  let requests = 0
  const server = createServer((req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    onRequest(++requests, req.url!, res)
  })
  return { url: await urlOf(server), apiKey: 'sk_sandbox_default' }
}

/** The longest time without data on a connection. */
const SILENCE_MS = 4_321

const hello = (last_seq: number, after = last_seq) =>
  `event: hello\ndata: {"log_id":"log_1","last_seq":${last_seq},"after":${after},"namespace":"default"}\n\n`
const event = (seq: number) =>
  `id: ${seq}\nevent: contact.created\ndata: {"id":"evt_${seq}","event":"contact.created","data":{}}\n\n`

test('a connection that has gone silent is given up, and resumed after the last event', async () => {
  const urls: string[] = []
  const stream = await startStream((n, url, res) => {
    urls.push(url)
    res.write(hello(n, n - 1))
    res.write(event(n))
  })
  const silence = holdLimits(SILENCE_MS)
  await using relay = follow(stream, { silenceMs: SILENCE_MS, since: 'start' })
  await relay.until('event')
  await silence.pass()
  await relay.until('event', 2)
  expect(relay.reported.slice(0, 3)).toEqual(['connected 0', 'event contact.created', 'lost'])
  expect(urls.slice(0, 2)).toEqual([
    '/_sandbox/events/stream?since=start&heartbeat=4s',
    '/_sandbox/events/stream?after=1&log=log_1&heartbeat=4s',
  ])
})

test('a stream that a proxy holds back is not taken for an absent sandbox', async () => {
  const stream = await startStream((_, __, res) => res.flushHeaders())
  const silence = holdLimits(SILENCE_MS)
  const first = openStream({
    ...stream,
    baseUrl: stream.url,
    silenceMs: SILENCE_MS,
    signal: AbortSignal.any([]),
  }).next()
  await expect.poll(silence.started).toBeGreaterThan(1)
  const refused = expect(first).rejects.toMatchObject({
    message: expect.stringContaining('gave no data for 4.321 s'),
    hint: expect.stringContaining('proxy'),
  })
  await Promise.all([silence.pass(), refused])
})

test('heartbeats keep a quiet connection alive', async () => {
  const answers: ServerResponse[] = []
  const stream = await startStream((_, __, res) => {
    answers.push(res)
    res.write(hello(0))
  })
  const silence = holdLimits(SILENCE_MS)
  await using relay = follow(stream, { silenceMs: SILENCE_MS })
  // For the connection, for its first data, and for the next; then each heartbeat restarts it.
  await expect.poll(silence.started).toBe(3)
  for (let beats = 1; beats <= 3; beats++) {
    answers[0]!.write(': at 0\n\n')
    await expect.poll(silence.started).toBe(3 + beats)
  }
  answers[0]!.write(event(1))
  await relay.until('event')
  expect(relay.reported).toEqual(['connected 0', 'event contact.created'])
})

test('an event that arrives twice is passed on once', async () => {
  const stream = await startStream((_, __, res) => res.write(hello(0) + event(1) + event(1) + event(2)))
  await using relay = follow(stream)
  await relay.until('event', 2)
  expect(relay.events.map(({ event: { seq } }) => seq)).toEqual([1, 2])
})

test('an event that is cut between any two bytes arrives whole', async () => {
  const body = '{"id":"evt_1","event":"contact.created","data":{"first_name":"Zoë 🚀"}}'
  const bytes = Buffer.from(`${hello(0)}id: 1\nevent: contact.created\ndata: ${body}\n\n`)
  const stream = await startStream(async (_, __, res) => {
    for (const byte of bytes) {
      res.write(Buffer.of(byte))
      await new Promise((resume) => setImmediate(resume))
    }
  })
  await using relay = follow(stream)
  await relay.until('event')
  expect(relay.events[0]!.event.body).toBe(body)
})
