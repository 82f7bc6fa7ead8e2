import { execFileSync } from 'node:child_process'
import fs, {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { lockFolder } from '../../src/world/storage/lock.ts'
import { openOwnLog } from '../../src/world/storage/own-files.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'
import { shared } from '../server/tenants/shared.ts'

const isWindows = process.platform === 'win32'

/** Foreign objects under the name of a file, in a folder that came with a checkout. */
const impostors: Record<string, (path: string, victim: string) => void> = {
  'a symbolic link': (path, victim) => symlinkSync(victim, path),
  'a symbolic link to nothing': (path, victim) => symlinkSync(`${victim}-missing`, path),
  'a symbolic link to a device': (path) => symlinkSync('/dev/null', path),
  'a hard link': (path, victim) => linkSync(victim, path),
  'a folder': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
}

const start = (data: string, ...more: string[]) =>
  sandboxCommand(['start', '--data', data, '--port', '0', '--json', ...more])

for (const [kind, put] of Object.entries(impostors))
  test.skipIf(isWindows)(
    `a start refuses ${kind} in the place of each of its files, and leaves it unchanged`,
    async () => {
      for (const [name, ...flags] of [
        ['owner.json'],
        ['folder.lock'],
        ['default.db'],
        ['default.db-wal'],
        ['default.db-shm'],
        ['sandbox.log', '--detach'],
      ] as const) {
        const data = await folder()
        const victim = join(await folder(), 'victim')
        writeFileSync(victim, 'precious', { mode: 0o644 })
        put(join(data, name), victim)
        const before = lstatSync(join(data, name))
        const { code, stderr } = await start(data, ...flags)
        expect({ name, code, stderr }).toEqual({ name, code: 3, stderr: expect.stringContaining(join(data, name)) })
        expect(stderr).not.toMatch(/\bbug\b/)
        expect(readFileSync(victim, 'utf8')).toBe('precious')
        expect(statSync(victim).mode & 0o777).toBe(0o644)
        expect(lstatSync(join(data, name))).toMatchObject({
          ino: before.ino,
          mode: before.mode,
          mtimeMs: before.mtimeMs,
        })
      }
    },
  )

test.skipIf(isWindows)('a log that others can read or that another user owns gets no token', async () => {
  const log = join(await folder(), 'sandbox.log')
  writeFileSync(log, 'before\n', { mode: 0o644 })
  fs.closeSync(openOwnLog(log))
  expect(statSync(log).mode & 0o777).toBe(0o600)
  expect(readFileSync(log, 'utf8')).toBe('before\n')
  if (process.getuid!() !== 0) return
  fs.chownSync(log, 65_534, 65_534)
  expect(() => openOwnLog(log)).toThrow('a file of another user')
})

test.skipIf(isWindows)('a folder of snapshots that is a link is refused', async () => {
  const data = await folder()
  const elsewhere = await folder()
  writeFileSync(join(elsewhere, 'mine.db'), 'precious', { mode: 0o644 })
  symlinkSync(elsewhere, join(data, 'snapshots'))
  const { code, stderr } = await start(data)
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(join(data, 'snapshots')) })
  expect(statSync(join(elsewhere, 'mine.db')).mode & 0o777).toBe(0o644)
})

test.skipIf(isWindows).each([[undefined], [true]])(
  'a folder of snapshots that becomes a link is not followed (shared: %s)',
  async (isShared) => {
    const data = await folder()
    const elsewhere = await folder()
    const { admin } = await shared({ folder: data, shared: isShared, onFault() {} })
    expect(await admin('POST', '/_sandbox/snapshots', { name: 'a' })).toMatchObject({ status: 201 })
    fs.renameSync(join(data, 'snapshots'), join(elsewhere, 'snapshots'))
    symlinkSync(join(elsewhere, 'snapshots'), join(data, 'snapshots'))
    const refusal = { json: { message: expect.stringContaining('snapshots is a symbolic link') } }
    expect(await admin('POST', '/_sandbox/snapshots', { name: 'b' })).toMatchObject(refusal)
    expect(await admin('GET', '/_sandbox/snapshots/a/export')).toMatchObject(refusal)
    expect(await admin('DELETE', '/_sandbox/snapshots/a')).toMatchObject(refusal)
    expect(await admin('GET', '/_sandbox/snapshots')).toMatchObject(refusal)
  },
)

