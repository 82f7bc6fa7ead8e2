import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { agents, channels, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'

const shared = sharedSandbox()

const PHONE = phones.ordinary

const send = ({ client }: Sandbox, more: object = {}) => client.messages.send({ ...rcsText, to: PHONE, ...more })

test('a phone without settings has the defaults of its carrier', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  expect(await client.handsets.show(PHONE)).toEqual({
    phone: PHONE,
    carrier: 'alpentel',
    rcs_capable: true,
    on: true,
    read_receipts: true,
    outcome: null,
    failure_reason: null,
    read: null,
    replies: null,
    taps: null,
    delivery_delay: '600ms..2500ms',
    read_delay: '1s..4s',
    reply_delay: '1s..4s',
    from: {},
    overridden: [],
    does: null,
    waiting: 0,
    sessions: [],
  })
  expect(await client.handsets.list()).toEqual({ handsets: [] })
})

test('the phones of contacts are listed with their carriers, magic recipients included', async () => {
  await using sandbox = await createSandbox()
  const { handsets } = await sandbox.client.handsets.list({ contacts: 'true' })
  expect(handsets.length).toBeGreaterThan(60)
  expect(handsets[0]).toMatchObject({ phone: phones.readsAll, carrier: 'rheinmobil', does: 'delivered, then read' })
  expect(handsets).toContainEqual(expect.objectContaining({ phone: PHONE, carrier: 'alpentel', does: null }))
})

test('a setting shows its source; null resets it, and a reset clears all of them', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ordinary = await client.handsets.show(PHONE)
  const set = await client.handsets.set(PHONE, {
    carrier: 'nordfunk',
    on: false,
    read_receipts: false,
    replies: 'STOP',
    reply_delay: '~1s..8s',
    delivery_delay: '5s',
  })
  expect(set).toMatchObject({
    carrier: 'nordfunk',
    on: false,
    read_receipts: false,
    read: true,
    replies: 'STOP',
    reply_delay: '~1s..8s',
    delivery_delay: '5s',
    read_delay: '600ms..2s',
  })
  expect(Object.keys(set.from).sort()).toEqual(
    ['carrier', 'delivery_delay', 'on', 'read', 'read_receipts', 'replies', 'reply_delay'].sort(),
  )
  expect((await client.handsets.list()).handsets).toEqual([set])
  expect(await client.handsets.set(PHONE, { carrier: null, replies: null })).toMatchObject({
    carrier: 'alpentel',
    replies: null,
    read: null,
    on: false,
  })
  expect(await client.handsets.reset(PHONE)).toEqual(ordinary)
  expect(await client.handsets.list()).toEqual({ handsets: [] })
  expect(await client.handsets.reset(PHONE)).toEqual(ordinary)
})

test('the newer of a reply and a tap replaces the other', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.handsets.set(PHONE, { replies: 'Hi' })
  expect(await client.handsets.set(PHONE, { taps: 1 })).toMatchObject({ replies: null, taps: 1 })
  expect(await client.handsets.set(PHONE, { replies: 'Hi' })).toMatchObject({ replies: 'Hi', taps: null })
})

test.each([
  [{}, ''],
  [{ caried: 'nordfunk' }, 'caried'],
  [{ carrier: 'nordfnk' }, 'carrier'],
  [{ on: 'yes' }, 'on'],
  [{ taps: -1 }, 'taps'],
  [{ replies: '' }, 'replies'],
  [{ replies: 'a', taps: 0 }, 'taps'],
  [{ replies: 'a', read: false }, 'read'],
  [{ outcome: 'failed' }, 'failure_reason'],
  [{ failure_reason: 'REJECTED_SPAM' }, 'failure_reason'],
  [{ outcome: 'bounced' }, 'outcome'],
  [{ read_delay: 'soon' }, 'read_delay'],
])('the setting %j is refused', async (body, field) => {
  const sandbox = shared()
  expect(await ask(sandbox, 'PATCH', `/_sandbox/handsets/${PHONE}`, { body })).toMatchObject({
    status: 400,
    json: { error: 'validation_error', details: [{ field }] },
  })
  expect((await sandbox.client.handsets.list()).handsets).toEqual([])
})

