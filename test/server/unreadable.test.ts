import { expect, test } from 'vitest'
import { problems } from '../../src/words/problem.ts'
import { createSandbox } from '../sandbox.ts'
import { exchange, onTheWire, statusesIn } from './raw-request.ts'

const HOST = 'Host: localhost'
const KEY = 'Authorization: Bearer sk_sandbox_default'
const chunked = [
  'POST /v1/messages HTTP/1.1',
  HOST,
  KEY,
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
]

test.for([
  ['an invalid request line', ['hello'], '', 'malformed_request'],
  ['a method that does not exist', ['SEND /v1/messages HTTP/1.1', HOST], '', 'malformed_request'],
  ['another version of HTTP', ['GET /v1/messages HTTP/9.9', HOST], '', 'malformed_request'],
  ['a header without a colon', ['GET /v1/messages HTTP/1.1', HOST, 'nonsense'], '', 'malformed_request'],
  ['a blank in the name of a header', ['GET /v1/messages HTTP/1.1', HOST, 'X Y: 1'], '', 'malformed_request'],
  ['a path with blanks', ['GET /v1/mess ages HTTP/1.1', HOST], '', 'malformed_request'],
  ['no Host', ['GET /v1/messages HTTP/1.1', KEY], '', 'malformed_request'],
  ['two Hosts', ['GET /v1/messages HTTP/1.1', HOST, HOST, KEY], '', 'malformed_request'],
  ['two keys', ['GET /v1/messages HTTP/1.1', HOST, KEY, `${KEY}-2`], '', 'malformed_request'],
  [
    'two idempotency keys',
    ['POST /v1/billing/topup HTTP/1.1', HOST, KEY, 'Idempotency-Key: a', 'idempotency-key: b'],
    '',
    'malformed_request',
  ],
  [
    'two lengths',
    ['POST /v1/messages HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2'],
    '{}',
    'malformed_request',
  ],
  ['a length and chunks', [...chunked, 'Content-Length: 2'], '{}', 'malformed_request'],
  [
    'a length that is not a number',
    ['POST /v1/messages HTTP/1.1', HOST, 'Content-Length: two'],
    '{}',
    'malformed_request',
  ],
  ['an invalid chunk', chunked, 'zz\r\n{}\r\n0\r\n\r\n', 'malformed_request'],
  [
    'headers that are too large',
    ['GET /v1/messages HTTP/1.1', HOST, `X-Long: ${'x'.repeat(20_000)}`],
    '',
    'headers_too_large',
  ],
  ['a path that is too long', [`GET /${'x'.repeat(20_000)} HTTP/1.1`, HOST], '', 'headers_too_large'],
  ['chunk extensions that are too large', chunked, `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 'payload_too_large'],
  [
    'an expectation that no server meets',
    ['POST /v1/messages HTTP/1.1', HOST, KEY, 'Expect: a miracle'],
    '',
    'expectation_failed',
  ],
  ['a tunnel', ['CONNECT example.com:443 HTTP/1.1', HOST], '', 'method_not_allowed'],
] as const)('a request with %s is refused in the envelope, with a request id', async ([, lines, body, code]) => {
  await using sandbox = await createSandbox()
  const { status, text } = await onTheWire(sandbox.url, lines, body)
  const [head, json] = text.split('\r\n\r\n')
  expect({ status, body: JSON.parse(json!) }).toEqual({
    status: problems[code].status,
    body: expect.objectContaining({ error: code, message: expect.stringMatching(/\.$/), details: [] }),
  })
  expect(head).toMatch(/\r\nX-Request-Id: req_[0-9a-f-]{36}\r\n/)
  expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/)
})

test('an unsupported Expect header counts against the limit, and is logged like any other request', async () => {
  await using sandbox = await createSandbox()
  const lines = ['POST /v1/messages HTTP/1.1', HOST, KEY, 'Expect: a miracle', 'Content-Length: 2']
  expect((await onTheWire(sandbox.url, lines, '{}')).text).toContain('X-RateLimit-Remaining: ')
  expect((await sandbox.client.logs.list()).requests[0]).toMatchObject({ status: 417, method: 'POST' })
})

test('a client that waits for 100 Continue receives it', async () => {
  await using sandbox = await createSandbox()
  const lines = ['GET /v1/messages HTTP/1.1', HOST, KEY, 'Expect: 100-continue']
  expect((await onTheWire(sandbox.url, lines)).text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/)
})

test('bytes that are not a request are refused after the answers to the requests before them', async () => {
  await using sandbox = await createSandbox()
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n${KEY}\r\n\r\n`
  const bytes = `${get('/v1/messages')}${get('/v1/contacts/unknown')}nonsense\r\n\r\n`
  expect(statusesIn(await exchange(sandbox.url, bytes))).toEqual([200, 404, 400])
})

test('a request that its client does not end is refused as incomplete', async () => {
  await using sandbox = await createSandbox()
  const lines = [
    'POST /v1/messages HTTP/1.1',
    HOST,
    KEY,
    'Content-Type: application/json',
    'Content-Length: 9',
    '',
    '{',
  ]
  const text = await exchange(sandbox.url, lines.join('\r\n'), { isEnded: true })
  expect(statusesIn(text)).toEqual([400])
  expect(text).toContain('The connection was closed before the end of the request.')
})
