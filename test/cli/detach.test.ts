import { chown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detachedArguments, startDetached } from '../../src/cli/commands/start/detach.ts'
import { sharedFolder } from '../../src/cli/process/cache-folder.ts'
import { isAlive } from '../../src/http/is-alive.ts'
import { folder } from '../folder.ts'
import { holdLimits } from '../machine-clock.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

const IS_WINDOWS = process.platform === 'win32'

test('three detached starts on one folder give one sandbox and two refusals', async () => {
  const cwd = await folder()
  const env = { XDG_CACHE_HOME: await folder() }
  onTestFinished(async () => void (await sandboxCommand(['stop', '--all'], { env })))
  const starts = await Promise.all(
    [1, 2, 3].map(() =>
      sandboxCommand(['start', '--detach', '--port', '0', '--data', 'd', '--query', '{pid: pid, url: url}'], {
        cwd,
        env,
      }),
    ),
  )
  expect(starts.map(({ code }) => code).sort()).toEqual([0, 3, 3])
  const { json } = starts.find(({ code }) => code === 0)!
  expect(Object.keys(json)).toEqual(['pid', 'url'])
  expect(JSON.parse(await readFile(join(cwd, 'd', 'owner.json'), 'utf8'))).toMatchObject({
    pid: json.pid,
    url: json.url,
  })
  // The owner is not known before the sandbox is ready.
  for (const { code, error } of starts.filter(({ code }) => code === 3))
    expect({ code, error }).toMatchObject({
      error: {
        error: 'configuration',
        message: expect.stringContaining('in use'),
        owner: expect.toBeOneOf([null, expect.anything()]),
      },
    })
})

/** A data folder `d` whose clock is in the year 2027, and the start of a sandbox there in the background. */
async function inBackground() {
  const [cwd, env] = [await folder(), { XDG_CACHE_HOME: await folder() }]
  onTestFinished(async () => void (await sandboxCommand(['stop', '--all'], { env })))
  const at = ['--port', '0', '--data', 'd', '--clock', 'frozen', '--now']
  const before = startHere(['start', ...at, '2027-01-01T00:00Z'], { cwd, env })
  await before.line(1)
  before.stop('SIGTERM')
  await before.ended
  return {
    cwd,
    start: (...argv: string[]) =>
      sandboxCommand(['start', '--detach', ...at, '2020-01-01T00:00Z', ...argv], { cwd, env }),
  }
}

test('a start in the background passes on its warnings', async () => {
  const { start } = await inBackground()
  const { code, json, error } = await start()
  expect(code).toBe(0)
  expect(json).toMatchObject({ ready: true })
  expect(error).toMatchObject({ warning: 'kept_time', message: expect.stringContaining('--now 2020') })
})

test('a start in the background shows people warnings with and without a hint, and the control token, which nothing else prints', async () => {
  const { cwd, start } = await inBackground()
  const { code, stdout, stderr } = await start('--host', '0.0.0.0', '--output', 'table')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^! --now 2020.*\n {2}To begin earlier, use another --data folder.*\n/)
  expect(stderr).toMatch(/^! The sandbox is open to everybody who reaches \S+; .*\n$/m)
  const token = await readFile(join(cwd, 'd', 'control-token'), 'utf8')
  expect(stdout).toContain(`token     ${token.trim()}`)
})

test('the hints of a start in the background name the command as it was typed', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'bad.snap'), 'text')
  const argv = ['start', '--detach', '--port', '0', '--snapshot', 'bad.snap']
  const { code, error } = await sandboxCommand(argv, { cwd, program: 'npx sandbox' })
  expect({ code, hint: error.hint }).toEqual({ code: 3, hint: 'To create one: npx sandbox snapshots export' })
})

test.skipIf(process.platform !== 'linux')(
  'a start in the background with a control token hides it from other users',
  async () => {
    const env = { XDG_CACHE_HOME: await folder() }
    const cwd = await folder()
    onTestFinished(async () => void (await sandboxCommand(['stop', '--all'], { env })))
    const argv = ['start', '--detach', '--port', '0', '--control-token', 'ct_0123456789abcdef', '--memory']
    const { json } = await sandboxCommand(argv, { cwd, env })
    expect(await readFile(`/proc/${json.pid}/cmdline`, 'utf8')).not.toContain('ct_0123456789abcdef')
    const statusWith = async (token: string) =>
      (await fetch(`${json.url}/_sandbox/clock`, { headers: { 'X-Sandbox-Token': token } })).status
    expect([await statusWith('ct_0123456789abcdef'), await statusWith('x')]).toEqual([200, 401])
    expect(detachedArguments(['start', '--control-token=ct_0123456789abcdef', '--memory'])).toEqual([
      'start',
      '--memory',
    ])
  },
)

