import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { runCommand } from '../../src/cli/commands/exec/child.ts'
import { Interrupted } from '../../src/cli/process/exit.ts'
import type { Io } from '../../src/cli/process/io.ts'
import { isAlive } from '../../src/http/is-alive.ts'
import { folder } from '../folder.ts'
import { BIN } from '../paths.ts'
import { type Received, startReceiver } from '../receiver.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

const CREATE = `fetch(process.env.SANDBOX_BASE_URL + '/v1/contacts', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + process.env.SANDBOX_API_KEY, 'Content-Type': 'application/json' },
  body: '{"phone":"+4915112345678"}',
})`

test('exec gives a command a sandbox of its own, ends with its exit code, and keeps what a failed one has left', async () => {
  const cwd = await folder()
  const script = `${CREATE}.then(({ status }) => { console.log(JSON.stringify({ ...process.env, status })); process.exitCode = 7 })`
  const command = [process.execPath, '-e', script, '--', '--token', 'not-for-the-page']
  const run = startCommand(['exec', '--save-on-failure', 'failed', '--', ...command], { cwd })
  const shown = await run.line(1)
  expect(shown).toMatchObject({ status: 201, SANDBOX_API_KEY: 'sk_sandbox_default' })
  expect(shown.SANDBOX_WEBHOOK_SECRET).toMatch(/^whsec_/)
  expect(await run.ended).toBe(7)
  expect(await readdir(cwd)).toEqual(['failed'])
  const kept = (file: string) => readFile(join(cwd, 'failed/default', file), 'utf8')
  expect(await kept('events.jsonl')).toContain('"event":"contact.created"')
  expect(await kept('requests.jsonl')).toContain('"path":"/v1/contacts"')
  expect(await kept('deliveries.jsonl')).toBe('')
  expect(await kept('world.html')).toContain('The command ended with 7.')
  expect(await kept('world.html')).not.toContain('not-for-the-page')
  expect((await kept('world.snapshot')).slice(0, 15)).toBe('SQLite format 3')
  // The command in the message continues from there.
  const { hint } = JSON.parse(run.stderr().trim().split('\n').at(-1)!) as { hint: string }
  expect(hint).toMatch(/^node \S+sandbox\.js start --memory --snapshot failed\/default\/world\.snapshot$/)
  const again = ['start', '--memory', '--port', '0', '--snapshot', 'failed/default/world.snapshot']
  const { url } = await startHere(again, { cwd }).line(1)
  const { stdout } = await sandboxCommand(['events', 'list', '--base-url', String(url)])
  expect(stdout).toContain('contact.created')
})

test.each(['intern.example', '*.intern.example'])(
  'the command reaches its sandbox past a proxy, beside %s',
  async (listed) => {
    const cwd = await folder()
    const env = { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: listed, NODE_USE_ENV_PROXY: '1' }
    const script = `${CREATE}.then(({ status }) => fs.writeFileSync('seen', status + ' ' + process.env.NO_PROXY))`
    const { code } = await sandboxCommand(['exec', '--', process.execPath, '-e', script], { cwd, env })
    expect([code, await readFile(join(cwd, 'seen'), 'utf8')]).toEqual([0, `201 ${listed},localhost,127.0.0.1`])
  },
)

const failing = (cwd: string, script = '') =>
  sandboxCommand(
    ['exec', '--save-on-failure', 'failed', '--', process.execPath, '-e', `${script}; process.exitCode = 9`],
    { cwd },
  )

test('exec ends with the exit code of the command, also if its report cannot be saved', {
  skip: process.platform === 'win32',
}, async () => {
  const cwd = await folder()
  // Without the trap, the system would end the process; with it, a write fails as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f 8; exec '${process.execPath}' '${BIN}' exec --save-on-failure failed -- sh -c 'exit 9'`
  const run = startCommand([limited], { cwd, node: 'sh', bin: '-c' })
  expect({ code: await run.ended, error: JSON.parse(run.stderr()) }).toEqual({
    code: 9,
    error: { error: 'usage', message: expect.stringMatching(/^failed cannot be written: EFBIG/), exit_code: 9 },
  })
  expect(await readdir(join(cwd, 'failed'))).toEqual([])
})

test('exec refuses a folder that it cannot write before it runs the command', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'failed'), 'a file')
  expect(await failing(cwd, 'fs.writeFileSync("ran", "")')).toMatchObject({
    code: 2,
    error: { message: expect.stringMatching(/^failed cannot be written: ENOTDIR/) },
  })
  expect(await readdir(cwd)).toEqual(['failed'])
})

test('runs at the same time keep both reports, and a later run replaces that of an earlier one', async () => {
  const cwd = await folder()
  const contactIn = async (place: string) =>
    /"phone":"(.*?)"/.exec(await readFile(join(cwd, 'failed', place, 'events.jsonl'), 'utf8'))?.[1]
  const created = (phone: string) => CREATE.replace('+4915112345678', phone)
  /** Each waits for the other one. */
  const whenBothRun = (own: string, other: string, then: string) =>
    `fs.writeFileSync('${own}', ''); const look = () => (fs.existsSync('${other}') ? ${then} : setTimeout(look, 5)); look()`
  const both = await Promise.all([
    failing(cwd, whenBothRun('one', 'two', created('+4915112345671'))),
    failing(cwd, whenBothRun('two', 'one', created('+4915112345672'))),
  ])
  expect(both.map(({ code }) => code)).toEqual([9, 9])
  const places = ['default', 'default.2']
  expect((await Promise.all(places.map(contactIn))).sort()).toEqual(['+4915112345671', '+4915112345672'])
  expect(both.map(({ error }) => error.page).sort()).toEqual(
    places.map((place) => join('failed', place, 'world.html')).sort(),
  )
  expect(await failing(cwd, created('+4915112345673'))).toMatchObject({ code: 9 })
  expect((await readdir(join(cwd, 'failed'))).sort()).toEqual(places)
  expect(await contactIn('default')).toBe('+4915112345673')
})

