import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('start refuses a missing file and one that is not a snapshot, and replaces no data', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'junk.db'), 'junk')
  const start = (...flags: string[]) => sandboxCommand(['start', '--port', '0', ...flags], { cwd })
  expect(await start('--memory', '--snapshot', 'none.db')).toMatchObject({
    code: 2,
    error: { message: 'none.db cannot be read: there is no such file.' },
  })
  expect(await start('--memory', '--snapshot', 'junk.db')).toMatchObject({
    code: 3,
    error: { message: expect.stringContaining('not an SQLite database') },
  })
  {
    await using sandbox = await createSandbox({ data: join(cwd, 'data') })
    await sandbox.client.snapshots.save({ name: 'one' })
    await writeFile(join(cwd, 'one.db'), await sandbox.client.snapshots.export('one'))
  }
  expect(await start('--data', 'data', '--snapshot', 'one.db')).toMatchObject({
    code: 3,
    error: { message: 'data already holds a world, which --snapshot would replace.' },
  })
})

test('a start from a snapshot says that the snapshot keeps its world, and names no data folder', async () => {
  const cwd = await folder()
  await using sandbox = await createSandbox({ world: 'outage' })
  await sandbox.client.snapshots.save({ name: 'one' })
  await writeFile(join(cwd, 'one.db'), await sandbox.client.snapshots.export('one'))
  const argv = ['start', '--memory', '--port', '0', '--snapshot', 'one.db', '--world', 'empty']
  const { error } = await sandboxCommand(argv, { cwd, onOutput: (_, stop) => stop('SIGINT') })
  expect(error).toMatchObject({
    warning: 'other_world',
    message: expect.stringMatching(/^one\.db keeps its world, which was made from outage\./),
    hint: expect.stringMatching(/ For a new world, start without --snapshot\.$/),
  })
})

test('the file of a sandbox that has changes in another file is no snapshot until it is stopped', async () => {
  const cwd = await folder()
  await using other = await createSandbox()
  const run = (...argv: string[]) => sandboxCommand(argv, { cwd, env: { SANDBOX_BASE_URL: other.url } })
  {
    await using sandbox = await createSandbox({ data: join(cwd, 'data') })
    await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
    const refusal = { code: 3, error: { message: expect.stringContaining('data/default.db-wal') } }
    expect(await run('snapshots', 'import', 'data/default.db')).toMatchObject(refusal)
    expect(await run('start', '--memory', '--port', '0', '--snapshot', 'data/default.db')).toMatchObject(refusal)
  }
  expect(await run('snapshots', 'import', 'data/default.db')).toMatchObject({ code: 0 })
  await other.client.snapshots.restore('default')
  expect((await other.client.contacts.get('ada')).email).toBe('ada@example.com')
})

test('a snapshot is exported to the file of --out or of the argument, not to both', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.snapshots.save({ name: 'one' })
  const cwd = await folder()
  const exporting = (...argv: string[]) =>
    sandboxCommand(['snapshots', 'export', 'one', ...argv], { cwd, env: { SANDBOX_BASE_URL: sandbox.url } })
  // A killed export leaves a partial file, which the next one removes.
  await writeFile(join(cwd, `flag.db.${2 ** 22 + 1}.sandbox-new`), '')
  // Others may have put a link there, in their own folder or in a checkout.
  const victim = join(await folder(), 'victim')
  await writeFile(victim, 'precious')
  await symlink(victim, join(cwd, `flag.db.${process.pid}.sandbox-new`))
  expect((await exporting('--out', 'flag.db')).json).toMatchObject({ file: 'flag.db' })
  expect(await readFile(victim, 'utf8')).toBe('precious')
  expect((await lstat(join(cwd, 'flag.db'))).isFile()).toBe(true)
  expect((await exporting('argument.db')).json).toMatchObject({ file: 'argument.db' })
  expect(await readdir(cwd)).toEqual(['argument.db', 'flag.db'])
  expect((await exporting('a.db', '--out', 'b.db')).code).toBe(2)
  expect(await readdir(cwd)).toHaveLength(2)
})
