import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const page = await readPage('docs/scenarios.md')
const files = [...page.matchAll(/<!-- file (\S+) -->\n```yaml\n([\s\S]*?)```/g)]
const blocks = shellBlocks(page).map((block) => block.trim().split('\n'))

test('every line of docs/scenarios.md runs as written, one after the other, on the files that it shows', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'scenarios-page-'))
  for (const [, name, text] of files) await writeFile(join(cwd, name!), text!)
  await symlink(fileURLToPath(new URL('../../fixtures', import.meta.url)), join(cwd, 'fixtures'))
  expect([files.length, blocks.length]).toEqual([2, 5])
  // The reader's clock runs.
  await using sandbox = await createSandbox({ clock: 'auto' })
  for (const line of blocks.flat()) {
    const words = [...line.replace(/^npx sandbox /, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain!,
    )
    const { code, stderr } = await sandboxCommand(words, { cwd, env: { SANDBOX_BASE_URL: sandbox.url } })
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
  }
})
