import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const page = await readPage('docs/network.md')

/** The lines of the shell blocks of a part of the page, as words. */
const linesOf = (part: string) =>
  shellBlocks(part)
    .flatMap((block) => block.trim().split('\n'))
    .map((line) => [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[3]!))

const parts = page
  .split(/^## /m)
  .slice(1)
  .map((part) => ({ title: part.split('\n')[0]!, lines: linesOf(part) }))

test.each(parts)('every line of "$title" in docs/network.md runs as written', async ({ lines }) => {
  await using sandbox = await createSandbox()
  expect(lines.length).toBeGreaterThan(5)
  for (const [npx, program, ...words] of lines) {
    expect([npx, program]).toEqual(['npx', 'sandbox'])
    const { code, stderr } = await sandboxCommand([...words, '--base-url', sandbox.url])
    expect({ line: words.join(' '), code, stderr }).toEqual({ line: words.join(' '), code: 0, stderr: '' })
  }
})