test.each(['ada', '030 23125001', 'ada@example.com'])('the phone number %s is refused', async (phone) => {
  const sandbox = shared()
  for (const [method, body] of [['GET'], ['PATCH', { on: false }], ['DELETE']] as const)
    expect(await ask(sandbox, method, `/_sandbox/handsets/${encodeURIComponent(phone)}`, { body })).toMatchObject({
      status: 400,
      json: { details: [{ field: 'phone' }] },
    })
})

test('a send to a phone without RCS is a 404, and SMS is not affected', async () => {
  const world = await worldLikeDefault((file) => {
    file.preview = { sms: true }
    file.contacts.find(({ external_id }: { external_id: string }) => external_id === 'magic-50').consent = [
      { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' },
      { channel_type: 'SMS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' },
    ]
  })
  await using sandbox = await createSandbox({ world })
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { rcs_capable: false })
  await expect(send(sandbox)).rejects.toMatchObject({ status: 404, code: 'device_not_rcs_capable' })
  const { message_id } = await client.messages.send({ channel_id: channels.sms, to: PHONE, content: { text: 'Hi' } })
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'delivered' })
})

test('a phone that loses RCS after the send fails with UNKNOWN_RCS_USER when the message reaches it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await send(sandbox)
  await client.handsets.set(PHONE, { rcs_capable: false })
  await clock.advance('1m')
  const message = await client.messages.get(message_id)
  expect(message).toMatchObject({ status: 'failed', failure_reason: 'UNKNOWN_RCS_USER' })
  expect(message.sent_at).not.toBeNull()
  expect(message.error_message).not.toBeNull()
  expect((await client.billing.balance()).reserved).toBe(0)
})

test('without read receipts a message stays delivered, and the reply still arrives', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { read_receipts: false, replies: 'Thanks', read_delay: '10s', reply_delay: '5s' })
  const { message_id } = await send(sandbox)
  await clock.advance('1m')
  const message = await client.messages.get(message_id)
  expect(message).toMatchObject({ status: 'delivered', read_at: null })
  const { events } = await client.events.list({})
  const started = events.find(({ event }) => event === 'conversation.started')!
  expect(started.data).toMatchObject({ from: PHONE, user_message: { type: 'text', text: 'Thanks' } })
  expect(Date.parse(started.timestamp) - Date.parse(message.delivered_at!)).toBe(15_000)
  expect((await client.handsets.show(PHONE)).sessions).toEqual([
    { agent_id: agents.multi, session_expires_at: (started.data as { session_expires_at: string }).session_expires_at },
  ])
})

test('a user who answers reads first, with the delays that were set', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.carriers.updateAll({ read: 0 })
  await client.handsets.set(PHONE, { taps: 1, delivery_delay: '3s', read_delay: '10s', reply_delay: '5s' })
  const chip = (text: string) => ({ reply: { text, postback_data: 'eWVz' } })
  const { message_id } = await send(sandbox, { content: { text: 'Well?', suggestions: [chip('Yes'), chip('No')] } })
  await clock.advance('1m')
  const { sent_at, delivered_at, read_at } = await client.messages.get(message_id)
  const [sent, delivered, read] = [sent_at, delivered_at, read_at].map((at) => Date.parse(at!))
  expect([delivered! - sent!, read! - delivered!]).toEqual([3_000, 10_000])
  const { events } = await client.events.list({})
  const started = events.find(({ event }) => event === 'conversation.started')!
  expect(Date.parse(started.timestamp) - read!).toBe(5_000)
  expect(started.data).toMatchObject({ user_message: { type: 'suggested_reply', text: 'No' } })
})

test('a phone can be on another carrier, which then decides about the agent', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const before = await send(sandbox, { agent_id: agents.regional })
  await clock.advance('1m')
  await client.handsets.set(PHONE, { carrier: 'nordfunk' })
  const after = await send(sandbox, { agent_id: agents.regional })
  await clock.advance('1m')
  expect((await client.messages.get(before.message_id)).failure_reason).toBe('CARRIER_NOT_LAUNCHED')
  expect((await client.messages.get(after.message_id)).delivered_at).not.toBeNull()
})

