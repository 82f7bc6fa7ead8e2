import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const to = (phone: string, ttl?: string) => ({ ...rcsText, to: phone, ttl })

test('a message that is not delivered within its ttl expires and releases its hold', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send(to(phones.off, '60s'))
  expect(await client.billing.balance()).toEqual({ free: 999.95, reserved: 0.05, total: 1000 })

  await clock.advance('59999ms')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'dispatched', expired_at: null, cost: null })
  await clock.advance('1ms')

  const expired_at = '2026-01-01T00:01:00.000Z'
  expect(await client.messages.get(message_id)).toMatchObject({
    status: 'expired',
    expired_at,
    cost: '0.0000',
    ttl: '60s',
    failure_reason: null,
  })
  expect(await client.billing.balance()).toEqual({ free: 1000, reserved: 0, total: 1000 })
  expect((await client.events.list({ event: 'message.expired' })).events).toMatchObject([
    {
      timestamp: expired_at,
      data: { message_id, agent_id: rcsText.agent_id, to: phones.off, status: 'expired', expired_at },
    },
  ])
})

test('without a ttl a message waits 30 days', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send(to(phones.off))
  expect((await client.messages.get(message_id)).ttl).toBeNull()
  await clock.advance('2591999999ms')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'dispatched' })
  await clock.advance('1ms')
  expect(await client.messages.get(message_id)).toMatchObject({
    status: 'expired',
    expired_at: '2026-01-31T00:00:00.000Z',
  })
})

test('a phone that answers after an hour gets a message with a ttl of two, and none with a ttl of a minute', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const late = await client.messages.send(to(phones.after1Hour, '60s'))
  const inTime = await client.messages.send(to(phones.after1Hour, '7200s'))
  await clock.advance('3h')
  expect(await client.messages.get(late.message_id)).toMatchObject({
    status: 'expired',
    delivered_at: null,
    read_at: null,
  })
  const log = await client.messages.get(inTime.message_id)
  expect(log.status).toMatch(/delivered|read/)
  expect(Date.parse(log.delivered_at!) - Date.parse(log.sent_at!)).toBe(3_600_000)
})

/** A network whose pace is known to the millisecond. */
const paced = (dispatch: string, delivery: string) =>
  worldLikeDefault((file) => {
    for (const carrier of file.carriers)
      Object.assign(carrier, { dispatch_delay: dispatch, delivery_delay: delivery, read: 0 })
    Object.assign(file.mail, { dispatch_delay: dispatch, delivery_delay: delivery })
  })

test('a delivery in the instant the ttl ends counts as delivered; a millisecond later it does not', async () => {
  await using sandbox = await createSandbox({ world: await paced('4s', '6s') })
  const { client, clock } = sandbox
  const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }
  const [justInTime, email1] = [
    await client.messages.send(to(phones.ordinary, '10s')),
    await client.messages.send({ ...email, ttl: '10s' }),
  ]
  const [tooLate, email2] = [
    await client.messages.send(to(phones.ordinary, '9s')),
    await client.messages.send({ ...email, ttl: '9s' }),
  ]
  await clock.advance('1m')
  for (const { message_id } of [justInTime, email1])
    expect(await client.messages.get(message_id)).toMatchObject({
      status: 'delivered',
      delivered_at: '2026-01-01T00:00:10.000Z',
      expired_at: null,
    })
  for (const { message_id } of [tooLate, email2])
    expect(await client.messages.get(message_id)).toMatchObject({
      status: 'expired',
      expired_at: '2026-01-01T00:00:09.000Z',
      delivered_at: null,
    })
  // Expired email uses the message.* event, with its channel in place of an agent.
  expect(
    (await client.events.list({ subject: email2.message_id, event: 'message.expired' })).events[0]!.data,
  ).toMatchObject({ channel_id: channels.email })
})

test('a message can expire while it is still queued', async () => {
  await using sandbox = await createSandbox({ world: await paced('5s', '1s') })
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send(to(phones.ordinary, '4s'))
  const atTheEdge = await client.messages.send(to(phones.ordinary, '5s'))
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({
    status: 'expired',
    sent_at: null,
    expired_at: '2026-01-01T00:00:04.000Z',
  })
  expect(await client.messages.get(atTheEdge.message_id)).toMatchObject({
    status: 'expired',
    sent_at: '2026-01-01T00:00:05.000Z',
    expired_at: '2026-01-01T00:00:05.000Z',
    events: [{ type: 'queued' }, { type: 'sent' }, { type: 'expired' }],
  })
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, total: 1000 })
})

test('a failure that would come after the ttl is an expiry', async () => {
  const world = await worldLikeDefault((file) => {
    for (const carrier of file.carriers) carrier.failure_delay = '1h'
  })
  await using sandbox = await createSandbox({ world })
  const { message_id } = await sandbox.client.messages.send(to(phones.unknownUser, '60s'))
  await sandbox.clock.advance('2h')
  expect(await sandbox.client.messages.get(message_id)).toMatchObject({
    status: 'expired',
    failure_reason: null,
    failed_at: null,
  })
})

test('a message that was delivered does not expire', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send(to(phones.neverReads, '60s'))
  await sandbox.clock.advance('31d')
  expect(await sandbox.client.messages.get(message_id)).toMatchObject({
    status: 'delivered',
    expired_at: null,
    cost: '0.0500',
  })
  expect((await sandbox.client.events.list({ event: 'message.expired' })).events).toEqual([])
})
