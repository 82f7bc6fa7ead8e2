import { expect, test } from 'vitest'
import type { Refusal } from '../../../src/index.ts'
import { agents, channels, emails, phones, rcsText } from '../../magic.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const send = async ({ client }: Sandbox, to: string, more: object = {}) =>
  (await client.messages.send({ ...rcsText, to, ...more })).message_id

const status = async ({ client }: Sandbox, id: string) => (await client.messages.get(id)).status

const eventsOf = async ({ client }: Sandbox, id: string) =>
  (await client.events.list({ subject: id })).events.map(({ event }) => event)

test('a trigger takes a message out of an outage, a full throughput, and to a phone that is switched off', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { carrier } = await client.handsets.show(phones.ordinary)

  await client.carriers.update(carrier, { outage: true })
  const refused = await send(sandbox, phones.ordinary)
  await clock.advance('1m')
  expect(await status(sandbox, refused)).toBe('queued')
  await sandbox.trigger('message.delivered', { message_id: refused })
  expect(await status(sandbox, refused)).toBe('delivered')
  // All three wait alike, so they are called in their order.
  await client.carriers.update(carrier, { outage: false, throughput: 0.001, dispatch_delay: '100ms' })

  const [first, second, third] = [
    await send(sandbox, phones.ordinary),
    await send(sandbox, phones.ordinary),
    await send(sandbox, phones.ordinary),
  ]
  await clock.advance('1m')
  expect([await status(sandbox, second), await status(sandbox, third)]).toEqual(['queued', 'queued'])
  await sandbox.trigger('message.read', { message_id: second })
  expect(await status(sandbox, second)).toBe('read')
  // It took no slot: the third is called as early as without it.
  await clock.advance('1000s')
  expect(await status(sandbox, first)).not.toBe('queued')
  expect(await status(sandbox, third)).not.toBe('queued')
  await client.carriers.reset(carrier)

  await client.handsets.set(phones.ordinary, { on: false })
  const waiting = await send(sandbox, phones.ordinary)
  await clock.advance('1m')
  expect(await client.handsets.show(phones.ordinary)).toMatchObject({ waiting: 1 })
  await sandbox.trigger('message.delivered', { message_id: waiting })
  expect(await client.handsets.show(phones.ordinary)).toMatchObject({ waiting: 0 })
  await client.handsets.set(phones.ordinary, { on: true })
  await clock.advance('1h')
  expect((await eventsOf(sandbox, waiting)).filter((event) => event === 'message.delivered')).toHaveLength(1)
  expect(await client.billing.balance()).toMatchObject({ reserved: 0 })
})

test('a trigger wins over magic recipients and rules; a rule that decides nothing is not counted', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const rule = await client.rules.add({
    match: { to: phones.ordinary },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
    times: 1,
  })
  const spared = await send(sandbox, phones.ordinary)
  await sandbox.trigger('message.delivered', { message_id: spared })
  expect(await client.rules.show(rule.id)).toMatchObject({ hits: 0 })
  const triggered = await send(sandbox, phones.ordinary)
  const magic = await send(sandbox, phones.unknownUser)
  await sandbox.trigger('message.read', { message_id: magic })
  await clock.advance('1h')
  expect(await status(sandbox, triggered)).toBe('failed')
  expect(await status(sandbox, magic)).toBe('read')
  expect(await client.rules.show(rule.id)).toMatchObject({ hits: 1 })
})

test('later steps of the plan still happen after a trigger, and a step that happens once is not repeated', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const fromQueue = await send(sandbox, phones.repliesHello)
  await sandbox.trigger('message.read', { message_id: fromQueue })
  await clock.advance('1h')
  expect(await eventsOf(sandbox, fromQueue)).toEqual(['message.queued', 'message.delivered', 'message.read'])
  expect((await client.events.list({ event: 'conversation.started' })).events).toHaveLength(1)

  const delivered = await send(sandbox, phones.readsAll)
  await sandbox.trigger('message.delivered', { message_id: delivered })
  expect(await status(sandbox, delivered)).toBe('delivered')
  await clock.advance('1h')
  expect(await status(sandbox, delivered)).toBe('read')

  // A plan that would have ended otherwise holds nothing after the delivery.
  const lost = await send(sandbox, phones.unknownUser)
  await clock.advance('150ms')
  while ((await status(sandbox, lost)) === 'queued') await clock.next()
  expect(await status(sandbox, lost)).toBe('dispatched')
  await sandbox.trigger('message.delivered', { message_id: lost })
  await clock.advance('31d')
  expect(await status(sandbox, lost)).toBe('delivered')

  const mail = (
    await client.messages.send({
      channel_id: channels.email,
      to: emails.complained,
      subject: 'Hi',
      content: { text: 'https://example.com' },
    })
  ).message_id
  await sandbox.trigger('email.complained', { message_id: mail })
  await clock.advance('1d')
  expect((await eventsOf(sandbox, mail)).filter((event) => event === 'email.complained')).toHaveLength(1)
})

