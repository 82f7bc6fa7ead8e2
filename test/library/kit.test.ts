import { expect, test } from 'vitest'
import { Unreachable } from '../../src/index.ts'
import { channels, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const PHONE = '+4915112345678'

const email = (to: string) => ({
  channel_id: channels.email,
  to,
  message_type: 'MESSAGE' as const,
  content: {
    subject: 'Your order',
    html: '<a href="https://shop.example/1">One</a> <a href="https://shop.example/2">Two</a>',
  },
})

test('a test can set, read and use a phone', async () => {
  await using sandbox = await createSandbox()
  const phone = sandbox.handset(PHONE)
  await sandbox.client.contacts.create({ phone: PHONE }).then(({ id }) =>
    sandbox.client.consent.record(id, {
      channel_type: 'RCS',
      message_type: 'MESSAGE',
      status: 'GRANTED',
      source: 'test',
    }),
  )
  await phone.set({ on: false })
  const content = { text: 'Coming?', suggestions: [{ reply: { text: 'Yes', postback_data: 'eWVz' } }] }
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: PHONE, content })
  await sandbox.clock.advance('1m')
  expect(await phone.inbox()).toEqual([])
  await phone.set({ on: null })
  await sandbox.clock.advance('1m')
  expect(await phone.inbox()).toMatchObject([{ message_id }])
  await phone.tap()
  await phone.reply('On my way')
  const names: string[] = []
  for await (const { event } of sandbox.events) names.push(event)
  expect(names.filter((name) => name === 'conversation.started')).toHaveLength(2)
  await phone.reset()
  expect(await phone.show()).toMatchObject({ from: {} })
})

test('a test can open, click, complain and bounce in a mailbox', async () => {
  await using sandbox = await createSandbox()
  const mailbox = sandbox.mailbox('ada@example.com')
  const { message_id } = await sandbox.client.messages.send(email(mailbox.address))
  await sandbox.clock.advance('1h')
  await mailbox.open()
  await mailbox.click({ index: 1 })
  await mailbox.complain({ message_id })
  expect(await mailbox.inbox()).toMatchObject([{ message_id, subject: 'Your order' }])
  const events = (await sandbox.events.list({ subject: message_id })).events
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['email.delivered', 'email.opened', 'email.clicked', 'email.complained']),
  )
  await sandbox.mailbox('bob@example.com').set({ bounces: 'hard' })
  const lost = await sandbox.client.messages.send(email('bob@example.com'))
  await sandbox.clock.advance('1h')
  expect(await sandbox.client.messages.get(lost.message_id)).toMatchObject({ status: 'bounced' })
})

test('a receiver keeps verified deliveries, fails as often as configured, and counts an event once', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await sandbox.receiver({ events: ['contact.*'], failFirst: 2 })
  await sandbox.client.contacts.create({ phone: PHONE })
  await sandbox.settle()
  expect(receiver.deliveries.map(({ attempt, status, verified }) => ({ attempt, status, verified }))).toEqual([
    { attempt: 1, status: 500, verified: true },
  ])
  expect(receiver.events).toEqual([])
  await sandbox.clock.advance('10m')
  expect(receiver.deliveries.map(({ status }) => status)).toEqual([500, 500, 200])
  expect(receiver.events).toMatchObject([{ event: 'contact.created', data: { phone: PHONE } }])
  expect(Buffer.from(receiver.deliveries[0]!.rawBody).toString()).toContain('"event":"contact.created"')

  receiver.clear()
  receiver.answer({ status: 410 })
  await sandbox.client.contacts.create({ phone: '+4915112345679' })
  await sandbox.settle()
  expect(receiver.deliveries).toMatchObject([{ status: 410 }])
  expect(() => receiver.answer({ delay: 'soon' })).toThrow('delay: must be a duration')
  expect(() => receiver.answer({ status: 99 })).toThrow('status: must be an HTTP status')
  expect((await sandbox.webhooks.list()).data).toHaveLength(1)
  await receiver.stop()
  expect((await sandbox.webhooks.list()).data).toEqual([])
})

test.each(['frozen', 'real', 'auto', 'scaled:60'] as const)(
  'on a %s clock settle resolves when what is due is done and delivered, and not before',
  async (clock) => {
    await using sandbox = await createSandbox({ clock })
    await using receiver = await sandbox.receiver({ delay: '100ms' })
    const before = await sandbox.clock.now()
    await sandbox.client.contacts.create({ phone: PHONE })
    await sandbox.settle()
    expect(receiver.events).toMatchObject([{ event: 'contact.created' }])
    if (clock === 'frozen') expect(await sandbox.clock.now()).toBe(before)
  },
)

test('a receiver outlives the sandbox it belongs to without harm', async () => {
  const sandbox = await createSandbox()
  const receiver = await sandbox.receiver()
  await sandbox.stop()
  await receiver.stop()
  await expect(sandbox.client.world.health()).rejects.toThrow(Unreachable)
})
