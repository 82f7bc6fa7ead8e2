import { expect, test, vi } from 'vitest'
import { realTime } from '../../../src/world/real-time.ts'
import { ask } from '../../http.ts'
import { phones, rcsText as rcs } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'

const shared = sharedSandbox()

const rcsText = { ...rcs, to: phones.readsAll }

test('requests and their outcomes are listed in order', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.messages.send(rcsText)
  await client.contacts.create({ email: 'no address' }).catch(() => {})
  await sandbox.clock.advance('1h')
  const gone = await ask(sandbox, 'GET', '/v1/messages/msg_none?x=1')
  const { requests, ...range } = await client.logs.list()
  expect(requests).toMatchObject([
    { seq: 1, method: 'POST', path: '/v1/messages', operation: 'messages.send', status: 200, error: null },
    { seq: 2, path: '/v1/contacts', status: 400, error: 'validation_error', at: '2026-01-01T00:00:00.000Z' },
    {
      seq: 3,
      path: '/_sandbox/clock/advance',
      operation: 'clock.advance',
      status: 200,
      at: '2026-01-01T00:00:00.000Z',
    },
    {
      seq: 4,
      method: 'GET',
      path: '/v1/messages/msg_none?x=1',
      request_id: gone.headers['x-request-id'],
      at: '2026-01-01T01:00:00.000Z',
    },
  ])
  expect(range).toMatchObject({ first_seq: 1, last_seq: 4, dropped: 0, has_more: false })
})

test('a request is shown whole, by its id or its position', async () => {
  await using sandbox = await createSandbox()
  const text = '{ "email" : "ada@example.com" }'
  const answer = await ask(sandbox, 'POST', '/v1/contacts', { body: text, headers: { 'X-Trace': 'abc' } })
  const shown = await sandbox.client.logs.show(answer.headers['x-request-id']!)
  expect(shown).toMatchObject({
    status: 201,
    request: {
      headers: { 'x-trace': 'abc', authorization: '[redacted]' },
      body: text,
      bytes: text.length,
      truncated: false,
    },
    response: { headers: { 'Content-Length': String(answer.bytes.length) }, body: answer.text, truncated: false },
  })
  expect(await sandbox.client.logs.show(String(shown.seq))).toEqual(shown)
  await expect(sandbox.client.logs.show('req_none')).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('a body that is not JSON is shown unchanged', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'POST', '/v1/contacts', { body: "{'email': 'ada'}" })
  expect(await sandbox.client.logs.show(headers['x-request-id']!)).toMatchObject({
    error: 'invalid_json',
    request: { body: "{'email': 'ada'}" },
  })
})

test('a long body is cut, and says so', async () => {
  await using sandbox = await createSandbox()
  const contacts = Array.from({ length: 1_000 }, (_, i) => ({ email: `née-${i}@example.com` }))
  await sandbox.client.contacts.import({ contacts }).catch(() => {})
  const { request } = await sandbox.client.logs.show('1')
  expect(request).toMatchObject({ truncated: true, bytes: Buffer.byteLength(JSON.stringify({ contacts })) })
  expect(request.body!.length).toBeLessThanOrEqual(16 * 1024)
  expect(JSON.stringify({ contacts }).startsWith(request.body!.slice(0, -1))).toBe(true)
  await sandbox.client.messages.list({ limit: 200 })
})

test('a repeated answer is marked and shows its key, from header or body', async () => {
  await using sandbox = await createSandbox()
  const key = '11111111-1111-4111-8111-111111111111'
  await sandbox.client.messages.send(rcsText, { idempotencyKey: key })
  await sandbox.client.messages.send(rcsText, { idempotencyKey: key })
  await sandbox.client.messages.send({ ...rcsText, idempotency_key: key })
  expect((await sandbox.client.logs.list()).requests).toMatchObject([
    { idempotency_key: key, replayed: false },
    { idempotency_key: key, replayed: true },
    { idempotency_key: key, replayed: true },
  ])
})

test('an answer that a fault made names the fault', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.faults.add({ routes: ['messages.list'], status: 503 })
  await sandbox.client.messages.list().catch(() => {})
  expect((await sandbox.client.logs.list({ path: '/v1/' })).requests).toMatchObject([{ status: 503, fault: id }])
})

