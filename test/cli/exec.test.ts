import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../../src/http/is-alive.ts'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'
import { startCommand } from './process.ts'
import { sandboxCommand } from './terminal.ts'

const CREATE = `fetch(process.env.SANDBOX_BASE_URL + '/v1/contacts', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + process.env.SANDBOX_API_KEY, 'Content-Type': 'application/json' },
  body: '{"phone":"+4915112345678"}',
})`

test('exec gives a command a sandbox of its own, ends with its exit code, and keeps what a failed one has left', async () => {
  const cwd = await folder()
  const script = `${CREATE}.then(({ status }) => { console.log(JSON.stringify({ ...process.env, status })); process.exitCode = 7 })`
  const run = startCommand(['exec', '--save-on-failure', 'failed', '--', process.execPath, '-e', script], { cwd })
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
  expect((await kept('world.snapshot')).slice(0, 15)).toBe('SQLite format 3')
  // The command in the message continues from there.
  expect(run.stderr()).toContain('start --memory --snapshot failed/default/world.snapshot')
  const again = ['start', '--memory', '--port', '0', '--snapshot', 'failed/default/world.snapshot']
  const start = startCommand(again, { cwd })
  const { url } = await start.line(1)
  const { stdout } = await sandboxCommand(['events', 'list', '--base-url', String(url)])
  expect(stdout).toContain('contact.created')
  start.child.kill('SIGTERM')
  expect(await start.ended).toBe(0)
})

test('exec ends with the exit code of the command, also if its report cannot be saved', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'failed'), 'a file')
  const run = startCommand(['exec', '--save-on-failure', 'failed', '--', process.execPath, '-e', 'process.exit(9)'], {
    cwd,
  })
  expect({ code: await run.ended, stderr: run.stderr() }).toEqual({
    code: 9,
    stderr: expect.stringContaining('cannot be created'),
  })
})

test('exec names the reports of the namespaces that a failed suite has used', async () => {
  const cwd = await folder()
  const inNamespace = (name: string, body: string) =>
    CREATE.replace("+ '/v1", `+ '/ns/${name}/v1`)
      .replace('process.env.SANDBOX_API_KEY', `'sk_sandbox_${name}'`)
      .replace('{"phone":"+4915112345678"}', body)
  const script = `Promise.all([${inNamespace('fine', '{"phone":"+4915112345678"}')}, ${inNamespace('broken', '{"fone":1}')}]).then(() => { process.exitCode = 1 })`
  const run = startCommand(['exec', '--save-on-failure', 'failed', '--', process.execPath, '-e', script], { cwd })
  expect({ code: await run.ended, stderr: run.stderr() }).toMatchObject({ code: 1 })
  const [, saved] = /^(\{"type":"saved".*)$/m.exec(run.stderr()) ?? []
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

test('exec refuses a target with an unknown event, like listen', async () => {
  const cwd = await folder()
  const run = startCommand(
    ['exec', '--forward-to', 'message.red=1/hook', '--', process.execPath, '-e', 'fs.writeFileSync("ran", "")'],
    { cwd },
  )
  expect(await run.ended).toBe(2)
  expect(JSON.parse(run.stderr())).toMatchObject({
    error: 'validation_error',
    message: expect.stringContaining('unknown event "message.red", did you mean "message.read"?'),
  })
  expect(await readdir(cwd)).toEqual([])
})

test('exec reports the webhooks that did not reach their target, and none that did', async () => {
  await using receiver = await startReceiver()
  const script = `${CREATE}.then(() => ${CREATE.replace('12345678', '12345679')}); setTimeout(() => {}, 60_000)`
  const targets = ['contact.*=1/dead', `contact.*=${receiver.url}`, 'message.*=2/dead']
  const run = startCommand([
    'exec',
    ...targets.flatMap((target) => ['--forward-to', target]),
    ...['--', process.execPath, '-e', script],
  ])
  await receiver.until(2)
  run.child.kill('SIGTERM')
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
  expect(await code('--world', 'no-such-world', '--', 'true')).toBe(3)
})
