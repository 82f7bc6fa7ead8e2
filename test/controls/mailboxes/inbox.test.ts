import { expect, test } from 'vitest'
import { agents, channels, emailOptIn, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const ADA = 'ada@example.com'

test('an inbox holds what has arrived, newest first: messages of the log beside questions of the service', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { id: contact } = await client.contacts.create({ email: ADA })
  const { message_id } = await client.messages.send({
    channel_id: channels.email,
    to: ADA,
    subject: 'Your order',
    content: { html: '<h1>Thanks</h1><p>See <a href="https://example.com/o/7">order&nbsp;7</a> &amp; more.</p>' },
  })
  expect((await client.inbox.show(ADA)).messages).toEqual([])
  await clock.advance('1m')
  await client.consent.record(contact, emailOptIn)
  const inbox = await client.inbox.show('ADA@example.com')
  expect(inbox.messages.map(({ kind }) => kind)).toEqual(['DOI_CONFIRMATION', 'MESSAGE'])
  expect(inbox.messages[0]).not.toHaveProperty('message_id')
  expect(inbox.messages[1]).toEqual({
    at: (await client.messages.get(message_id)).delivered_at,
    channel_type: 'EMAIL',
    kind: 'MESSAGE',
    subject: 'Your order',
    text: 'Thanks\nSee order 7 & more.',
    link: 'https://example.com/o/7',
    message_id,
    from: channels.email,
    status: 'delivered',
    links: ['https://example.com/o/7'],
    suggestions: [],
  })
  expect(await client.mailboxes.inbox(ADA)).toEqual(await client.inbox.show(ADA))
  expect((await client.mailboxes.inbox(ADA, { limit: 1 })).messages).toEqual(inbox.messages.slice(0, 1))
})

test('on a phone a rich card shows its texts, its links, and its suggestions with their index', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const card = (title: string, url: string) => ({
    title,
    description: 'More',
    suggestions: [
      { reply: { text: `Take ${title}`, postback_data: 'eWVz' } },
      { action: { text: 'Look', open_url: { url } } },
    ],
  })
  const { message_id } = await client.messages.send({
    ...rcsText,
    to: phones.neverReads,
    content: {
      rich_card: {
        carousel: {
          card_width: 'SMALL',
          cards: [card('A', 'https://example.com/a'), card('B', 'https://example.com/b')],
        },
      },
    },
  })
  await clock.advance('1m')
  const { messages } = await client.handsets.inbox(phones.neverReads)
  expect(messages).toMatchObject([
    {
      kind: 'MESSAGE',
      channel_type: 'RCS',
      message_id,
      from: agents.multi,
      status: 'delivered',
      subject: null,
      text: 'A\nMore\n\nB\nMore',
      links: ['https://example.com/a', 'https://example.com/b'],
      suggestions: [
        { index: 0, type: 'reply', text: 'Take A', target: null },
        { index: 1, type: 'action', text: 'Look', target: 'https://example.com/a' },
        { index: 2, type: 'reply', text: 'Take B' },
        { index: 3, type: 'action', text: 'Look' },
      ],
    },
  ])
  expect(await client.inbox.show(phones.neverReads)).toEqual(await client.handsets.inbox(phones.neverReads))
})

test('a reply and a tap go to the newest message by default', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const chips = { text: 'Well?', suggestions: [{ reply: { text: 'Yes', postback_data: 'eWVz' } }] }
  const to = phones.neverReads
  await client.messages.send({ ...rcsText, agent_id: agents.transactional, to, content: chips })
  await clock.advance('1m')
  await client.messages.send({ ...rcsText, to, content: chips })
  await clock.advance('1m')
  await client.handsets.reply(to, { text: 'Hi' })
  await client.handsets.tap(to, {})
  const { events } = await client.events.list({})
  const started = events.filter(({ event }) => event === 'conversation.started').map(({ data }) => data)
  expect(started).toMatchObject([
    { agent_id: agents.multi, user_message: { type: 'text', text: 'Hi' } },
    { agent_id: agents.multi, user_message: { type: 'suggested_reply', text: 'Yes' } },
  ])
  await expect(client.handsets.reply(phones.ordinary, { text: 'Hi' })).rejects.toMatchObject({
    code: 'nothing_to_answer',
  })
  await expect(client.handsets.tap(phones.ordinary, {})).rejects.toMatchObject({ code: 'nothing_to_answer' })
})
