import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installedPackage, runNode } from '../installed.ts'

const EXAMPLES = fileURLToPath(new URL('../../fixtures/examples/', import.meta.url))

/** Runs an example as its README says, in a folder beside which the package is installed. */
async function runExample(folder: string, args: readonly string[]) {
  const home = await installedPackage()
  await cp(join(EXAMPLES, folder), join(home, folder), { recursive: true })
  return runNode(join(home, folder), args)
}

const inSandbox = ['../node_modules/messaging-sandbox/bin/sandbox.js', 'exec', '--clock', 'frozen', '--']

test.each([
  ['Vitest', 'shop', ['../node_modules/vitest/vitest.mjs', 'run'], /3 passed/],
  ['Jest', 'shop', ['../node_modules/jest/bin/jest.js'], /4 passed/],
  ['node:test', 'shop', ['--test', '--test-reporter=spec', 'shop.node.ts'], /pass 3/],
  ['Python', 'python', [...inSandbox, 'python3', '-m', 'unittest'], /Ran 3 tests[\s\S]*OK/],
  ['a shell', 'shell', [...inSandbox, 'sh', 'story.sh'], /the order of msg_\S+ is confirmed/],
])('the story of the shop passes in %s, against the packed package', async (_, folder, args, passed) => {
  const { code, output } = await runExample(folder, args)
  expect(output).toMatch(passed)
  expect(code).toBe(0)
})
