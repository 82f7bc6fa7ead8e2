import { expect, test } from 'vitest'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

test('a send with an empty balance is refused, and succeeds after the balance is set', async () => {
  await using sandbox = await createSandbox()
  const { billing, messages } = sandbox.client
  expect(await billing.setBalance({ free: 0 })).toEqual({ free: 0, reserved: 0, total: 0 })
  await expect(messages.send({ ...rcsText, to: phones.readsAll })).rejects.toMatchObject({
    status: 402,
    code: 'insufficient_balance',
  })
  await billing.setBalance({ free: 0.05 })
  expect(await messages.send({ ...rcsText, to: phones.readsAll })).toMatchObject({ status: 'queued' })
  expect(await billing.balance()).toEqual({ free: 0, reserved: 0.05, total: 0.05 })
})

test('the holds of messages in progress stay reserved, and the ledger has the adjustment', async () => {
  await using sandbox = await createSandbox()
  const { billing, messages } = sandbox.client
  await messages.send({ ...rcsText, to: phones.readsAll })
  expect(await billing.setBalance({ free: 7 })).toEqual({ free: 7, reserved: 0.05, total: 7.05 })
  const { data } = await billing.transactions({ limit: 1 })
  expect(data).toMatchObject([{ type: 'adjustment', amount: -992.95, free_after: 7, reserved_after: 0.05 }])
  await sandbox.clock.advance('1h')
  expect(await billing.balance()).toEqual({ free: 7, reserved: 0, total: 7 })
})

test('a balance that falls below the threshold of the alert emits it', async () => {
  await using sandbox = await createSandbox()
  const { billing, events } = sandbox.client
  await billing.setAlerts({ enabled: true, threshold: 50 })
  await billing.setBalance({ free: 49 })
  const { events: found } = await events.list({ event: 'billing.balance_low' })
  expect(found).toMatchObject([{ data: { balance: { free: 49 }, threshold: 50 } }])
})

test.each([-1, 1_000_001, 0.00001])('a balance of %s is refused and changes nothing', async (free) => {
  await using sandbox = await createSandbox()
  await expect(sandbox.client.billing.setBalance({ free })).rejects.toMatchObject({ status: 400 })
  expect(await sandbox.client.billing.balance()).toMatchObject({ free: 1000 })
})
