import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, Unreachable } from '../../src/index.ts'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { createSandbox } from '../sandbox.ts'
import { urlOf } from '../url-of.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

const RUNNING = 'messaging-sandbox/running'

test('start --detach returns when the sandbox is ready, logs to a file, and stop finds it by its data folder', async () => {
  const cwd = await folder()
  const env = { XDG_CACHE_HOME: await folder() }
  const started = await sandboxCommand(['start', '--detach', '--port', '0'], { cwd, env })
  onTestFinished(async () => void (await sandboxCommand(['stop', '--all'], { env })))
  expect(started).toMatchObject({ code: 0, stderr: '' })
  const { url, pid, log } = started.json as { url: string; pid: number; log: string }
  const client = createClient({ baseUrl: url, apiKey: 'sk_sandbox_default' })
  await client.contacts.create({ phone: '+4915112345678' })
  expect(log).toBe(join(cwd, '.sandbox', 'sandbox.log'))
  await expect.poll(() => readFile(log, 'utf8')).toContain('"event":"contact.')
  expect((await stat(log)).mode & 0o077).toBe(0)
  expect(JSON.parse(await readFile(join(cwd, '.sandbox/owner.json'), 'utf8'))).toEqual({
    ...{ pid, url },
    secret: expect.stringMatching(/^fs_/),
  })

  const second = await sandboxCommand(['start', '--port', '0'], { cwd, env })
  expect(second).toMatchObject({ code: 3, stdout: '', error: { error: 'configuration', owner: { pid } } })

  expect(await sandboxCommand(['stop'], { cwd, env })).toMatchObject({ code: 0, json: { stopped: [{ url, pid }] } })
  await expect(client.world.health()).rejects.toThrow(Unreachable)
  await expect(stat(join(cwd, '.sandbox/owner.json'))).rejects.toThrow('ENOENT')
  expect(await sandboxCommand(['stop', '--data', '.sandbox'], { cwd, env })).toMatchObject({ code: 5 })
})

test('a data folder behind a link is that folder, so that a sandbox continues when the link leads elsewhere', async () => {
  const cwd = await folder()
  const env = { XDG_CACHE_HOME: await folder() }
  await mkdir(join(cwd, 'one'))
  await symlink('one', join(cwd, 'link'))
  const command = startHere(['start', '--data', 'link', '--port', '0'], { cwd, env })
  const { url, data } = await command.line(1)
  expect(data).toBe(join(cwd, 'one'))
  const stop = ['stop', '--data', 'link']
  await rm(join(cwd, 'link'))
  await mkdir(join(cwd, 'two'))
  await symlink('two', join(cwd, 'link'))
  const client = createClient({ baseUrl: String(url), apiKey: 'sk_sandbox_default' })
  await client.contacts.create({ phone: '+4915112345678' })
  expect(await sandboxCommand(stop, { cwd, env })).toMatchObject({ code: 5 })
  await rm(join(cwd, 'link'))
  await symlink('one', join(cwd, 'link'))
  expect(await sandboxCommand(stop, { cwd, env })).toMatchObject({ code: 0, json: { stopped: [{ url }] } })
  expect(await command.ended).toBe(0)
})

test('stop --all stops all sandboxes of this user, opened ones too, and forgets killed ones', async () => {
  const env = { XDG_CACHE_HOME: await folder() }
  const opened = startHere(['start', '--memory', '--port', '0', '--host', '0.0.0.0'], { env })
  const { url } = await opened.line(1)
  const entry = join(env.XDG_CACHE_HOME, RUNNING, `${new URL(String(url)).port}.json`)
  await expect.poll(() => readFile(entry, 'utf8')).toContain('control_token')
  const killed = join(env.XDG_CACHE_HOME, RUNNING, '1.json')
  await writeFile(killed, JSON.stringify({ url: 'http://localhost:1', port: 1, pid: 2 ** 22 + 1, data: null }))

  const missed = await sandboxCommand(['stop', '--port', '2'], { env })
  expect(missed).toMatchObject({ code: 5, error: { error: 'not_running', running: [{ url }] } })
  await expect(stat(killed)).rejects.toThrow('ENOENT')

  const all = await sandboxCommand(['stop', '--all'], { env })
  expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' })
  expect(all.json).toEqual({ stopped: [{ url, pid: process.pid }] })
  expect(await opened.ended).toBe(0)
  await expect(stat(entry)).rejects.toThrow('ENOENT')
  expect((await sandboxCommand(['stop', '--all'], { env })).json).toEqual({ stopped: [] })
})

test('stop --port sends nothing but a probe to another program on the port', async () => {
  const requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    res.writeHead(404).end('<h1>Not found</h1>')
  })
  const { port } = new URL(await urlOf(server))
  const env = { XDG_CACHE_HOME: await folder() }
  const message = expect.stringMatching(/^http:\S+ is not a sandbox/)
  expect(await sandboxCommand(['stop', '--port', port], { env })).toMatchObject({ code: 3, error: { message } })
  expect(requests).toEqual(['GET /_sandbox/health'])
})

