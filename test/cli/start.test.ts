import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

test('start prints one line of JSON with its address when it is ready, and a signal ends it with 0', async () => {
  const cwd = await folder()
  const started = startCommand(['start', '--port', '0'], { cwd })
  const ready = await started.line(1)
  expect(ready).toMatchObject({ ready: true, api_key: 'sk_sandbox_default', pid: started.child.pid })
  expect(String(ready.data)).toMatch(/\.sandbox$/)
  const client = createClient({ baseUrl: String(ready.url), apiKey: String(ready.api_key) })
  expect(await client.world.health()).toMatchObject({ status: 'ok' })
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
  expect(started.stderr()).toBe('')
  expect(started.stdout().trim().split('\n')).toHaveLength(1)
})

test('wait finds the sandbox that starts in this folder meanwhile, on any port', async () => {
  const cwd = await folder()
  await mkdir(join(cwd, '.sandbox'))
  const killed = { url: 'http://localhost:1', pid: 2 ** 22 + 1, secret: 'fs_of-a-killed-sandbox' }
  await writeFile(join(cwd, '.sandbox/owner.json'), JSON.stringify(killed), { mode: 0o600 })
  const guessed = Promise.withResolvers<string>()
  const waiting = sandboxCommand(['wait', '--timeout', '60s', '--output', 'table'], { cwd, onError: guessed.resolve })
  expect(await guessed.promise).toMatch(/was killed, so this is for http:\/\/localhost:7270/)
  const { url } = await startHere(['start', '--port', '0'], { cwd }).line(1)
  expect(await waiting).toMatchObject({ code: 0, stdout: `✓ ${url} is ready\n` })
})

test('start at a terminal shows the address, the key, the data, magic recipients and the next command', async () => {
  const got = await sandboxCommand(['start', '--port', '0', '--memory', '--clock', 'frozen'], {
    tty: true,
    onOutput: (_, stop) => stop('SIGINT'),
  })
  expect(got.code).toBe(0)
  for (const piece of [
    /http:\/\/localhost:\d+/,
    'sk_sandbox_default',
    'in memory',
    '+491713920000',
    'sandbox send',
    /ready in \d+ ms/,
    'frozen',
  ])
    expect(got.stdout).toMatch(piece)
})

test('start at a terminal shows each request, event and delivery in a line, unless it is to be quiet', async () => {
  await using receiver = await startReceiver()
  const shown = async (...flags: string[]) => {
    let done: Promise<unknown> | undefined
    const got = await sandboxCommand(['start', '--port', '0', '--memory', '--clock', 'frozen', ...flags], {
      tty: true,
      onOutput(text, stop) {
        const url = /http:\/\/localhost:\d+/.exec(text)?.[0]
        if (url) done ??= use(url).finally(() => stop('SIGINT'))
      },
    })
    await done
    return got.stdout
  }
  const use = async (baseUrl: string) => {
    const client = createClient({ baseUrl, apiKey: 'sk_sandbox_shop' })
    await client.webhooks.create({ url: receiver.url, events: ['contact.*'] })
    await client.contacts.create({ phone: '+4915112345678' })
    await client.contacts.get('nobody').catch(() => {})
    await client.clock.advance({ by: '24h' })
    await client.contacts.get('nobody').catch(() => {})
  }
  const lines = await shown()
  expect(lines.match(/^\d{4}-\d\d-\d\d {2}shop$/gm)).toEqual(['2026-01-01  shop', '2026-01-02  shop'])
  expect(lines).toMatch(/\d\d:\d\d:\d\d {2}POST {3}\/v1\/contacts {2}20\d .* ms {2}shop/)
  expect(lines).toMatch(/GET {4}\/v1\/contacts\/nobody {2}404 not_found/)
  expect(lines).toMatch(/event {2}contact\.\w+ {2}c_.* {2}shop/)
  expect(lines).toContain(`→ ${receiver.url}  200`)
  expect(await shown('--quiet')).not.toMatch(/POST|event/)
})

test('a data folder that is in use is refused in one line', async () => {
  const data = await folder()
  await using _ = await createSandbox({ data })
  const got = await sandboxCommand(['start', '--port', '0', '--data', data])
  expect(got).toMatchObject({ code: 3, stdout: '' })
  expect(got.error.message).toContain(`process ${process.pid}`)
})

