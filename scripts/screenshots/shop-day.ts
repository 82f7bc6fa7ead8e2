import type { Sandbox } from '../../src/index.ts'

export const U = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const AGENT = `ag_live_${U(1)}`
export const PHONE = '+491713920050'
export const MAIL = 'ada@example.com'

const CARD = 'max-width:520px;margin:auto;padding:20px 28px;border-radius:12px;background:#fff;color:#1b2028'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:8px;background:#3451c7;color:#fff;text-decoration:none'
const HTML = `<style>@media (prefers-color-scheme: dark) {
  body { background: #0c0e12 !important }
  .card { background: #1b1f27 !important; color: #e6e9ee !important }
}</style>
<body style="margin:0;padding:24px;background:#eef1f6;font:15px/1.5 sans-serif">
<div style="display:none">It arrives on Friday.</div>
<div class="card" style="${CARD}">
<h1 style="font-size:22px">Thank you, Ada</h1>
<p>Your kettle leaves today and arrives on Friday.</p>
<p><a href="https://shop.example/orders/4711" style="${BUTTON}">Follow your parcel</a></p>
<p>Questions? <a href="https://shop.example/help">Ask us</a>.</p>
</div></body>`

/** Sends the messages of a shop's day, so that every page of the inspector has content. */
export async function shopDay(
  { client }: Sandbox,
  hook = 'http://localhost:9/hook',
): Promise<{ message: string; failed: string; mail: string }> {
  const rcs = { agent_id: AGENT, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
  const say = (to: string, content: object) => client.messages.send({ ...rcs, to, content: content as never })
  await client.webhooks.create({ url: hook, events: ['message.*', 'conversation.*'] })
  await client.campaigns.trigger(U(101), {} as never)
  await client.clock.advance({ by: '10m' })
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
  await client.snapshots.save({ name: 'before-lunch' })
  for (const [to, text] of [
    ['+491713920000', 'Your table for two is booked for 19:30.'],
    ['+491713920013', 'Ten percent off. Reply STOP to end this.'],
    ['+491713920022', 'Your invoice for January is ready.'],
    ['+491713920015', 'Your code is 481 502. It is valid for five minutes.'],
    ['+491713920030', 'Shall we come tomorrow between 9 and 11?'],
  ] as const) {
    await say(to, { text })
    await client.clock.advance({ by: '40s' })
  }
  const { message_id: mail } = await client.messages.send({
    channel_id: `ch_${U(1)}`,
    to: MAIL,
    subject: 'Your order 4711 is on its way',
    content: { html: HTML, text: 'Your kettle leaves today and arrives on Friday.' },
  })
  await client.clock.advance({ by: '2m' })
  const { message_id: message } = await say(PHONE, {
    text: 'Your parcel arrives today between 14:00 and 16:00. Will you be in?',
    suggestions: [
      { reply: { text: 'Yes', postback_data: 'eWVz' } },
      { reply: { text: 'Leave it next door', postback_data: 'bmV4dA==' } },
      { action: { text: 'Call us', dial: { phone_number: '+493012345678' } } },
    ],
  })
  await client.clock.advance({ by: '1m' })
  await client.rules.add({
    match: { text_contains: 'spam' },
    behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' },
  })
  await client.faults.add({ routes: ['messages.send'], status: 503, times: 2 })
  const failed = (await client.messages.list({ status: 'failed' })).messages[0]!.id
  return { message, failed, mail }
}
