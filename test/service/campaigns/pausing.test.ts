import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import {
  countsOf,
  define,
  end,
  eventsOf,
  notice,
  ordinary,
  quickCarriers,
  reminder,
  sentBy,
  wait,
  worldWith,
} from './campaign.ts'

test('a paused campaign starts no new contact, and contacts in progress stop after their wait', async () => {
  await using sandbox = await createSandbox({ world: await quickCarriers() })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), reminder, end], { audience: ordinary(20), throughput: 1 })
  const { run_id } = await client.campaigns.trigger(id)
  await clock.advance('5500ms')
  expect(await countsOf(sandbox, id)).toMatchObject({ pending: 15, in_progress: 5 })
  expect(await client.campaigns.pause(id)).toEqual({ status: 'PAUSED' })

  await clock.advance('24h')
  const paused = await client.campaigns.status(id)
  expect(paused).toMatchObject({ status: 'PAUSED', pause_reason: 'PAUSED', run_id, completed_at: null })
  expect(paused.counts).toEqual({ total: 20, pending: 15, in_progress: 5, completed: 0, failed: 0, ineligible: 0 })
  expect(await sentBy(sandbox, id)).toHaveLength(5)

  expect(await client.campaigns.resume(id)).toEqual({ run_id, status: 'RUNNING' })
  await clock.advance('5500ms')
  expect(await countsOf(sandbox, id)).toMatchObject({ pending: 15, completed: 5 })
  await clock.advance('2h')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 20 } })
  const messages = await sentBy(sandbox, id)
  for (const { text } of [notice.content, reminder.content])
    expect(
      messages
        .filter(({ content }) => content.text === text)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(Array.from({ length: 20 }, (_, i) => phone(50 + i)))
  expect((await eventsOf(sandbox, id)).map(({ event }) => event)).toEqual([
    'campaign.started',
    'campaign.paused',
    'campaign.resumed',
    'campaign.completed',
  ])
})

test('a wait that continues after a pause keeps its end', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), reminder, end])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await client.campaigns.pause(id)
  await clock.advance('30m')
  await client.campaigns.resume(id)
  await clock.advance('29m')
  expect(await sentBy(sandbox, id)).toHaveLength(3)
  await clock.advance('1m')
  expect(await sentBy(sandbox, id)).toHaveLength(6)
})

test('a campaign that is paused before its first contact sends nothing', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end])
  await client.campaigns.trigger(id)
  await client.campaigns.pause(id)
  await clock.advance('24h')
  expect(await sentBy(sandbox, id)).toEqual([])
  await client.campaigns.resume(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
})

test('a campaign whose last contact ends its wait while paused is completed when it goes on', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), end])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await client.campaigns.pause(id)
  await clock.advance('2h')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'PAUSED', counts: { completed: 3 } })
  await client.campaigns.resume(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
})

test('pausing is refused when nothing runs, and resuming when nothing is paused', async () => {
  await using sandbox = await createSandbox()
  const id = await define(sandbox, [notice, end])
  const pause = await ask(sandbox, 'POST', `/v1/campaigns/${id}/pause`)
  expect([pause.status, pause.json]).toMatchObject([409, { error: 'campaign_not_pausable', campaign_status: 'DRAFT' }])
  const resume = await ask(sandbox, 'POST', `/v1/campaigns/${id}/resume`)
  expect([resume.status, resume.json]).toMatchObject([
    409,
    { error: 'campaign_not_resumable', campaign_status: 'DRAFT' },
  ])
})

/** Uses up the free balance except for this number of sends. */
async function spendDownTo(client: Awaited<ReturnType<typeof createSandbox>>['client'], sends: number) {
  while ((await client.billing.balance()).free > sends * 0.05 + 0.001)
    await client.messages.send({ ...rcsText, to: phones.readsAll })
}

test('a campaign pauses when the free balance reaches zero, and continues after a top-up with the remaining contacts', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(2) })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { audience: ordinary(30) })
  const { run_id } = await client.campaigns.trigger(id)
  await spendDownTo(client, 13)
  await clock.advance('1m')
  const paused = await client.campaigns.status(id)
  expect(paused).toMatchObject({ status: 'PAUSED_BALANCE', pause_reason: 'PAUSED_BALANCE' })
  expect(paused.counts).toEqual({ total: 30, pending: 17, in_progress: 0, completed: 13, failed: 0, ineligible: 0 })

  const refused = await ask(sandbox, 'POST', `/v1/campaigns/${id}/resume`)
  expect(refused.status).toBe(402)
  expect(refused.json).toMatchObject({ error: 'insufficient_balance', required_amount: 0.85, balance: { free: 0 } })
  expect((await client.campaigns.status(id)).status).toBe('PAUSED_BALANCE')

  await client.billing.topup({ amount: 10, currency: 'EUR' })
  expect(await client.campaigns.resume(id)).toMatchObject({ run_id })
  await clock.advance('1m')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'COMPLETED',
    counts: { completed: 30, pending: 0 },
  })
  const recipients = (await sentBy(sandbox, id)).map(({ to }) => to)
  expect(recipients.sort()).toEqual(Array.from({ length: 30 }, (_, i) => phone(50 + i)))
})

test('a contact that cannot be paid for after its wait stays where it is', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(1) })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), reminder, end])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await spendDownTo(client, 1)
  await clock.advance('61m')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'PAUSED_BALANCE',
    counts: { completed: 1, in_progress: 2 },
  })
  await client.billing.topup({ amount: 10, currency: 'EUR' })
  await client.campaigns.resume(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
  expect(await sentBy(sandbox, id)).toHaveLength(6)
})
