import { expect, test } from 'vitest'
import { sandboxCommand } from '../cli/terminal.ts'
import { worldLikeDefault } from '../folder.ts'
import { agents, campaigns, channels, contactOf, emails, phone, phones, rcsText, templates } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { openEventStream } from '../service/webhooks/event-stream.ts'

const send = ({ client }: Pick<Sandbox, 'client'>, to = phones.readsAll, idempotencyKey?: string) =>
  client.messages.send({ ...rcsText, to }, { idempotencyKey })

const KEY = '5f0c2b62-7a51-4c58-9d0a-6a3f9f5f2a10'

test('a reset of messages clears messages, sessions, inboxes and runs, releases holds and keeps contacts', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
  const consent = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'PENDING', source: 'form' } as const
  await client.consent.record('ada', { ...consent, enforced_doi: true, doi_channel: 'EMAIL' })
  const { message_id } = await send(sandbox, phones.repliesHello, KEY)
  await sandbox.clock.advance('1m')
  await send(sandbox, phones.off)
  await send(sandbox, phones.after1Hour)
  await client.campaigns.trigger(campaigns.demo, {})
  await sandbox.clock.advance('1s')
  const before = await client.billing.balance()
  expect(before.reserved).toBeGreaterThan(0)
  const events = (await client.events.list({ limit: 1000 })).last_seq

  expect(await client.world.reset({ scope: 'messages' })).toMatchObject({ scope: 'messages', namespace: 'default' })
  expect((await client.messages.list()).messages).toEqual([])
  const after = await client.billing.balance()
  expect(after).toEqual({ free: before.total, reserved: 0, total: before.total })
  expect((await client.inbox.show('ada@example.com')).messages).toEqual([])
  expect(await client.campaigns.status(campaigns.demo)).toMatchObject({ status: 'DRAFT', run_id: null })
  expect((await client.contacts.get('ada')).consent_records).toMatchObject([{ status: 'PENDING' }])
  const conversation = client.messages.send({ ...rcsText, message_type: 'CONVERSATION', to: phones.repliesHello })
  await expect(conversation).rejects.toMatchObject({ code: 'no_active_session' })

  // No earlier scheduled work runs.
  await sandbox.clock.advance('40d')
  const later = await client.events.list({ after: events, limit: 1000 })
  expect(later.events.map(({ event }) => event)).toEqual([])
  expect(await client.billing.balance()).toEqual(after)
  // The key of a deleted message sends a new one.
  expect((await send(sandbox, phones.repliesHello, KEY)).message_id).not.toBe(message_id)
  expect(await client.campaigns.trigger(campaigns.demo, {})).toMatchObject({ status: 'RUNNING' })
})

test('every hold that a reset of messages releases is in the ledger, and in the usage of the month', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  for (const to of [phones.off, phones.after1Hour, phones.readsAll]) await send(sandbox, to)
  await client.messages.send({
    channel_id: channels.email,
    to: emails.delivered,
    template_id: templates.orderConfirmation,
    template_data: { name: 'Ada', order_id: '1' },
  })
  await client.messages.send({ ...rcsText, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION', to: phones.off })
  await client.world.reset({ scope: 'messages' })
  const { data } = await client.billing.transactions({ limit: 200 })
  const sum = (type: string) => data.filter((row) => row.type === type).reduce((all, { amount }) => all + amount, 0)
  expect(sum('release')).toBeCloseTo(sum('hold'), 4)
  expect(data[0]).toMatchObject({ free_after: 1_000, reserved_after: 0 })
  // The newsletter never arrived, so the next one pays for its subscriber.
  const again = { ...rcsText, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION', to: phones.off } as const
  expect((await client.messages.send(again)).billing).toMatchObject({ mau_charged: true })
})

test('after a reset of messages, new messages get slots on a carrier with a throughput limit', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.carriers.updateAll({ throughput: 1 })
  const sendAll = () => Promise.all([50, 51, 52, 53, 54, 55].map((nn) => send(sandbox, phone(nn))))
  await sendAll()
  await sandbox.clock.advance('1s')
  await client.world.reset({ scope: 'messages' })
  await sendAll()
  await sandbox.clock.advance('1h')
  expect((await client.messages.list({ status: 'queued' })).messages).toEqual([])
})

test('a reset of events empties the log and drops pending deliveries, but keeps messages', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer(500)
  const { client } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['*'] })
  await using stream = await openEventStream(sandbox)
  await stream.hello()
  await send(sandbox)
  await sandbox.clock.advance('10s')
  const attempts = receiver.received.length
  expect(attempts).toBeGreaterThan(0)
  const { last_seq } = await client.events.list()
  await client.events.moveCursor('mine', { seq: last_seq })

  await client.world.reset({ scope: 'events' })
  expect(await client.events.list()).toMatchObject({ events: [], first_seq: 1, last_seq: 0, dropped: 0 })
  expect((await client.events.deliveries()).data).toEqual([])
  expect(await client.events.cursor('mine')).toMatchObject({ seq: 0 })
  await sandbox.clock.advance('25h')
  expect(receiver.received).toHaveLength(attempts)
  expect((await client.messages.list()).messages).toMatchObject([{ status: 'read' }])

  receiver.answer(200)
  await client.contacts.create({ email: 'ada@example.com' })
  const heard = await stream.events(last_seq + 2)
  expect(JSON.parse(heard[last_seq]!.data)).toMatchObject({ last_seq: 0, begins_after: 0 })
  expect(heard[last_seq + 1]).toMatchObject({ id: '1', event: 'contact.created' })
  const [event] = (await client.events.list()).events
  await sandbox.clock.advance('1s')
  expect(receiver.received.at(-1)!.event.id).toBe(event!.id)
})

