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

test('docs/network.md states the carriers of the default world', async () => {
  await using sandbox = await createSandbox()
  const { carriers } = await sandbox.client.carriers.list()
  const list = (words: readonly (string | number)[]) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
  const names = list(carriers.map(({ name }) => `\`${name}\``))
  const read = list(carriers.map(({ read }) => read * 100))
  expect(page).toContain(`The default world has the carriers ${names}. They deliver every message; ${read} % are read.`)
})
