import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { agents, channels, emails, phones, rcsText, templates } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const rcs = { ...rcsText, to: phones.neverReads }
const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hello', content: { text: 'Hello' } }
const x = (count: number, character = 'x') => character.repeat(count)
const times = <T>(count: number, item: T) => Array.from({ length: count }, () => item)

const reply = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const replyOf = (change: object) => ({ reply: { ...reply.reply, ...change } })
const dial = { action: { text: 'Call', dial: { phone_number: '+491713920000' } } }
const url = { action: { text: 'Open', open_url: { url: 'https://example.com' } } }
const media = { url: 'https://example.com/a.png', height: 'TALL' }
const card = { title: 'Title', description: 'Words', media, suggestions: [reply] }

const withContent = (content: object) => ({ ...rcs, content })
const withText = (text: unknown, suggestions?: unknown) => withContent({ text, suggestions })
const withCard = (content: object, orientation = 'VERTICAL') =>
  withContent({ rich_card: { standalone: { orientation, content } } })
const withCards = (cards: unknown, card_width = 'MEDIUM') =>
  withContent({ rich_card: { carousel: { card_width, cards } } })
const bySubject = (subject: string) => ({ ...email, subject })
const byTemplate = (template_data: object) => ({
  ...rcs,
  content: undefined,
  template_id: templates.deliveryNotice,
  template_data,
})

const SURROGATES = '\u{1F600}'

/** At the edge. */
const accepted: readonly [what: string, body: object][] = [
  ['a text of one character', withText('x')],
  ['a text of 3,072 characters', withText(x(3072))],
  ['a text of 3,072 emoji, which are characters of four bytes', withText(x(3072, SURROGATES))],
  ['a text of 3,072 umlauts', withText(x(3072, 'ä'))],
  ['no suggestion', withText('Hi', [])],
  ['11 suggestions', withText('Hi', times(11, reply))],
  ['every kind of suggestion', withText('Hi', [reply, dial, url])],
  ['a suggestion of 25 characters', withText('Hi', [replyOf({ text: x(25) })])],
  ['a suggestion of 25 emoji', withText('Hi', [replyOf({ text: x(25, SURROGATES) })])],
  ['2,048 characters of postback_data', withText('Hi', [replyOf({ postback_data: x(2048, 'A') })])],
  ['padded postback_data', withText('Hi', [replyOf({ postback_data: 'QQ==' }), replyOf({ postback_data: 'QUI=' })])],
  ['4 suggestions on a card', withCard({ ...card, suggestions: times(4, reply) })],
  ['a card with a title only', withCard({ title: 'Title' })],
  ['a card with a description only', withCard({ description: 'Words' })],
  ['a card with media only', withCard({ media })],
  ['a thumbnail', withCard({ media: { ...media, thumbnail_url: 'http://example.com/t.png' } })],
  ['a card title of 200 characters', withCard({ title: x(200) })],
  ['a description of 2,000 characters', withCard({ description: x(2000) })],
  ...['VERTICAL', 'HORIZONTAL'].map(
    (orientation) => [`orientation ${orientation}`, withCard(card, orientation)] as [string, object],
  ),
  ...['SHORT', 'MEDIUM', 'TALL'].map(
    (height) => [`media height ${height}`, withCard({ media: { ...media, height } })] as [string, object],
  ),
  ...['SMALL', 'MEDIUM'].map((width) => [`card_width ${width}`, withCards([card, card], width)] as [string, object]),
  ['2 cards', withCards([card, card])],
  ['10 cards with 4 suggestions each', withCards(times(10, { ...card, suggestions: times(4, url) }))],
  ['a ttl of one second', { ...rcs, ttl: '1s' }],
  ['a ttl of 30 days', { ...rcs, ttl: '2592000s' }],
  ['text and html', { ...email, content: { text: 'Hello', html: '<p>Hello</p>' } }],
  ['the subject inside content', { ...email, subject: undefined, content: { text: 'Hello', subject: 'Hello' } }],
  ['a traffic_type on email', { ...email, traffic_type: 'TRANSACTION', message_type: 'MESSAGE' }],
  ['a ttl on email', { ...email, ttl: '60s' }],
  ['a long email', { ...email, content: { html: x(500_000) } }],
  ['a subject of 998 characters', bySubject(x(998))],
  ['a template with its data, which may be numbers and booleans', byTemplate({ name: 7, eta: true })],
  ['a key of any case', { ...rcs, idempotency_key: '5F0C1C9E-3F0E-4E0C-9D0B-0D5B6F1C2A3B' }],
]

