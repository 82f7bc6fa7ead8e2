import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { createSandbox } from '../sandbox.ts'
import { sandboxCommand } from './terminal.ts'

test('start goes on from no file that is not there or no snapshot, and replaces no data', async () => {
  const cwd = await folder()
  await writeFile(join(cwd, 'junk.db'), 'junk')
  const start = (...flags: string[]) => sandboxCommand(['start', '--port', '0', ...flags], { cwd })
  expect(await start('--memory', '--snapshot', 'none.db')).toMatchObject({ code: 3 })
  expect(await start('--memory', '--snapshot', 'junk.db')).toMatchObject({
    code: 3,
    error: { message: expect.stringContaining('no SQLite database') },
  })
  {
    await using sandbox = await createSandbox({ data: join(cwd, 'data') })
    await sandbox.client.snapshots.save({ name: 'one' })
    await writeFile(join(cwd, 'one.db'), await sandbox.client.snapshots.export('one'))
  }
  expect(await start('--data', 'data', '--snapshot', 'one.db')).toMatchObject({
    code: 3,
    error: { message: 'data holds a world, which --snapshot would replace.' },
  })
})
