import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/words/version.ts'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { startCommand } from './process.ts'
import { sandboxCommand } from './terminal.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Ended {
  code: number
  stdout: string
  stderr: string
}

const exec = (program: string, argv: string[], env: Record<string, string> = {}): Promise<Ended> =>
  new Promise((resolve) =>
    execFile(program, argv, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    ),
  )

/** Sources have no commit, and the line leaves SQLite out. */
const versionLine = new RegExp(
  `^messaging-sandbox ${VERSION} \\((source|unknown|[0-9a-f]{7,}(-dirty)?)\\) node ${process.version}( sqlite 3[.\\d]+)?\n$`,
)

test('the version is printed, with commit, Node and SQLite', async () => {
  expect(await exec(process.execPath, [join(root, 'bin/sandbox.js'), '--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(versionLine),
    stderr: '',
  })
})

test('what the options of Node forbid is no bug: the option to add is named', async () => {
  const withOptions = (...options: string[]) =>
    exec(process.execPath, [...options, join(root, 'bin/sandbox.js'), 'start', '--memory', '--port', '0'])
  expect(await withOptions('--permission')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('--allow-fs-read'),
  })
  const { code, stderr } = await withOptions('--permission', '--allow-fs-read=*', '--allow-fs-write=*')
  expect({ code, ...JSON.parse(stderr) }).toMatchObject({
    code: 3,
    error: 'configuration',
    hint: 'Start Node with --allow-addons.',
  })
})

test('a signal ends a command whose output is not read any more', { skip: process.platform === 'win32' }, async () => {
  const pipe = join(await folder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  await using stalled = await open(pipe, 'r+')
  const child = spawn(process.execPath, [join(root, 'bin/sandbox.js'), 'commands', '--json'], {
    stdio: ['ignore', stalled.fd, 'ignore'],
  })
  await stalled.read(Buffer.alloc(1))
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
})

test('the prebuilt first page of help equals the generated one', async () => {
  const bin = join(root, 'bin/sandbox.js')
  const words = (text: string) => text.replaceAll(`node ${relative(process.cwd(), bin)}`, 'sandbox').split(/\s+/)
  const { stdout } = await sandboxCommand(['--help'])
  const prepared = await exec(process.execPath, [bin, '--help'])
  expect({ ...prepared, stdout: words(prepared.stdout) }).toEqual({ code: 0, stderr: '', stdout: words(stdout) })
})

test.each([
  [['start', '--world', 'nope'], 'Unknown world "nope"; worlds of the package: default,'],
  [['exec', '--world', './nope.yaml', '--', 'true'], 'there is no such file'],
])('a refused start is reported as a refusal, not as a bug: %j', async (argv, message) => {
  const { code, stderr } = await exec(process.execPath, [join(root, 'bin/sandbox.js'), ...argv])
  expect(JSON.parse(stderr)).toMatchObject({ error: 'validation_error', message: expect.stringContaining(message) })
  expect(code).toBe(3)
})

test('a node of a cluster loads the client of PostgreSQL, and says why it cannot be reached', async () => {
  const argv = ['start', '--data', await folder(), '--port', '0', '--cluster', 'postgres://sandbox@127.0.0.1:1/sandbox']
  const { code, stderr } = await exec(process.execPath, [join(root, 'bin/sandbox.js'), ...argv])
  expect(JSON.parse(stderr)).toMatchObject({ error: 'configuration', message: expect.stringContaining('ECONNREFUSED') })
  expect(code).toBe(3)
})

test('a reader that leaves early, such as head, ends a command quietly', async () => {
  await using sandbox = await createSandbox()
  for (let n = 0; n < 30; n++) await sandbox.client.contacts.create({ email: `n${n}@example.com` })
  const listening = startCommand(['listen', '--since', 'start'], { env: { SANDBOX_BASE_URL: sandbox.url } })
  await listening.line(1)
  listening.child.stdout!.destroy()
  await sandbox.client.contacts.create({ email: 'late@example.com' })
  expect(await listening.ended).toBe(0)
  expect(listening.stderr()).toBe('')
})

test.runIf(existsSync('/dev/full'))(
  'output that a full disk refuses is reported in one line, with exit 2',
  async () => {
    await using sandbox = await createSandbox()
    const dump = [join(root, 'bin/sandbox.js'), 'world', 'dump'].map((word) => `'${word}'`).join(' ')
    const { code, stderr } = await exec('sh', ['-c', `'${process.execPath}' ${dump} > /dev/full`], {
      SANDBOX_BASE_URL: sandbox.url,
    })
    expect(code).toBe(2)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stderr)).toMatchObject({
      error: 'usage',
      message: expect.stringContaining('ENOSPC'),
      exit_code: 2,
    })
  },
)

test('the entry file uses only syntax that an old Node can parse', async () => {
  const source = await readFile(join(root, 'bin/sandbox.js'), 'utf8')
  const code = source.replace(/^#!.*$/m, '').replace(/^\s*\/\/.*$/gm, '')
  // Optional chaining and ?? came with 14, the node: scheme with 14.13 and top-level await with 14.8.
  expect(code).not.toMatch(/\?\.[^\d]|\?\?|from 'node:|^await |^[^'"]*[^\w]await /m)
})

test('a Node that is too old runs the pinned one, with its exit code, or says in one line what to do', async () => {
  // Simulates an old Node with the current one: the entry reads process.versions.
  const pretend = join(await folder(), 'old.mjs')
  await writeFile(
    pretend,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })\n",
  )
  const asOld = (bin: string, ...argv: string[]) => exec(process.execPath, ['--import', pretend, bin, ...argv])
  const pinned = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) {
    expect(await asOld(join(root, 'bin/sandbox.js'), '--version')).toEqual({
      code: 0,
      stdout: expect.stringMatching(versionLine),
      stderr: '',
    })
    expect((await asOld(join(root, 'bin/sandbox.js'), 'nonsense')).code).toBe(2)
  }
  const elsewhere = await folder()
  await mkdir(join(elsewhere, 'bin'))
  await cp(join(root, 'bin/sandbox.js'), join(elsewhere, 'bin/sandbox.js'))
  await writeFile(join(elsewhere, 'package.json'), '{"type":"module"}')
  await chmod(join(elsewhere, 'bin/sandbox.js'), 0o755)
  const refused = await asOld(join(elsewhere, 'bin/sandbox.js'), 'start')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toMatch(/^sandbox: this is Node 20\.20\.2, but 22\.\d+ or newer is needed\. .*\n$/)
})
