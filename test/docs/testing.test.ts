import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readPage, runShell } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

const BLOCKS = ['kit', 'code', 'link', 'leases', 'fetch']

/** Runs the blocks of docs/testing.md like a user who has copied them, one after the other. Returns what each prints. */
async function runBlocks(): Promise<string[]> {
  const page = await readPage('docs/testing.md')
  const files = BLOCKS.map((name) => new URL(`../../dist/testing-${name}-${process.pid}.ts`, import.meta.url))
  onTestFinished(async () => {
    for (const file of files) await rm(file, { force: true })
  })
  for (const [i, name] of BLOCKS.entries())
    await writeFile(files[i]!, new RegExp(`<!-- ${name} -->\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!)
  const source = files.map((file) => `await import('${file}')`).join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source])
  return stdout.trim().split('\n')
}

test('the test, the recipes for a code, a link and leases, and the call of docs/testing.md pass as written', async () => {
  const [kit, code, link, leases, fetch] = await runBlocks()
  expect(kit!.split(' ')).toEqual(
    expect.arrayContaining(['message.queued', 'message.delivered', 'conversation.started']),
  )
  expect([code, link, fetch]).toEqual(['logged in', 'confirmed', '1000'])
  expect(leases).toMatch(/^\+1\S+ \S+@example\.com$/)
})

test('a namespace is named by URL and by baggage as docs/testing.md says', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('worker-3').billing.topup({ amount: 10, currency: 'EUR' })
  const [, lines] = /<!-- namespaces -->\n```sh\n([\s\S]*?)```/.exec(await readPage('docs/testing.md'))!
  const stdout = await runShell(lines!.replaceAll('http://localhost:7270', sandbox.url), sandbox.url)
  expect(stdout.match(/"free":1010/g)).toHaveLength(2)
})