test('an invalid data folder is named, and is not reported as a bug', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'notes.txt'), 'not a folder')
  await symlink(join(cwd, 'gone'), join(cwd, 'link'))
  const denied = process.platform === 'linux' ? ['/proc/x', '/proc/x/y'] : []
  for (const data of ['notes.txt', 'link', 'x'.repeat(300), ...denied]) {
    const got = await sandboxCommand(['start', '--port', '0', '--data', data], { cwd })
    expect(got).toMatchObject({ code: 3, stdout: '', error: { error: 'configuration' } })
    expect(got.error.message).toContain('The data folder cannot be written')
  }
})

test('data is not kept in a folder that was deleted, nor in one without a name', async () => {
  const cwd = join(await folder(), 'gone')
  const got = await sandboxCommand(['start', '--port', '0'], { cwd })
  expect(got).toMatchObject({
    code: 3,
    stdout: '',
    error: { message: `The working folder ${cwd} was deleted, or this user has no access to it.` },
  })
  expect((await sandboxCommand(['start', '--port', '0', '--data', ''])).code).toBe(2)
})

test.for([
  ['start', '--memory', '--port', '0', '--world', 'pipe.yaml'],
  ['exec', '--world', 'pipe.yaml', '--', 'true'],
  ['world', 'validate', 'pipe.yaml'],
])('Ctrl-C ends %s while it reads a world that does not come', { skip: process.platform === 'win32' }, async (argv) => {
  const cwd = await folder()
  execFileSync('mkfifo', [join(cwd, 'pipe.yaml')])
  const started = startCommand(argv, { cwd })
  // It is opened when it is first read.
  await using _ = await open(join(cwd, 'pipe.yaml'), 'w')
  started.child.kill('SIGINT')
  await started.ended
  expect(started.child.signalCode).toBe('SIGINT')
  expect(started.stdout()).toBe('')
})

test('a user without an account and without a home can start the sandbox', {
  skip: process.getuid?.() !== 0,
}, async () => {
  const cwd = await folder()
  await chmod(cwd, 0o777)
  const env = { HOME: undefined, XDG_CACHE_HOME: undefined }
  const started = startCommand(['start', '--port', '0'], { cwd, env, uid: 54_321 })
  expect(await started.line(1)).toMatchObject({ ready: true })
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
  expect(started.stderr()).toBe('')
})

test('a world that belongs to somebody else is refused with its name', {
  skip: process.getuid?.() !== 0,
}, async () => {
  const cwd = await folder()
  const data = join(cwd, '.sandbox')
  await mkdir(data)
  for (const path of [cwd, data]) await chmod(path, 0o777)
  await writeFile(join(data, 'default.db'), '', { mode: 0o600 })
  const started = startCommand(['start', '--port', '0'], { cwd, uid: 54_321 })
  expect(await started.ended).toBe(3)
  expect(JSON.parse(started.stderr())).toMatchObject({
    message: expect.stringContaining(
      'default.db cannot be opened, because this user is not allowed to read and write it',
    ),
    file: join(data, 'default.db'),
  })
})

test('a user whose home belongs to somebody else has no profiles', {
  skip: process.getuid?.() !== 0,
}, async () => {
  const cwd = await folder()
  const home = await folder()
  await chmod(cwd, 0o777)
  await chmod(home, 0o700)
  const options = { cwd, env: { HOME: home, XDG_CONFIG_HOME: undefined }, uid: 54_321 }
  const started = startCommand(['start', '--port', '0', '--memory'], options)
  const { url } = (await started.line(1)) as { url: string }
  const status = startCommand(['status'], { ...options, env: { ...options.env, SANDBOX_BASE_URL: url } })
  expect(await status.ended).toBe(0)
  started.child.kill('SIGTERM')
  await started.ended
})

test.runIf(existsSync('/dev/full'))('a sandbox whose log cannot be written goes on without it', async () => {
  const cwd = await folder()
  const script = `exec '${process.execPath}' '${BIN}' start --port 0 --data d --verbose > /dev/full`
  const started = startCommand([script], { cwd, node: 'sh', bin: '-c' })
  const owner = () => readFile(join(cwd, 'd/owner.json'), 'utf8').then(JSON.parse, () => undefined)
  await expect.poll(owner).toBeTruthy()
  const client = createClient({ baseUrl: (await owner()).url, apiKey: 'sk_sandbox_default' })
  for (let n = 0; n < 3; n++) expect(await client.billing.balance()).toMatchObject({ reserved: 0 })
  started.child.kill('SIGTERM')
  expect({ code: await started.ended, warned: JSON.parse(started.stderr()) }).toEqual({
    code: 0,
    warned: { warning: 'output_lost', message: expect.stringMatching(/ENOSPC.*goes on/) },
  })
})

