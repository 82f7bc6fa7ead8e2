import { expect, test } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { explore } from '../../src/handlers/explore/explore.ts'
import { flowOf } from '../../src/handlers/explore/scenario.ts'
import { startReceiver } from '../receiver.ts'

test('an endpoint that the application registers when it starts gets nothing, because the explorer delivers', async () => {
  await using receiver = await startReceiver()
  const replies: Record<string, number> = {}
  const seen = new Set<string>()
  const { failure } = await explore({
    ...{ flows: ['conversation', 'opt-out'], schedules: 8, settleMs: 20 },
    truth: () => ({ replies }),
    start: ({ baseUrl, apiKey }) =>
      createClient({ baseUrl, apiKey }).webhooks.create({ url: receiver.url, events: ['conversation.started'] }),
    handler({ body }) {
      const { id, event, data } = JSON.parse(body)
      if (event === 'conversation.started' && !seen.has(id)) replies[data.from] = (replies[data.from] ?? 0) + 1
      seen.add(id)
      return 200
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(receiver.received).toEqual([])
})

test('reads that an application repeats, such as a health check or in its truth probe, are no work', async () => {
  let balance = async (): Promise<unknown> => undefined
  const messages: Record<string, string> = {}
  const { failure, audited } = await explore({
    ...{ flows: ['order-notification'], schedules: 1, settleMs: 20 },
    start: ({ baseUrl, apiKey }) => {
      const client = createClient({ baseUrl, apiKey })
      balance = () => client.billing.balance()
    },
    async truth() {
      await balance()
      return { messages }
    },
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (data.message_id) messages[data.message_id] = event.split('.')[1]
      return 200
    },
  })
  expect(failure?.story).toBeUndefined()
  expect(audited).toBe(true)
})

test('a STOP by RCS may also cover the email address of a person who has got an email', async () => {
  const text = `
name: A newsletter by email, and a STOP by RCS
steps:
  - call: contacts.create
    with: { phone: "+491713920461", email: "susi@example.test" }
    save: { contact: id }
  - call: consent.record
    with: { id: $contact, channel_type: EMAIL, message_type: NEWSLETTER, status: GRANTED, source: form }
  - call: consent.record
    with: { id: $contact, channel_type: RCS, message_type: MESSAGE, status: GRANTED, source: form }
  - call: messages.send
    with: { channel_id: ch_00000000-0000-4000-8000-000000000001, to: "susi@example.test", message_type: NEWSLETTER, content: { subject: News, text: Hello } }
  - wait: email.delivered
  - call: messages.send
    with: { agent_id: ag_live_00000000-0000-4000-8000-000000000001, to: "+491713920461", message_type: MESSAGE, traffic_type: TRANSACTION, content: { text: Hello } }
  - wait: message.delivered
  - call: handsets.reply
    with: { phone: "+491713920461", text: STOP }
  - wait: conversation.started
`
  const stopOf = (coversEmail: boolean) => {
    let suppressed: Record<string, boolean> = {}
    const emails: Record<string, string> = {}
    return explore({
      ...{ flows: [flowOf(text, 'both.yaml')], schedules: 1, settleMs: 20 },
      truth: () => ({ suppressed }),
      reset() {
        suppressed = {}
      },
      handler({ body }) {
        const { event, data } = JSON.parse(body)
        if (data.phone) emails[data.phone] = data.email
        if (event === 'conversation.started') suppressed[data.from] = true
        if (event === 'conversation.started' && coversEmail) suppressed[emails[data.from]!] = true
        return 200
      },
    })
  }
  for (const coversEmail of [true, false]) expect((await stopOf(coversEmail)).failure?.story).toBeUndefined()
})

test('email addresses of a scenario may be stored in lower case', async () => {
  const suppressed: Record<string, boolean> = {}
  const text = `
name: A complaint in mixed case
steps:
  - call: contacts.create
    with: { email: "Susi.Sorglos@Example.test" }
    save: { contact: id }
  - call: consent.record
    with: { id: $contact, channel_type: EMAIL, message_type: NEWSLETTER, status: GRANTED, source: form }
  - call: messages.send
    with: { channel_id: ch_00000000-0000-4000-8000-000000000001, to: "Susi.Sorglos@Example.test", message_type: NEWSLETTER, content: { subject: News, text: Hello } }
    save: { m: message_id }
  - wait: email.delivered
    where: { message_id: $m }
  - call: mailboxes.complain
    with: { address: "Susi.Sorglos@Example.test" }
  - wait: email.complained
`
  const { failure } = await explore({
    ...{ flows: [flowOf(text, 'case.yaml')], schedules: 1, settleMs: 20 },
    truth: () => ({ suppressed }),
    handler({ body }) {
      const { event, data } = JSON.parse(body)
      if (event === 'email.complained') suppressed[data.to.toLowerCase()] = true
      return 200
    },
  })
  expect(failure?.story).toBeUndefined()
})