test('a reset of events during a delivery attempt does no harm', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer('never')
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await receiver.until(1)
  await sandbox.client.world.reset({ scope: 'events' })
  receiver.answer(200)
  await sandbox.client.contacts.create({ email: 'bob@example.com' })
  const received = await receiver.until(2)
  expect(received[1]!.event).toMatchObject({ event: 'contact.created', data: { email: 'bob@example.com' } })
})

test('a reset of the balance restores the initial total; messages in flight stay reserved and settle', async () => {
  await using sandbox = await createSandbox({ world: await worldLikeDefault((world) => (world.billing.balance = 1)) })
  const { client } = sandbox
  await send(sandbox)
  await sandbox.clock.advance('1m')
  await send(sandbox, phones.after1Hour)
  await client.billing.topup({ amount: 50, currency: 'EUR' }, { idempotencyKey: 'once' })
  expect(await client.billing.balance()).toEqual({ free: 50.9, reserved: 0.05, total: 50.95 })
  await client.world.reset({ scope: 'balance' })
  expect(await client.billing.balance()).toEqual({ free: 0.95, reserved: 0.05, total: 1 })
  const [adjustment] = (await client.billing.transactions()).data
  expect(adjustment).toMatchObject({ type: 'adjustment', amount: -49.95, free_after: 0.95, reserved_after: 0.05 })
  await sandbox.clock.advance('2h')
  expect(await client.billing.balance()).toEqual({ free: 0.95, reserved: 0, total: 0.95 })
  // The stored answer about the earlier money is deleted.
  await client.billing.topup({ amount: 50, currency: 'EUR' }, { idempotencyKey: 'once' })
  expect(await client.billing.balance()).toMatchObject({ free: 50.95 })
})

test('if more than the initial balance is reserved, nothing is free after a reset of the balance', async () => {
  await using sandbox = await createSandbox({ world: await worldLikeDefault((world) => (world.billing.balance = 0.1)) })
  const { client } = sandbox
  await client.billing.topup({ amount: 10, currency: 'EUR' })
  for (let i = 0; i < 3; i++) await send(sandbox, phones.after1Hour)
  await client.world.reset({ scope: 'balance' })
  expect(await client.billing.balance()).toEqual({ free: 0, reserved: 0.15, total: 0.15 })
})

test('a reset restores the initial rules and faults', async () => {
  const rule = { name: 'from the start', match: { to: phones.ordinary }, behaviour: { outcome: 'never_delivered' } }
  const world = await worldLikeDefault((file) => {
    file.rules = [rule]
    file.faults = [{ routes: ['messages.send'], status: 500, times: 1 }]
  })
  await using sandbox = await createSandbox({ world })
  const { client } = sandbox
  const start = { rules: await client.rules.list(), faults: await client.faults.list() }
  expect([start.rules.rules.length, start.faults.faults.length]).toEqual([1, 1])
  const names = async () => ({
    rules: (await client.rules.list()).rules.map(({ name }) => name),
    faults: (await client.faults.list()).faults.length,
  })
  await client.rules.add({ match: { to: phone(51) }, behaviour: { outcome: 'never_delivered' } })
  await client.faults.clear()
  await client.world.reset({ scope: 'rules' })
  expect(await names()).toEqual({ rules: ['from the start'], faults: 0 })
  await client.world.reset({ scope: 'faults' })
  expect(await names()).toEqual({ rules: ['from the start'], faults: 1 })
  await client.rules.clear()
  await client.world.reset()
  expect(await client.rules.list()).toEqual(start.rules)
})

test('an unknown scope is refused with a suggestion', async () => {
  await using sandbox = await createSandbox()
  const refused = sandbox.client.world.reset({ scope: 'message' as 'messages' })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('did you mean "messages"'),
  })
})

test('sandbox world reset and sandbox.reset() of the library accept a scope', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox)
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const reset = await sandboxCommand(['world', 'reset', '--scope', 'messages'], { env, tty: true })
  expect(reset.stdout).toContain('namespace default: messages are reset')
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  await sandbox.reset('events')
  expect((await sandbox.client.events.list()).events).toEqual([])
  await sandbox.client.agents.suspend(agents.multi, {})
  await sandbox.reset()
  expect((await sandbox.client.agents.get(agents.multi)).status).toBe('APPROVED')
  expect(await sandbox.client.contacts.get(contactOf(0))).toMatchObject({ external_id: 'magic-00' })
})
