import { expect, test } from 'vitest'
import { folder } from '../../folder.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const PHONE = phones.ordinary

const send = async ({ client }: Sandbox, more: object = {}) =>
  (await client.messages.send({ ...rcsText, to: PHONE, ...more })).message_id

test('messages to a phone that is off are dispatched and wait; switched on, they arrive at once in their order', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false, read: true, read_delay: '5s' })
  const ids = [await send(sandbox), await send(sandbox), await send(sandbox)]
  await clock.advance('1h')
  for (const id of ids)
    expect(await client.messages.get(id)).toMatchObject({ status: 'dispatched', delivered_at: null })
  expect((await client.handsets.show(PHONE)).waiting).toBe(3)
  expect((await client.handsets.inbox(PHONE)).messages).toEqual([])

  expect(await client.handsets.set(PHONE, { on: true })).toMatchObject({ on: true, waiting: 0 })
  for (const id of ids)
    expect(await client.messages.get(id)).toMatchObject({
      status: 'delivered',
      delivered_at: '2026-01-01T01:00:00.000Z',
    })
  const { events } = await client.events.list({})
  const order = events
    .filter(({ event }) => event === 'message.delivered')
    .map(({ data }) => (data as { message_id: string }).message_id)
  expect([...order].sort()).toEqual([...ids].sort())
  await clock.advance('5s')
  for (const id of ids) expect((await client.messages.get(id)).status).toBe('read')
})

test('they arrive in the order in which they reached the phone', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false })
  const ids = []
  for (let i = 0; i < 3; i++) {
    ids.push(await send(sandbox))
    await clock.advance('1m')
  }
  await client.handsets.set(PHONE, { on: true })
  const { events } = await client.events.list({})
  expect(
    events
      .filter(({ event }) => event === 'message.delivered')
      .map(({ data }) => (data as { message_id: string }).message_id),
  ).toEqual(ids)
})

test('a ttl runs on while the phone is off', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false })
  const short = await send(sandbox, { ttl: '60s' })
  const long = await send(sandbox, { ttl: '600s' })
  await clock.advance('2m')
  expect(await client.messages.get(short)).toMatchObject({
    status: 'expired',
    expired_at: '2026-01-01T00:01:00.000Z',
  })
  expect((await client.handsets.show(PHONE)).waiting).toBe(1)
  await client.handsets.set(PHONE, { on: true })
  expect((await client.messages.get(long)).status).toBe('delivered')
  expect((await client.messages.get(short)).status).toBe('expired')
  expect((await client.billing.balance()).reserved).toBe(0)
})

test('switching off between dispatch and delivery holds the message too; on again before that changes nothing', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { delivery_delay: '10s' })
  const held = await send(sandbox)
  await clock.advance('2s')
  expect((await client.messages.get(held)).status).toBe('dispatched')
  await client.handsets.set(PHONE, { on: false })
  await clock.advance('1m')
  expect((await client.messages.get(held)).status).toBe('dispatched')
  await client.handsets.set(PHONE, { on: null })
  expect((await client.messages.get(held)).delivered_at).toBe('2026-01-01T00:01:02.000Z')

  const passing = await send(sandbox)
  await clock.advance('2s')
  await client.handsets.set(PHONE, { on: false })
  await client.handsets.set(PHONE, { on: true })
  expect((await client.messages.get(passing)).status).toBe('dispatched')
  await clock.advance('10s')
  const { sent_at, delivered_at } = await client.messages.get(passing)
  expect(Date.parse(delivered_at!) - Date.parse(sent_at!)).toBe(10_000)
})

test('a reset switches a phone on again', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false })
  const id = await send(sandbox)
  await clock.advance('1m')
  await client.handsets.reset(PHONE)
  expect((await client.messages.get(id)).delivered_at).not.toBeNull()
})

test('a message that the carrier rejects fails, whether the phone is on or off', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false })
  await client.carriers.updateAll({ failed: { REJECTED_SPAM: 1 } })
  const id = await send(sandbox)
  await clock.advance('1m')
  expect(await client.messages.get(id)).toMatchObject({ status: 'failed', failure_reason: 'REJECTED_SPAM' })
})

test('a phone that lost RCS while it was off gets nothing when it is on again', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false })
  const id = await send(sandbox)
  await clock.advance('1m')
  await client.handsets.set(PHONE, { on: true, rcs_capable: false })
  expect(await client.messages.get(id)).toMatchObject({ status: 'failed', failure_reason: 'UNKNOWN_RCS_USER' })
})

test('hundreds of waiting messages all arrive, each once', async () => {
  await using sandbox = await createSandbox({ checkAnswers: false })
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { on: false, read: false })
  for (let i = 0; i < 250; i++) await send(sandbox)
  await clock.advance('1m')
  await client.handsets.set(PHONE, { on: true })
  await clock.advance('1s')
  const { events } = await client.events.list({ limit: 1000 })
  const arrived = events
    .filter(({ event }) => event === 'message.delivered')
    .map(({ data }) => (data as { message_id: string }).message_id)
  expect([arrived.length, new Set(arrived).size]).toEqual([250, 250])
  expect((await client.handsets.show(PHONE)).waiting).toBe(0)
})

test('messages keep waiting for the phone after a restart', async () => {
  const data = await folder()
  let id: string
  {
    await using sandbox = await createSandbox({ data })
    await sandbox.client.handsets.set(PHONE, { on: false })
    id = await send(sandbox)
    await sandbox.clock.advance('1m')
  }
  await using sandbox = await createSandbox({ data })
  expect(await sandbox.client.handsets.show(PHONE)).toMatchObject({ on: false, waiting: 1 })
  await sandbox.client.handsets.set(PHONE, { on: true })
  expect((await sandbox.client.messages.get(id)).delivered_at).not.toBeNull()
})
