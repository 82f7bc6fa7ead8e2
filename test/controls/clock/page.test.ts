import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ClockMode } from '../../../src/words/vocabulary.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const page = await readFile(new URL('../../../docs/clock.md', import.meta.url), 'utf8')

const block = (language: string) => new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!.trim()

test('the shell lines of docs/clock.md run as written', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const ended = []
  for (const line of block('sh').split('\n')) {
    const [npx, program, ...words] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((word) => word[1] ?? word[2]!)
    expect([npx, program]).toEqual(['npx', 'sandbox'])
    const { code, stderr, json } = await sandboxCommand([...words, '--base-url', sandbox.url])
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' })
    ended.push(json)
  }
  expect(ended[3]).toMatchObject({ fired: [{ what: 'message.dispatch' }] })
  expect(ended[4]).toMatchObject({ fired: [{ what: 'message.expire' }] })
  expect((await sandbox.client.messages.list()).messages).toMatchObject([{ status: 'expired' }])
})

test('the lines of the library in docs/clock.md run as written', async () => {
  await using sandbox = await createSandbox()
  const run = new Function('sandbox', `return (async () => { ${block('ts')} })()`) as (s: Sandbox) => Promise<void>
  await run(sandbox)
  expect(await sandbox.client.clock.show()).toMatchObject({ mode: 'scaled', factor: 60 })
})

test('docs/clock.md names every mode', () => {
  for (const mode of ClockMode.options) expect(page).toContain(`| \`${mode}\``)
})
