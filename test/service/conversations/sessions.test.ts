import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { agents, channels, contactOf, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const conversation = (to: string) => ({ ...rcsText, message_type: 'CONVERSATION', to }) as const
const suggestions = [
  { reply: { text: 'Yes', postback_data: 'eWVz' } },
  { action: { text: 'Track it', open_url: { url: 'https://example.com' } } },
]
const withChips = (to: string) => ({ ...rcsText, to, content: { text: 'Hi', suggestions } })

interface Logged {
  timestamp: string
  data: Record<string, unknown>
}

const logged = async ({ client }: Sandbox, event: string) =>
  (await client.events.list({ event })).events as unknown as Logged[]
const started = (sandbox: Sandbox) => logged(sandbox, 'conversation.started')
const ended = (sandbox: Sandbox) => logged(sandbox, 'conversation.ended')
const inbound = async ({ client }: Sandbox) => (await client.messages.list({ direction: 'INBOUND' })).messages

/** How long a session lasts, in ms. */
const DAY = 86_400_000

test('a reply opens a session for 24 hours, in which CONVERSATION may be sent', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await expect(client.messages.send(conversation(phones.repliesHello))).rejects.toMatchObject({
    code: 'no_active_session',
  })
  await clock.advance('1m')

  const [event, ...more] = await started(sandbox)
  expect(more).toEqual([])
  const repliedAt = Date.parse(event!.timestamp)
  const session_expires_at = new Date(repliedAt + DAY).toISOString()
  expect(event!.data).toEqual({
    agent_id: agents.multi,
    from: phones.repliesHello,
    session_expires_at,
    user_message: { type: 'text', text: 'Hello', postback_data: null },
  })

  const leftMs = repliedAt + DAY - Date.parse((await client.clock.show()).now)
  await clock.advance(`${leftMs - 1}ms`)
  expect(await client.messages.send({ ...conversation(phones.repliesHello), ttl: '1s' })).toMatchObject({
    status: 'queued',
  })
  expect(await ended(sandbox)).toEqual([])
  await clock.advance('1ms')
  await expect(client.messages.send(conversation(phones.repliesHello))).rejects.toMatchObject({
    code: 'no_active_session',
  })
  expect(await ended(sandbox)).toMatchObject([
    {
      timestamp: session_expires_at,
      data: { agent_id: agents.multi, with: phones.repliesHello, ended_at: session_expires_at, reason: 'ttl_expired' },
    },
  ])
})

test('each reply moves the end of the session', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await clock.advance('1h')
  const first = await client.handsets.reply(phones.neverReads, { agent_id: agents.multi, text: 'One' })
  expect(first.session_expires_at).toBe('2026-01-02T01:00:00.000Z')
  await clock.advance('23h')
  const second = await client.handsets.reply(phones.neverReads, { agent_id: agents.multi, text: 'Two' })
  expect(second.session_expires_at).toBe('2026-01-03T00:00:00.000Z')
  await clock.advance('2h')
  expect(await client.messages.send(conversation(phones.neverReads))).toMatchObject({ status: 'queued' })
  expect(await ended(sandbox)).toEqual([])
  await clock.advance('22h')
  expect((await ended(sandbox)).map(({ data }) => data.ended_at)).toEqual(['2026-01-03T00:00:00.000Z'])
  expect((await started(sandbox)).map(({ data }) => data.session_expires_at)).toEqual([
    first.session_expires_at,
    second.session_expires_at,
  ])
})

test('a reply in the very instant a session ends opens the next one', async () => {
  // The phone reads a day after delivery and answers a day after that, just when the session of its earlier reply ends.
  const world = await worldLikeDefault((file) => {
    for (const carrier of file.carriers)
      Object.assign(carrier, { dispatch_delay: '0s', delivery_delay: '0s', read_delay: '24h' })
  })
  await using sandbox = await createSandbox({ world })
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await clock.advance('24h')
  expect(await client.handsets.reply(phones.repliesHello, { agent_id: agents.multi, text: 'Early' })).toMatchObject({
    session_expires_at: '2026-01-03T00:00:00.000Z',
  })
  await clock.advance('24h')

  const { events } = await client.events.list({ event: 'conversation.started,conversation.ended' })
  expect(events.map(({ event, timestamp }) => `${event} ${timestamp}`)).toEqual([
    'conversation.started 2026-01-02T00:00:00.000Z',
    'conversation.ended 2026-01-03T00:00:00.000Z',
    'conversation.started 2026-01-03T00:00:00.000Z',
  ])
  expect(await client.messages.send(conversation(phones.repliesHello))).toMatchObject({
    billing: { in_session: false, hold_amount: 0.12 },
  })
  await clock.advance('24h')
  expect((await ended(sandbox)).map(({ timestamp }) => timestamp)).toEqual([
    '2026-01-03T00:00:00.000Z',
    '2026-01-04T00:00:00.000Z',
  ])
})