test('a trigger cannot deliver a message that its carrier refuses; it can only fail it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const strange = { agent_id: agents.otp, traffic_type: 'PROMOTION' }
  const queued = await send(sandbox, phones.readsAll, strange)
  const underway = await send(sandbox, phones.readsAll, strange)
  for (let i = 0; i < 10 && (await status(sandbox, underway)) === 'queued'; i++) await clock.next()
  expect(await status(sandbox, underway)).toBe('dispatched')
  for (const message_id of [queued, underway]) {
    if (/failed/.test(await status(sandbox, message_id))) continue
    for (const event of ['message.delivered', 'message.read'] as const) {
      const refusal: Refusal = await sandbox.trigger(event, { message_id }).catch((error) => error)
      expect(refusal.body).toMatchObject({ details: [{ code: 'refused_by_carrier' }] })
      expect(refusal.message).toContain('REJECTED_SPAM')
    }
  }
  await sandbox.trigger('message.failed', { message_id: underway, failure_reason: 'REJECTED_SPAM' })
  expect(await status(sandbox, underway)).toBe('failed')

  const { launch } = client.agents
  const { carriers } = await launch(agents.regional)
  const dark = carriers.find((one) => one.status !== 'LAUNCHED')!.carrier
  await client.handsets.set(phones.ordinary, { carrier: dark })
  const nowhere = await send(sandbox, phones.ordinary, { agent_id: agents.regional })
  await expect(sandbox.trigger('message.read', { message_id: nowhere })).rejects.toThrow('CARRIER_NOT_LAUNCHED')
  await client.agents.setLaunch(agents.regional, { carrier: dark, status: 'LAUNCHED' })
  expect(await sandbox.trigger('message.read', { message_id: nowhere })).toMatchObject({ to: 'read' })
})

test('explain says which steps were taken by hand', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await send(sandbox, phones.rejectedAsSpam)
  await sandbox.trigger('message.delivered', { message_id: id })
  await clock.advance('1h')
  const { steps } = await client.messages.explain(id)
  const about = (what: string) => steps.find((step) => step.what === what)?.because.map((reason) => reason.about)
  expect(about('dispatched')).toEqual(['by hand'])
  expect(about('planned')?.[0]).toBe('by hand')
  expect(about('delivered')?.[0]).toBe('by hand')
  expect(JSON.stringify(steps)).toContain('sandbox trigger')
  const failed = await send(sandbox, phones.readsAll)
  await sandbox.trigger('message.failed', { message_id: failed, failure_reason: 'ACCOUNT_SUSPENDED' })
  const mail = (
    await client.messages.send({
      channel_id: channels.email,
      to: 'ada@example.com',
      subject: 'Hi',
      content: { text: 'Hi' },
    })
  ).message_id
  await sandbox.trigger('email.opened', { message_id: mail })
  await clock.advance('1m')
  await sandbox.trigger('email.opened', { message_id: mail })
  const opened = (await client.messages.explain(mail)).steps.find((step) => step.what === 'opened')
  expect(opened?.because[0]).toMatchObject({ about: 'by hand' })
  const explained = await client.messages.explain(failed)
  expect(explained.steps.find((step) => step.what === 'failed')!.because[0]).toMatchObject({ about: 'by hand' })
})

test('webhooks of triggered steps are sent as usual, signed and in order', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  const id = await send(sandbox, phones.off)
  const { events } = await sandbox.trigger('message.read', { message_id: id })
  await receiver.until(3)
  expect(receiver.received.map(({ event }) => event.event)).toEqual([
    'message.queued',
    'message.delivered',
    'message.read',
  ])
  expect(receiver.received.slice(1).map(({ event }) => event.id)).toEqual(events.map((one) => one.id))
  expect(receiver.received[2]!.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
})

test.each(['real', 'auto'] as const)('on a clock that is %s a trigger works the same', async (clock) => {
  await using sandbox = await createSandbox({ clock })
  const id = await send(sandbox, phones.neverReads)
  const done = await sandbox.trigger('message.read', { message_id: id })
  expect(done.to).toBe('read')
  expect(await sandbox.client.messages.get(id)).toMatchObject({ status: 'read', read_at: done.at })
})

test('a session fee of a triggered send is held and charged once, and released if the send fails', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const opener = await send(sandbox, phones.ordinary)
  await sandbox.trigger('message.delivered', { message_id: opener })
  await sandbox.trigger('conversation.started', { message_id: opener, text: 'Hi' })
  const follow = { message_type: 'CONVERSATION' }
  const first = await send(sandbox, phones.ordinary, follow)
  await sandbox.trigger('message.failed', { message_id: first, failure_reason: 'UNKNOWN_RCS_USER' })
  const second = await send(sandbox, phones.ordinary, follow)
  await sandbox.trigger('message.read', { message_id: second })
  const [a, b] = [await client.messages.get(first), await client.messages.get(second)]
  expect([a.cost, b.cost]).toEqual(['0.0000', '0.1200'])
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, total: 1000 - 0.05 - 0.12 })
})

test('the same world and the same triggers give the same bytes', async () => {
  const run = async () => {
    await using sandbox = await createSandbox({ seed: 'triggers' })
    const id = await send(sandbox, phones.off)
    const done = await sandbox.trigger('message.read', { message_id: id })
    const answered = await sandbox.trigger('conversation.started', { phone: phones.off, text: 'Hi' })
    return JSON.stringify([done, answered, await sandbox.client.events.list({})])
  }
  const once = JSON.parse(await run())
  const again = JSON.parse(await run())
  delete once[2].log_instance
  delete again[2].log_instance
  expect(again).toEqual(once)
})
