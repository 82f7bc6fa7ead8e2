import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { jsonOr } from '../../src/words/json.ts'
import { startCommand } from '../cli/process.ts'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { createSandbox } from '../sandbox.ts'

/** Runs the program as `ulimit -n 64; sandbox …` does. */
const withFiles = (count: number) => [`ulimit -n ${count}; exec "$0" "$@"`, process.execPath, BIN]
const withFewFiles = withFiles(64)

/** Asks on one connection, which stays open: the server needs no new one to answer. */
function asking(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async function request(path: string, namespace = 'default'): Promise<{ status?: number; text: string }> {
    const headers = { Authorization: `Bearer sk_sandbox_${namespace}` }
    const sent = get(url + path, { agent, headers })
    try {
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: answer.statusCode!, text: await textOf(answer) }
    } catch (error) {
      // At the limit, the system resets new connections.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
      return request(path, namespace)
    }
  }
}

test.skipIf(process.platform === 'win32')(
  'a process that reaches its limit of open files reports it with a remedy, and continues afterwards',
  async () => {
    const start = ['start', '--data', 'data', '--port', '0']
    const server = startCommand([...withFewFiles, ...start], { cwd: await folder(), node: 'sh', bin: '-c' })
    const { url } = (await server.line(1)) as { url: string }
    const ask = asking(url)
    // This file is opened with each request, so it shows when the limit of open files is reached.
    const file = '/docs/swagger-ui.css'
    expect((await ask(file)).status).toBe(200)
    const port = Number(new URL(url).port)
    const sockets: Socket[] = []
    const statusOfMore = async () => {
      for (let i = 0; i < 20; i++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
      return (await ask(file)).status
    }
    await expect.poll(statusOfMore, { timeout: 60_000 }).toBe(503)
    const { status, text } = await ask(file)
    expect({ status, text }).toEqual({
      status: 503,
      text: expect.stringMatching(/"error":"too_many_open_files".*ulimit -n/),
    })
    expect(text).not.toMatch(/\n +at |node:/)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await ask(file)).status, { timeout: 60_000 }).toBe(200)
    expect((await ask('/v1/messages', 'new')).status).toBe(200)
    expect((await ask('/_sandbox/world/dump')).status).toBe(200)
    expect(server.stderr()).not.toMatch(/bug/)
  },
)

test.skipIf(process.platform === 'win32')('more namespaces than can be open are used in turn', async () => {
  const start = ['start', '--data', 'data', '--port', '0']
  const server = startCommand([...withFiles(100), ...start], { cwd: await folder(), node: 'sh', bin: '-c' })
  const { url } = (await server.line(1)) as { url: string }
  const ask = asking(url)
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 50; n++) expect(await ask('/v1/messages', `n${n}`)).toMatchObject({ status: 200 })
  // What the process reads in after its start may meet the limit before a namespace gives up its files.
  expect(server.stderr().replace(/^.*"While reading in what no request has asked for yet: .*\n/m, '')).toBe('')
})

// How many files Node itself opens differs, so several limits are tried.
test
  .skipIf(process.platform === 'win32')
  .each([
    [['exec', '--', 'true']],
    [['start', '--detach', '--memory', '--port', '0']],
    [['explore', '--handler', '1/hook', '--truth', '1/truth', '--start', 'true']],
  ])('a command that the limit of open files prevents says so, and reports no bug: %j', async (argv) => {
  const errors = new Set<unknown>()
  for (const limit of [22, 24, 26, 28, 30]) {
    const { ended, stdout, stderr } = startCommand([...withFiles(limit), ...argv], { node: 'sh', bin: '-c' })
    await ended
    const { pid } = jsonOr(stdout(), {}) as { pid?: number }
    if (pid !== undefined) process.kill(pid)
    // Below its own need, Node does not come as far as the command.
    errors.add((jsonOr(stderr(), {}) as { error?: string }).error)
    expect(stderr()).not.toContain('Unhandled')
  }
  expect(errors).toContain('too_many_open_files')
  expect(errors).not.toContain('bug')
})

test.skipIf(process.platform === 'win32')(
  'a batch with more connections than the limit of open files names the limit',
  async () => {
    const cwd = await folder()
    await using sandbox = await createSandbox()
    const rows = Array.from({ length: 200 }, () => '{"to":"+491713920050","text":"x"}')
    await writeFile(join(cwd, 'm.ndjson'), rows.join('\n'))
    const send = ['send', '--batch', 'm.ndjson', '--concurrency', '100', '--base-url', sandbox.url]
    const { ended, stderr } = startCommand([...withFewFiles, ...send], { cwd, node: 'sh', bin: '-c' })
    expect(await ended).toBe(6)
    expect(JSON.parse(stderr().trim().split('\n').at(-1)!)).toMatchObject({
      cause: 'EMFILE',
      hint: expect.stringMatching(/limit of open files.*ulimit -n/),
    })
  },
)

test.skipIf(process.platform === 'win32')(
  'at the limit of open files, a process that runs is not taken for one that has ended',
  async () => {
    const isAlive = new URL('../../src/http/is-alive.ts', import.meta.url)
    const script = `import { openSync } from 'node:fs'
      import { isAlive } from '${isAlive}'
      try { for (;;) openSync('/dev/null') } catch ({ code }) { console.log(code, isAlive(process.ppid)) }`
    const { stdout } = await promisify(execFile)('sh', ['-c', withFewFiles[0]!, process.execPath, '-e', script])
    expect(stdout).toBe('EMFILE true\n')
  },
)

test('a server that cannot accept connections for a moment continues to listen', async () => {
  const servers: Server[] = []
  const note = (message: unknown) => void servers.push((message as { server: Server }).server)
  subscribe('tracing:net.server.listen:asyncStart', note)
  await using sandbox = await createSandbox()
  unsubscribe('tracing:net.server.listen:asyncStart', note)
  expect(servers.length).toBeGreaterThan(0)
  // Node reports each failed attempt like this.
  for (const server of servers)
    for (let i = 0; i < 2; i++) server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect((await fetch(`${sandbox.url}/_sandbox/health`)).status).toBe(200)
})

test.skipIf(process.platform === 'win32')(
  'a database that lacks a file for its log is not taken for one that cannot be written',
  async () => {
    const storage = new URL('../../src/world/storage/', import.meta.url)
    const script = `import { closeSync, openSync } from 'node:fs'
      import { openDatabase } from '${storage}database.ts'
      import { lacksFiles } from '${storage}storage-fault.ts'
      openDatabase({ file: 'one.db' }).close()
      const files = []
      try { for (;;) files.push(openSync('/dev/null')) } catch {}
      // The database itself, its write-ahead log, and the index of that need one file each.
      for (let free = 0; free < 4; free++) {
        try { openDatabase({ file: 'one.db' }); console.log('opened') } catch (error) { console.log(lacksFiles(error)) }
        closeSync(files.pop())
      }`
    const { stdout } = await promisify(execFile)('sh', ['-c', withFewFiles[0]!, process.execPath, '-e', script], {
      cwd: await folder(),
    })
    expect(stdout).toBe('true\ntrue\ntrue\nopened\n')
  },
)
