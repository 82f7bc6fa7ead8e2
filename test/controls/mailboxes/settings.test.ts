import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { channels, emails } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'

const shared = sharedSandbox()

const ADA = 'ada@example.com'

const send = async ({ client }: Sandbox, to = ADA) =>
  (
    await client.messages.send({
      channel_id: channels.email,
      to,
      subject: 'Hi',
      content: { text: 'https://example.com' },
    })
  ).message_id

const eventsOf = async ({ client }: Sandbox, id: string) =>
  (await client.events.list({ subject: id })).events.map(({ event }) => event)

test('every address has a mailbox, with defaults until it is changed', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.client.mailboxes.show('Ada@Example.com')).toEqual({
    address: 'Ada@example.com',
    bounces: null,
    opens: null,
    clicks: null,
    complains: null,
    unsubscribes: false,
    delivery_delay: '300ms..1500ms',
    open_delay: '800ms..3s',
    click_delay: '800ms..3s',
    from: {},
    overridden: [],
    does: null,
    contact: null,
  })
})

test('a mailbox follows its settings and delays, in any case of its address', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const set = await client.mailboxes.set('ADA@example.com', {
    clicks: true,
    unsubscribes: true,
    delivery_delay: '2s',
    open_delay: '1m',
    click_delay: '1h',
  })
  expect(set).toMatchObject({ opens: true, clicks: true, unsubscribes: true, from: { opens: 'mailbox' } })
  const id = await send(sandbox)
  await clock.advance('1d')
  expect(await eventsOf(sandbox, id)).toEqual([
    'message.queued',
    'email.delivered',
    'email.opened',
    'email.clicked',
    'email.unsubscribed',
  ])
  const { events } = await client.messages.get(id)
  const at = Object.fromEntries(events.map((step) => [step.type, Date.parse(step.at)]))
  expect([at.delivered! - at.sent!, at.opened! - at.delivered!, at.clicked! - at.opened!]).toEqual([
    2_000, 60_000, 3_600_000,
  ])
  expect((await client.mailboxes.show(ADA)).contact).toMatchObject({ status: 'UNSUBSCRIBED' })
  expect((await client.mailboxes.list()).mailboxes.map(({ address }) => address)).toEqual([ADA])
})

test('a mailbox can bounce everything, and accept mail again', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.mailboxes.set(ADA, { bounces: 'soft' })
  const bounced = await send(sandbox)
  await clock.advance('10s')
  expect((await client.messages.get(bounced)).status).toBe('bounced')
  const ordinary = await client.mailboxes.set(ADA, { bounces: null })
  expect(ordinary).toMatchObject({ bounces: null, from: {} })
  const arrived = await send(sandbox)
  await clock.advance('10s')
  expect((await client.messages.get(arrived)).status).toBe('delivered')
  expect(await client.mailboxes.reset(ADA)).toEqual(ordinary)
})

test.each([
  [{}, ''],
  [{ bounce: 'hard' }, 'bounce'],
  [{ bounces: 'medium' }, 'bounces'],
  [{ opens: 'yes' }, 'opens'],
  [{ opens: false, clicks: true }, 'opens'],
  [{ open_delay: '3s..1s' }, 'open_delay'],
])('the setting %j is refused', async (body, field) => {
  const sandbox = shared()
  expect(await ask(sandbox, 'PATCH', `/_sandbox/mailboxes/${ADA}`, { body })).toMatchObject({
    status: 400,
    json: { details: [{ field }] },
  })
  expect((await sandbox.client.mailboxes.list()).mailboxes).toEqual([])
})

test('a magic mailbox comes first, label or not: what is set without effect is named', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const address = 'opened+label@sandbox.test'
  const set = await client.mailboxes.set(address, {
    bounces: 'hard',
    clicks: true,
    click_delay: '1m',
    open_delay: '7s',
  })
  expect([...set.overridden].sort()).toEqual(['bounces', 'click_delay', 'clicks'])
  expect(set).toMatchObject({ bounces: null, opens: true, clicks: false, does: 'delivered, then opened' })
  expect((await client.mailboxes.set(emails.bounced, { open_delay: '7s' })).overridden).toEqual(['open_delay'])
  await client.contacts.create({ email: address })
  const id = await send(sandbox, address)
  await clock.advance('1h')
  const { status, events } = await client.messages.get(id)
  expect(status).toBe('opened')
  expect(Date.parse(events.at(-1)!.at) - Date.parse(events.at(-2)!.at)).toBe(7_000)
})

test('mailboxes of a world file exist from the start, and are dumped in the same form', async () => {
  const entries = [{ address: ADA, clicks: true, click_delay: '~1s..8s' }]
  const world = await worldLikeDefault((file) => {
    file.mailboxes = entries
  })
  await using sandbox = await createSandbox({ world })
  expect((await sandbox.client.mailboxes.show(ADA)).click_delay).toBe('~1s..8s')
  expect(parse((await sandbox.client.world.dump({})) as string).mailboxes).toEqual(entries)
})

test.each([
  [[{ address: 'ada' }], 'mailboxes[0].address'],
  [[{ address: ADA, open: true }], 'mailboxes[0].open'],
  [[{ address: ADA, opens: true }, { address: 'Ada@Example.com' }], 'mailboxes[1].address'],
])('a world file with the mailboxes %j is refused', async (mailboxes, field) => {
  const world = await worldLikeDefault((file) => {
    file.mailboxes = mailboxes
  })
  await expect(createSandbox({ world })).rejects.toMatchObject({ code: 'validation_error', details: [{ field }] })
})
