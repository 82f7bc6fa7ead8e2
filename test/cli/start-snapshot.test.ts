import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('start refuses a missing file and one that is not a snapshot, and replaces no data', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'junk.db'), 'junk')
  const start = (...flags: string[]) => sandboxCommand(['start', '--port', '0', ...flags], { cwd })
  expect(await start('--memory', '--snapshot', 'none.db')).toMatchObject({ code: 3 })
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

test('a snapshot is exported to the file of --out or of the argument, not to both', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.snapshots.save({ name: 'one' })
  const cwd = await folder()
  const exporting = (...argv: string[]) =>
    sandboxCommand(['snapshots', 'export', 'one', ...argv], { cwd, env: { SANDBOX_BASE_URL: sandbox.url } })
  expect((await exporting('--out', 'flag.db')).json).toMatchObject({ file: 'flag.db' })
  expect((await exporting('argument.db')).json).toMatchObject({ file: 'argument.db' })
  expect(await readdir(cwd)).toEqual(['argument.db', 'flag.db'])
  expect((await exporting('a.db', '--out', 'b.db')).code).toBe(2)
  expect(await readdir(cwd)).toHaveLength(2)
})