test.skipIf(isWindows)('a snapshot that is a link is neither exported, restored nor overwritten', async () => {
  const data = await folder()
  const victim = join(await folder(), 'victim')
  writeFileSync(victim, 'precious', { mode: 0o644 })
  mkdirSync(join(data, 'snapshots'), { mode: 0o700 })
  symlinkSync(victim, join(data, 'snapshots', 'x.db'))
  await using sandbox = await createSandbox({ data })
  const refusal = {
    status: 503,
    json: { error: 'world_damaged', message: expect.stringContaining('x.db is a symbolic link') },
  }
  expect(await ask(sandbox, 'GET', '/_sandbox/snapshots/x/export')).toMatchObject(refusal)
  expect(await ask(sandbox, 'POST', '/_sandbox/snapshots/x/restore')).toMatchObject(refusal)
  expect(await ask(sandbox, 'POST', '/_sandbox/snapshots', { body: { name: 'x' } })).toMatchObject(refusal)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(statSync(victim).mode & 0o777).toBe(0o644)
})

test.skipIf(isWindows)(
  'only the namespace whose file is a link is refused, until the link is moved away and the namespace is reset',
  async () => {
    const data = await folder()
    const victim = join(await folder(), 'victim')
    writeFileSync(victim, 'precious')
    symlinkSync(victim, join(data, 'suite.db'))
    await using sandbox = await createSandbox({ data })
    const inSuite = { headers: { Authorization: 'Bearer sk_sandbox_suite' } }
    expect(await ask(sandbox, 'GET', '/v1/messages', inSuite)).toMatchObject({
      status: 503,
      json: { error: 'world_damaged', message: expect.stringContaining('suite.db is a symbolic link') },
    })
    expect((await ask(sandbox, 'GET', '/v1/messages')).status).toBe(200)
    sandbox.bugs.length = 0
    await expect(sandbox.client.namespaces.reset('suite')).rejects.toMatchObject({ code: 'world_damaged' })
    rmSync(join(data, 'suite.db'))
    await sandbox.client.namespaces.reset('suite')
    expect((await ask(sandbox, 'GET', '/v1/messages', inSuite)).status).toBe(200)
    expect(lstatSync(join(data, 'suite.db')).isFile()).toBe(true)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  },
)

test('folder.lock and owner.json with foreign content are not reported as a bug', async () => {
  const locked = await folder()
  writeFileSync(join(locked, 'folder.lock'), 'no database at all, and long enough to be read as one'.repeat(20))
  expect(await start(locked)).toMatchObject({ code: 3, stderr: expect.stringContaining('folder.lock') })

  const data = await folder()
  await using _ = await createSandbox({ data })
  for (const content of ['{"url":{},"pid":"x"}', '[', 'null']) {
    writeFileSync(join(data, 'owner.json'), content)
    const { code, stderr } = await start(data)
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('is in use by another process') })
  }
})

test.skipIf(isWindows)('a control token that is a link is neither read nor written', async () => {
  const { startEmulator } = await import('../../src/server/emulator.ts')
  const { loadWorldFile } = await import('../../src/server/world-source.ts')
  const data = await folder()
  const victim = join(await folder(), 'victim')
  writeFileSync(victim, 'ct_a_token_of_somebody_else')
  symlinkSync(victim, join(data, 'control-token'))
  const options = { world: await loadWorldFile('default'), folder: data, port: 0, host: '0.0.0.0', onFault() {} }
  await expect(startEmulator(options)).rejects.toThrow(/control-token is a symbolic link/)
  expect(readFileSync(victim, 'utf8')).toBe('ct_a_token_of_somebody_else')
})

