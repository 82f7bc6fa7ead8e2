import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { holdMachineClock } from '../machine-clock.ts'
import { createSandbox } from '../sandbox.ts'

const headers = { 'X-Sandbox-Observer': 'inspector' }

test('an observer leaves no trace in the request log', async () => {
  await using sandbox = await createSandbox()
  await ask(sandbox, 'GET', '/v1/billing/balance', { headers })
  await ask(sandbox, 'GET', '/_sandbox/clock', { headers })
  await ask(sandbox, 'GET', '/v1/messages/msg_00000000-0000-4000-8000-000000000009', { headers })
  expect(await sandbox.client.logs.list()).toMatchObject({ requests: [] })
  await ask(sandbox, 'GET', '/v1/billing/balance')
  expect((await sandbox.client.logs.list()).requests.map(({ operation }) => operation)).toContain('billing.balance')
})

test('an observer does not use the rate limit, and is not refused when it is used up', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { billing: 1 } } as never)
  const used = await ask(sandbox, 'GET', '/v1/billing/balance', { headers })
  expect(used.headers['x-ratelimit-remaining']).toBe(used.headers['x-ratelimit-limit'])
  await sandbox.client.world.setRateLimits({ enabled: true, limits: { billing: 1 } })
  await ask(sandbox, 'GET', '/v1/billing/balance')
  expect(await ask(sandbox, 'GET', '/v1/billing/balance')).toMatchObject({ status: 429 })
  expect(await ask(sandbox, 'GET', '/v1/billing/balance', { headers })).toMatchObject({ status: 200 })
})

test('an observer is not affected by faults, and uses none up', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['billing.balance'], status: 500, times: 1 })
  expect(await ask(sandbox, 'GET', '/v1/billing/balance', { headers })).toMatchObject({ status: 200 })
  expect(await ask(sandbox, 'GET', '/v1/billing/balance')).toMatchObject({ status: 500 })
})

test('a request that changes something is never an observer', async () => {
  await using sandbox = await createSandbox()
  await ask(sandbox, 'POST', '/v1/billing/topup', { headers, body: { amount: 10 } })
  expect((await sandbox.client.logs.list()).requests.map(({ operation }) => operation)).toContain('billing.topup')
})

test('an observer needs a valid key', async () => {
  await using sandbox = await createSandbox()
  expect(
    await ask(sandbox, 'GET', '/v1/billing/balance', { headers: { ...headers, Authorization: 'Bearer nothing' } }),
  ).toMatchObject({ status: 401 })
})