/** One past it, and what the refusal names. */
const refused: readonly [what: string, body: object, field: string][] = [
  ['an empty text', withText(''), 'content.text'],
  ['3,073 characters', withText(x(3073)), 'content.text'],
  ['3,073 emoji', withText(x(3073, SURROGATES)), 'content.text'],
  ['3,072 emoji and a letter', withText(`${x(3072, SURROGATES)}x`), 'content.text'],
  ['a text that is a number', withText(5), 'content.text'],
  ['a text that is null', withText(null), 'content.text'],
  ['12 suggestions', withText('Hi', times(12, reply)), 'content.suggestions'],
  ['suggestions that are no list', withText('Hi', reply), 'content.suggestions'],
  [
    'a suggestion of 26 characters',
    withText('Hi', [reply, replyOf({ text: x(26) })]),
    'content.suggestions[1].reply.text',
  ],
  [
    'a suggestion of 26 emoji',
    withText('Hi', [replyOf({ text: x(26, SURROGATES) })]),
    'content.suggestions[0].reply.text',
  ],
  ['a suggestion without text', withText('Hi', [replyOf({ text: '' })]), 'content.suggestions[0].reply.text'],
  ['a suggestion that is both', withText('Hi', [{ ...reply, ...dial }]), 'content.suggestions[0]'],
  ['a suggestion that is neither', withText('Hi', [{}]), 'content.suggestions[0]'],
  ['an action without a deed', withText('Hi', [{ action: { text: 'Call' } }]), 'content.suggestions[0].action'],
  [
    'an action with two deeds',
    withText('Hi', [{ action: { ...dial.action, ...url.action } }]),
    'content.suggestions[0].action',
  ],
  [
    'a reply without postback_data',
    withText('Hi', [{ reply: { text: 'Yes' } }]),
    'content.suggestions[0].reply.postback_data',
  ],
  [
    '2,052 characters of postback_data',
    withText('Hi', [replyOf({ postback_data: x(2052, 'A') })]),
    'content.suggestions[0].reply.postback_data',
  ],
  ...['yes!', 'A', 'QQ', 'QQ=', 'Q Q=', '=QQQ', 'QQ==QQ==', 'eWVz\n', '-_-_'].map(
    (postback_data) =>
      [
        `postback_data ${JSON.stringify(postback_data)}`,
        withText('Hi', [replyOf({ postback_data })]),
        'content.suggestions[0].reply.postback_data',
      ] as [string, object, string],
  ),
  [
    'an invalid number to dial',
    withText('Hi', [{ action: { text: 'Call', dial: { phone_number: '0171' } } }]),
    'content.suggestions[0].action.dial.phone_number',
  ],
  ...['javascript:alert(1)', 'https:example.com', 'https:///example.com', 'https://example.com\\a'].map(
    (link) =>
      [
        `a link to ${link}`,
        withText('Hi', [{ action: { text: 'Go', open_url: { url: link } } }]),
        'content.suggestions[0].action.open_url.url',
      ] as [string, object, string],
  ),
  [
    '5 suggestions on a card',
    withCard({ ...card, suggestions: times(5, reply) }),
    'content.rich_card.standalone.content.suggestions',
  ],
  [
    '5 suggestions on a card of a carousel',
    withCards([card, { ...card, suggestions: times(5, reply) }]),
    'content.rich_card.carousel.cards[1].suggestions',
  ],
  ['an empty card', withCard({}), 'content.rich_card.standalone.content'],
  ['a card title of 201 characters', withCard({ title: x(201) }), 'content.rich_card.standalone.content.title'],
  ['an empty title', withCard({ title: '', media }), 'content.rich_card.standalone.content.title'],
  [
    'a description of 2,001 characters',
    withCard({ description: x(2001) }),
    'content.rich_card.standalone.content.description',
  ],
  ['an orientation of its own', withCard(card, 'DIAGONAL'), 'content.rich_card.standalone.orientation'],
  ['a lower-case orientation', withCard(card, 'vertical'), 'content.rich_card.standalone.orientation'],
  [
    'a height of its own',
    withCard({ media: { ...media, height: 'HUGE' } }),
    'content.rich_card.standalone.content.media.height',
  ],
  [
    'media without a height',
    withCard({ media: { url: media.url } }),
    'content.rich_card.standalone.content.media.height',
  ],
  [
    'media by ftp',
    withCard({ media: { ...media, url: 'ftp://example.com/a.png' } }),
    'content.rich_card.standalone.content.media.url',
  ],
  ['a width of its own', withCards([card, card], 'LARGE'), 'content.rich_card.carousel.card_width'],
  ['no card', withCards([]), 'content.rich_card.carousel.cards'],
  ['1 card', withCards([card]), 'content.rich_card.carousel.cards'],
  ['11 cards', withCards(times(11, card)), 'content.rich_card.carousel.cards'],
  [
    'a card and a carousel',
    withContent({
      rich_card: {
        standalone: { orientation: 'VERTICAL', content: card },
        carousel: { card_width: 'SMALL', cards: [card, card] },
      },
    }),
    'content.rich_card',
  ],
  ['a rich card that is nothing', withContent({ rich_card: {} }), 'content.rich_card'],
  [
    'a text and a card',
    withContent({ text: 'Hi', rich_card: { standalone: { orientation: 'VERTICAL', content: card } } }),
    'content',
  ],
  [
    'suggestions beside a card',
    withContent({ suggestions: [reply], rich_card: { standalone: { orientation: 'VERTICAL', content: card } } }),
    'content.suggestions',
  ],
  ['suggestions alone', withContent({ suggestions: [reply] }), 'content'],
  ['no content', withContent({}), 'content'],
  ['html over RCS', withContent({ text: 'Hi', html: '<p>Hi</p>' }), 'content.html'],
  ['a subject over RCS', { ...rcs, subject: 'Hi' }, 'subject'],
  ...[
    '0s',
    '00s',
    '01s',
    '-1s',
    '1',
    '1h',
    '1.5s',
    '1 s',
    ' 1s',
    '1s ',
    '1S',
    '',
    '2592001s',
    '99999999999999999999s',
    60,
    null,
  ].map((ttl) => [`a ttl of ${JSON.stringify(ttl)}`, { ...rcs, ttl }, 'ttl'] as [string, object, string]),
  ...['key', '', '5f0c1c9e3f0e4e0c9d0b0d5b6f1c2a3b', '{5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b}', 5, null].map(
    (key) =>
      [`an idempotency_key of ${JSON.stringify(key)}`, { ...rcs, idempotency_key: key }, 'idempotency_key'] as [
        string,
        object,
        string,
      ],
  ),
  ...[
    '',
    '0171 3920000',
    '491713920000',
    '+',
    '+49',
    '+4917139200000000000000',
    'ada@example.com',
    '+49171392000x',
    '+491713920000 ext. 5',
    491713920000,
    null,
    ['+491713920000'],
  ].map((to) => [`a phone of ${JSON.stringify(to)}`, { ...rcs, to }, 'to'] as [string, object, string]),
  ...[
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    '+491713920000',
    `${x(250)}@example.com`,
  ].map((to) => [`an address of ${JSON.stringify(to)}`, { ...email, to }, 'to'] as [string, object, string]),
  ['no recipient', { ...rcs, to: undefined }, 'to'],
  ['no message_type over RCS', { ...rcs, message_type: undefined }, 'message_type'],
  ['a message_type of its own', { ...rcs, message_type: 'message' }, 'message_type'],
  ['no traffic_type over RCS', { ...rcs, traffic_type: undefined }, 'traffic_type'],
  ['a traffic_type named like the use_case', { ...rcs, traffic_type: 'TRANSACTIONAL' }, 'traffic_type'],
  ['CONVERSATION by email', { ...email, message_type: 'CONVERSATION' }, 'message_type'],
  ['neither agent nor channel', { ...rcs, agent_id: undefined }, 'agent_id'],
  ['agent and channel', { ...rcs, channel_id: channels.email }, 'agent_id'],
  ['an invalid agent id', { ...rcs, agent_id: agents.multi.slice(0, -1) }, 'agent_id'],
  ['neither content nor template', { ...rcs, content: undefined }, 'content'],
  ['content and template', { ...rcs, template_id: templates.deliveryNotice }, 'content'],
  ['template_data without a template', { ...rcs, template_data: {} }, 'template_id'],
  ['template_version without a template', { ...rcs, template_version: '1' }, 'template_id'],
  ['nested template_data', byTemplate({ name: { first: 'Ada' }, eta: 'now' }), 'template_data.name'],
  ['template_data that is a list', byTemplate(['Ada']), 'template_data'],
  ['no subject', { ...email, subject: undefined }, 'subject'],
  ['two subjects', { ...email, content: { text: 'Hi', subject: 'Hi' } }, 'subject'],
  ['a subject of 999 characters', bySubject(x(999)), 'subject'],
  ['an email without a part', { ...email, content: {} }, 'content'],
  ['suggestions by email', { ...email, content: { text: 'Hi', suggestions: [reply] } }, 'content.suggestions'],
  [
    'a rich card by email',
    { ...email, content: { text: 'Hi', rich_card: { standalone: { orientation: 'VERTICAL', content: card } } } },
    'content.rich_card',
  ],
  ['a misspelt field', { ...rcs, tll: '60s' }, 'tll'],
  ['a misspelt field inside', withContent({ txt: 'Hi' }), 'content.txt'],
]