test('a session belongs to one agent and one phone', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await clock.advance('1m')
  expect(await client.messages.send(conversation(phones.repliesHello))).toMatchObject({ status: 'queued' })
  for (const other of [
    conversation(phones.neverReads),
    { ...conversation(phones.repliesHello), agent_id: agents.transactional },
  ])
    await expect(client.messages.send(other)).rejects.toMatchObject({ code: 'no_active_session' })
})

test('an inbound message is in the log, as a message to the agent', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await clock.advance('1m')
  const [message] = await inbound(sandbox)
  expect(message).toMatchObject({
    direction: 'INBOUND',
    status: 'received',
    message_type: 'CONVERSATION',
    channel: 'RCS',
    channel_id: channels.rcs,
    agent_id: agents.multi,
    contact_id: contactOf(30),
    to: agents.multi,
    content_type: 'TEXT',
    content: { type: 'text', text: 'Hello', from: phones.repliesHello },
    cost: null,
    ttl: null,
    events: [{ type: 'received' }],
  })
  expect(message!.created_at).toBe((await started(sandbox))[0]!.timestamp)
  await clock.advance('31d')
  expect(await client.messages.get(message!.id)).toEqual(message)
})

/** The ways in which a phone number loses its contact. */
const departures: readonly [string, (sandbox: Sandbox) => Promise<unknown>][] = [
  ['is deleted', ({ client }) => client.contacts.delete('magic-30')],
  [
    'is blocked and deleted',
    async ({ client }) => {
      await client.contacts.update('magic-30', { status: 'BLOCKED' })
      await client.contacts.delete('magic-30')
    },
  ],
  [
    'withdraws its consent and is deleted',
    async ({ client }) => {
      const { consent_records } = await client.consent.list('magic-30')
      for (const { id } of consent_records) await client.consent.revoke('magic-30', id)
      await client.contacts.delete('magic-30')
    },
  ],
  ['moves to another number', ({ client }) => client.contacts.update('magic-30', { phone: '+491713920165' })],
  [
    'is updated with another number',
    ({ client }) => client.contacts.create({ external_id: 'magic-30', phone: '+491713920165' }),
  ],
]

test.each(departures)('a conversation is refused with a number whose contact %s', async (_, depart) => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await clock.advance('1m')
  expect(await client.messages.send(conversation(phones.repliesHello))).toMatchObject({ status: 'queued' })
  const before = await client.billing.balance()
  await depart(sandbox)
  await expect(client.messages.send(conversation(phones.repliesHello))).rejects.toMatchObject({
    status: 422,
    code: 'missing_consent',
  })
  expect(await client.billing.balance()).toEqual(before)
})

test('a reply belongs to the contact that has the number now', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const hello = { agent_id: agents.multi, text: 'Hello' }
  const replyContact = async () => {
    const { message_id } = await client.handsets.reply(phones.neverReads, hello)
    return (await client.messages.get(message_id)).contact_id
  }
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await clock.advance('1m')
  expect(await replyContact()).toBe(contactOf(1))

  // The contact has moved, so it keeps its conversation until somebody else has the number.
  await client.contacts.update('magic-01', { phone: '+491713920161' })
  expect(await replyContact()).toBe(contactOf(1))
  const heir = await client.contacts.create({ phone: phones.neverReads })
  expect(await replyContact()).toBe(heir.id)
  const { message_id } = await client.messages.send(conversation(phones.neverReads))
  expect((await client.messages.get(message_id)).contact_id).toBe(heir.id)
})

test('a reply from a number whose contact was deleted creates a contact', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await clock.advance('1m')
  await client.contacts.delete('magic-01')
  const { message_id } = await client.handsets.reply(phones.neverReads, { agent_id: agents.multi, text: 'Hello' })
  const { contact_id } = await client.messages.get(message_id)
  expect(contact_id).not.toBe(contactOf(1))
  expect(await client.contacts.get(contact_id)).toMatchObject({ phone: phones.neverReads, consent_records: [] })
  expect(await logged(sandbox, 'contact.created')).toMatchObject([{ data: { contact_id } }])
})

