import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { startProxy } from '../stand-in/proxy.ts'
import { AUTHORITY, startService } from '../stand-in/service.ts'
import { startCommand } from './process.ts'
import { sandboxCommand } from './terminal.ts'

const BALANCE = ['billing', 'balance']
/** A name that only the proxy of a test knows. */
const REMOTE = 'api.service.test'
/** An address for documentation, which no machine has (RFC 5737). */
const NOWHERE = 'https://192.0.2.1'

test('a base URL may have a path before it, and end in /v1 or in a slash', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox, prefix: '/messaging' })
  for (const end of ['', '/', '/v1', '/v1/']) {
    const { code } = await sandboxCommand([...BALANCE, '--base-url', service.url + end])
    expect(code).toBe(0)
  }
  expect(new Set(service.requests.map(({ path }) => path))).toEqual(new Set(['/messaging/v1/billing/balance']))
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(service.requests[0]!.headers['user-agent']).toBe(`messaging-sandbox/${version}`)
})

test.each([
  ['https://key@example.com', 2, 'must not hold a name or password; pass the API key on its own.'],
  ['https://example.com/v1?debug=1', 2, 'must end before "?debug=1".'],
  ['https://example.com/?token=abc', 2, 'must end before "?token=[redacted]".'],
  ['htps://ada:abc@example.com', 2, 'must be an http or https address, not "htps://[redacted]@example.com".'],
  ['ftp://localhost', 2, 'must be an http or https address, not "ftp://localhost".'],
  ['localhost:7270', 2, 'must be an http or https address, not "localhost:7270".'],
])('the base URL %s is refused', async (url, code, fault) => {
  const got = await sandboxCommand([...BALANCE, '--base-url', url])
  expect({ code: got.code, message: got.error.message }).toEqual({ code, message: `--base-url ${fault}` })
})

test('other machines are reached through the proxy of the environment, this one and those of NO_PROXY are not', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox, tls: true })
  await using proxy = await startProxy(service.port)
  const balance = (url: string, env: Record<string, string>, ...flags: string[]) =>
    sandboxCommand([...BALANCE, '--base-url', url, '--ca-file', AUTHORITY, ...flags], { env })
  expect(await balance(`https://${REMOTE}/v1`, { HTTPS_PROXY: proxy.url })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(REMOTE),
  })
  expect(proxy.requests).toEqual([`${REMOTE}:443`])
  expect(await balance(service.url, { HTTPS_PROXY: proxy.url })).toMatchObject({ code: 0 })
  const env = { HTTPS_PROXY: proxy.url, NO_PROXY: '192.0.2.1' }
  const without = await balance(NOWHERE, env, '--no-retry', '--timeout', '300ms')
  expect(without).toMatchObject({ code: 6, error: { hint: expect.stringContaining('NO_PROXY') } })
  expect(proxy.requests).toHaveLength(1)

  await using plain = await startService({ of: sandbox })
  await using forward = await startProxy(plain.port)
  const result = await sandboxCommand([...BALANCE, '--base-url', `http://${REMOTE}`], {
    env: { http_proxy: forward.url },
  })
  expect(result).toMatchObject({ code: 0 })
  expect(forward.requests).toEqual([REMOTE])
})

test('an invalid proxy is named without its password', async () => {
  await using proxy = await startProxy(1, { refuses: true })
  const env = { HTTPS_PROXY: proxy.url.replace('//', '//ada:secret@') }
  const { code, stderr } = await sandboxCommand([...BALANCE, '--base-url', `https://${REMOTE}`], { env })
  expect(code).toBe(6)
  expect(stderr).toContain('(HTTPS_PROXY)')
  expect(stderr).not.toContain('secret')
  const wrong = await sandboxCommand(BALANCE, { env: { HTTPS_PROXY: 'proxy.example.com:3128' } })
  expect(wrong).toMatchObject({ code: 3, error: { message: expect.stringContaining('HTTPS_PROXY must be') } })
})

test('an untrusted certificate is distinguished from an unreachable service, and --insecure is named', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox, tls: true })
  const balance = (url: string, ...more: string[]) => sandboxCommand([...BALANCE, '--base-url', url, ...more])
  const unknown = await balance(service.url)
  expect(unknown.code).toBe(6)
  expect(unknown.error.hint).toMatch(/--ca-file.*NODE_EXTRA_CA_CERTS.*--insecure/)
  expect(service.requests).toEqual([])
  const insecure = await balance(service.url, '--insecure')
  expect(insecure).toMatchObject({ code: 0, error: { warning: 'insecure' } })
  const plain = await balance(service.url.replace('https', 'http'))
  expect(plain.code).toBe(6)
  const secure = await balance(sandbox.url.replace('http', 'https'))
  expect(secure).toMatchObject({ code: 6, error: { hint: expect.stringContaining('http:// and not https://') } })
  const added = ['profile', 'add', 'x', '--base-url', service.url, '--no-api-key', '--ca-file', 'nowhere.pem']
  expect(await sandboxCommand(added, { env: { XDG_CONFIG_HOME: await folder() } })).toMatchObject({
    code: 2,
    error: { message: expect.stringMatching(/^nowhere\.pem cannot be read/) },
  })
  const missing = await balance(service.url, '--ca-file', 'nowhere.pem')
  expect(missing).toMatchObject({ code: 2, error: { message: expect.stringContaining('nowhere.pem') } })
})

test('NODE_EXTRA_CA_CERTS makes the authority of a company trusted', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox, tls: true })
  const env = { NODE_EXTRA_CA_CERTS: AUTHORITY, SANDBOX_BASE_URL: service.url }
  const { line, ended } = startCommand(BALANCE, { env })
  expect(await line(1)).toMatchObject({ free: 1000 })
  expect(await ended).toBe(0)
})