/** A process that runs a script instead of the sandbox. */
const ioOf = async (script: string) => ({
  launcher: [process.execPath, '-e', script],
  cwd: await folder(),
  env: process.env,
  signal: new AbortController().signal,
})

const start = async (script: string, timeoutMs: number) => {
  const io = await ioOf(script)
  return startDetached(io as never, [], join(io.cwd, 'sandbox.log'), timeoutMs).catch((error: unknown) => error)
}

test('a start that never becomes ready ends in time, and so does its process', { skip: IS_WINDOWS }, async () => {
  const script = (pid: string) =>
    `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 1000)`
  const pid = join(await folder(), 'pid')
  const limit = holdLimits(1_000)
  const starting = start(script(pid), 1_000)
  await expect.poll(() => readFile(pid, 'utf8').catch(() => '')).not.toBe('')
  await limit.pass()
  expect(await starting).toMatchObject({ code: 'timed_out' })
  await expect.poll(async () => isAlive(Number(await readFile(pid, 'utf8')))).toBe(false)
})

test('the ready line of another process is not taken for that of the start', async () => {
  const script = `require('fs').writeSync(3, JSON.stringify({ ready: true, url: 'http://localhost:1', pid: 1 }) + '\\n'); process.exitCode = 3`
  expect(await start(script, 10_000)).toMatchObject({ exit: 3, code: 'bug' })
})

test('a sandbox in memory needs no home that can be written, and is found without one', {
  skip: IS_WINDOWS,
}, async () => {
  const env = { XDG_CACHE_HOME: '/dev/null', TMPDIR: tmpdir() }
  const cwd = await folder()
  const { code, json } = await sandboxCommand(['start', '--detach', '--memory', '--port', '0'], { cwd, env })
  expect(code).toBe(0)
  const { log, url } = json as { log: string; url: string }
  expect(log.startsWith(tmpdir())).toBe(true)
  const status = await sandboxCommand(['status'], { cwd, env })
  expect(await sandboxCommand(['stop', '--port', new URL(url).port], { cwd, env })).toMatchObject({ code: 0 })
  expect(status.json).toMatchObject({ base_url: url, base_url_from: 'the sandbox that was started in this folder' })
})

test('a folder that another user has made among temporary files is not used', {
  skip: process.getuid?.() !== 0,
}, async () => {
  const env = { XDG_CACHE_HOME: '/dev/null' }
  const place = sharedFolder(env, 'planted')!
  await mkdir(place, { recursive: true })
  expect(sharedFolder(env, 'planted')).toBe(place)
  await chown(place, 54_321, 54_321)
  expect(sharedFolder(env, 'planted')).toBeUndefined()
})

test('a log whose folder is a file is reported as such', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'file'), '')
  const log = join('file', 'sandbox.log')
  const got = await sandboxCommand(['start', '--detach', '--port', '0', '--memory', '--log', log], { cwd })
  expect(got).toMatchObject({ code: 3, error: { message: expect.stringMatching(/^The log cannot be written/) } })
})

test('a log that is a link is not followed', { skip: IS_WINDOWS }, async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'precious'), 'precious')
  await symlink('precious', join(cwd, 'linked.log'))
  const got = await sandboxCommand(['start', '--detach', '--port', '0', '--memory', '--log', 'linked.log'], { cwd })
  expect(got).toMatchObject({
    code: 3,
    error: { message: expect.stringContaining('is a symbolic link'), hint: expect.stringContaining('--log') },
  })
  expect(await readFile(join(cwd, 'precious'), 'utf8')).toBe('precious')
})

test('a log that stays from a start that failed is in no repository', { skip: IS_WINDOWS }, async () => {
  const cwd = await folder()
  await mkdir(join(cwd, 'd'))
  await symlink('/dev/null', join(cwd, 'd', 'sandbox.log'))
  expect(await sandboxCommand(['start', '--detach', '--port', '0', '--data', 'd'], { cwd })).toMatchObject({ code: 3 })
  expect(await readFile(join(cwd, 'd', '.gitignore'), 'utf8')).toBe('*\n')
})

test('a closed terminal ends exec and its command, and start', { skip: IS_WINDOWS }, async () => {
  const cwd = await folder()
  const script = `require('fs').writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 60000)`
  const exec = startHere(['exec', '--', process.execPath, '-e', script], { cwd })
  await expect.poll(() => readFile(join(cwd, 'pid'), 'utf8').catch(() => '')).not.toBe('')
  exec.stop('SIGHUP')
  expect(await exec.ended).toBe(143)
  expect(isAlive(Number(await readFile(join(cwd, 'pid'), 'utf8')))).toBe(false)

  const started = startCommand(['start', '--memory', '--port', '0'])
  await started.line(1)
  started.child.kill('SIGHUP')
  expect(await started.ended).toBe(0)
})
