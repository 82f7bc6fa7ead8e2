import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox } from '../../src/index.ts'
import { createSandbox } from '../sandbox.ts'
import { startShop } from './lease-shop.ts'
import { runTest } from './lease-tests.ts'

const WORKERS = 8
const TESTS = 10

test('tests that run side by side against one application with one key do not see each other', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const { url, apiKey } = sandbox
  const shop = await startShop(url, apiKey)
  onTestFinished(() => shop.stop())
  const work = async (name: string) => {
    const connected = await connectSandbox({ url, apiKey })
    for (let n = 0; n < TESTS; n++) await runTest(n, { sandbox: connected, shop: shop.url, tag: `${name}.${n}` })
  }
  await Promise.all(Array.from({ length: WORKERS }, (_, i) => work(`worker ${i}`)))
  expect((await sandbox.client.leases.list()).leases).toEqual([])
  expect((await sandbox.client.messages.list({})).messages).toEqual([])
  expect((await sandbox.client.rules.list()).rules).toEqual([])
  expect((await sandbox.client.faults.list()).faults).toEqual([])
  expect((await sandbox.client.billing.balance()).reserved).toBe(0)
})
