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