test('with the token of a team, stop is refused; without one, the user who started the sandbox stops it', async () => {
  const env = { XDG_CACHE_HOME: await folder() }
  const shared = startHere(['start', '--shared', '--memory', '--port', '0'], { env })
  const { url, control_token: admin } = await shared.line(1)
  const there = { ...env, SANDBOX_BASE_URL: String(url) }
  const create = ['namespaces', 'create', 'team-a']
  const { json } = await sandboxCommand(create, { env: { ...there, SANDBOX_CONTROL_TOKEN: String(admin) } })
  const team = { ...there, SANDBOX_CONTROL_TOKEN: (json as { control_token: string }).control_token }
  expect(await sandboxCommand(['stop'], { env: team })).toMatchObject({ error: { error: 'admin_token_required' } })
  expect(await sandboxCommand(['stop'], { env: there })).toMatchObject({ code: 0 })
  expect(await shared.ended).toBe(0)
})

test('stop passes over the token that an earlier start has left in the data folder', async () => {
  const [cwd, env] = [await folder(), { XDG_CACHE_HOME: await folder() }]
  for (const token of [[], ['--control-token', 'ct_a-token-of-this-start']]) {
    const shared = startHere(['start', '--shared', '--port', '0', ...token], { cwd, env })
    await shared.line(1)
    expect(await sandboxCommand(['stop'], { cwd, env })).toMatchObject({ code: 0 })
    expect(await shared.ended).toBe(0)
  }
})

test('a sandbox in a test process stops when HTTP requests it', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.client.world.stop()).toEqual({ stopping: true, pid: process.pid })
  await expect.poll(() => sandbox.client.world.health().catch((error) => error)).toBeInstanceOf(Unreachable)
})

/** Runs a program of Node, and resolves with it and the address of the sandbox that it has started. */
async function starting(program: string, more: NodeJS.ProcessEnv) {
  const env = { ...process.env, XDG_CACHE_HOME: await folder(), ...more }
  const starter = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [ready] = (await once(starter.stdout!, 'data')) as [Buffer]
  const { url } = JSON.parse(ready.toString()) as { url: string }
  return { starter, client: createClient({ baseUrl: url, apiKey: 'sk_sandbox_default' }) }
}

test('a sandbox ends with the launcher that an older Node runs, though that is killed', {
  skip: process.platform === 'win32',
}, async () => {
  const argv = JSON.stringify([BIN, 'start', '--memory', '--port', '0'])
  const { starter, client } = await starting(
    `require('child_process').spawn(process.execPath, ${argv}, { stdio: 'inherit' })`,
    { SANDBOX_PINNED_NODE: BIN },
  )
  starter.kill('SIGKILL')
  await expect.poll(() => client.world.health().catch((error) => error)).toBeInstanceOf(Unreachable)
})

test('a sandbox ends with the npm that started it through a shell, though no signal reaches it', {
  skip: process.platform === 'win32',
}, async () => {
  const line = `"${process.execPath}" "${BIN}" start --memory --port 0; true`
  const { starter, client } = await starting(
    `require('child_process').spawn('sh', ['-c', ${JSON.stringify(line)}], { stdio: 'inherit' })`,
    { npm_execpath: 'npm' },
  )
  starter.kill('SIGKILL')
  await expect.poll(() => client.world.health().catch((error) => error)).toBeInstanceOf(Unreachable)
})

test('a suspended sandbox is named with its process, and stop --all stops the others', async () => {
  const env = { XDG_CACHE_HOME: await folder() }
  const start = ['start', '--memory', '--port', '0']
  const [suspended, other] = [startCommand(start, { env }), startHere(start, { env })]
  const [{ url }, { url: otherUrl }] = [await suspended.line(1), await other.line(1)]
  const { pid } = suspended.child
  suspended.child.kill('SIGSTOP')
  onTestFinished(() => void suspended.child.kill('SIGCONT'))
  const hint = expect.stringContaining(`kill -CONT ${pid}`)

  const send = ['send', '+491713920000', '--text', 'Hi', '--timeout', '100ms', '--base-url', String(url)]
  expect(await sandboxCommand(send, { env })).toMatchObject({ code: 6, error: { hint } })
  const stop = ['stop', '--timeout', '100ms', '--port', new URL(String(url)).port]
  expect(await sandboxCommand(stop, { env })).toMatchObject({
    ...{ code: 8, stdout: '' },
    error: { message: `The sandbox at ${url} gives no answer.`, hint },
  })
  // The other one needs time to end.
  expect(await sandboxCommand(['stop', '--timeout', '6s', '--all'], { env })).toMatchObject({
    ...{ code: 8, json: { stopped: [{ url: otherUrl }] } },
    error: { hint },
  })
  suspended.child.kill('SIGCONT')
  expect(await sandboxCommand(['stop', '--all'], { env })).toMatchObject({ code: 0, json: { stopped: [{ url, pid }] } })
})

test('a call that takes longer than --timeout does not make the sandbox look suspended', async () => {
  const env = { XDG_CACHE_HOME: await folder() }
  const { url } = await startHere(['start', '--memory', '--port', '0'], { env }).line(1)
  // The call waits for 5 s, its default.
  const at = ['--base-url', String(url), '--timeout', '2s', '--no-retry']
  const { code, error } = await sandboxCommand(['inbox', 'code', '+491713920050', ...at], { env })
  expect({ code, error }).toMatchObject({ code: 6, error: { error: 'unreachable', cause: 'ETIMEDOUT' } })
  expect(error.hint).toMatch(/^The sandbox answers other calls, so this one takes longer\. .*--timeout/)
})
