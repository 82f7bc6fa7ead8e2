import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const ADA = 'ada@example.com'
const HTML = '<p>Hello</p><a href="https://example.com/a?x=1&amp;y=2">A</a> <a href="https://example.com/b">B</a>'

const send = async ({ client }: Sandbox, to = ADA, more: object = {}) =>
  (await client.messages.send({ channel_id: channels.email, to, subject: 'Hi', content: { html: HTML }, ...more }))
    .message_id

async function delivered(sandbox: Sandbox, to = ADA) {
  const id = await send(sandbox, to)
  await sandbox.clock.advance('10s')
  expect((await sandbox.client.messages.get(id)).delivered_at).not.toBeNull()
  return id
}

const eventsOf = async ({ client }: Sandbox, id: string) =>
  (await client.events.list({ subject: id })).events
    .filter(({ event }) => event.startsWith('email.'))
    .map(({ event, data, timestamp }) => ({ event, url: (data as { url?: string }).url, timestamp }))

test('the owner of a mailbox opens an email, by default the newest one', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const older = await delivered(sandbox)
  const newer = await delivered(sandbox)
  expect(await client.mailboxes.open('ADA@Example.com')).toEqual({
    message_id: newer,
    status: 'opened',
    event: 'email.opened',
    url: null,
    contact_status: 'ACTIVE',
  })
  expect((await client.messages.get(older)).status).toBe('delivered')
  await client.mailboxes.open(ADA, { message_id: older })
  expect((await client.messages.get(older)).status).toBe('opened')
})

test('a link is clicked by its place or its text in the email; the event names it', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const id = await delivered(sandbox)
  await client.mailboxes.click(ADA)
  await client.mailboxes.click(ADA, { index: 1 })
  expect(await client.mailboxes.click(ADA, { url: 'https://example.com/a?x=1&y=2' })).toMatchObject({
    status: 'clicked',
  })
  expect((await eventsOf(sandbox, id)).map(({ event, url }) => [event, url])).toEqual([
    ['email.delivered', undefined],
    ['email.clicked', 'https://example.com/a?x=1&y=2'],
    ['email.clicked', 'https://example.com/b'],
    ['email.clicked', 'https://example.com/a?x=1&y=2'],
  ])
})

test('each opening and click is an event; status and timeline keep the first', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await delivered(sandbox)
  for (const action of ['open', 'open', 'click', 'click', 'open'] as const) {
    await client.mailboxes[action](ADA)
    await clock.advance('1m')
  }
  const events = await eventsOf(sandbox, id)
  expect(events.map(({ event }) => event)).toEqual([
    'email.delivered',
    'email.opened',
    'email.opened',
    'email.clicked',
    'email.clicked',
    'email.opened',
  ])
  const message = await client.messages.get(id)
  expect(message.status).toBe('clicked')
  expect(message.events.slice(-2)).toEqual([
    { type: 'opened', at: events[1]!.timestamp },
    { type: 'clicked', at: events[3]!.timestamp },
  ])
})

test('an email that is clicked before it is opened has its timeline in that order', async () => {
  await using sandbox = await createSandbox()
  const id = await delivered(sandbox)
  await sandbox.client.mailboxes.click(ADA)
  await sandbox.clock.advance('1m')
  await sandbox.client.mailboxes.open(ADA)
  const { events } = await sandbox.client.messages.get(id)
  expect(events.map(({ type }) => type)).toEqual(['queued', 'sent', 'delivered', 'clicked', 'opened'])
})

test('an email on its way bounces hard or soft; a hard bounce suppresses the contact, and the hold comes back', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { total } = await client.billing.balance()
  const soft = await send(sandbox)
  await clock.advance('500ms')
  expect(await client.mailboxes.bounce(ADA, { bounce_type: 'soft' })).toEqual({
    message_id: soft,
    status: 'bounced',
    event: 'email.bounced',
    url: null,
    contact_status: 'ACTIVE',
  })
  const hard = await send(sandbox)
  await clock.advance('500ms')
  expect(await client.mailboxes.bounce(ADA)).toMatchObject({ message_id: hard, contact_status: 'BOUNCED' })
  const { events } = await client.events.list({})
  expect(
    events.flatMap(({ event, data }) =>
      event === 'email.bounced' && 'bounce_type' in data ? [[data.bounce_type, data.bounce_code]] : [],
    ),
  ).toEqual([
    ['soft', '4.2.2'],
    ['hard', '5.1.1'],
  ])
  await clock.advance('1h')
  for (const id of [soft, hard]) expect((await client.messages.get(id)).status).toBe('bounced')
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, total })
})

