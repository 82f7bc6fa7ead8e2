import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const page = await readPage('docs/drift.md')
const lines = shellBlocks(page).flatMap((block) => block.trim().split('\n'))

test('every line of docs/drift.md runs as written, and a sandbox does not differ from itself', async () => {
  await using sandbox = await createSandbox({ rateLimits: true })
  const cwd = await mkdtemp(join(tmpdir(), 'drift-page-'))
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const words = line.replace(/^npx sandbox /, '').split(' ')
    const { code, json } = await sandboxCommand([...words, '--emulator', sandbox.url, '--base-url', sandbox.url], {
      cwd,
    })
    expect({ line, code, differences: json.differences }).toEqual({ line, code: 0, differences: [] })
  }
})