test('a phone taps the first suggestion, and its postback_data comes back', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send(withChips(phones.tapsFirstSuggestion))
  await clock.advance('1m')
  expect((await started(sandbox)).map(({ data }) => data.user_message)).toEqual([
    { type: 'suggested_reply', text: 'Yes', postback_data: 'eWVz' },
  ])
  expect(await inbound(sandbox)).toMatchObject([
    { content_type: 'INTERACTIVE', content: { type: 'suggested_reply', postback_data: 'eWVz' } },
  ])
  expect(await client.messages.send(conversation(phones.tapsFirstSuggestion))).toMatchObject({ status: 'queued' })
})

test('a phone that would tap does nothing where there is no suggestion', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.tapsFirstSuggestion })
  await sandbox.clock.advance('1h')
  expect((await sandbox.client.messages.list()).messages).toMatchObject([{ status: 'read' }])
  expect(await started(sandbox)).toEqual([])
})

test('a phone replies STOP', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.repliesStop })
  await sandbox.clock.advance('1m')
  expect((await started(sandbox))[0]!.data).toMatchObject({ user_message: { type: 'text', text: 'STOP' } })
})

test('a handset can be made to tap any suggestion, in the order they are shown', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const chip = (n: number) => ({
    reply: { text: `Chip ${n}`, postback_data: Buffer.from(String(n)).toString('base64') },
  })
  const cards = [
    { title: 'A', suggestions: [chip(0), chip(1)] },
    { title: 'B' },
    { title: 'C', suggestions: [chip(2)] },
  ]
  const { message_id } = await client.messages.send({
    ...rcsText,
    to: phones.neverReads,
    content: { rich_card: { carousel: { card_width: 'SMALL', cards } } },
  })
  const plain = await client.messages.send(withChips(phones.neverReads))
  await clock.advance('1m')
  for (const index of [2, 0, 1]) await client.handsets.tap(phones.neverReads, { message_id, index })
  await client.handsets.tap(phones.neverReads, { message_id: plain.message_id, index: 1 })
  expect((await started(sandbox)).map(({ data }) => data.user_message)).toEqual([
    { type: 'suggested_reply', text: 'Chip 2', postback_data: 'Mg==' },
    { type: 'suggested_reply', text: 'Chip 0', postback_data: 'MA==' },
    { type: 'suggested_reply', text: 'Chip 1', postback_data: 'MQ==' },
    { type: 'suggested_action', text: 'Track it', postback_data: null },
  ])
})

test('a user cannot answer a message that has not arrived', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const queued = await client.messages.send(withChips(phones.neverReads))
  const failed = await client.messages.send(withChips(phones.unknownUser))
  const delivered = await client.messages.send(withChips(phones.readsAll))
  const reply = (phone: string, agent_id = agents.multi) =>
    ask(sandbox, 'POST', `/_sandbox/handsets/${phone}/reply`, { body: { agent_id, text: 'Hi' } })
  const tap = (phone: string, message_id: string, index?: number) =>
    ask(sandbox, 'POST', `/_sandbox/handsets/${phone}/tap`, { body: { message_id, index } })
  const nothing = { status: 409, json: { error: 'nothing_to_answer', details: [] } }
  expect(await reply(phones.neverReads)).toMatchObject(nothing)
  expect(await tap(phones.neverReads, queued.message_id)).toMatchObject(nothing)
  await clock.advance('1m')
  expect(await reply(phones.unknownUser)).toMatchObject(nothing)
  expect(await reply(phones.readsAll, agents.transactional)).toMatchObject(nothing)
  expect(await tap(phones.unknownUser, failed.message_id)).toMatchObject(nothing)
  expect(await tap(phones.neverReads, delivered.message_id)).toMatchObject(nothing)
  expect(await tap(phones.readsAll, delivered.message_id, 2)).toMatchObject({
    ...nothing,
    json: { message: expect.stringContaining('2 suggestions') },
  })
  expect(await tap(phones.readsAll, 'msg_00000000-0000-4000-8000-00000000dead')).toMatchObject({ status: 404 })
  expect(await reply('nonsense')).toMatchObject({ status: 400, json: { details: [{ field: 'phone' }] } })
  expect(await inbound(sandbox)).toEqual([])
  expect((await tap(phones.readsAll, delivered.message_id, 1)).status).toBe(200)
  expect((await reply(encodeURIComponent(phones.neverReads))).status).toBe(200)
})

test('a newsletter or MESSAGE needs no session, and opens none', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('1h')
  await expect(sandbox.client.messages.send(conversation(phones.readsAll))).rejects.toMatchObject({
    code: 'no_active_session',
  })
  expect(await started(sandbox)).toEqual([])
})
