import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { contactOf, phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import {
  CARRIERS,
  countsOf,
  define,
  end,
  eventsOf,
  notice,
  ordinary,
  outage,
  quickCarriers,
  reminder,
  sentBy,
  wait,
} from './campaign.ts'

const statusOf = async ({ client }: Sandbox, id: string) => (await client.campaigns.status(id)).status

/** Phones of a campaign's messages, as often as there are messages. */
const recipientsOf = async (sandbox: Sandbox, id: string) => (await sentBy(sandbox, id)).map(({ to }) => to).sort()

const phonesFrom50 = (count: number) => Array.from({ length: count }, (_, i) => phone(50 + i))

/** Contacts 50 to 99 by the carrier that their phone is on. */
async function onCarriers({ client }: Sandbox): Promise<Record<string, string[]>> {
  const contacts: Record<string, string[]> = Object.fromEntries(CARRIERS.map((name) => [name, []]))
  for (let nn = 50; nn < 100; nn++) contacts[(await client.handsets.show(phone(nn))).carrier]!.push(contactOf(nn))
  return contacts
}

test.each([
  ['sends once', [notice, end], 3],
  ['sends once, to one contact', [notice, end], 1],
  ['waits after it has sent', [notice, wait('1h'), reminder, end], 3],
])('a campaign that %s is paused when all carriers are down, and goes on after the outage', async (_, flow, size) => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await outage(sandbox, true)
  const id = await define(sandbox, [...flow], { audience: ordinary(size) })
  const { run_id } = await client.campaigns.trigger(id)
  await clock.advance('1s')
  const broken = await client.campaigns.status(id)
  expect(broken).toMatchObject({ run_id, status: 'PAUSED_ERROR', pause_reason: 'PAUSED_ERROR', completed_at: null })
  const { counts } = broken
  expect(counts).toEqual({ ...counts, total: size, completed: 0, failed: 0, ineligible: 0 })
  expect(counts.pending + counts.in_progress).toBe(size)
  expect(await sentBy(sandbox, id)).toHaveLength(counts.in_progress)
  expect((await eventsOf(sandbox, id)).at(-1)).toMatchObject({ event: 'campaign.paused', status: 'PAUSED_ERROR' })

  // During the outage, resuming the campaign ends in the same way.
  await client.campaigns.resume(id)
  await clock.advance('1m')
  expect(await statusOf(sandbox, id)).toBe('PAUSED_ERROR')

  await outage(sandbox, false)
  await client.campaigns.resume(id)
  await clock.advance('2h')
  const completed = { total: size, pending: 0, in_progress: 0, completed: size, failed: 0, ineligible: 0 }
  expect(await client.campaigns.status(id)).toMatchObject({ run_id, status: 'COMPLETED', counts: completed })
  const sends = flow.filter(({ node }) => node === 'SEND').length
  expect(await recipientsOf(sandbox, id)).toEqual(phonesFrom50(size).flatMap((to) => Array(sends).fill(to)))
  expect((await sentBy(sandbox, id)).every(({ delivered_at }) => delivered_at !== null)).toBe(true)
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, total: 1_000 - 0.05 * size * sends })
})

test('a campaign in the middle of which all carriers go down is paused, and sends to nobody twice', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { audience: ordinary(40), throughput: 10 })
  await client.campaigns.trigger(id)
  await clock.advance('2s')
  await outage(sandbox, true)
  await clock.advance('10s')
  const broken = await client.campaigns.status(id)
  expect(broken.status).toBe('PAUSED_ERROR')
  expect(broken.counts.completed).toBeGreaterThan(10)
  expect(broken.counts.pending).toBeGreaterThan(0)
  expect(broken.counts.in_progress).toBe(
    (await client.messages.list({ campaign_id: id, status: 'queued' })).messages.length,
  )

  await outage(sandbox, false)
  await client.campaigns.resume(id)
  await clock.advance('1m')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 40 } })
  expect(await recipientsOf(sandbox, id)).toEqual(phonesFrom50(40))
})

test('an outage of the only carrier of an audience pauses the campaign, an outage of another does not', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const contacts = (await onCarriers(sandbox)).nordfunk!.slice(0, 4)
  await outage(sandbox, true, ['rheinmobil', 'alpentel'])
  const id = await define(sandbox, [notice, end], { audience: { contacts } })
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 4 } })

  await outage(sandbox, false)
  await outage(sandbox, true, ['nordfunk'])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  expect(await statusOf(sandbox, id)).toBe('PAUSED_ERROR')
})

test('one carrier of three under outage holds its contacts up; the run ends when the last message has left', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { nordfunk, rheinmobil } = await onCarriers(sandbox)
  const id = await define(sandbox, [notice, end], { audience: { contacts: [nordfunk![0]!, rheinmobil![0]!] } })
  // The healthy carrier is slow, so that it still has its message when the other one refuses.
  await client.carriers.update('rheinmobil', { dispatch_delay: '5s' })
  await outage(sandbox, true, ['nordfunk'])
  await client.campaigns.trigger(id)
  await clock.advance('2s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'RUNNING', counts: { in_progress: 2 } })
  await clock.advance('4s')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'RUNNING',
    counts: { in_progress: 1, completed: 1 },
  })
  await outage(sandbox, false)
  await clock.advance('30s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 2 } })
})

