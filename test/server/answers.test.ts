import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { operations } from '../../src/registry/api.ts'
import { problems } from '../../src/words/problem.ts'
import { ask } from '../http.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const REQUEST_ID = /^req_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const rcs = { ...rcsText, to: phones.readsAll }

test('without a key of the sandbox every route of the service is a 401', async () => {
  await using sandbox = await createSandbox()
  const keys = [
    undefined,
    '',
    'sk_sandbox_default',
    'Basic c2tfc2FuZGJveDo=',
    'Bearer',
    'Bearer ',
    'Bearer sk_live_default',
    'Bearer sk_sandbox_',
    'Bearer sk_sandbox_Default',
    'Bearer SK_SANDBOX_default',
    'Bearer sk_sandbox_a b',
    'Bearer sk_sandbox_../default',
    `Bearer sk_sandbox_${'x'.repeat(65)}`,
    'Bearer sk_sandbox_default, Bearer sk_sandbox_default',
    'Bearer sk_sandbox_defäult'.normalize('NFC').replace('ä', '\u00e4'),
  ]
  for (const Authorization of keys) {
    const answer = await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization } })
    expect({ Authorization, ...answer }).toMatchObject({
      Authorization,
      status: 401,
      json: { error: 'unauthorized', message: expect.stringContaining('sk_sandbox_'), details: [] },
    })
  }
  for (const [method, path] of [
    ['POST', '/v1/messages'],
    ['GET', '/v1/messages/x'],
    ['GET', '/v1/billing/balance'],
    ['GET', '/v1/nothing'],
    ['PUT', '/v1/messages'],
  ] as const)
    expect(await ask(sandbox, method, path, { headers: { Authorization: undefined } })).toMatchObject({ status: 401 })
  // The scheme may be written in any case; the key has up to 64 characters.
  for (const Authorization of [
    'bearer sk_sandbox_default',
    'BEARER   sk_sandbox_default',
    `Bearer sk_sandbox_${'a-z_0'.repeat(12)}aaaa`,
  ])
    expect(await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization } })).toMatchObject({ status: 200 })
})

test('every answer has a request id of its own, whatever the caller says', async () => {
  await using sandbox = await createSandbox()
  const answers = [
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs }),
    await ask(sandbox, 'POST', '/v1/messages', { body: '{' }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: undefined } }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: 'Bearer nonsense' } }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { 'X-Request-Id': 'req_mine' } }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Host: 'evil.example' } }),
    await ask(sandbox, 'GET', '/v1/messages/%ZZ'),
    await ask(sandbox, 'GET', '/v1/messages/%E0%A4%A'),
    await ask(sandbox, 'PUT', '/v1/messages'),
    await ask(sandbox, 'HEAD', '/v1/messages'),
    await ask(sandbox, 'OPTIONS', '/v1/messages'),
    await ask(sandbox, 'GET', '/v1/nothing'),
    await ask(sandbox, 'GET', '/'),
    await ask(sandbox, 'GET', '/v1'),
    await ask(sandbox, 'GET', '/favicon.ico'),
    await ask(sandbox, 'GET', '/_sandbox/health'),
    await ask(sandbox, 'GET', '/_sandbox/handsets/%ZZ/reply'),
    await ask(sandbox, 'DELETE', '/v1/messages/x'),
    await ask(sandbox, 'GET', `/v1/messages/${'x'.repeat(8000)}`),
  ]
  for (const { headers } of answers) expect(headers['x-request-id']).toMatch(REQUEST_ID)
  expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length)
})

test('every refusal is JSON in the envelope of the interface', async () => {
  await using sandbox = await createSandbox()
  const refusals = [
    await ask(sandbox, 'POST', '/v1/messages', { body: '{' }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: undefined } }),
    await ask(sandbox, 'GET', '/v1/messages/%ZZ'),
    await ask(sandbox, 'PUT', '/v1/messages'),
    await ask(sandbox, 'GET', '/v1/nothing'),
    await ask(sandbox, 'GET', '/_sandbox/nothing'),
    await ask(sandbox, 'GET', '/_sandbox/handsets/%ZZ/reply'),
    await ask(sandbox, 'GET', '/v1/messages/x'),
  ]
  for (const { status, headers, json } of refusals) {
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json).toMatchObject({
      error: expect.any(String),
      message: expect.stringMatching(/[.?]$/),
      details: expect.any(Array),
    })
    expect(problems[json.error as keyof typeof problems].status).toBe(status)
    expect(JSON.stringify(json)).not.toMatch(/node_modules|\.ts:|\n +at /)
  }
})

test('a path that does not exist is a 404 that names what exists nearby', async () => {
  await using sandbox = await createSandbox()
  const { status, json } = await ask(sandbox, 'GET', '/v1/messages/x/y')
  expect({ status, json }).toMatchObject({
    status: 404,
    json: { error: 'not_found', message: expect.stringContaining('GET /v1/messages/{id}') },
  })
  for (const path of ['/V1/messages', '/v1/Messages', '//v1/messages', '/v1/messages/x/../..%2f'])
    expect((await ask(sandbox, 'GET', path)).status).toBe(404)
})