test.skipIf(isWindows)('a control token that others could read is replaced', async () => {
  const { controlTokenOf } = await import('../../src/server/control-token.ts')
  const data = await folder()
  const file = join(data, 'control-token')
  writeFileSync(file, 'ct_a_token_of_a_checkout', { mode: 0o644 })
  const token = controlTokenOf(data)
  expect(token).not.toBe('ct_a_token_of_a_checkout')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(controlTokenOf(data)).toBe(token)
})

test.skipIf(process.getuid?.() !== 0)('a control token of another user is refused, and left unchanged', async () => {
  const { controlTokenOf } = await import('../../src/server/control-token.ts')
  const data = await folder()
  const file = join(data, 'control-token')
  writeFileSync(file, 'ct_a_token_of_somebody_else', { mode: 0o600 })
  fs.chownSync(file, 12_345, 12_345)
  expect(() => controlTokenOf(data)).toThrow(/control-token is a file of another user/)
  expect(readFileSync(file, 'utf8')).toBe('ct_a_token_of_somebody_else')
})

test.skipIf(isWindows)(
  'a default data folder that is a link is not followed, unless the user names its target',
  async () => {
    const cwd = await folder()
    const elsewhere = await folder()
    symlinkSync(elsewhere, join(cwd, '.sandbox'))
    for (const more of [[], ['--detach']]) {
      const { code, error } = await sandboxCommand(['start', '--port', '0', ...more], { cwd })
      expect({ code, ...error }).toMatchObject({
        code: 3,
        file: join(cwd, '.sandbox'),
        hint: expect.stringContaining('--data'),
      })
    }
    expect(readdirSync(elsewhere)).toEqual([])
  },
)

test.skipIf(isWindows)('a reset after a failed one still keeps the damaged file', async () => {
  const data = await folder()
  await createSandbox({ data }).then((sandbox) => sandbox.stop())
  writeFileSync(join(data, 'suite.db'), 'x'.repeat(5000))
  await using sandbox = await createSandbox({ data })
  const inSuite = { headers: { Authorization: 'Bearer sk_sandbox_suite' } }
  expect((await ask(sandbox, 'GET', '/v1/messages', inSuite)).status).toBe(503)
  sandbox.bugs.length = 0
  // The state after a reset whose new file did not fit on the disk.
  linkSync(join(data, 'suite.db'), join(data, 'suite.db.damaged'))
  await sandbox.client.namespaces.reset('suite')
  expect((await ask(sandbox, 'GET', '/v1/messages', inSuite)).status).toBe(200)
  expect(readFileSync(join(data, 'suite.db.damaged'), 'utf8')).toBe('x'.repeat(5000))
})

test('two processes that lock a new folder at the same time can both open the file of the lock', async () => {
  const data = await folder()
  const lock = join(data, 'folder.lock')
  const open = fs.openSync
  const opening = vi.spyOn(fs, 'openSync').mockImplementationOnce((...parameters) => {
    writeFileSync(lock, '')
    return open(...parameters)
  })
  try {
    syncBuiltinESMExports()
    lockFolder(data).release()
    expect(opening.mock.calls.filter(([file]) => file === lock)).toHaveLength(1)
  } finally {
    opening.mockRestore()
    syncBuiltinESMExports()
  }
})

test('a new data folder stays out of a repository, and one with files of the user is unchanged', async () => {
  const parent = await folder()
  const [fresh, detached, used] = ['new', 'detached', 'old'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ]
  for (const one of [detached, used]) mkdirSync(one)
  writeFileSync(join(detached, 'sandbox.log'), '')
  writeFileSync(join(used, 'index.js'), '')
  for (const one of [fresh, detached, used]) lockFolder(one).release()
  for (const one of [fresh, detached]) expect(readFileSync(join(one, '.gitignore'), 'utf8')).toBe('*\n')
  expect(readdirSync(used)).not.toContain('.gitignore')
})
