import { expect, test } from 'vitest'
import { readPage, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'
import { failedOf, runCommands } from './commands.ts'

const page = await readPage('docs/network.md')

const parts = page
  .split(/^## /m)
  .slice(1)
  .map((part) => ({ title: part.split('\n')[0]!, blocks: shellBlocks(part) }))

test.each(parts)('every line of "$title" in docs/network.md runs as written', async ({ blocks }) => {
  await using sandbox = await createSandbox()
  const ran = await runCommands(blocks.join('\n'), { url: sandbox.url })
  expect(ran.length).toBeGreaterThan(5)
  expect(failedOf(ran)).toEqual([])
})

test('docs/network.md states the carriers of the default world', async () => {
  await using sandbox = await createSandbox()
  const { carriers } = await sandbox.client.carriers.list()
  const list = (words: readonly (string | number)[]) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
  const names = list(carriers.map(({ name }) => `\`${name}\``))
  const read = list(carriers.map(({ read }) => read * 100))
  expect(page).toContain(`The default world has the carriers ${names}. They deliver every message; ${read} % are read.`)
})
