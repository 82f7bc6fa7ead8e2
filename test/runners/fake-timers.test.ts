import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedPackage, runNode } from '../installed.ts'

const SOURCE = `import FakeTimers from '@sinonjs/fake-timers'
import { test } from 'messaging-sandbox/vitest'
test('starts the sandbox, which may take longer than the time limit of the next test', async ({ sandbox }) => {
  await sandbox.client.billing.balance()
})
// The application speaks to the sandbox, and nothing is answered: the body never ends. Its world is open long before the limit.
test('fakes everything', async ({ sandbox }) => {
  FakeTimers.install()
  await fetch(sandbox.url + '/v1/billing/balance')
}, 4_000)
test('calls the sandbox', async ({ sandbox }) => {
  FakeTimers.install()
  await sandbox.client.billing.balance()
})
test('comes after them', async ({ sandbox }) => {
  await sandbox.client.billing.balance()
})`

test('a test that leaves process.nextTick faked does not hold up its runner', async () => {
  const home = join(await installedPackage(), 'fake-timers')
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'fakes.test.ts'), SOURCE)
  const { code, output } = await runNode(home, ['../node_modules/vitest/vitest.mjs', 'run', '--root', '.'])
  // One line each: the error of a call is not repeated.
  const named = output.match(/process\.nextTick is faked, so no request is answered: pass toNotFake:/g) ?? []
  expect(named, output).toHaveLength(2)
  expect(output).toMatch(/2 failed \| 2 passed/)
  expect(code).toBe(1)
  // 4 s of the test, and a teardown of 2 s at most. A busy machine may take longer, but nothing waits for an answer.
  const [, ms] = /× fakes everything (\d+)\s?ms/.exec(output) ?? []
  expect(Number(ms)).toBeLessThan(10_000)
})