test('a queued or delivered email does not bounce, and the refusal names its status', async () => {
  await using sandbox = await createSandbox()
  const { clock } = sandbox
  const id = await send(sandbox)
  const bounce = (body: object = {}) => ask(sandbox, 'POST', `/_sandbox/mailboxes/${ADA}/bounce`, { body })
  expect(await bounce()).toMatchObject({
    status: 409,
    json: { error: 'message_state_conflict', message_status: 'queued', message: expect.stringContaining('dispatched') },
  })
  await clock.advance('10s')
  expect(await bounce({ message_id: id })).toMatchObject({
    status: 409,
    json: { error: 'message_state_conflict', message_status: 'delivered' },
  })
  expect(await bounce()).toMatchObject({ status: 409, json: { error: 'nothing_to_answer' } })
})

test.each([
  ['complain', 'email.complained'],
  ['unsubscribe', 'email.unsubscribed'],
] as const)(
  'to %s makes the contact UNSUBSCRIBED and takes its newsletter consent back, once',
  async (action, event) => {
    await using sandbox = await createSandbox()
    const { client } = sandbox
    const { id: contact } = await client.contacts.create({ email: ADA })
    await client.consent.record(contact, {
      channel_type: 'EMAIL',
      message_type: 'NEWSLETTER',
      status: 'GRANTED',
      source: 'test',
    })
    const id = await delivered(sandbox)
    expect(await client.mailboxes[action](ADA)).toEqual({
      message_id: id,
      status: 'delivered',
      event,
      url: null,
      contact_status: 'UNSUBSCRIBED',
    })
    const { events } = await client.events.list({})
    const names = events.map((one) => one.event).slice(-3)
    expect(names.sort()).toEqual([event, 'consent.updated', 'contact.updated'].sort())
    const found = events.find((one) => one.event === event)!
    const stamp = action === 'complain' ? 'complained_at' : 'unsubscribed_at'
    expect(found.data).toEqual({
      message_id: id,
      channel_id: channels.email,
      to: ADA,
      subject: 'Hi',
      [stamp]: found.timestamp,
    })
    expect((await client.consent.list(contact)).consent_records).toMatchObject([{ status: 'REVOKED' }])
    await expect(send(sandbox)).rejects.toMatchObject({ status: 422, code: 'recipient_suppressed' })

    expect(await ask(sandbox, 'POST', `/_sandbox/mailboxes/${ADA}/${action}`)).toMatchObject({
      status: 409,
      json: { error: 'message_state_conflict' },
    })
    expect((await client.events.list({})).events).toHaveLength(events.length)
  },
)

test('manual actions override a magic mailbox', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await delivered(sandbox, emails.delivered)
  expect(await client.mailboxes.unsubscribe(emails.delivered)).toMatchObject({ contact_status: 'UNSUBSCRIBED' })
  await expect(send(sandbox, emails.delivered)).rejects.toMatchObject({ code: 'recipient_suppressed' })
})

test('a manual action keeps the planned actions of the mailbox', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.mailboxes.set(ADA, { clicks: true, complains: true, open_delay: '1h', click_delay: '1h' })
  const id = await delivered(sandbox)
  await client.mailboxes.open(ADA)
  await clock.advance('1d')
  expect((await eventsOf(sandbox, id)).map(({ event }) => event)).toEqual([
    'email.delivered',
    'email.opened',
    'email.opened',
    'email.clicked',
    'email.complained',
  ])
})

test('an unknown email, one for another mailbox and an unknown link are refused', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const action = (name: string, body: object = {}, address = ADA) =>
    ask(sandbox, 'POST', `/_sandbox/mailboxes/${address}/${name}`, { body })
  for (const name of ['open', 'click', 'bounce', 'complain', 'unsubscribe'])
    expect((await action(name)).json).toMatchObject({
      error: 'nothing_to_answer',
      message: expect.stringContaining(ADA),
    })
  const id = await send(sandbox)
  expect(await action('open', { message_id: id })).toMatchObject({
    status: 409,
    json: { error: 'message_state_conflict', message_status: 'queued' },
  })
  await clock.advance('10s')
  const { message_id: rcs } = await client.messages.send({ ...rcsText, to: phones.ordinary })
  for (const body of [{ message_id: rcs }, { message_id: id }])
    expect((await action('open', body, 'other@example.com')).json.error).toBe('nothing_to_answer')
  expect(await action('open', { message_id: 'msg_00000000-0000-4000-8000-000000000009' })).toMatchObject({
    status: 404,
  })
  expect((await action('click', { index: 2 })).json.message).toContain('https://example.com/b')
  expect((await action('click', { url: 'https://example.com/c' })).json.error).toBe('nothing_to_answer')
  expect(await action('click', { index: 0, url: 'https://example.com/b' })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'url' }] },
  })
  expect((await action('open', {}, 'ada')).json).toMatchObject({ details: [{ field: 'address' }] })
  await client.messages.send({ channel_id: channels.email, to: ADA, subject: 'Plain', content: { text: 'No link' } })
  await clock.advance('10s')
  expect((await action('click')).json.message).toContain('no link')
})
