import { expect, test } from 'vitest'
import { folder, worldLikeDefault } from '../../folder.ts'
import { agents, channels, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')

/** A world of one carrier that dispatches after 100 ms. */
const oneCarrier = (throughput: number | undefined) =>
  worldLikeDefault((file) => {
    const [first] = file.carriers
    file.carriers = [
      { ...first, dispatch_delay: '100ms', delivery_delay: '100ms', read: 0, ...(throughput && { throughput }) },
    ]
    file.agents.at(-1).launched_on = ['nordfunk']
  })

async function sendMany({ client }: Sandbox, count: number, more: object = {}) {
  const ids = []
  for (let i = 0; i < count; i++)
    ids.push((await client.messages.send({ ...rcsText, to: phones.ordinary, ...more })).message_id)
  return ids
}

async function sentAt({ client }: Sandbox, ids: readonly string[]) {
  const messages = await Promise.all(ids.map((id) => client.messages.get(id)))
  return messages.map(({ sent_at }) => (sent_at === null ? null : Date.parse(sent_at) - START))
}

test('with a throughput of two a second, messages leave one every half second, in the order they were sent', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(2) })
  const ids = await sendMany(sandbox, 5)
  await sandbox.clock.advance('1s')
  expect(await sentAt(sandbox, ids)).toEqual([100, 600, null, null, null])
  expect((await sandbox.client.messages.get(ids[2]!)).status).toBe('queued')
  expect((await sandbox.client.carriers.show('nordfunk')).waiting).toBe(3)
  await sandbox.clock.advance('10s')
  expect(await sentAt(sandbox, ids)).toEqual([100, 600, 1_100, 1_600, 2_100])
  expect((await sandbox.client.carriers.show('nordfunk')).waiting).toBe(0)
})

test('without a limit no message waits', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(undefined) })
  const ids = await sendMany(sandbox, 5)
  await sandbox.clock.advance('1s')
  expect(await sentAt(sandbox, ids)).toEqual([100, 100, 100, 100, 100])
})

test('a throughput that does not divide a second, or exceeds one in a millisecond, is kept exactly', async () => {
  for (const [throughput, count] of [
    [3, 10],
    [2_500, 40],
    [0.5, 3],
  ] as const) {
    await using sandbox = await createSandbox({ world: await oneCarrier(throughput) })
    const ids = await sendMany(sandbox, count)
    await sandbox.clock.advance('1m')
    expect(await sentAt(sandbox, ids)).toEqual(ids.map((_, i) => Math.floor(100 + (i * 1_000) / throughput + 1e-6)))
  }
})

test('later messages wait behind earlier ones, and a pause does not save up capacity', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(1) })
  const first = await sendMany(sandbox, 3)
  await sandbox.clock.advance('500ms')
  const second = await sendMany(sandbox, 1)
  await sandbox.clock.advance('1m')
  expect(await sentAt(sandbox, [...first, ...second])).toEqual([100, 1_100, 2_100, 3_100])
  const third = await sendMany(sandbox, 2)
  await sandbox.clock.advance('1m')
  expect(await sentAt(sandbox, third)).toEqual([60_600, 61_600])
})

test('a waiting message can be revoked or expire, and the next one takes its slot', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(1) })
  const { client, clock } = sandbox
  const [first, revoked] = await sendMany(sandbox, 2)
  const [short] = await sendMany(sandbox, 1, { ttl: '2s' })
  const [last] = await sendMany(sandbox, 1)
  await clock.advance('200ms')
  await client.messages.revoke(revoked!)
  await client.carriers.update('nordfunk', { throughput: 0.25 })
  await clock.advance('1m')
  expect(await sentAt(sandbox, [first!, last!])).toEqual([100, 4_100])
  expect(await client.messages.get(short!)).toMatchObject({
    status: 'expired',
    expired_at: '2026-01-01T00:00:02.000Z',
    sent_at: null,
  })
  expect((await client.billing.balance()).reserved).toBe(0)
})

test('raising or removing a limit dispatches waiting messages at once', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(0.1) })
  const { client, clock } = sandbox
  const ids = await sendMany(sandbox, 6)
  await clock.advance('1s')
  await client.carriers.update('nordfunk', { throughput: 2 })
  await clock.advance('600ms')
  expect(await sentAt(sandbox, ids)).toEqual([100, 1_000, 1_500, null, null, null])
  await client.carriers.update('nordfunk', { throughput: null })
  await clock.advance('1ms')
  expect(await sentAt(sandbox, ids)).toEqual([100, 1_000, 1_500, 1_600, 1_600, 1_600])
  const [free] = await sendMany(sandbox, 1)
  await clock.advance('1s')
  expect(await sentAt(sandbox, [free!])).toEqual([1_701])
})

test('a carrier that goes down while messages wait keeps them, and they leave at its pace afterwards', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(1) })
  const { client, clock } = sandbox
  const ids = await sendMany(sandbox, 4)
  await clock.advance('500ms')
  await client.carriers.update('nordfunk', { outage: true })
  await clock.advance('1m')
  expect(await sentAt(sandbox, ids)).toEqual([100, null, null, null])
  await client.carriers.update('nordfunk', { outage: false })
  await clock.advance('2m')
  const times = (await sentAt(sandbox, ids)).map((at) => at!)
  for (const [i, at] of times.entries()) if (i > 0) expect(at - times[i - 1]!).toBeGreaterThanOrEqual(1_000)
})

test('the limit affects neither email nor other carriers', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.carriers.update('nordfunk', { throughput: 0.001 })
  const carrierOf = async (nn: number) => (await client.handsets.show(`+4917139200${nn}`)).carrier
  const other = []
  for (let nn = 50; nn < 70; nn++) if ((await carrierOf(nn)) !== 'nordfunk') other.push(`+4917139200${nn}`)
  expect(other.length).toBeGreaterThan(2)
  const ids = []
  for (const to of other) ids.push((await client.messages.send({ ...rcsText, agent_id: agents.multi, to })).message_id)
  for (let i = 0; i < 3; i++)
    ids.push(
      (
        await client.messages.send({
          channel_id: channels.email,
          to: `a${i}@example.com`,
          subject: 'Hi',
          content: { text: 'Hi' },
        })
      ).message_id,
    )
  await clock.advance('2s')
  expect((await sentAt(sandbox, ids)).every((at) => at !== null && at < 1_000)).toBe(true)
})

test('waiting messages keep waiting after a restart', async () => {
  const data = await folder()
  const world = await oneCarrier(1)
  const options = { world, data } as const
  let ids: string[]
  {
    await using sandbox = await createSandbox(options)
    ids = await sendMany(sandbox, 4)
    await sandbox.clock.advance('1200ms')
    expect(await sentAt(sandbox, ids)).toEqual([100, 1_100, null, null])
  }
  await using sandbox = await createSandbox(options)
  await sandbox.clock.advance('10s')
  expect(await sentAt(sandbox, ids)).toEqual([100, 1_100, 2_100, 3_100])
})

test('three hundred messages that wait are one timer for the carrier, not a poll', async () => {
  await using sandbox = await createSandbox({ world: await oneCarrier(1), checkAnswers: false })
  await sendMany(sandbox, 300)
  await sandbox.clock.advance('200ms')
  // A call of the carrier a second, and with it a delivery.
  const { total } = await sandbox.client.clock.advance({ by: '10s' })
  expect(total).toBe(20)
})