test('a path that is nearly right is a 404 that names the right one', async () => {
  await using sandbox = await createSandbox()
  const meant = {
    '/v1/mesages': '/v1/messages',
    '/messages': '/v1/messages',
    '/v1/contact/c_1?limit=1': '/v1/contacts/c_1',
    '/_sandbox/helth': '/_sandbox/health',
  }
  for (const [path, expected] of Object.entries(meant)) {
    const { status, json } = await ask(sandbox, 'GET', path)
    expect({ status, message: json.message }).toMatchObject({
      status: 404,
      message: expect.stringContaining(`did you mean "${expected}"?`),
    })
  }
  const { json } = await ask(sandbox, 'GET', '/nothing/like/it')
  expect(json.message).toBe('No route GET /nothing/like/it.')
})

test('another method on a path is a 405 with those that are possible', async () => {
  await using sandbox = await createSandbox()
  const allowed = async (method: string, path: string) => {
    const { status, headers, json } = await ask(sandbox, method, path)
    expect({ status, error: json.error ?? 'method_not_allowed' }).toEqual({ status: 405, error: 'method_not_allowed' })
    return headers.allow?.split(', ').sort()
  }
  expect(await allowed('PUT', '/v1/messages')).toEqual(['GET', 'HEAD', 'POST'])
  expect(await allowed('OPTIONS', '/v1/messages')).toEqual(['GET', 'HEAD', 'POST'])
  expect(await allowed('POST', '/v1/messages/x')).toEqual(['DELETE', 'GET', 'HEAD'])
  expect(await allowed('DELETE', '/v1/billing/balance')).toEqual(['GET', 'HEAD'])
  expect(await allowed('GET', '/_sandbox/clock/advance')).toEqual(['POST'])
  expect(await allowed('HEAD', '/v1/test/register')).toEqual(['POST'])
})

test('HEAD is answered as GET is, without the body, wherever GET is answered', async () => {
  await using sandbox = await createSandbox()
  await ask(sandbox, 'POST', '/v1/messages', { body: rcs })
  const gets = operations.filter(({ method }) => method === 'get')
  for (const { path, media } of [...gets, { path: '/_sandbox/health', media: undefined }]) {
    if (media === 'text/event-stream') continue
    const [get, head] = [await ask(sandbox, 'GET', path), await ask(sandbox, 'HEAD', path)]
    expect({ path, status: head.status, text: head.text }).toEqual({ path, status: get.status, text: '' })
    expect(head.headers['x-request-id']).toMatch(REQUEST_ID)
    for (const name of ['content-type', 'content-length']) expect(head.headers[name]).toBe(get.headers[name])
  }
})

test('HEAD of a stream says that there is one, and opens none', async () => {
  await using sandbox = await createSandbox()
  for (const path of ['/_sandbox/events/stream', '/_sandbox/requests/stream']) {
    const { status, text, headers } = await ask(sandbox, 'HEAD', path)
    expect({ path, status, text, type: headers['content-type'] }).toEqual({
      path,
      status: 200,
      text: '',
      type: 'text/event-stream',
    })
  }
})

test('a 401 says how to authenticate', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: undefined } })
  expect(headers['www-authenticate']).toMatch(/^Bearer /)
  expect((await ask(sandbox, 'GET', '/v1/messages/x')).headers).not.toHaveProperty('www-authenticate')
})

test('answers forbid caching, and do not name the server software', async () => {
  await using sandbox = await createSandbox()
  const { headers } = await ask(sandbox, 'GET', '/v1/messages')
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
  for (const name of ['etag', 'x-powered-by', 'server', 'access-control-allow-origin'])
    expect(headers).not.toHaveProperty(name)
})

test('a connection that breaks off in the middle of a body leaves nothing behind', async () => {
  await using sandbox = await createSandbox()
  const { port } = new URL(sandbox.url)
  const socket = connect(Number(port), '127.0.0.1')
  const half = JSON.stringify(rcs).slice(0, 40)
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 300\r\n\r\n${half}`,
  )
  await new Promise<void>((done) => setImmediate(() => socket.destroy().once('close', () => done())))
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('many requests on one connection are answered in their order', async () => {
  await using sandbox = await createSandbox()
  const { port } = new URL(sandbox.url)
  const body = JSON.stringify(rcs)
  const one = `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sandbox.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  for (let i = 0; i < 9; i++) socket.write(`${one}\r\n${body}`)
  socket.write(`${one}Connection: close\r\n\r\n${body}`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const ids = [
    ...Buffer.concat(chunks)
      .toString()
      .matchAll(/"message_id":"(msg_[^"]+)"/g),
  ].map((match) => match[1])
  expect(ids).toHaveLength(10)
  expect((await sandbox.client.messages.list()).messages.map(({ id }) => id).reverse()).toEqual(ids)
})

test('a path with an extra slash is unknown: an empty id does not select all records', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ match: { channel: 'EMAIL' }, behaviour: { opened: true } })
  for (const [method, path] of [
    ['DELETE', '/_sandbox/rules/'],
    ['DELETE', '/_sandbox/faults/'],
    ['GET', '/v1/messages/'],
    ['POST', '/v1/messages/'],
  ] as const) {
    const answer = await fetch(sandbox.url + path, { method, headers: { authorization: `Bearer ${sandbox.apiKey}` } })
    expect({ path, status: answer.status }).toEqual({ path, status: 404 })
  }
  expect((await sandbox.client.rules.list()).rules).toHaveLength(1)
})
