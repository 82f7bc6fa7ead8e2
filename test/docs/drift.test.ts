import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { folder } from '../folder.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'
import { commandsIn } from './commands.ts'

const commands = await commandsIn(shellBlocks(await readPage('docs/drift.md')).join('\n'))

test('every line of docs/drift.md runs as written, and a sandbox does not differ from itself', async () => {
  await using sandbox = await createSandbox({ rateLimits: true })
  const cwd = await folder()
  expect(commands).toHaveLength(3)
  for (const words of commands) {
    const argv = [...words, '--emulator', sandbox.url, '--base-url', sandbox.url]
    const { code, json } = await sandboxCommand(argv, { cwd })
    expect({ words, code, differences: json.differences }).toEqual({ words, code: 0, differences: [] })
  }
})
