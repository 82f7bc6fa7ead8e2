import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import { openStream } from '../../src/relay/stream.ts'
import { makeContact, start, startImpatient } from '../service/webhooks/empty-world.ts'
import { urlOf } from '../url-of.ts'
import { dripping, type Says, startRawServer } from './raw-server.ts'

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
/** Repeated each millisecond, they exceed the size limit of headers long before the time limit. */
const HEADERS = 'X-More: and more\r\n'.repeat(64)
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** What the receiver answers, and the result of the attempt: a status, or the failure. */
const endless: readonly [string, Says, number | RegExp][] = [
  ['changes to another protocol', (socket) => socket.write(UPGRADE), 101],
  ['changes to another protocol, and closes', (socket) => socket.end(UPGRADE), 101],
  ['says nothing', () => {}, /no answer within 400 ms/],
  ['closes without a word', (socket) => socket.destroy(), /closed the connection/],
  ['ends without a word', (socket) => socket.end(), /closed the connection/],
  [
    'answers something that is not HTTP',
    (socket) => socket.end('hello\r\n\r\n'),
    /gave an answer that is not valid HTTP: Expected HTTP/,
  ],
  ['ends in the middle of a line', (socket) => socket.end('HTTP/1.1 20'), /closed the connection|not valid HTTP/],
  [
    'ends in the middle of the body',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
    /closed the connection/,
  ],
  [
    'never comes to the answer',
    (socket) => dripping(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n'),
    /no answer within 400 ms/,
  ],
  [
    'has headers without end',
    (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\n', HEADERS),
    /Header overflow|not valid HTTP|no answer within 400 ms/,
  ],
  [
    'drips one header',
    (socket) => dripping(socket, 'HTTP/1.1 200 OK\r\nX-Long: ', 'x'.repeat(1_024)),
    /Header overflow|no answer within 400 ms/,
  ],
  ['never ends its body', (socket) => dripping(socket, CHUNKED, `40000\r\n${'x'.repeat(0x40000)}\r\n`), 200],
  ['never ends a body that it drips', (socket) => dripping(socket, CHUNKED, '1\r\nx\r\n'), /no answer within 400 ms/],
  [
    'begins a body and goes on with nothing',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'),
    /no answer within 400 ms/,
  ],
  [
    'never ends its trailers',
    (socket) => dripping(socket, `${CHUNKED}0\r\n`, HEADERS),
    /closed the connection|Header overflow|no answer within 400 ms/,
  ],
]

test.for(endless)('a receiver that %s does not block others', async ([, says, outcome]) => {
  // Where something other than a time limit ends it, a busy machine must not reach the limit.
  await using sandbox = await (String(outcome).includes('400 ms') ? startImpatient : start)()
  await using receiver = await startRawServer(says)
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  await makeContact(sandbox)
  // What waits for the answer: a test, an advance, a reset.
  const { status_code, error } = await sandbox.client.webhooks.test(id)
  if (typeof outcome === 'number') expect(status_code).toBe(outcome)
  else expect(error ?? '').toMatch(outcome)
  await sandbox.clock.advance('24h')
  const [delivery] = (await sandbox.client.events.deliveries({ event_id: undefined })).data.slice(-1)
  expect(['delivered', 'failed']).toContain(delivery!.status)
  await sandbox.client.world.reset({ scope: 'all' })
  expect((await sandbox.client.webhooks.list()).data).toEqual([])
})

test('the failure of a TLS handshake has the same words in each run', async () => {
  const tls = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
  )
  const url = new URL((await urlOf(tls)).replace('http', 'https'))
  await expect(exchange({ method: 'GET', url, headers: {}, timeoutMs: 5_000 })).rejects.toThrow(
    `${url.origin} cannot be reached: TLS failed: wrong version number`,
  )
})

test.concurrent.for(endless.filter(([, , outcome]) => typeof outcome !== 'number'))(
  'a call to a service that %s ends within its limit',
  async ([, says]) => {
    await using service = await startRawServer(says)
    const call = exchange({ method: 'GET', url: new URL(service.url), headers: {}, timeoutMs: 400, keepBytes: 10 })
    await call.then(
      ({ status }) => expect(status).toBe(200),
      (error) => expect(error).toHaveProperty('name', 'Unreachable'),
    )
  },
)

test('a follower of a server that never ends another answer leaves it', async () => {
  const left = Promise.withResolvers<void>()
  await using service = await startRawServer((socket) => {
    socket.once('close', () => left.resolve())
    dripping(socket, CHUNKED, '1\r\nx\r\n')
  })
  const { signal } = new AbortController()
  const stream = openStream({ baseUrl: service.url, apiKey: 'sk_sandbox_default', silenceMs: 5_000, signal })
  await expect(stream.next()).rejects.toThrow('no content type instead of an event stream')
  await left.promise
})

test.for([
  ['changes to another protocol', (socket) => socket.write(UPGRADE)],
  ['says nothing', () => {}],
  ['never ends its refusal', (socket) => socket.write('HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\nab')],
  ['has no stream', (socket) => socket.end('HTTP/1.1 204 None\r\n\r\n')],
] as const satisfies readonly (readonly [string, Says])[])(
  'a follower of a server that %s gets an error',
  async ([, says]) => {
    await using service = await startRawServer(says)
    const stream = openStream({
      baseUrl: service.url,
      apiKey: 'sk_sandbox_default',
      silenceMs: 400,
      signal: new AbortController().signal,
    })
    await expect(stream.next()).rejects.toMatchObject({ name: expect.stringMatching(/^(Unreachable|Refusal)$/) })
  },
)
