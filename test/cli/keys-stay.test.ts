import { execFileSync } from 'node:child_process'
import { chmod, link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { startLyingServer } from '../stand-in/lying.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

/** Keys and tokens go only where their owner sent them. */

const LIVE_KEY = 'sk_live_0123456789'

/** A folder with an owner.json of another user. */
async function checkout(owner: object, mode = 0o600): Promise<string> {
  const cwd = await folder()
  await mkdir(join(cwd, '.sandbox'))
  await writeFile(join(cwd, '.sandbox', 'owner.json'), JSON.stringify({ pid: process.pid, ...owner }))
  await chmod(join(cwd, '.sandbox', 'owner.json'), mode)
  return cwd
}

const SECRET = 'fs_0123456789abcdef'

test.each([
  ['on another machine', 'http://attacker.example:25001', {}, /not this machine/],
  ['without a secret', undefined, {}, /contains no proof/],
  ['that others can read', undefined, { secret: SECRET, mode: 0o644 }, /read or written by others/],
  ['that does not prove it', undefined, { secret: SECRET }, /does not prove/],
])(
  'a sandbox that a checkout names %s gets neither key nor token',
  async (_, url, { mode, ...owner }: Claim, fault) => {
    await using server = await startLyingServer({ type: 'application/json', body: '{"status":"ok"}' })
    const cwd = await checkout({ url: url ?? server.url, ...owner }, mode)
    const env = { SANDBOX_CONTROL_TOKEN: 'ct_0123456789abcdef' }
    for (const argv of [
      ['billing', 'balance'],
      ['clock', 'show'],
      ['events', 'tail'],
      ['listen', '--forward-to', '1'],
    ]) {
      const { code, error } = await sandboxCommand(argv, { cwd, env })
      expect({ code, message: error.message }).toEqual({ code: 3, message: expect.stringMatching(fault) })
    }
    expect(server.keys.filter((key) => key !== undefined)).toEqual([])
    expect(server.requests.filter((request) => request !== 'GET /_sandbox/health')).toEqual([])
  },
)

test.skipIf(process.platform === 'win32').each([
  ['a symbolic link', (file: string, other: string) => symlink(other, file)],
  ['a hard link', (file: string, other: string) => link(other, file)],
  ['a device, socket or pipe', async (file: string) => void execFileSync('mkfifo', [file])],
] as const)('an owner.json that is %s is not read, and nothing is sent', async (kind, put) => {
  const running = await folder()
  await using sandbox = await createSandbox({ data: join(running, '.sandbox') })
  const cwd = await folder()
  await mkdir(join(cwd, '.sandbox'))
  await put(join(cwd, '.sandbox', 'owner.json'), join(running, '.sandbox', 'owner.json'))
  const { code, error } = await sandboxCommand(['billing', 'balance'], { cwd })
  expect({ code, message: error.message }).toEqual({
    code: 3,
    message: expect.stringContaining(`owner.json is ${kind}`),
  })
  expect((await sandbox.client.logs.list()).requests).toEqual([])
})

interface Claim {
  secret?: string
  mode?: number
}

test('the key of a real service is not sent to a sandbox that was only found', async () => {
  const cwd = await folder()
  await using sandbox = await createSandbox({ data: join(cwd, '.sandbox') })
  const env = { SANDBOX_API_KEY: LIVE_KEY }
  const { code, error } = await sandboxCommand(['billing', 'balance'], { cwd, env })
  expect({ code, message: error.message }).toEqual({
    code: 3,
    message: expect.stringMatching(/SANDBOX_API_KEY is not a key of a sandbox, .* Nothing was sent\./),
  })
  expect((await sandbox.client.logs.list()).requests).toEqual([])
  expect((await sandboxCommand(['billing', 'balance'], { env: { SANDBOX_API_KEY: LIVE_KEY } })).code).toBe(3)
  expect((await sandboxCommand(['billing', 'balance'], { cwd })).code).toBe(0)
})

test.each([
  ['a refusal', 'application/json', 500],
  ['a web page', 'text/html', 200],
  ['a web page of an error', 'text/html', 404],
  ['a refused key', 'application/json', 401],
  ['another record', 'application/json', 200],
])('the key that a server repeats in %s is not shown', async (_, type, status) => {
  await using server = await startLyingServer((res) => {
    const message = `no access for ${res.req.headers.authorization} or ${res.req.headers['x-sandbox-token']}`
    res.writeHead(status, { 'Content-Type': type }).end(JSON.stringify({ error: 'internal', message }))
  })
  // Keys of a service may have any form.
  const [apiKey, controlToken] = ['0fd3b2e1-company-key', 'ct-of-a-team-0123']
  const target = ['--base-url', server.url, '--api-key', apiKey, '--control-token', controlToken, '--live']
  const cwd = await folder()
  await writeFile(join(cwd, 'one.yaml'), 'steps: [{ call: contacts.create, with: { email: a@example.com } }]')
  for (const argv of [
    ['billing', 'balance'],
    ['contacts', 'create', '--email', 'a@example.com', '--verbose'],
    ['status'],
    ['doctor'],
    ['run', 'one.yaml', '--junit', 'one.xml'],
    ['webhooks', 'list', '--all', '--verbose'],
  ]) {
    const { code, stdout, stderr } = await sandboxCommand([...argv, ...target], { cwd })
    expect(code).not.toBe(0)
    expect(stdout + stderr).not.toMatch(/company-key|of-a-team/)
  }
  expect(await readFile(join(cwd, 'one.xml'), 'utf8')).not.toContain('company-key')
  const { contacts } = createClient({ baseUrl: server.url, apiKey })
  const error = await contacts.get('nobody').catch((thrown: unknown) => thrown)
  expect(inspect(error, { depth: 9 })).not.toContain('company-key')
})

test('a secret that only the folder and its sandbox know is never sent', async () => {
  const cwd = await folder()
  await using sandbox = await createSandbox({ data: join(cwd, '.sandbox') })
  const { secret, ...owner } = JSON.parse(await readFile(join(cwd, '.sandbox', 'owner.json'), 'utf8'))
  await using listener = await startLyingServer((res) => {
    heard.push(JSON.stringify(res.req.headers))
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
  })
  const heard: string[] = []
  const other = await checkout({ ...owner, url: listener.url, secret })
  expect(await sandboxCommand(['billing', 'balance'], { cwd: other })).toMatchObject({ code: 3 })
  expect(heard).toHaveLength(1)
  expect(heard.join()).not.toContain(secret)
  expect((await sandboxCommand(['status'], { cwd })).json).toMatchObject({ base_url: sandbox.url, answers: 'sandbox' })
})

test('a tunnel to a real service is changed only with --live', async () => {
  await using sandbox = await createSandbox()
  await using tunnel = await startService({ of: sandbox })
  const create = ['contacts', 'create', '--email', 'tunnel@example.com']
  const at = (url: string, apiKey: string) => ['--base-url', url, '--api-key', apiKey]
  const refused = [
    [...create, ...at(tunnel.url, 'sk_sandbox_default')],
    [...create, ...at(sandbox.url, LIVE_KEY)],
    ['send', '+491713920000', '--text', 'Hi', ...at(tunnel.url, LIVE_KEY)],
    ['api', 'POST', '/v1/contacts', '-d', '{"email":"tunnel@example.com"}', ...at(tunnel.url, LIVE_KEY)],
  ]
  for (const argv of refused) {
    const { code, error } = await sandboxCommand(argv)
    expect({ code, error: error.error }).toEqual({ code: 9, error: 'live_guard' })
  }
  expect(tunnel.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  const status = await sandboxCommand(['status', ...at(tunnel.url, 'sk_sandbox_default')])
  expect(status.json).toMatchObject({ answers: 'service', local: true, writes: 'with --live only' })
  expect((await sandboxCommand([...create, '--live', ...at(tunnel.url, 'sk_sandbox_default')])).code).toBe(0)
  expect((await sandboxCommand([...create, ...at(sandbox.url, 'sk_sandbox_other')])).code).toBe(0)
})

test('a control token that is a link is not followed', { skip: process.platform === 'win32' }, async () => {
  await using server = await startLyingServer((res) => {
    tokens.push(res.req.headers['x-sandbox-token'])
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
  })
  const tokens: unknown[] = []
  const cwd = await folder()
  await mkdir(join(cwd, '.sandbox'))
  await writeFile(join(cwd, 'precious'), 'a-secret-of-another-program')
  await symlink('../precious', join(cwd, '.sandbox', 'control-token'))
  await sandboxCommand(['api', 'GET', '/_sandbox/clock', '--base-url', server.url], { cwd })
  expect(tokens).toEqual([undefined, undefined])
})
