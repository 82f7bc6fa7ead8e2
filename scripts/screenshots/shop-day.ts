import type { Sandbox } from '../../src/index.ts'

export const U = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const AGENT = `ag_live_${U(1)}`
export const PHONE = '+491713920050'
export const MAIL = 'ada@example.com'

/** Sends the messages of a shop's day, so that every page of the inspector has content. */
export async function shopDay({ client }: Sandbox): Promise<{ message: string; failed: string; mail: string }> {
  const rcs = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
  const say = (to: string, content: object) => client.messages.send({ ...rcs, to, content: content as never })
  await client.webhooks.create({ url: 'http://localhost:9/hook', events: ['message.*'] })
  const { message_id: mail } = await client.messages.send({
    channel_id: `ch_${U(1)}`,
    to: MAIL,
    subject: 'Your order 4711 is on its way',
    content: {
      html: '<h1 style="font-family:sans-serif">Thank you, Ada</h1><p style="font-family:sans-serif">Your parcel leaves today. <a href="https://shop.example/orders/4711">Follow it</a> or <a href="https://shop.example/help">ask us</a>.</p>',
      text: 'Your parcel leaves today.',
    },
  })
  for (const [to, text] of [
    ['+491713920000', 'Your table for two is booked for 19:30.'],
    ['+491713920013', 'A message that the carrier takes for spam'],
    ['+491713920022', 'Slow to arrive'],
    ['+491713920015', 'Never arrives in time'],
    ['+491713920030', 'Shall we come tomorrow?'],
  ] as const)
    await say(to, { text })
  await client.clock.advance({ by: '2m' })
  await say(PHONE, {
    rich_card: {
      carousel: {
        card_width: 'MEDIUM',
        cards: ['Blue kettle', 'Green kettle', 'Red kettle'].map((title, i) => ({
          title,
          description: 'Boils a litre in two minutes, and keeps it warm for an hour.',
          media: { url: `https://shop.example/kettle-${i}.jpg`, height: 'SHORT' },
          suggestions: [
            { reply: { text: 'Take it', postback_data: 'dGFrZQ==' } },
            { action: { text: 'See it', open_url: { url: 'https://shop.example/kettle' } } },
          ],
        })),
      },
    },
  })
  const { message_id: message } = await say(PHONE, {
    text: 'Your parcel arrives today between 14:00 and 16:00. Will you be in?',
    suggestions: [
      { reply: { text: 'Yes', postback_data: 'eWVz' } },
      { reply: { text: 'Leave it next door', postback_data: 'bmV4dA==' } },
      { action: { text: 'Call us', dial: { phone_number: '+493012345678' } } },
    ],
  })
  await client.campaigns.trigger(U(101), {} as never)
  await client.clock.advance({ by: '10m' })
  await client.snapshots.save({ name: 'before-lunch' })
  await client.rules.add({
    match: { text_contains: 'spam' },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
  })
  await client.faults.add({ routes: ['messages.send'], status: 503, times: 2 })
  const failed = (await client.messages.list({ status: 'failed' })).messages[0]!.id
  return { message, failed, mail }
}