test('a phone can be one to which messages fail, or never come', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(PHONE, { outcome: 'failed', failure_reason: 'ACCOUNT_SUSPENDED' })
  const failed = await send(sandbox)
  await clock.advance('1m')
  await client.handsets.set(PHONE, { outcome: 'never_delivered' })
  const lost = await send(sandbox, { ttl: '60s' })
  await clock.advance('2m')
  expect(await client.messages.get(failed.message_id)).toMatchObject({
    status: 'failed',
    failure_reason: 'ACCOUNT_SUSPENDED',
  })
  expect(await client.messages.get(lost.message_id)).toMatchObject({ status: 'expired' })
})

test('a magic recipient overrides the handset: only what it leaves open can be set', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const set = await client.handsets.set(phones.readsAll, {
    on: false,
    rcs_capable: false,
    read_receipts: false,
    outcome: 'never_delivered',
    carrier: 'nordfunk',
    replies: 'Hi',
    read_delay: '7s',
  })
  expect(set).toMatchObject({ on: true, rcs_capable: true, read_receipts: true, outcome: 'delivered', replies: 'Hi' })
  expect(set.does).toBe('delivered, then read')
  expect([...set.overridden].sort()).toEqual(['on', 'outcome', 'rcs_capable', 'read_receipts'])
  expect(set.from).toEqual({
    outcome: 'magic recipient',
    read: 'magic recipient',
    carrier: 'handset',
    replies: 'handset',
    read_delay: 'handset',
  })
  const { message_id } = await send(sandbox, { to: phones.readsAll })
  await clock.advance('1m')
  const message = await client.messages.get(message_id)
  expect(message.status).toBe('read')
  expect(Date.parse(message.read_at!) - Date.parse(message.delivered_at!)).toBe(7_000)
  expect((await client.messages.list({ direction: 'INBOUND' })).messages).toHaveLength(1)
})

test('on a magic recipient that never gets a message nothing else has effect', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const settings = { on: false, replies: 'Hi', delivery_delay: '1s', read_receipts: false }
  for (const phone of [phones.rejectedAsSpam, phones.off, phones.notCapable])
    expect([...(await client.handsets.set(phone, settings)).overridden].sort()).toEqual(Object.keys(settings).sort())
  expect((await client.handsets.set(phones.neverReads, { replies: 'Hi' })).overridden).toEqual(['replies'])
})

test('handsets of a world file exist from the start, and are dumped in the same form', async () => {
  const entries = [
    { phone: '+491713920051', on: false },
    { phone: '+491713920052', carrier: 'alpentel', replies: 'Hi', reply_delay: '~1s..8s' },
  ]
  const world = await worldLikeDefault((file) => {
    file.handsets = entries
  })
  await using sandbox = await createSandbox({ world })
  const { handsets } = await sandbox.client.handsets.list()
  expect(handsets.map(({ phone, on, replies }) => [phone, on, replies])).toEqual([
    ['+491713920051', false, null],
    ['+491713920052', true, 'Hi'],
  ])
  expect(parse((await sandbox.client.world.dump({})) as string).handsets).toEqual(entries)
})

test.each([
  [[{ phone: '+491713920051', carrier: 'nordfnk' }], 'handsets[0].carrier'],
  [[{ phone: '+491713920051', onn: true }], 'handsets[0].onn'],
  [[{ phone: '12' }], 'handsets[0].phone'],
  [[{ phone: '+491713920051', taps: 0, replies: 'a' }], 'handsets[0].taps'],
  [
    [
      { phone: '+491713920051', on: false },
      { phone: '+491713920051', on: true },
    ],
    'handsets[1].phone',
  ],
])('a world file with the handsets %j is refused', async (handsets, field) => {
  const world = await worldLikeDefault((file) => {
    file.handsets = handsets
  })
  await expect(createSandbox({ world })).rejects.toMatchObject({ code: 'validation_error', details: [{ field }] })
})

test('a setting that was refused with its transaction leaves no trace', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.handsets.set(PHONE, { on: false })
  await ask(sandbox, 'PATCH', `/_sandbox/handsets/${PHONE}`, { body: { on: true, carrier: 'none' } })
  expect((await client.handsets.show(PHONE)).on).toBe(false)
  const { message_id } = await send(sandbox)
  await sandbox.clock.advance('1m')
  expect((await client.messages.get(message_id)).status).toBe('dispatched')
})