test('a port of another sandbox is refused with its owner and the remedy', async () => {
  await using other = await createSandbox()
  const got = await sandboxCommand(['start', '--memory', '--port', new URL(other.url).port])
  expect(got).toMatchObject({ code: 3, error: { sandbox: true, hint: expect.stringContaining('--port 0') } })
  expect(got.error.message).toContain('another sandbox')
  if (process.platform === 'linux') expect(got.error.holder).toMatchObject({ pid: process.pid })
})

test('a port that another program holds is refused too', async () => {
  const server = createServer((_, res) => res.writeHead(404).end())
  const { port } = new URL(await urlOf(server))
  const got = await sandboxCommand(['start', '--memory', '--port', port])
  expect(got).toMatchObject({ code: 3, error: { sandbox: false } })
})

test('mistakes in the options are named before anything is started', async () => {
  const codeOf = async (...argv: string[]) =>
    (await sandboxCommand(['start', ...argv], { onOutput: (_, stop) => stop('SIGINT') })).code
  expect(await codeOf('--port', '70000')).toBe(2)
  expect(await codeOf('--clock', 'fast')).toBe(2)
  expect(await codeOf('--now', 'yesterday')).toBe(2)
  for (const now of ['9999-01-01T00:00Z', '9998-12-31T23:00-05:00', '1969-12-31T23:59Z', '0000-01-01T00:00Z'])
    expect(await codeOf('--memory', '--port', '0', '--now', now)).toBe(2)
  expect(await codeOf('--memory', '--data', 'x')).toBe(2)
  expect(await codeOf('--memory', '--port', '0', '--world', 'no-such-world')).toBe(3)
  expect(await codeOf('--memory', '--port', '0', '--host', '203.0.113.9')).toBe(3)
})

test('--host listens on the address and on loopback, with a warning', async () => {
  const address = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  if (!address) return
  let answers: Promise<number[]> | undefined
  const got = await sandboxCommand(['start', '--memory', '--port', '0', '--host', address], {
    onOutput(text, stop) {
      const port = new URL(JSON.parse(text).url).port
      const ask = async (host: string) => (await fetch(`http://${host}:${port}/_sandbox/health`)).status
      answers = Promise.all([ask(address), ask('127.0.0.1')]).finally(() => stop('SIGTERM'))
    },
  })
  expect(await answers).toEqual([200, 200])
  expect(got.error).toMatchObject({ warning: 'open_to_network' })
})

test('an opened sandbox shows the token of its control plane once, and commands on this machine know it', async () => {
  const cwd = await folder()
  let others: Promise<number[]> | undefined
  const got = await sandboxCommand(['start', '--port', '0', '--host', '0.0.0.0'], {
    cwd,
    onOutput(text, stop) {
      const { url, control_token } = JSON.parse(text)
      const codeOf = async (cwd: string | undefined, env: Record<string, string> = {}) =>
        (await sandboxCommand(['clock', 'show', '--base-url', url], { ...(cwd && { cwd }), env })).code
      others = Promise.all([
        codeOf(cwd),
        codeOf('/'),
        codeOf('/', { SANDBOX_CONTROL_TOKEN: control_token }),
        codeOf('/', { SANDBOX_CONTROL_TOKEN: 'ct_of-another-sandbox' }),
      ]).finally(() => stop('SIGTERM'))
    },
  })
  expect(await others).toEqual([0, 3, 0, 3])
  expect(got.json.control_token).toMatch(/^ct_[\w-]{32}$/)
  expect(got.stderr).not.toContain(String(got.json.control_token))
})

test('a configured token is required on loopback as well, and not shown', async () => {
  const env = { SANDBOX_CONTROL_TOKEN: 'ct_given-by-the-user' }
  let parallel: Promise<{ code: number; error: Record<string, unknown> }> | undefined
  const got = await sandboxCommand(['start', '--memory', '--port', '0'], {
    env,
    onOutput(text, stop) {
      parallel = sandboxCommand(['clock', 'show', '--base-url', JSON.parse(text).url]).finally(() => stop('SIGTERM'))
    },
  })
  expect(await parallel).toMatchObject({
    code: 3,
    error: { error: 'control_token_required', hint: expect.stringContaining('SANDBOX_CONTROL_TOKEN') },
  })
  expect(got.stdout + got.stderr).not.toContain(env.SANDBOX_CONTROL_TOKEN)
  expect((await sandboxCommand(['start', '--memory', '--control-token', 'short'])).code).toBe(2)
  expect((await sandboxCommand(['start', '--memory'], { env: { SANDBOX_CONTROL_TOKEN: 'short' } })).code).toBe(3)
})
