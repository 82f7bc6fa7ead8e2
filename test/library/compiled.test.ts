import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { startCommand } from '../cli/process.ts'
import { folder } from '../folder.ts'
import { ask as send } from '../http.ts'
import { BIN } from '../paths.ts'

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href
const MAKES = `const { createSandbox } = await import('${LIBRARY}'); const sandbox = await createSandbox();`
const ASKS = `${MAKES} await sandbox.client.contacts.create({ email: 'ada@example.com' });
  console.log((await sandbox.client.billing.balance()).free); await sandbox.stop()`

const run = async (caches: string, argv: string[], env: Record<string, string> = {}) =>
  (await promisify(execFile)(process.execPath, argv, { env: { ...process.env, XDG_CACHE_HOME: caches, ...env } }))
    .stdout
const ask = (caches: string, env?: Record<string, string>) => run(caches, ['--input-type=module', '-e', ASKS], env)

const compiledIn = (caches: string) => join(caches, 'messaging-sandbox/compiled')
const kept = async (caches: string) => (await readdir(compiledIn(caches)).catch(() => [])).sort()
const ofLibrary = [expect.stringMatching(/^library-[0-9a-f]{16}-[0-9a-f]+$/)]

/** The caches that one process has left. It runs once for all tests. */
const warm = await mkdtemp(join(tmpdir(), 'warm-'))
beforeAll(async () => expect(await ask(warm)).toBe('1000\n'))

/** A copy of these caches. */
async function warmCaches(): Promise<string> {
  const caches = await folder()
  await cp(warm, caches, { recursive: true })
  return caches
}

const fileIn = async (caches: string) => join(compiledIn(caches), (await kept(caches))[0]!)

test.skipIf(process.platform === 'win32')(
  'compiled code is cached for the next process, readable by its user only',
  async () => {
    expect(await kept(warm)).toEqual(ofLibrary)
    expect((await stat(await fileIn(warm))).mode & 0o777).toBe(0o600)
    expect((await stat(compiledIn(warm))).mode & 0o777).toBe(0o700)
    const caches = await warmCaches()
    const file = await fileIn(caches)
    await utimes(file, 0, 0)
    expect(await ask(caches)).toBe('1000\n')
    // Read and not written again.
    expect((await stat(file)).mtimeMs).toBe(0)
  },
)

test('a damaged file is not used, and replaced', async () => {
  const caches = await warmCaches()
  const file = await fileIn(caches)
  const { size } = await stat(file)
  await writeFile(file, 'no code')
  expect(await ask(caches)).toBe('1000\n')
  expect(Math.abs((await stat(file)).size - size)).toBeLessThan(size / 5)
})

test('a process that has changed nothing keeps nothing, and with NODE_DISABLE_COMPILE_CACHE no process does', async () => {
  const caches = await folder()
  await run(caches, [
    '--input-type=module',
    '-e',
    `${MAKES} await sandbox.client.billing.balance(); await sandbox.stop()`,
  ])
  await ask(caches, { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(await kept(caches)).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'a cache folder that cannot be made keeps no command from its end',
  async () => {
    // Node would try for ever.
    expect(await run('/proc/nowhere/caches', [BIN, 'completion', 'bash'], { HOME: '/proc/nowhere' })).toContain(
      'sandbox',
    )
  },
)

test('each command keeps what it needs, but a misspelt one nothing', async () => {
  const caches = await folder()
  await run(caches, [BIN, 'completion', 'bash'])
  await run(caches, [BIN, 'help', 'options'])
  await run(caches, [BIN, 'sedn']).catch(() => undefined)
  expect((await kept(caches)).map((name) => name.split('-').at(-2))).toEqual(['completion', 'help'])
})

test('a start reads all the code that an earlier one has kept, although it limits its memory in between', async () => {
  const caches = await folder()
  const start = async () => {
    const { child, line, ended } = startCommand(['start', '--port', '0', '--memory'], {
      env: { XDG_CACHE_HOME: caches },
    })
    const sandbox = { url: String((await line(1)).url), apiKey: 'sk_sandbox_default' }
    await send(sandbox, 'POST', '/v1/contacts', { body: { email: 'ada@example.com' } })
    child.kill('SIGTERM')
    await ended
  }
  await start()
  const file = await fileIn(caches)
  await utimes(file, 0, 0)
  await start()
  // The second start would have rewritten what it could not read.
  expect((await stat(file)).mtimeMs).toBe(0)
})

test('compiled code of other releases is removed after three days, and this one’s is kept', async () => {
  const caches = await warmCaches()
  const [own] = (await kept(caches)) as [string]
  const ages = { [own]: 4, 'library-old-1': 4, 'library-young-1': 2 }
  for (const [name, days] of Object.entries(ages)) {
    const file = join(compiledIn(caches), name)
    if (name !== own) await writeFile(file, '')
    const at = Date.now() / 1000 - days * 86_400
    await utimes(file, at, at)
  }
  await run(caches, [BIN, 'completion', 'bash'])
  expect(await kept(caches)).toEqual([expect.stringContaining('completion'), own, 'library-young-1'])
})

test('a read-only cache folder is ignored', async () => {
  const caches = await folder()
  await writeFile(join(caches, 'messaging-sandbox'), 'a file and no folder')
  expect(await ask(caches)).toBe('1000\n')
})
