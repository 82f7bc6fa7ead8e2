import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'
import { onTheWire } from './raw-request.ts'

test('the server accepts only hosts of this machine, so that no page can reach it by DNS rebinding', async () => {
  await using sandbox = await createSandbox()
  const { port } = new URL(sandbox.url)
  const status = async (Host: string, path: string) => (await ask(sandbox, 'GET', path, { headers: { Host } })).status
  for (const path of ['/v1/messages', '/_sandbox/health', '/nothing']) {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      '10.0.0.1',
      '0.0.0.0',
      '[::2]',
      '169.254.169.254',
    ])
      expect({ path, host, status: await status(host, path) }).toEqual({ path, host, status: 403 })
    for (const host of [
      'localhost',
      `localhost:${port}`,
      '127.0.0.1',
      '127.1.2.3',
      `[::1]:${port}`,
      'LOCALHOST',
      'tests.localhost',
    ])
      expect({ path, host, status: await status(host, path) }).not.toMatchObject({ status: 403 })
  }
  expect(await ask(sandbox, 'GET', '/v1/messages', { headers: { Host: 'evil.example' } })).toMatchObject({
    json: { error: 'host_not_allowed', message: expect.stringContaining('localhost'), details: [] },
  })
})

test('a web page of another origin cannot use the control plane', async () => {
  await using sandbox = await createSandbox()
  const { port, host } = new URL(sandbox.url)
  const advance = (Origin: string) =>
    ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '1h' }, headers: { Origin } })
  for (const origin of [
    'https://evil.example',
    'null',
    '',
    `https://evil.example:${port}`,
    'http://localhost:1',
    'file://',
    'nonsense',
  ])
    expect({ origin, ...(await advance(origin)) }).toMatchObject({
      origin,
      status: 403,
      json: { error: 'origin_not_allowed', details: [] },
    })
  expect(await sandbox.client.clock.show()).toMatchObject({ now: '2026-01-01T00:00:00.000Z' })
  expect((await advance(`http://${host}`)).status).toBe(200)
})

test('a form of another site, which a browser sends without a preflight, is refused', async () => {
  await using sandbox = await createSandbox()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect(
      await ask(sandbox, 'POST', '/_sandbox/reset', { body: '{"scope":"all"}', headers: { 'Content-Type': type } }),
    ).toMatchObject({ status: 415 })
})

test('a request of another site without an Origin is refused by its Sec-Fetch headers', async () => {
  await using sandbox = await createSandbox()
  const statusOf = async (site: string, path: string) =>
    (await ask(sandbox, 'GET', path, { headers: { 'Sec-Fetch-Site': site } })).status
  for (const site of ['cross-site', 'same-site', 'CROSS-SITE', ''])
    expect({ site, status: await statusOf(site, '/_sandbox/events') }).toEqual({ site, status: 403 })
  for (const site of ['same-origin', 'none']) expect(await statusOf(site, '/_sandbox/events')).toBe(200)
  // Pages link to these, and they reveal nothing of a world.
  for (const path of ['/docs', '/openapi.json', '/_sandbox/health'])
    expect(await statusOf('cross-site', path)).toBe(200)
  expect(await statusOf('cross-site', '/_sandbox/doi/default.doi_unknown')).toBe(404)
})

test('a part of a page, such as an image in an email that the inspector shows, reaches no control', async () => {
  await using sandbox = await createSandbox()
  const statusOf = async (dest: string, path: string) =>
    (await ask(sandbox, 'GET', path, { headers: { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': dest } })).status
  for (const dest of ['image', 'style', 'video', 'iframe'])
    expect({ dest, status: await statusOf(dest, '/ns/new/_sandbox/clock') }).toEqual({ dest, status: 403 })
  for (const dest of ['empty', 'document']) expect(await statusOf(dest, '/_sandbox/clock')).toBe(200)
  for (const path of ['/inspector/inspector.css', '/docs']) expect(await statusOf('style', path)).toBe(200)
  expect((await sandbox.client.namespaces.list()).namespaces).toHaveLength(1)
})

test('no page of another origin is allowed to read an answer', async () => {
  await using sandbox = await createSandbox()
  const Origin = 'https://evil.example'
  const preflight = {
    Origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  }
  for (const path of ['/v1/messages', '/_sandbox/reset', '/_sandbox/health', '/docs', '/nothing'])
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { status, headers } = await ask(sandbox, method, path, { headers: preflight })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      if (method === 'OPTIONS') expect(status).toBeGreaterThanOrEqual(400)
    }
})

test.for([
  ['of no machine', ['GET /_sandbox/events HTTP/1.0'], 403],
  ['that is empty', ['GET /_sandbox/events HTTP/1.1', 'Host:'], 403],
  ['given twice', ['GET /_sandbox/events HTTP/1.1', 'Host: localhost', 'Host: evil.example'], 400],
  ['given twice, the good one last', ['GET /_sandbox/events HTTP/1.1', 'Host: evil.example', 'Host: localhost'], 400],
  ['missing', ['GET /_sandbox/events HTTP/1.1'], 400],
  ['with a trailing dot', ['GET /_sandbox/events HTTP/1.1', 'Host: localhost.'], 403],
  ['with two ports', ['GET /_sandbox/events HTTP/1.1', 'Host: localhost:1:2'], 403],
  ['in capitals', ['GET /_sandbox/events HTTP/1.1', 'HOST: LocalHost:80'], 200],
  ['of IPv6', ['GET /_sandbox/events HTTP/1.1', 'Host: [::1]:80'], 200],
  ['of all addresses', ['GET /_sandbox/events HTTP/1.1', 'Host: 0.0.0.0'], 403],
  ['in the target', ['GET http://evil.example/_sandbox/events HTTP/1.1', 'Host: localhost'], 403],
  ['in the target, and good', ['GET http://localhost/_sandbox/events HTTP/1.1', 'Host: evil.example'], 200],
  ['in a target without scheme', ['GET //evil.example/_sandbox/events HTTP/1.1', 'Host: localhost'], 404],
  ['of a link in the target', ['GET http://evil.example/_sandbox/doi/default.doi_x HTTP/1.1', 'Host: localhost'], 403],
] as const)('a request with a Host %s gets the right status', async ([, lines, status]) => {
  await using sandbox = await createSandbox()
  expect((await onTheWire(sandbox.url, lines)).status).toBe(status)
})

test('a whole URL as the target needs a key like any other', async () => {
  await using sandbox = await createSandbox()
  const lines = (path: string, ...more: string[]) => [
    `GET http://localhost${path} HTTP/1.1`,
    'Host: localhost',
    ...more,
  ]
  expect((await onTheWire(sandbox.url, lines('/v1/messages'))).status).toBe(401)
  const answered = await onTheWire(
    sandbox.url,
    lines('/v1/messages?limit=1', 'Authorization: Bearer sk_sandbox_default'),
  )
  expect(answered.status).toBe(200)
  expect(answered.text).toContain('X-RateLimit-Limit')
})

test.for([
  '/%5Fsandbox/clock',
  '/_SANDBOX/clock',
  '/v1/../_sandbox/clock',
  '/_sandbox//clock',
  '/V1/messages',
  '/v1%2Fmessages',
])('the path %s is a 404', async (path) => {
  await using sandbox = await createSandbox()
  const { status } = await onTheWire(sandbox.url, [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_default',
  ])
  expect(status).toBe(404)
})
