import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const conversation = { ...rcsText, message_type: 'CONVERSATION', to: phones.repliesHello } as const
const newsletter = { ...rcsText, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION', to: phones.neverReads } as const

/** The phone answers the agent, so that a session is open. */
async function openSession({ client, clock }: Sandbox, phone: string, agent_id = agents.multi) {
  await client.messages.send({ ...rcsText, agent_id, to: phone })
  await clock.advance('1m')
  await client.handsets.reply(phone, { agent_id, text: 'Hi' })
}

test('the first CONVERSATION of a session carries its fee, whatever it says; the others are free', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await openSession(sandbox, phones.neverReads)
  const send = async (text: string) =>
    (await client.messages.send({ ...conversation, to: phones.neverReads, content: { text } })).billing
  const before = await client.billing.balance()
  expect(await send('Hi')).toMatchObject({
    message_type: 'conversation',
    hold_amount: 0.12,
    message_price: 0.12,
    in_session: false,
  })
  expect(await send('x'.repeat(161))).toMatchObject({
    message_type: 'conversation',
    hold_amount: 0,
    message_price: 0,
    in_session: true,
  })
  await clock.advance('1m')
  expect(await send('Still here?')).toMatchObject({ hold_amount: 0, in_session: true })
  await clock.advance('1m')
  const after = await client.billing.balance()
  expect(after).toEqual({
    free: Math.round((before.free - 0.12) * 1e4) / 1e4,
    reserved: 0,
    total: Math.round((before.total - 0.12) * 1e4) / 1e4,
  })
  expect(
    (await client.messages.list({ direction: 'OUTBOUND', message_type: 'CONVERSATION' })).messages.map(
      ({ cost }) => cost,
    ),
  ).toEqual(['0.0000', '0.0000', '0.1200'])
})

test('a new session has a new fee, and each phone its own', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const fee = async (to: string) => (await client.messages.send({ ...conversation, to })).billing.hold_amount
  await openSession(sandbox, phones.readsAll)
  await openSession(sandbox, phones.neverReads)
  expect([await fee(phones.readsAll), await fee(phones.neverReads), await fee(phones.readsAll)]).toEqual([
    0.12, 0.12, 0,
  ])
  await clock.advance('25h')
  await client.handsets.reply(phones.readsAll, { agent_id: agents.multi, text: 'Hi again' })
  expect([await fee(phones.readsAll), await fee(phones.readsAll)]).toEqual([0.12, 0])
})

test('a fee moves to the next send when the one that carried it was revoked or failed', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const send = async (change: object = {}) =>
    client.messages.send({ ...conversation, to: phones.neverReads, ...change })
  await openSession(sandbox, phones.neverReads)
  const first = await send()
  await client.messages.revoke(first.message_id)
  // Traffic the agent may not carry is turned away by the carrier, and so comes to nothing.
  expect((await send()).billing).toMatchObject({ hold_amount: 0.12, in_session: false })
  expect((await send()).billing).toMatchObject({ hold_amount: 0, in_session: true })
  await clock.advance('1m')

  await openSession(sandbox, phones.neverReads, agents.transactional)
  const failing = await send({ agent_id: agents.transactional, traffic_type: 'PROMOTION' })
  expect(failing.billing).toMatchObject({ hold_amount: 0.12 })
  await clock.advance('1m')
  expect(await client.messages.get(failing.message_id)).toMatchObject({
    status: 'failed',
    failure_reason: 'REJECTED_SPAM',
  })
  expect((await send({ agent_id: agents.transactional })).billing).toMatchObject({
    hold_amount: 0.12,
    in_session: false,
  })
})

test('CONVERSATION of an agent that is not billed by session is billed by content', async () => {
  const world = await worldLikeDefault((file) => {
    file.agents[2].billing_category = 'NON_CONVERSATIONAL'
  })
  await using sandbox = await createSandbox({ world })
  await openSession(sandbox, phones.neverReads, agents.transactional)
  const send = (text: string) =>
    sandbox.client.messages.send({
      ...conversation,
      agent_id: agents.transactional,
      to: phones.neverReads,
      content: { text },
    })
  const [short, long] = [await send('Hi'), await send('x'.repeat(161))]
  expect(short.billing).toMatchObject({ message_type: 'basic_message', hold_amount: 0.05 })
  expect(long.billing).toMatchObject({ message_type: 'single_message', hold_amount: 0.08 })
  expect(short.billing).not.toHaveProperty('in_session')
})

test('a subscriber is paid for once per agent and calendar month', async () => {
  await using sandbox = await createSandbox({ now: '2026-01-31T23:50:00.000Z' })
  const { client, clock } = sandbox
  const send = async (to: string = phones.neverReads) => (await client.messages.send({ ...newsletter, to })).billing
  const paid = { message_type: 'mau', hold_amount: 0.2, message_price: 0.2, mau_charged: true }
  const covered = { message_type: 'mau', hold_amount: 0, message_price: 0, mau_charged: false }
  expect(await send()).toMatchObject(paid)
  expect(await send()).toMatchObject(covered)
  expect(await send(phones.readsAll)).toMatchObject(paid)
  await clock.advance('599999ms')
  expect(await send()).toMatchObject(covered)
  await clock.advance('1ms')
  expect(await client.clock.show()).toMatchObject({ now: '2026-02-01T00:00:00.000Z' })
  expect(await send()).toMatchObject(paid)
  expect(await send()).toMatchObject(covered)
})

test('another agent pays separately for the same subscriber', async () => {
  const world = await worldLikeDefault((file) => {
    file.agents[3].newsletter_enabled = true
  })
  await using sandbox = await createSandbox({ world })
  const send = async (agent_id: string) =>
    (await sandbox.client.messages.send({ ...newsletter, agent_id })).billing.mau_charged
  expect([
    await send(agents.multi),
    await send(agents.promotional),
    await send(agents.multi),
    await send(agents.promotional),
  ]).toEqual([true, true, false, false])
})

test('a newsletter that fails does not pay for the subscriber', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const send = (to: string) => client.messages.send({ ...newsletter, to })
  const failed = await send(phones.unknownUser)
  expect(failed.billing).toMatchObject({ mau_charged: true })
  await clock.advance('1m')
  expect((await send(phones.unknownUser)).billing).toMatchObject({ mau_charged: true, hold_amount: 0.2 })

  const revoked = await send(phones.readsAll)
  expect((await send(phones.readsAll)).billing).toMatchObject({ mau_charged: false })
  await client.messages.revoke(revoked.message_id)
  expect((await send(phones.readsAll)).billing).toMatchObject({ mau_charged: true })
  await clock.advance('31d')
  expect(await client.billing.balance()).toEqual({ free: 999.8, reserved: 0, total: 999.8 })
})

test('a send that costs nothing needs no money', async () => {
  await using sandbox = await createSandbox({
    world: await worldLikeDefault((file) => Object.assign(file.billing, { balance: 0.2 })),
  })
  const { client } = sandbox
  await client.messages.send(newsletter)
  expect((await client.messages.send(newsletter)).billing).toMatchObject({
    hold_amount: 0,
    balance: { free: 0, reserved: 0.2, total: 0.2 },
  })
  await expect(client.messages.send({ ...newsletter, to: phones.readsAll })).rejects.toMatchObject({
    code: 'insufficient_balance',
  })
})
