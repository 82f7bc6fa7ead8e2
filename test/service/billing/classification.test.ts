import { expect, test } from 'vitest'
import { agents, channels, emails, phones, rcsText, templates } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const x = (count: number, character = 'x') => character.repeat(count)
const reply = { reply: { text: 'Yes', postback_data: 'eWVz' } }
const action = { action: { text: 'Open', open_url: { url: 'https://example.com' } } }
const card = { title: 'Hi' }

const byTemplate = (template_data: Record<string, string>) => ({
  content: undefined,
  template_id: templates.deliveryNotice,
  template_data,
})

/** Interface §2.5: what a content is billed as. */
const contents: readonly [what: string, part: object, classification: string, price: number][] = [
  ['one character', { content: { text: 'x' } }, 'basic_message', 0.05],
  ['160 characters', { content: { text: x(160) } }, 'basic_message', 0.05],
  ['161 characters', { content: { text: x(161) } }, 'single_message', 0.08],
  ['160 emoji', { content: { text: x(160, '\u{1F680}') } }, 'basic_message', 0.05],
  ['161 emoji', { content: { text: x(161, '\u{1F680}') } }, 'single_message', 0.08],
  ['160 umlauts, which are 320 bytes', { content: { text: x(160, 'ü') } }, 'basic_message', 0.05],
  [
    '81 letters with a combining accent, which are 162 characters',
    { content: { text: x(81, 'e\u0301') } },
    'single_message',
    0.08,
  ],
  ['an empty list of suggestions', { content: { text: 'x', suggestions: [] } }, 'basic_message', 0.05],
  ['a reply', { content: { text: 'x', suggestions: [reply] } }, 'single_message', 0.08],
  ['an action', { content: { text: 'x', suggestions: [action] } }, 'single_message', 0.08],
  ['a long text with suggestions', { content: { text: x(161), suggestions: [reply, action] } }, 'single_message', 0.08],
  [
    'a card',
    { content: { rich_card: { standalone: { orientation: 'VERTICAL', content: card } } } },
    'single_message',
    0.08,
  ],
  [
    'a carousel',
    { content: { rich_card: { carousel: { card_width: 'SMALL', cards: [card, card] } } } },
    'single_message',
    0.08,
  ],
  ['a template with suggestions', byTemplate({ name: 'Ada', eta: 'today' }), 'single_message', 0.08],
]

test('an RCS message is billed by its content', async () => {
  await using sandbox = await createSandbox()
  let reserved = 0
  for (const [what, part, message_type, price] of contents) {
    const { billing } = await sandbox.client.messages.send({ ...rcsText, to: phones.off, ...part } as never)
    reserved = Math.round((reserved + price) * 10_000) / 10_000
    expect({ what, billing }).toEqual({
      what,
      billing: {
        channel: 'RCS',
        message_type,
        hold_amount: price,
        message_price: price,
        balance: { free: Math.round((1000 - reserved) * 10_000) / 10_000, reserved, total: 1000 },
        tier: { channel: 'RCS', current: 'tier_1', volume_used: expect.any(Number) },
      },
    })
  }
})

test('a text that a template makes long is billed as long', async () => {
  await using sandbox = await createSandbox({ world: await templateWorld() })
  const send = async (count: number) =>
    (
      await sandbox.client.messages.send({
        ...rcsText,
        content: undefined,
        template_id: templates.deliveryNotice,
        template_data: { word: x(count) },
        to: phones.off,
      })
    ).billing
  expect(await send(160)).toMatchObject({ message_type: 'basic_message' })
  expect(await send(161)).toMatchObject({ message_type: 'single_message' })
})

async function templateWorld() {
  const { worldLikeDefault } = await import('../../folder.ts')
  return worldLikeDefault((file) => {
    file.templates[1].content = { text: '{{word}}' }
  })
}

test('all emails have the same price, separate from RCS', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.messages.send({ ...rcsText, to: phones.off })
  const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hi' }
  const bodies = [
    { ...email, content: { text: 'Hi' } },
    { ...email, content: { html: x(5000) } },
    { ...email, content: { text: 'Hi' }, message_type: 'NEWSLETTER' as const },
    {
      channel_id: email.channel_id,
      to: email.to,
      template_id: templates.orderConfirmation,
      template_data: { name: 'Ada', order_id: '7' },
    },
  ]
  for (const [i, body] of bodies.entries())
    expect((await client.messages.send(body)).billing).toMatchObject({
      channel: 'EMAIL',
      message_type: 'basic_message',
      hold_amount: 0.005,
      message_price: 0.005,
      tier: { channel: 'EMAIL', current: 'tier_1', volume_used: i + 1 },
    })
  expect((await client.billing.tier()).tiers).toMatchObject([
    { channel: 'RCS', volume_used: 1 },
    { channel: 'EMAIL', volume_used: 4 },
  ])
})

test('MESSAGE of an agent is billed by content whatever its billing_category', async () => {
  await using sandbox = await createSandbox()
  for (const agent_id of [agents.multi, agents.transactional, agents.promotional])
    expect((await sandbox.client.messages.send({ ...rcsText, agent_id, to: phones.off })).billing).toMatchObject({
      message_type: 'basic_message',
      hold_amount: 0.05,
    })
})

test('delivery charges, failure releases, and every movement is in the ledger', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const delivered = await client.messages.send({ ...rcsText, to: phones.neverReads })
  const failed = await client.messages.send({ ...rcsText, to: phones.unknownUser, content: { text: x(161) } })
  expect(await client.billing.balance()).toEqual({ free: 999.87, reserved: 0.13, total: 1000 })
  await clock.advance('1m')
  expect(await client.billing.balance()).toEqual({ free: 999.95, reserved: 0, total: 999.95 })
  const { data } = await client.billing.transactions()
  expect(
    data
      .map(({ type, amount, message_id }) => ({ type, amount, message_id }))
      .toReversed()
      .slice(0, 3),
  ).toEqual([
    { type: 'opening', amount: 1000, message_id: null },
    { type: 'hold', amount: 0.05, message_id: delivered.message_id },
    { type: 'hold', amount: 0.08, message_id: failed.message_id },
  ])
  expect(
    data
      .slice(0, 2)
      .map(({ type, amount, message_id }) => `${type} ${amount} ${message_id}`)
      .sort(),
  ).toEqual([`charge 0.05 ${delivered.message_id}`, `release 0.08 ${failed.message_id}`].sort())
  expect(data[0]).toMatchObject({ free_after: 999.95, reserved_after: 0 })
})
