import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { agents } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { ADMIN, shared } from '../server/tenants/shared.ts'
import { startProxy } from '../stand-in/proxy.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

const BIN = fileURLToPath(new URL('../../bin/sandbox.js', import.meta.url))
const KEY = 'sk_sandbox_staging0123456789'
const SEND = ['send', '+491713920000', '--text', 'Hi', '--agent', agents.multi]
const WHOLE_SEND = [...SEND, '--message-type', 'MESSAGE', '--traffic-type', 'TRANSACTION']

/** A user with a folder for configuration, at a terminal or not. */
async function user() {
  const config = await folder()
  const file = join(config, 'messaging-sandbox', 'profiles.json')
  const run = (argv: readonly string[], { env = {}, ...rest }: Parameters<typeof sandboxCommand>[1] = {}) =>
    sandboxCommand(argv, { ...rest, env: { XDG_CONFIG_HOME: config, ...env } })
  return { run, file }
}

test('a profile stores address and key for its user only, and never shows the key', async () => {
  await using sandbox = await createSandbox()
  const { run, file } = await user()
  const added = await run(['profile', 'add', 'staging', '--base-url', `${sandbox.url}/v1`, '--api-key-file', '-'], {
    stdin: `${KEY}\n`,
  })
  expect(added.json).toMatchObject({ name: 'staging', base_url: sandbox.url, api_key: 'sk_sandbox_…6789' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  for (const words of ['list', 'show staging'])
    expect((await run(['profile', ...words.split(' ')])).stdout).not.toContain(KEY)

  await run(['contacts', 'create', '--email', 'ada@example.com', '--external-id', 'ada-1', '--profile', 'staging'])
  expect(await sandbox.as('staging0123456789').contacts.get('ada-1')).toMatchObject({ email: 'ada@example.com' })
  await run(['profile', 'use', 'staging'])
  expect((await run(['status'])).json).toMatchObject({
    base_url: sandbox.url,
    base_url_from: 'profile staging (sandbox profile use)',
    api_key: 'sk_sandbox_…6789',
    answers: 'sandbox',
    key_accepted: true,
  })
  expect((await run(['profile', 'remove', 'staging'])).code).toBe(0)
  expect(await readFile(file, 'utf8')).not.toContain(KEY)
  expect((await run(['profile', 'list'])).json).toEqual({ profiles: [] })
})

test('the key of a profile comes from the environment, from a command or from a question that shows nothing', async () => {
  await using sandbox = await createSandbox()
  const { run, file } = await user()
  const at = ['--base-url', sandbox.url]
  await run(['profile', 'add', 'one', ...at], { env: { SANDBOX_API_KEY: KEY } })
  await run(['profile', 'add', 'two', ...at, '--api-key-command', `echo ${KEY}`])
  await run(['profile', 'add', 'three', ...at], { tty: true, answers: { 'API key?': KEY } })
  await run(['profile', 'add', 'four', ...at, '--no-api-key'])
  const { profiles } = JSON.parse(await readFile(file, 'utf8'))
  expect(profiles).toMatchObject({
    one: { api_key: KEY },
    two: { api_key_command: `echo ${KEY}` },
    three: { api_key: KEY },
  })
  expect((await run(['status', '--profile', 'two'])).json).toMatchObject({
    api_key: 'sk_sandbox_…6789',
    key_accepted: true,
  })
  expect((await run(['status', '--profile', 'four'])).code).toBe(3)
  expect((await run(['status', '--profile', 'four'], { env: { SANDBOX_API_KEY: KEY } })).code).toBe(0)
})

test
  .skipIf(process.platform === 'win32')
  .each([...['kill -INT $$', 'kill -TERM $$', 'kill -HUP $$', 'sh -c "kill -TERM $$"; exit 143']])(
  'a signal during the command that prints a key is an interruption, not an error of the profile: %s',
  async (command) => {
    const { run } = await user()
    await run(['profile', 'add', 'one', '--base-url', 'http://localhost:1', '--api-key-command', command])
    expect(await run(['billing', 'balance', '--profile', 'one'])).toMatchObject({ code: 130, stderr: '' })
  },
)

test.each([
  ['exit 4', 'ended with 4'],
  ['echo a b', 'must print its key, and nothing else'],
])('the command that prints a key is shown without its secrets where it fails: %s', async (end, fault) => {
  const { run } = await user()
  const command = `VAULT_TOKEN=hvs.0123456789 true; ${end}`
  const added = await run(['profile', 'add', 'one', '--base-url', 'http://localhost:1', '--api-key-command', command])
  const failed = await run(['billing', 'balance', '--profile', 'one'])
  expect(failed).toMatchObject({ code: 3, error: { message: expect.stringContaining(fault) } })
  expect(failed.error.message).toMatch(new RegExp(`: VAULT_TOKEN=.*redacted.* ${end}\\.?$`))
  const listed = [await run(['profile', 'list']), await run(['profile', 'show', 'one'])]
  for (const { stdout, stderr } of [added, failed, ...listed]) expect(stdout + stderr).not.toContain('hvs.')
})

test.each([
  [['profile', 'use', 'stagin'], 3, /unknown profile "stagin", did you mean "staging"/],
  [['billing', 'balance', '--profile', 'prod'], 3, /unknown profile "prod"/],
  [['profile', 'add', 'staging', '--base-url', 'http://localhost:1', '--no-api-key'], 2, /already/],
  [['profile', 'add', 'a b', '--base-url', 'http://localhost:1'], 2, /Invalid profile name/],
  [['profile', 'add', 'new', '--base-url', 'http://localhost:1'], 2, /Missing key/],
  [['profile', 'add', 'new', '--no-api-key'], 2, /Missing --base-url/],
  [
    ['profile', 'add', 'new', '--base-url', 'http://x', '--no-api-key', '--path', 'billing.balanse=/w'],
    2,
    /"billing.balance"/,
  ],
  [
    ['profile', 'add', 'new', '--base-url', 'http://x', '--no-api-key', '--path', 'billing.invoicePdf=/w'],
    2,
    /needs \{id\}/,
  ],
  [['billing', 'balance', '--profile', 'staging', '--base-url', 'http://localhost:1'], 2, /not both/],
])('sandbox %j is refused with a remedy', async (argv, code, message) => {
  const { run, file } = await user()
  await run(['profile', 'add', 'staging', '--base-url', 'http://localhost:1', '--no-api-key'])
  const before = await readFile(file, 'utf8')
  const got = await run(argv)
  expect({ code: got.code, message: got.error.message }).toEqual({ code, message: expect.stringMatching(message) })
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('the target comes from flags, environment, the sandbox of this folder or the profile in use, in this order', async () => {
  const { run } = await user()
  const cwd = await folder()
  const from = async (argv: string[], env = {}, where = cwd) => {
    const { json } = await run(['status', '--timeout', '200ms', ...argv], { cwd: where, env })
    return [json.base_url, json.base_url_from, json.api_key_from]
  }
  expect(await from([])).toEqual(['http://localhost:7270', 'default', 'default'])
  await run(['profile', 'add', 'staging', '--base-url', 'http://localhost:1', '--api-key-file', '-', '--use'], {
    stdin: KEY,
  })
  const inUse = 'profile staging (sandbox profile use)'
  expect(await from([])).toEqual(['http://localhost:1', inUse, inUse])

  await using sandbox = await createSandbox({ data: join(cwd, '.sandbox') })
  const here = 'the sandbox of this folder (.sandbox/owner.json)'
  expect(await from([])).toEqual([sandbox.url, here, 'default'])
  const named = 'profile staging (SANDBOX_PROFILE)'
  expect(await from([], { SANDBOX_PROFILE: 'staging' })).toEqual(['http://localhost:1', named, named])
  const env = { SANDBOX_PROFILE: 'staging', SANDBOX_BASE_URL: 'http://localhost:2', SANDBOX_API_KEY: 'sk_sandbox_b' }
  expect(await from([], env)).toEqual(['http://localhost:2', 'SANDBOX_BASE_URL', 'SANDBOX_API_KEY'])
  const flagged = 'profile staging (--profile)'
  expect(await from(['--profile', 'staging'], env)).toEqual(['http://localhost:1', flagged, flagged])
  expect(await from(['--base-url', 'http://localhost:3'])).toEqual(['http://localhost:3', '--base-url', 'default'])

  await sandbox.stop()
  expect(await from([])).toEqual(['http://localhost:1', inUse, inUse])
})

test('a folder means the sandbox of a folder above it, unless that is open to others or the home folder', async () => {
  const home = await folder()
  const project = join(home, 'project')
  const cwd = join(project, 'src', 'deep')
  await mkdir(cwd, { recursive: true })
  const from = async (env = { HOME: home }) =>
    (await sandboxCommand(['status', '--timeout', '200ms'], { cwd, env })).json.base_url_from
  await using _ = await createSandbox({ data: join(home, '.sandbox') })
  expect(await from()).toBe('default')
  const sandbox = await createSandbox({ data: join(project, '.sandbox') })
  expect(await from()).toBe(`the sandbox of ${project} (.sandbox/owner.json)`)
  const stop = await sandboxCommand(['clock', 'show'], { cwd, env: { HOME: home } })
  expect({ code: stop.code, stderr: stop.stderr }).toEqual({ code: 0, stderr: '' })
  expect(await from({ HOME: project })).toBe('default')
  await chmod(join(project, 'src'), 0o777)
  expect(await from()).toBe('default')
  await sandbox.stop()
})

test.skipIf(process.getuid?.() !== 0)(
  'a user unknown to the system, without a home folder, finds a sandbox',
  async () => {
    await using sandbox = await createSandbox()
    const cwd = await folder()
    await chmod(cwd, 0o777)
    const who = { cwd, uid: 54321, env: { PATH: process.env.PATH } }
    const { stdout } = await promisify(execFile)(process.execPath, [BIN, 'status', '--base-url', sandbox.url], who)
    expect(JSON.parse(stdout)).toMatchObject({ answers: 'sandbox' })
    const send = promisify(execFile)(process.execPath, [BIN, ...SEND], {
      ...who,
      env: { ...who.env, SANDBOX_BASE_URL: '' },
    })
    await expect(send).rejects.toMatchObject({ code: 6 })
  },
)

test('with several sandboxes, a folder means its own one, and names the others where that is gone', async () => {
  const cwd = await folder()
  await using one = await createSandbox({ data: join(cwd, '.sandbox') })
  await using other = await createSandbox()
  const caches = await folder()
  const running = join(caches, 'messaging-sandbox', 'running')
  await mkdir(running, { recursive: true })
  const port = Number(new URL(other.url).port)
  await writeFile(join(running, `${port}.json`), JSON.stringify({ url: other.url, port, pid: process.pid, data: null }))
  const env = { XDG_CACHE_HOME: caches }
  expect((await sandboxCommand(['billing', 'balance'], { env, cwd, tty: true })).stderr).toBe('')
  expect((await sandboxCommand(['billing', 'balance'], { env, cwd })).stderr).toBe('')
  expect((await sandboxCommand(['billing', 'balance', '--base-url', one.url], { env, cwd })).stderr).toBe('')
  const owner = join(cwd, '.sandbox', 'owner.json')
  await writeFile(owner, (await readFile(owner, 'utf8')).replace(one.url, 'http://localhost:1'))
  const away = await sandboxCommand(['billing', 'balance'], { env, cwd })
  expect(away).toMatchObject({ code: 6, error: { hint: expect.stringContaining(`Running: ${other.url} (in memory)`) } })
})

test('a folder whose sandbox was killed says that another one is used', async () => {
  const cwd = await folder()
  await using _ = await createSandbox({ data: join(cwd, '.sandbox') })
  const owner = join(cwd, '.sandbox', 'owner.json')
  await writeFile(owner, (await readFile(owner, 'utf8')).replace(/"pid":\s*\d+/, '"pid":99999999'))
  const { stderr } = await sandboxCommand(['billing', 'balance'], { env: { XDG_CACHE_HOME: await folder() }, cwd })
  expect(JSON.parse(stderr.split('\n')[0]!)).toMatchObject({
    warning: 'sandbox_killed',
    message: `The sandbox of ${cwd} was killed, so this is for http://localhost:7270.`,
  })
})

test('without a home there are no profiles, and everything else works', async () => {
  await using sandbox = await createSandbox()
  expect((await sandboxCommand(['billing', 'balance', '--base-url', sandbox.url])).code).toBe(0)
  expect((await sandboxCommand(['profile', 'list'])).json).toEqual({ profiles: [] })
  const added = await sandboxCommand(['profile', 'add', 'a', '--base-url', sandbox.url, '--no-api-key'])
  expect(added).toMatchObject({ code: 3, error: { hint: expect.stringContaining('XDG_CONFIG_HOME') } })
})

test('a remote service is changed only with --live, and named on stderr', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  await using proxy = await startProxy(service.port)
  const { run } = await user()
  const env = { HTTP_PROXY: proxy.url, SANDBOX_BASE_URL: 'http://api.service.test' }
  for (const argv of [SEND, WHOLE_SEND, ['contacts', 'delete', 'c_1'], ['billing', 'topup', '50']]) {
    const { code, error } = await run(argv, { env })
    expect({ code, error }).toMatchObject({ code: 9, error: { error: 'live_guard' } })
    expect(error.message).toContain('api.service.test')
    expect(error.message).toContain('SANDBOX_BASE_URL')
  }
  expect(service.requests).toEqual([])
  const read = await run(['billing', 'balance'], { env })
  expect(read).toMatchObject({ code: 0, error: { type: 'target', base_url: 'http://api.service.test' } })
  expect((await run([...WHOLE_SEND, '--live'], { env })).code).toBe(0)
  expect((await run(WHOLE_SEND, { env: { ...env, SANDBOX_ALLOW_LIVE: '1' } })).code).toBe(0)
  expect((await run(WHOLE_SEND, { env: { ...env, SANDBOX_ALLOW_LIVE: '0' } })).code).toBe(9)
  expect((await run(WHOLE_SEND, { env: { ...env, SANDBOX_ALLOW_LIVE: 'ture' } })).code).toBe(3)
  expect((await sandbox.client.messages.list()).messages).toHaveLength(2)
})

test('a profile stores the paths that the interface leaves open', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const { run } = await user()
  const paths = ['--path', 'billing.balance=/v1/wallet', '--path', 'billing.invoicePdf=/v1/bills/{id}.pdf']
  await run(['profile', 'add', 'other', '--base-url', service.url, ...paths, '--api-key-file', '-'], { stdin: KEY })
  await run(['billing', 'balance', '--profile', 'other'])
  await run(['billing', 'invoice-pdf', '7', '--profile', 'other'])
  expect(service.requests.map(({ path }) => path)).toEqual(['/v1/wallet', '/v1/bills/7.pdf'])
})

test('status shows the namespace of a secret key, without the secret', async () => {
  const { url, create } = await shared()
  const { api_key } = await create('team-a')
  const { json, stdout } = await sandboxCommand(['status', '--base-url', url, '--api-key', api_key])
  expect(json).toMatchObject({ namespace: 'team-a', key_accepted: true })
  expect(stdout).not.toContain(api_key.slice(-40, -4))
})

test('the token of a namespace alone is enough for its control plane', async () => {
  const { url, create } = await shared()
  const { control_token, ask } = await create('team-a')
  await ask('POST', '/v1/contacts', { email: 'ada@example.com' })
  const env = { SANDBOX_BASE_URL: url, SANDBOX_CONTROL_TOKEN: control_token }
  const run = async (...argv: string[]) => (await sandboxCommand(argv, { env })).json
  expect(await run('world', 'show')).toMatchObject({ namespace: 'team-a' })
  expect(await run('status')).toMatchObject({ namespace: 'team-a', api_key_from: 'control token' })
  expect(await run('open', '--print')).toMatchObject({ url: `${url}/#/team-a/messages?token=${control_token}` })
  const { lines } = await sandboxCommand(['events', 'tail', '--since', 'start', '--limit', '1'], { env })
  expect(lines).toContainEqual(expect.objectContaining({ event: 'contact.created' }))
  expect(await run('namespaces', 'rotate', 'team-a')).toMatchObject({ namespace: 'team-a' })
})

test('status ends with 3 if the service refuses the key, as the other commands do', async () => {
  await using sandbox = await createSandbox()
  const { code, json } = await sandboxCommand(['status', '--base-url', sandbox.url, '--api-key', 'nope'])
  expect([code, json.answers, json.key_accepted]).toEqual([3, 'sandbox', false])
})

test('status and doctor name a control token that the sandbox refuses, or that belongs to another namespace than the key', async () => {
  const { url, create } = await shared()
  const [alice, bob] = [await create('alice'), await create('bob')]
  const run = (argv: string[], SANDBOX_CONTROL_TOKEN?: string) =>
    sandboxCommand(argv, {
      env: {
        SANDBOX_BASE_URL: url,
        SANDBOX_API_KEY: bob.api_key,
        ...(SANDBOX_CONTROL_TOKEN && { SANDBOX_CONTROL_TOKEN }),
      },
    })
  const mixed = {
    [alice.control_token]: /of the namespace bob, and the control token of SANDBOX_CONTROL_TOKEN is of alice/,
    ct_wrong_1234567890123456: /refuses the control token of SANDBOX_CONTROL_TOKEN/,
  }
  for (const [token, error] of Object.entries(mixed)) {
    const { code, json, stdout } = await run(['status'], token)
    expect([code, json]).toMatchObject([3, { key_accepted: true, token_accepted: false }])
    expect(json).toMatchObject({ control_token: `ct_…${token.slice(-4)}`, error: expect.stringMatching(error) })
    expect(stdout).not.toContain(token)
    const examined = await run(['doctor', '--port', '0'], token)
    expect(examined.code).toBe(3)
    const service = { check: 'service', outcome: 'failed', found: expect.stringMatching(error) }
    expect(examined.json.checks).toContainEqual(expect.objectContaining(service))
    expect((await run(['explain', 'last'], token)).error.message).toMatch(error)
    expect((await run(['wait', '--message', '+491713920000', '--status', 'read'], token)).error.message).toMatch(error)
  }
  expect(await run(['status'], bob.control_token)).toMatchObject({
    code: 0,
    json: {
      control_token_from: 'SANDBOX_CONTROL_TOKEN',
      control_token_namespace: 'bob',
      key_accepted: true,
      token_accepted: true,
    },
  })
  const keyAlone = await run(['status'])
  expect(keyAlone).toMatchObject({ code: 0, json: { control_token: null, token_accepted: null } })
  expect(keyAlone.json.note).toContain('Ask the administrator of a shared sandbox')
  expect((await run(['explain', 'last'], bob.control_token)).error.message).toBe('No message has been sent yet.')
})

test('a token without a key is enough for status and doctor, which say what else needs a key', async () => {
  const { url, create } = await shared()
  const { control_token } = await create('alice')
  for (const [token, note] of [
    [ADMIN, 'The admin token opens the control plane of default without a key.'],
    [control_token, 'The token opens the control plane of alice without a key.'],
  ] as const) {
    const env = { SANDBOX_BASE_URL: url, SANDBOX_CONTROL_TOKEN: token }
    const { code, json } = await sandboxCommand(['status'], { env })
    expect([code, json]).toMatchObject([0, { key_accepted: null, token_accepted: true }])
    expect(json).not.toHaveProperty('error')
    expect(json.note).toContain(note)
    expect(await sandboxCommand(['doctor', '--port', '0'], { env })).toMatchObject({ code: 0, json: { ok: true } })
  }
})

test('without a token, commands of a shared sandbox name whom to ask', async () => {
  const { url, create } = await shared()
  const { api_key } = await create('alice')
  const { error } = await sandboxCommand(['clock', 'show'], {
    env: { SANDBOX_BASE_URL: url, SANDBOX_API_KEY: api_key },
  })
  expect(error.hint).toContain('ask the administrator, who runs "sandbox namespaces ensure <name>"')
  const env = { SANDBOX_BASE_URL: url, SANDBOX_CONTROL_TOKEN: ADMIN }
  const again = await sandboxCommand(['namespaces', 'create', 'alice'], { env })
  expect(again.error.hint).toMatch(/"sandbox namespaces ensure" issues another key/)
  expect(again.error.hint).not.toContain('delete')
})