test('values at a limit are accepted', async () => {
  await using sandbox = await createSandbox()
  for (const [what, body] of accepted)
    expect({ what, status: (await ask(sandbox, 'POST', '/v1/messages', { body })).status }).toEqual({
      what,
      status: 200,
    })
})

test('a value beyond a limit is a 400 that names the field, and nothing is sent', async () => {
  await using sandbox = await createSandbox()
  for (const [what, body, field] of refused) {
    const { status, json } = await ask(sandbox, 'POST', '/v1/messages', { body })
    const fields = ((json.details ?? []) as { field: string }[]).map((detail) => detail.field)
    expect({ what, status, error: json.error, fields }).toEqual({
      what,
      status: 400,
      error: 'validation_error',
      fields: expect.arrayContaining([field]),
    })
    expect(json.message, what).toMatch(/[.?]$/)
  }
  expect((await sandbox.client.messages.list()).messages).toEqual([])
  expect(await sandbox.client.billing.balance()).toEqual({ free: 1000, reserved: 0, total: 1000 })
})

test('an unknown field is refused with the nearest one', async () => {
  await using sandbox = await createSandbox()
  const { json } = await ask(sandbox, 'POST', '/v1/messages', {
    body: { ...rcs, tll: '60s', content: { text: 'Hi', sugestions: [] } },
  })
  expect(json.details).toEqual([
    { field: 'content.sugestions', code: 'unknown_field', message: 'unknown field, did you mean "suggestions"?' },
    { field: 'tll', code: 'unknown_field', message: 'unknown field, did you mean "ttl"?' },
  ])
})

test('details name what is wrong, and nothing beside it', async () => {
  await using sandbox = await createSandbox()
  const { open_url } = url.action
  const cards = { standalone: { orientation: 'VERTICAL', content: card }, carosel: {} }
  for (const [content, ...fields] of [
    [{ text: 'Hi', suggestions: [{ action: { open_url } }] }, 'suggestions[0].action.text'],
    [
      { text: 'Hi', suggestions: [{ action: { open_url, dial: dial.action.dial } }] },
      'suggestions[0].action.text',
      'suggestions[0].action',
    ],
    [{ text: 'Hi', suggestions: [{ action: { ...url.action, dail: {} } }] }, 'suggestions[0].action.dail'],
    [{ text: 'Hi', suggestions: [{ ...reply, acton: {} }] }, 'suggestions[0].acton'],
    [{ rich_card: cards }, 'rich_card.carosel'],
  ] as const) {
    const { json } = await ask(sandbox, 'POST', '/v1/messages', { body: withContent(content) })
    expect((json.details as { field: string }[]).map(({ field }) => field)).toEqual(
      fields.map((field) => `content.${field}`),
    )
  }
})
