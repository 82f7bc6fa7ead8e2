import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { withCheckedAnswers } from '../../src/client/answer-check.ts'
import { operationOf } from '../../src/client/operation-of.ts'
import type { PreparedCall } from '../../src/client/prepared-call.ts'
import type { HttpAnswer } from '../../src/http/exchange.ts'
import { createClient, InvalidAnswer } from '../../src/index.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { type Lie, startLyingServer } from '../stand-in/lying.ts'
import { startService } from '../stand-in/service.ts'

const SEND = [
  ...['send', '+491713920000', '--text', 'Hi', '--agent', agents.multi],
  ...['--message-type', 'MESSAGE', '--traffic-type', 'TRANSACTION'],
]
type WrongAnswer = Extract<Lie, { type: string }>
const json = (body: string): WrongAnswer => ({ type: 'application/json', body })
const DEEP = `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`

const LIES: readonly [what: string, lie: WrongAnswer, fault: RegExp][] = [
  ['a web page', { type: 'text/html; charset=utf-8', body: '<html>login</html>' }, /text\/html instead of JSON/],
  ['a web page called JSON', json('<html>login</html>'), /broken or truncated JSON/],
  ['truncated JSON', json('{"messages":['), /broken or truncated JSON/],
  ['nothing', json(''), /an empty body instead of JSON/],
  ['a text', { type: 'text/plain', body: 'OK' }, /text\/plain instead of JSON/],
  ['another record', json('{"ok":true}'), /is missing|none of the fields/],
  ['a list', json('[]'), /the answer is list, but should be object/],
  ['null', json('null'), /the answer is null, but should be object/],
  ['JSON without end', json(DEEP), /nested deeper than 200 levels/],
]

const COMMANDS = [
  ['billing', 'balance'],
  ['messages', 'list'],
  ['messages', 'list', '--all'],
  ['messages', 'get', 'msg_1'],
  ['messages', 'watch', 'msg_1'],
  ['wait', '--message', 'last', '--status', 'read'],
  ['contacts', 'delete', 'c_1', '--live'],
  ['webhooks', 'create', '--url', 'https://example.com/', '--events', 'message.read', '--live'],
]

test.each([
  ['https://login.example.com/start?token=secret', 'a redirect to https://login.example.com/start.'],
  [undefined, 'a redirect.'],
])('a redirect to %s is not followed, and no key or message goes there', async (location, fault) => {
  await using server = await startLyingServer((res) => res.writeHead(307, location ? { location } : {}).end())
  const there = ['--base-url', server.url, '--api-key', 'live_x', '--no-retry']
  const read = await sandboxCommand(['billing', 'balance', ...there])
  expect(read).toMatchObject({ code: 10, error: { error: 'invalid_answer', http_status: 307 } })
  expect(read.error.message).toMatch(new RegExp(`does not match the interface: ${fault.replaceAll('.', '\\.')}$`))
  expect(read.error.hint).toMatch(/^Check the base URL/)
  expect(await sandboxCommand([...SEND, '--live', ...there])).toMatchObject({
    code: 10,
    error: { error: 'invalid_answer', may_have_been_done: true },
  })
  const balance = createClient({ baseUrl: server.url, apiKey: 'live_x' }).billing.balance()
  await expect(balance).rejects.toThrow(InvalidAnswer)
})

/** Two kinds of fault: of the content type, and of the content. */
describe.each([LIES[0]!, LIES[5]!])('a server that answers with %s', (_, lie, fault) => {
  test.each(COMMANDS)('is not accepted as the answer of: %s %s', async (...argv) => {
    await using server = await startLyingServer(lie)
    const { code, error, stdout } = await sandboxCommand([...argv, '--base-url', server.url, '--api-key', 'live_x'])
    expect({ code, error: error.error, stdout }).toEqual({ code: 10, error: 'invalid_answer', stdout: '' })
    expect(error.message).toMatch(fault)
    expect(error.stack).toBeUndefined()
    expect(String(error.message)).not.toContain('\n')
  })
})

/** The operations of these commands. */
const OPERATIONS = ['billing.balance', 'messages.list', 'messages.get', 'contacts.delete', 'webhooks.create']

describe.each(LIES)('a server that answers with %s', (_, { type, body }, fault) => {
  test.each(OPERATIONS)('is not accepted as the answer of %s', async (id) => {
    const answer = { status: 200, headers: { 'content-type': type }, body: Buffer.from(body) }
    const request = { method: 'GET', url: new URL('http://service.test/'), headers: {}, body: undefined }
    const options = { isLookup: false, isUnchecked: false, expectsRefusal: false }
    const call = { ...options, operation: operationOf(id), payload: undefined, request } as unknown as PreparedCall
    const refused = withCheckedAnswers(async () => answer as unknown as HttpAnswer)(call)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_ANSWER', fault: expect.stringMatching(fault) })
  })
})

