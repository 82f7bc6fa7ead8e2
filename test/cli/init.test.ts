import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

const PHONE = 'Your own phone number, to create with consent (empty for none)'
const PORT = 'Port of your webhook receiver'
const OWN = '+4915112345678'

test('init writes a world that starts, a secret that nobody else can read, and a receiver that verifies', async () => {
  const cwd = await folder()
  const { code, json } = await sandboxCommand(['init', 'shop', '--phone', OWN, '--receiver-port', '1'], { cwd })
  expect({ code, files: json.files }).toEqual({
    code: 0,
    files: ['world.yaml', '.env', 'receiver.mjs'].map((name) => join('shop', name)),
  })
  const modeOf = async (file: string) => (await stat(join(cwd, 'shop', file))).mode & 0o777
  expect([await modeOf('.env'), await modeOf('world.yaml')]).toEqual([0o600, 0o666 & ~process.umask()])

  await using sandbox = await createSandbox({ world: join(cwd, 'shop', 'world.yaml') })
  const send = ['send', OWN, '--text', 'Hello']
  expect((await sandboxCommand(send, { env: { SANDBOX_BASE_URL: sandbox.url } })).code).toBe(0)

  const env = await readFile(join(cwd, 'shop', '.env'), 'utf8')
  const secret = /^SANDBOX_WEBHOOK_SECRET=(whsec_\w{48})$/m.exec(env)![1]!
  const port = String(await freePort())
  const receiver = spawn(process.execPath, [join(cwd, 'shop', 'receiver.mjs')], {
    env: { ...process.env, SANDBOX_WEBHOOK_SECRET: secret, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void receiver.kill())
  await once(receiver.stdout!, 'data')
  const argv = ['verify-handler', '--url', `http://localhost:${port}/hook`, '--secret', secret, '--skip', 'load']
  const checked = await sandboxCommand(argv, { cwd })
  expect(checked.code, checked.stdout + checked.stderr).toBe(0)
})

test('init replaces no file without --force, and then writes nothing at all', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, '.env'), 'MINE=1\n')
  const refused = await sandboxCommand(['init'], { cwd })
  expect(refused).toMatchObject({ code: 2, error: { message: '.env already exists.' } })
  const question = '.env already exists. Replace?'
  const answers = { [PHONE]: '', [PORT]: '3000' }
  expect((await sandboxCommand(['init'], { cwd, tty: true, answers: { ...answers, [question]: 'no' } })).code).toBe(2)
  expect(await readFile(join(cwd, '.env'), 'utf8')).toBe('MINE=1\n')
  await expect(stat(join(cwd, 'world.yaml'))).rejects.toThrow('ENOENT')
  expect((await sandboxCommand(['init'], { cwd, tty: true, answers: { ...answers, [question]: 'yes' } })).code).toBe(0)
  await chmod(join(cwd, 'world.yaml'), 0o640)
  expect((await sandboxCommand(['init', '--force'], { cwd })).code).toBe(0)
  expect((await stat(join(cwd, 'world.yaml'))).mode & 0o777).toBe(0o640)
  expect(await readFile(join(cwd, '.env'), 'utf8')).toContain('SANDBOX_WEBHOOK_SECRET=whsec_')
})

test('a number in another format is requested again, or refused without a terminal', async () => {
  const cwd = await folder()
  const again = '"0151 12345678" is not a phone number such as +4915112345678. Your own phone number (empty for none)'
  const answers = { [PHONE]: '0151 12345678', [again]: OWN, [PORT]: '4000' }
  const { code, stdout } = await sandboxCommand(['init'], { cwd, tty: true, answers })
  expect(code).toBe(0)
  expect(stdout).toContain('sandbox listen --forward-to 4000/hook')
  expect(await readFile(join(cwd, 'world.yaml'), 'utf8')).toContain(`phone: "${OWN}"`)
  const refused = await sandboxCommand(['init', 'other', '--phone', '0151'], { cwd })
  expect(refused).toMatchObject({ code: 2, error: { message: expect.stringContaining('+4915112345678') } })
})

test.skipIf(process.platform === 'win32').each([[[]], [['shop']], [['our $1 shop']]])(
  'the commands that init %s prints can be pasted',
  async (argv) => {
    const cwd = await folder()
    const { stdout } = await sandboxCommand(['init', ...argv, '--output', 'table'], { cwd })
    const load = /Terminal 3 {2}(.*?) {2}#/.exec(stdout)![1]!
    const { stdout: printed } = await promisify(execFile)('sh', ['-c', `${load}; echo "$PORT"`], { cwd })
    expect(printed).toBe('3000\n')
    const world = /--world (.*)/.exec(stdout)![1]!
    await promisify(execFile)('sh', ['-c', `test -f ${world}`], { cwd })
  },
)