test('a folder of something else is left alone', async () => {
  const cwd = await folder()
  await mkdir(join(cwd, 'failed/default'), { recursive: true })
  await writeFile(join(cwd, 'failed/default/notes.txt'), 'precious')
  expect(await failing(cwd)).toMatchObject({ code: 9 })
  expect((await readdir(join(cwd, 'failed'))).sort()).toEqual(['default', 'default.2'])
  expect(await readdir(join(cwd, 'failed/default'))).toEqual(['notes.txt'])
})

test('exec names the reports of the namespaces that a failed suite has used', async () => {
  const cwd = await folder()
  const inNamespace = (name: string, body: string) =>
    CREATE.replace("+ '/v1", `+ '/ns/${name}/v1`)
      .replace('process.env.SANDBOX_API_KEY', `'sk_sandbox_${name}'`)
      .replace('{"phone":"+4915112345678"}', body)
  const script = `Promise.all([${inNamespace('fine', '{"phone":"+4915112345678"}')}, ${inNamespace('broken', '{"fone":1}')}]).then(() => { process.exitCode = 1 })`
  const argv = ['exec', '--save-on-failure', 'failed', '--', process.execPath, '-e', script]
  const { code, stderr } = await sandboxCommand(argv, { cwd })
  expect({ code, stderr }).toMatchObject({ code: 1 })
  const [, saved] = /^(\{"type":"saved".*)$/m.exec(stderr) ?? []
  expect(JSON.parse(saved!)).toMatchObject({
    pages: ['failed/broken/world.html'],
    hint: expect.stringContaining('failed/broken/world.snapshot'),
  })
})

test('exec forwards events, passes a signal on, and leaves no process behind', {
  skip: process.platform === 'win32',
}, async () => {
  await using receiver = await startReceiver()
  const script = `sleep 600 & echo "{\\"pid\\":$!}"; trap 'exit 5' TERM; "$0" -e "$1"; while :; do sleep 0.05; done`
  const command = ['--', 'sh', '-c', script, process.execPath, CREATE]
  const run = startCommand(['exec', '--forward-to', `contact.*=${receiver.url}`, ...command])
  const { pid } = await run.line(1)
  const [received] = await receiver.until(1)
  expect(received).toMatchObject({ event: { event: 'contact.created' } })
  expect(isAlive(Number(pid))).toBe(true)
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(5)
  await expect.poll(() => isAlive(Number(pid))).toBe(false)
})

test('a signal that arrives before the command starts ends exec without it', async () => {
  const io = { env: process.env, cwd: await folder(), stdin: {}, signal: AbortSignal.abort('SIGTERM') } as unknown as Io
  const run = runCommand(io, [process.execPath, '-e', 'fs.writeFileSync("ran", "")'], {})
  await expect(run).rejects.toThrow(Interrupted)
  expect(await readdir(io.cwd)).toEqual([])
})

test('exec refuses a target with an unknown event, like listen', async () => {
  const cwd = await folder()
  const command = [process.execPath, '-e', 'fs.writeFileSync("ran", "")']
  const argv = ['exec', '--forward-to', 'message.red=1/hook', '--', ...command]
  expect(await sandboxCommand(argv, { cwd })).toMatchObject({
    code: 2,
    error: {
      error: 'validation_error',
      message: expect.stringContaining('unknown event "message.red", did you mean "message.read"?'),
    },
  })
  expect(await readdir(cwd)).toEqual([])
})

test('exec signs with the secret of its environment, and reports the webhooks that did not reach their target', async () => {
  await using receiver = await startReceiver()
  const script = `${CREATE}.then(() => ${CREATE.replace('12345678', '12345679')}); setTimeout(() => {}, 60_000)`
  const targets = ['contact.*=1/dead', `contact.*=${receiver.url}`, 'message.*=2/dead']
  const run = startHere(
    ['exec', ...targets.flatMap((target) => ['--forward-to', target]), ...['--', process.execPath, '-e', script]],
    { env: { SANDBOX_WEBHOOK_SECRET: 'of the application' } },
  )
  const [{ body, headers }] = (await receiver.until(2)) as [Received]
  expect(await verify('of the application', body, headers['x-service-signature']!)).toBe(true)
  run.stop('SIGTERM')
  expect(await run.ended).toBe(143)
  expect(JSON.parse(run.stderr())).toEqual({
    warning: 'not_forwarded',
    url: 'http://localhost:1/dead',
    count: 2,
    error: expect.stringContaining('ECONNREFUSED'),
    message: expect.stringMatching(/^2 webhooks did not reach http:\/\/localhost:1\/dead: /),
  })
})

test('exec reports a command that cannot be run and an unknown world', async () => {
  const code = async (...argv: string[]) => (await sandboxCommand(['exec', ...argv])).code
  expect(await code('--', 'no-such-command-anywhere')).toBe(127)
  expect(await code()).toBe(2)
  expect(await code('--', '')).toBe(2)
  // A name that is too long, and a path through a file.
  for (const program of ['x'.repeat(5_000), join(BIN, 'x')]) expect(await code('--', program)).toBe(126)
  expect(await code('--world', 'no-such-world', '--', 'true')).toBe(3)
})
