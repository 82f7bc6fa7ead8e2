import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { installedPackage, runShellIn } from '../installed.ts'
import { readPage, runShell, shellBlocks } from '../page.ts'
import { createSandbox } from '../sandbox.ts'

/** Runs a block of docs/testing.md like a user who has copied it, and returns its output. */
async function run(name: string): Promise<string[]> {
  const [, code] = new RegExp(`<!-- ${name} -->\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``).exec(
    await readPage('docs/testing.md'),
  )!
  const file = new URL(`../../dist/testing-${name}-${process.pid}.ts`, import.meta.url)
  await writeFile(file, code!)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(file)])
    return stdout.trim().split(' ')
  } finally {
    await rm(file)
  }
}

test('the test of docs/testing.md passes as written', async () => {
  expect(await run('kit')).toEqual(
    expect.arrayContaining(['message.queued', 'message.delivered', 'conversation.started']),
  )
})

test('the recipes for a one-time code and a link of docs/testing.md pass as written', async () => {
  expect(await run('code')).toEqual(['logged', 'in'])
  expect(await run('link')).toEqual(['confirmed'])
})

test('tests that share one application lease addresses as docs/testing.md says', async () => {
  expect(await run('leases')).toEqual([expect.stringMatching(/^\+1/), expect.stringMatching(/@example\.com$/)])
})

test('fetch reaches the sandbox as docs/testing.md says', async () => {
  expect(await run('fetch')).toEqual(['1000'])
})

test('a namespace is named by URL and by baggage as docs/testing.md says', async () => {
  await using sandbox = await createSandbox()
  await sandbox.as('worker-3').billing.topup({ amount: 10, currency: 'EUR' })
  const [, lines] = /<!-- namespaces -->\n```sh\n([\s\S]*?)```/.exec(await readPage('docs/testing.md'))!
  const stdout = await runShell(lines!.replaceAll('http://localhost:7270', sandbox.url), sandbox.url)
  expect(stdout.match(/"free":1010/g)).toHaveLength(2)
})

test.each([
  ['Vitest', /1 passed/],
  ['Jest', /1 passed/],
  ['node:test', /pass 1\b/],
  ['Playwright', /1 passed/],
])('the test for %s on docs/testing.md passes from an empty folder', async (runner, passed) => {
  const page = await readPage('docs/testing.md')
  const part = page.slice(page.indexOf(`### ${runner}\n`)).split(/^### /m)[1]!
  const [, file, code] = /<!-- file (\S+) -->\n```\w+\n([\s\S]*?)```/.exec(part)!
  const [install, run] = shellBlocks(part)[0]!.trim().split('\n')
  expect(install).toMatch(/^npm install --save-dev ([\w@/-]+ )?messaging-sandbox$/)
  const cwd = join(await installedPackage(), `docs-${runner.replace(':', '-')}`)
  await mkdir(cwd)
  await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "commonjs" }')
  await writeFile(join(cwd, file!), code!)
  const { code: exit, output } = await runShellIn(cwd, run!)
  expect(output).toMatch(passed)
  expect(exit).toBe(0)
})