describe.each(LIES)('a server that answers with %s', (_, lie, fault) => {
  test('may have sent a message, and the named key repeats it safely', async () => {
    await using server = await startLyingServer(lie)
    const { code, error, stdout } = await sandboxCommand([
      ...[...SEND, '--live', '--no-retry', '--base-url', server.url, '--api-key', 'live_x'],
    ])
    expect({ code, stdout }).toEqual({ code: 10, stdout: '' })
    expect(error.stack).toBeUndefined()
    expect(String(error.message)).not.toContain('\n')
    expect(error.message).toMatch(fault)
    expect(error).toMatchObject({
      error: 'invalid_answer',
      message: expect.stringMatching(/the message may or may not have been sent\.$/),
      may_have_been_done: true,
      idempotency_key: expect.stringMatching(/^[\da-f-]{36}$/),
      hint: expect.stringContaining('--idempotency-key'),
    })
  })

  test('is refused by the client of the library', async () => {
    await using server = await startLyingServer(lie)
    const client = createClient({ baseUrl: server.url, apiKey: 'live_x' })
    const failure = await client.messages.list().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(InvalidAnswer)
    expect(failure).toMatchObject({ status: 200, fault: expect.stringMatching(fault) })
  })
})

test('a send with a key is repeated until the answer can be understood, and sends once', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  service.next({ status: 200, body: { message_id: 7 } })
  const { code, json } = await sandboxCommand([...SEND, '--base-url', service.url, '--live'])
  expect({ code, sent: (await sandbox.client.messages.list()).messages.map(({ id }) => id) }).toEqual({
    code: 0,
    sent: [json.message_id],
  })
  const [first, second] = service.requests.filter(({ method }) => method === 'POST')
  expect(first!.headers['idempotency-key']).toBe(second!.headers['idempotency-key'])
})

test('additional fields, and fields that a service leaves open, are accepted', async () => {
  const message = { id: 'msg_1', contact_id: 'c_1', status: 'queued', created_at: '2026-11-23T00:00:00Z', events: [] }
  await using server = await startLyingServer(
    json(JSON.stringify({ messages: [{ ...message, colour: 'red', cost: null }], page: { of: 3 } })),
  )
  const client = createClient({ baseUrl: server.url, apiKey: 'live_x' })
  expect((await client.messages.list()).messages[0]).toMatchObject({ id: 'msg_1', colour: 'red' })
})

test('an endless answer is cut off', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  await using server = await startLyingServer((res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' })
    res.write('{"messages":"')
    const more = () => {
      while (!res.destroyed && res.write(chunk));
      if (!res.destroyed) res.once('drain', more)
    }
    more()
  })
  const { code, error } = await sandboxCommand(['messages', 'list', '--base-url', server.url, '--api-key', 'live_x'])
  expect({ code, message: error.message }).toMatchObject({
    code: 10,
    message: expect.stringContaining('more than 64 MiB of JSON'),
  })
})

test('a refusal whose details are not a list is a refusal', async () => {
  for (const body of ['{"error":"odd","message":"No","details":"none"}', '[]', 'null', DEEP, '<html>']) {
    await using server = await startLyingServer({ type: 'application/json', body, status: 422 })
    const { code, error } = await sandboxCommand(['messages', 'list', '--base-url', server.url, '--api-key', 'live_x'])
    expect({ code, error }).toMatchObject({ code: 4, error: { http_status: 422 } })
    expect(error.stack).toBeUndefined()
  }
})

test('status reports that another program answers', async () => {
  await using server = await startLyingServer({ type: 'text/html', body: '<html>login</html>' })
  const { code, json } = await sandboxCommand(['status', '--base-url', server.url, '--api-key', 'live_x'])
  expect({ code, json }).toMatchObject({
    code: 10,
    json: { answers: 'something else', key_accepted: null, error: expect.stringContaining('text/html') },
  })
})

/** An emulator by its health, with a lying event stream. */
const streamOf = (write: (res: ServerResponse) => void) =>
  startLyingServer((res) => {
    if (res.req.url === '/_sandbox/health') return void res.end('{"status":"ok"}')
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    write(res)
  })

test.each([
  ['a frame that is not JSON', 'event: hello\ndata: <html>\n\n', /JSON/],
  [
    'an event before its position is known',
    'id: 1\nevent: message.read\ndata: {}\n\n',
    /does not begin with its position/,
  ],
  ['an invalid position', 'event: hello\ndata: {"log_id":"x"}\n\n', /does not begin with its position/],
])('a stream with %s is an error of the service', async (_, frames, fault) => {
  await using server = await streamOf((res) => void res.write(frames))
  const { code, error } = await sandboxCommand(['events', 'tail', '--base-url', server.url])
  expect({ code, error }).toMatchObject({
    code: 10,
    error: { error: 'invalid_answer', message: expect.stringMatching(fault) },
  })
})

test('an SSE line without end is refused at a limit', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  await using server = await streamOf((res) => {
    res.write('data: ')
    const more = () => {
      while (!res.destroyed && res.write(chunk));
      if (!res.destroyed) res.once('drain', more)
    }
    more()
  })
  const { code, error } = await sandboxCommand(['events', 'tail', '--base-url', server.url])
  expect({ code, message: error.message }).toMatchObject({ code: 10, message: expect.stringContaining('16 MiB') })
})