test('the log can be filtered by every column of its lines', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.messages.send(rcsText)
  await client.messages.get('msg_none').catch(() => {})
  await client.contacts.create({ email: 'no address' }).catch(() => {})
  await client.clock.show()
  const seqsOf = async (query: Parameters<typeof client.logs.list>[0]) =>
    (await client.logs.list(query)).requests.map(({ seq }) => seq)
  expect(await seqsOf({ status: '4xx' })).toEqual([2, 3])
  expect(await seqsOf({ status: '404,2xx' })).toEqual([1, 2, 4])
  expect(await seqsOf({ method: 'post' })).toEqual([1, 3])
  expect(await seqsOf({ path: '/v1/messages' })).toEqual([1, 2])
  expect(await seqsOf({ operation: 'clock.show' })).toEqual([4])
  expect(await seqsOf({ error: 'validation_error' })).toEqual([3])
  expect(await seqsOf({ limit: 2 })).toEqual([3, 4])
  expect(await seqsOf({ limit: 2, after: 1 })).toEqual([2, 3])
  expect((await client.logs.list({ limit: 2, after: 1 })).has_more).toBe(true)
  const { request_id } = (await client.logs.list({ after: 3 })).requests[0]!
  expect(await seqsOf({ request_id })).toEqual([4])
})

test('the sends to a person are found by the recipient, also in a long body and in one that is refused', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const [ada, bob] = ['Ada@example.com', 'bob@example.com']
  const mail = { channel_id: '', to: ada, subject: 'Hello', content: { html: 'x'.repeat(20_000) } }
  await client.messages.send(mail).catch(() => {})
  await client.messages.send({ ...mail, content: { text: `{"to":"${bob}"}` } }).catch(() => {})
  await client.messages.send({ ...mail, to: bob, template_data: { to: ada } }).catch(() => {})
  await client.messages.send(rcsText)
  await client.contacts.create({ email: ada })
  await ask(sandbox, 'POST', '/v1/messages', { body: '[]' })
  const { requests } = await client.logs.list()
  expect(requests.map(({ to }) => to)).toEqual([ada, ada, bob, rcsText.to, null, null])
  const seqsTo = async (to: string) => (await client.logs.list({ to })).requests.map(({ seq }) => seq)
  expect(await seqsTo('ada@example.com')).toEqual([1, 2])
  expect(await seqsTo(bob)).toEqual([3])
  expect(await seqsTo(rcsText.to)).toEqual([4])
})

test.for([
  ['to=ada', 'to'],
  ['status=6xx', 'status'],
  ['status=', 'status'],
  ['error=missing_consnt', 'error'],
  ['method=BREW', 'method'],
  ['path=v1', 'path'],
  ['limit=0', 'limit'],
  ['codes=4xx', 'codes'],
])('a search for %s is refused', async ([query, field]) => {
  const sandbox = shared()
  expect((await ask(sandbox, 'GET', `/_sandbox/requests?${query}`)).json).toMatchObject({ details: [{ field }] })
  expect((await ask(sandbox, 'GET', `/_sandbox/requests/stream?${query}`)).status).toBe(400)
})

test('health checks and the reading of logs are not recorded, but their refusals are', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.world.health()
  await sandbox.client.logs.list()
  await sandbox.client.logs.show('req_none').catch(() => {})
  await ask(sandbox, 'GET', '/_sandbox/health?x=1')
  await ask(sandbox, 'GET', '/openapi.json')
  expect((await sandbox.client.logs.list()).requests).toMatchObject([
    { operation: 'logs.show', status: 404 },
    { operation: 'world.health', status: 400 },
  ])
})

test('requests without a namespace are kept in the default one, and no namespace sees another', async () => {
  await using sandbox = await createSandbox()
  await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: undefined } })
  await ask(sandbox, 'GET', '/v1/messages', { headers: { Host: 'evil.example' } })
  await ask(sandbox, 'GET', '/nothing')
  await sandbox.as('other').messages.list()
  expect((await sandbox.client.logs.list()).requests).toMatchObject([
    { status: 401, error: 'unauthorized' },
    { status: 403, error: 'host_not_allowed' },
    { status: 404, operation: null },
  ])
  expect((await sandbox.as('other').logs.list()).requests).toMatchObject([{ operation: 'messages.list' }])
})

test('the log can be cleared, and a reset clears it', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.list()
  expect(await sandbox.client.logs.clear()).toEqual({ cleared: 1 })
  expect(await sandbox.client.logs.list()).toMatchObject({ requests: [], first_seq: 2, last_seq: 1, dropped: 0 })
  await sandbox.client.messages.list()
  await sandbox.client.world.reset({ scope: 'all' })
  expect((await sandbox.client.logs.list()).requests).toMatchObject([{ operation: 'world.reset' }])
})

test('no request is logged at an instant before it was sent', async () => {
  await using sandbox = await createSandbox()
  const began = Date.now()
  let read = 0
  let next = 0
  vi.spyOn(realTime, 'ms').mockImplementation(() => {
    read = next
    next += 1.7
    return read
  })
  vi.spyOn(realTime, 'now').mockImplementation(() => began + Math.floor(read))
  const sentAt: number[] = []
  for (let n = 0; n < 20; n++) {
    sentAt.push(began + Math.floor(next))
    await sandbox.client.billing.balance()
  }
  const { requests } = await sandbox.client.logs.list({ after: 0 })
  expect(requests.filter(({ machine_at }, n) => Date.parse(machine_at) < sentAt[n]!)).toEqual([])
})