test.each([
  [
    'expires',
    async (sandbox: Sandbox, id: string) => {
      for (const { id: message_id } of await sentBy(sandbox, id))
        await sandbox.trigger('message.expired', { message_id })
    },
  ],
  [
    'is revoked',
    async (sandbox: Sandbox, id: string) => {
      for (const message of await sentBy(sandbox, id)) await sandbox.client.messages.revoke(message.id)
    },
  ],
])('a message that %s in the queue is counted as failed', async (_, lose) => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { audience: ordinary(1) })
  await outage(sandbox, true)
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await lose(sandbox, id)
  await sandbox.settle()
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'PAUSED_ERROR',
    counts: { failed: 1, in_progress: 0 },
  })
  await client.campaigns.resume(id)
  await clock.advance('1s')
  expect(await statusOf(sandbox, id)).toBe('COMPLETED_PARTIAL')
  expect((await client.billing.balance()).free).toBe(1_000)
})

test('a message that is still in progress when its campaign is paused leaves, and is not sent again', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const carrier of CARRIERS) await client.carriers.update(carrier, { dispatch_delay: '10s' })
  const id = await define(sandbox, [notice, wait('1h'), reminder, end])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await client.campaigns.pause(id)
  await clock.advance('24h')
  expect(await countsOf(sandbox, id)).toMatchObject({ in_progress: 3 })
  expect((await sentBy(sandbox, id)).map(({ sent_at }) => sent_at !== null)).toEqual([true, true, true])
  await client.campaigns.resume(id)
  await clock.advance('2h')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
  expect(await recipientsOf(sandbox, id)).toEqual(phonesFrom50(3).flatMap((to) => [to, to]))
})

/** A carrier of which the audience has nine, and one more contact that is on another carrier and waits long. */
async function nineOfTen(sandbox: Sandbox) {
  const { nordfunk, rheinmobil } = await onCarriers(sandbox)
  return { audience: { contacts: [...nordfunk!.slice(0, 9), rheinmobil![0]!] } }
}

test('nine errors in a row on one of the carriers do not break a run, the tenth does', async () => {
  await using sandbox = await createSandbox({ world: await quickCarriers() })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('24h'), end], await nineOfTen(sandbox))
  await outage(sandbox, true, ['nordfunk'])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  expect(await statusOf(sandbox, id)).toBe('RUNNING')
  await clock.advance('30s')
  expect(await statusOf(sandbox, id)).toBe('PAUSED_ERROR')
})

test('an accepted message restarts the count of errors in a row', async () => {
  await using sandbox = await createSandbox({ world: await quickCarriers() })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('2s'), reminder, { ...wait('24h'), id: 'longer' }, end], {
    ...(await nineOfTen(sandbox)),
  })
  await outage(sandbox, true, ['nordfunk'])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  await outage(sandbox, false, ['nordfunk'])
  await clock.advance('31s')
  // The notices have left; the reminders meet the next outage: nine errors again, then a tenth.
  await outage(sandbox, true, ['nordfunk'])
  await clock.advance('2s')
  expect((await sentBy(sandbox, id)).filter(({ status }) => status === 'queued')).toHaveLength(9)
  expect(await statusOf(sandbox, id)).toBe('RUNNING')
  await clock.advance('30s')
  expect(await statusOf(sandbox, id)).toBe('PAUSED_ERROR')
})

test('an ordinary failed delivery is not a provider error', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const failing = Array.from({ length: 12 }, (_, i) => ({ ...notice, id: `n${i}` }))
  const id = await define(sandbox, [...failing, end], { audience: { contacts: [contactOf(11), contactOf(13)] } })
  await client.campaigns.trigger(id)
  await clock.advance('1m')
  expect((await client.campaigns.status(id)).status).toBe('COMPLETED')
  expect((await sentBy(sandbox, id)).every(({ status }) => status === 'failed')).toBe(true)
})

test('a message that waits for a carrier still expires at its ttl, and is sent when the outage ends in time', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await outage(sandbox, true)
  const short = await client.messages.send({ ...rcsText, to: phones.ordinary, ttl: '45s' })
  const long = await client.messages.send({ ...rcsText, to: phones.ordinary })
  await clock.advance('1m')
  expect(await client.messages.get(short.message_id)).toMatchObject({
    status: 'expired',
    expired_at: '2026-01-01T00:00:45.000Z',
  })
  expect(await client.messages.get(long.message_id)).toMatchObject({ status: 'queued', sent_at: null })
  await outage(sandbox, false)
  await clock.advance('1m')
  expect((await client.messages.get(long.message_id)).delivered_at).not.toBeNull()
  expect((await client.billing.balance()).reserved).toBe(0)
})

test('a carrier that does not exist has no outage', async () => {
  await using sandbox = await createSandbox()
  const answer = await ask(sandbox, 'PATCH', '/_sandbox/carriers/sudfunk', { body: { outage: true } })
  expect([answer.status, answer.json.error]).toEqual([404, 'not_found'])
  expect(answer.json.message).toContain('nordfunk')
  const shown = (await sandbox.client.world.show()).carriers
  expect(shown.map(({ outage }) => outage)).toEqual([false, false, false])
})
