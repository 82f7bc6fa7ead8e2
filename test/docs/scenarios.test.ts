import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'
import { failedOf, runCommands } from './commands.ts'

const page = await readPage('docs/scenarios.md')
const files = [...page.matchAll(/<!-- file (\S+) -->\n```yaml\n([\s\S]*?)```/g)]
const blocks = shellBlocks(page)

test('every line of docs/scenarios.md runs as written, one after the other, on the files that it shows', async () => {
  const cwd = await folder()
  for (const [, name, text] of files) await writeFile(join(cwd, name!), text!)
  await symlink(fileURLToPath(new URL('../../fixtures', import.meta.url)), join(cwd, 'fixtures'))
  expect([files.length, blocks.length]).toEqual([2, 5])
  // The reader's clock runs.
  await using sandbox = await createSandbox({ clock: 'auto' })
  expect(failedOf(await runCommands(blocks.join('\n'), { url: sandbox.url, cwd }))).toEqual([])
})
