import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, contactOf, emails, phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { reasonAt, reasonsOf } from './explained.ts'

const send = async ({ client }: Sandbox, body: object) =>
  (await client.messages.send({ ...('channel_id' in body ? {} : rcsText), ...body } as never)).message_id

const mail = (to: string, content: object = { text: 'Your order' }) => ({
  channel_id: channels.email,
  to,
  subject: 'Hi',
  content,
})

test('each step of a delivered message says what led to it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await send(sandbox, { to: phones.repliesHello })
  await clock.advance('1h')
  const message = await client.messages.get(id)
  const explained = await client.messages.explain(id)
  expect(explained).toMatchObject({
    message_id: id,
    status: 'read',
    to: phones.repliesHello,
    next: null,
    near_misses: [],
  })
  expect(explained.steps.map(({ at, what }) => [what, at]).slice(0, 6)).toEqual([
    ['accepted', message.created_at],
    ['priced', message.created_at],
    ['dispatched', message.sent_at],
    ['planned', message.sent_at],
    ['delivered', message.delivered_at],
    ['read', message.read_at],
  ])
  const [record] = (await client.consent.list(contactOf(30))).consent_records
  expect(reasonsOf(explained, 'accepted').find(({ about }) => about === 'consent')).toMatchObject({
    id: record!.id,
    as_of: 'then',
    says: expect.stringContaining(`(RCS, MESSAGE) was GRANTED, since ${record!.granted_at}`),
  })
  expect(reasonAt(explained, 'accepted', 'sender')).toContain('APPROVED and launched, and MULTI_USE permits MESSAGE')
  expect(reasonAt(explained, 'priced', 'classification')).toBe(
    'basic_message: 24 characters, at most 160, and no suggestions',
  )
  expect(reasonAt(explained, 'priced', 'tier')).toBe('tier_1: message 1 over RCS in 2026-01')
  expect(reasonAt(explained, 'priced', 'price')).toBe('0.0500 EUR for a basic_message')
  expect(reasonAt(explained, 'dispatched', 'carrier')).toMatch(
    /^nordfunk: draw 0\.\d{4} .*nordfunk 4, rheinmobil 4, alpentel 2$/,
  )
  expect(reasonAt(explained, 'delivered', 'magic recipient')).toContain('outcome delivered')
  expect(reasonAt(explained, 'answered', 'magic recipient')).toContain('replies Hello')
  const { messages } = await client.messages.list({ direction: 'INBOUND' })
  expect(explained.steps.at(-1)).toMatchObject({ what: 'answered', at: messages[0]!.created_at })
  const { data } = await client.billing.transactions()
  const ledger = ['priced', 'delivered'].map(
    (what) => reasonsOf(explained, what).find(({ about }) => about === 'ledger')!,
  )
  expect(ledger.map(({ id: entry }) => data.find((one) => one.id === entry)!.type)).toEqual(['hold', 'charge'])
})

test('explained delays equal the real ones', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => send(sandbox, { to: phone(50 + i) })))
  await clock.advance('1h')
  for (const id of ids) {
    const message = await client.messages.get(id)
    const explained = await client.messages.explain(id)
    const between = (from: string | null, to: string | null) => Date.parse(to!) - Date.parse(from!)
    expect(reasonAt(explained, 'dispatched', 'delay')).toContain(`${between(message.created_at, message.sent_at)} ms`)
    expect(reasonAt(explained, 'delivered', 'delay')).toContain(`${between(message.sent_at, message.delivered_at)} ms`)
    if (message.read_at)
      expect(reasonAt(explained, 'read', 'delay')).toContain(`${between(message.delivered_at, message.read_at)} ms`)
    const word = message.read_at
      ? /^read: draw 0\.\d+ is below 0\.[678]/
      : /^not read: draw 0\.\d+ is not below 0\.[678]/
    expect(reasonAt(explained, 'planned', 'draw')).toMatch(word)
  }
})

test('every price is explained with its reason', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const priced = async (body: object) => {
    const explained = await client.messages.explain(await send(sandbox, { to: phone(50), ...body }))
    return [reasonAt(explained, 'priced', 'classification'), reasonAt(explained, 'priced', 'price')]
  }
  const reply = { reply: { text: 'Yes', postback_data: 'eWVz' } }
  expect(await priced({ content: { text: 'é'.repeat(161) } })).toEqual([
    'single_message: 161 characters, more than 160',
    '0.0800 EUR for a single_message',
  ])
  expect((await priced({ content: { text: 'Hi', suggestions: [reply] } }))[0]).toBe(
    'single_message: it has a suggestion',
  )
  const card = { rich_card: { standalone: { orientation: 'VERTICAL', content: { title: 'Hi' } } } }
  expect((await priced({ content: card }))[0]).toBe('single_message: it is a rich card')
  const newsletter = { message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' }
  expect(await priced(newsletter)).toEqual([
    'mau: the first NEWSLETTER of the agent to this contact in 2026-01',
    '0.2000 EUR for a mau',
  ])
  expect(await priced(newsletter)).toEqual([
    'mau: an earlier NEWSLETTER of the agent in 2026-01 pays for this contact',
    '0.0000 EUR, because it is already paid for',
  ])
  await send(sandbox, { to: phones.repliesHello })
  await clock.advance('1h')
  const conversation = { to: phones.repliesHello, message_type: 'CONVERSATION' }
  expect((await priced(conversation))[0]).toBe(
    'conversation: the first CONVERSATION of the session, which carries its fee',
  )
  expect((await priced(conversation))[0]).toBe('conversation: an earlier CONVERSATION carries the fee of the session')
  expect((await priced(mail(emails.delivered)))[1]).toBe('0.0050 EUR for a basic_message')
})

test('a message of a higher tier says so, even when later ones were sent', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing.tiers = [
      { name: 'tier_1', from: 0, discount_percent: 0 },
      { name: 'tier_2', from: 2, discount_percent: 10 },
    ]
  })
  await using sandbox = await createSandbox({ world })
  const ids = []
  for (let i = 0; i < 4; i++) ids.push(await send(sandbox, { to: phone(50 + i) }))
  const explained = await Promise.all(ids.map((id) => sandbox.client.messages.explain(id)))
  expect(explained.map((one) => reasonAt(one, 'priced', 'tier').split(' over')[0])).toEqual([
    'tier_1: message 1',
    'tier_2: message 2',
    'tier_2: message 3',
    'tier_2: message 4',
  ])
  expect(reasonAt(explained[2]!, 'priced', 'price')).toBe('0.0450 EUR: 0.0500 EUR for a basic_message, less 10 %')
})

test('a failure names its cause: magic recipient, carrier, agent, or a phone that lost RCS', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.carriers.update('nordfunk', { failed: { REJECTED_SPAM: 1 } })
  await client.handsets.set(phone(50), { carrier: 'nordfunk' })
  const magic = await send(sandbox, { to: phones.accountSuspended })
  const carrier = await send(sandbox, { to: phone(50) })
  const agent = await send(sandbox, { to: phone(51), agent_id: agents.otp })
  await client.handsets.set(phone(52), { carrier: 'alpentel' })
  const lost = await send(sandbox, { to: phone(52) })
  await client.handsets.set(phone(52), { rcs_capable: false })
  await clock.advance('1h')
  const ofMagic = await client.messages.explain(magic)
  expect(reasonAt(ofMagic, 'failed', 'magic recipient')).toContain('ACCOUNT_SUSPENDED')
  expect(ofMagic.summary).toMatch(/^failed \(magic recipient\): .*ACCOUNT_SUSPENDED.*\.$/)
  const ofCarrier = await client.messages.explain(carrier)
  expect(reasonAt(ofCarrier, 'dispatched', 'carrier')).toBe('nordfunk, set for this handset')
  expect(reasonAt(ofCarrier, 'failed', 'draw')).toMatch(
    /^REJECTED_SPAM: draw 0\.\d+; on nordfunk REJECTED_SPAM below 1/,
  )
  expect(reasonAt(await client.messages.explain(agent), 'failed', 'refusal')).toContain('use case of the agent')
  expect(reasonAt(await client.messages.explain(lost), 'failed', 'device')).toContain('had no RCS')
})

test('a queued message names what it waits for and what would decide', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const rule = await client.rules.add({ behaviour: { outcome: 'never_delivered' } })
  const id = await send(sandbox, { to: phone(50), ttl: '60s' })
  const { next, steps, summary } = await client.messages.explain(id)
  expect(summary).toMatch(/^priced \(classification\): .*\. Next: message\.dispatch at 2026-01-01T00:00:00\.\d+Z\.$/)
  expect(steps.map(({ what }) => what)).toEqual(['accepted', 'priced'])
  expect(next).toMatchObject({ what: 'message.dispatch' })
  expect(next!.because.find(({ about }) => about === 'rule')).toMatchObject({ id: rule.id, as_of: 'now' })
  await sandbox.clock.advance('1s')
  const dispatched = await client.messages.explain(id)
  expect(dispatched.next).toMatchObject({ what: 'message.expire', at: '2026-01-01T00:01:00.000Z' })
  expect(dispatched.next!.because.map(({ says }) => says)).toEqual([
    'its ttl ends, 60s after the send',
    `${rule.id}: outcome never_delivered`,
  ])
  await sandbox.clock.advance('60s')
  const expired = await client.messages.explain(id)
  expect(reasonAt(expired, 'expired', 'rule')).toBe(`${rule.id}: outcome never_delivered`)
  expect(expired.next).toBeNull()
})

test('a message that waits for a phone expires because of its ttl, and not because of its planned outcome', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.handsets.set(phone(50), { on: false, carrier: 'nordfunk' })
  const id = await send(sandbox, { to: phone(50), ttl: '3600s' })
  await clock.advance('1m')
  expect((await client.messages.explain(id)).next).toMatchObject({
    what: 'message.expire',
    at: '2026-01-01T01:00:00.000Z',
    because: [{ about: 'ttl', says: 'its ttl ends, 3600s after the send' }],
  })
})

test('an outage, a throughput limit and a switched-off phone are listed as causes of a delay', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const nn of [50, 51, 52]) await client.handsets.set(phone(nn), { carrier: 'alpentel' })
  await client.carriers.update('alpentel', { outage: true })
  const first = await send(sandbox, { to: phone(50) })
  await clock.advance('65s')
  await client.carriers.update('alpentel', { outage: false, throughput: 1 })
  await client.handsets.set(phone(50), { on: false })
  await clock.advance('1m')
  await client.handsets.set(phone(50), { on: true })
  await clock.advance('1m')
  const explained = await client.messages.explain(first)
  expect(explained.steps.map(({ what }) => what)).toContain('delivered')
  const holdups = explained.steps.filter(({ what }) => what === 'held_up').flatMap(({ because }) => because)
  expect(holdups.map(({ says }) => says)).toEqual([
    expect.stringMatching(/^alpentel has an outage; tried 3 times, last at 2026-01-01T00:01:00/),
    'the phone is switched off',
  ])
  expect(reasonAt(explained, 'dispatched', 'delay')).toMatch(/^\d+ ms in the queue, 150ms..600ms: draw/)
})

test('an email is explained by its mailbox and the mail server', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.mailboxes.set('ada@example.com', { opens: true })
  const html = { html: '<a href="https://example.com">Look</a>' }
  const ids = [
    await send(sandbox, mail('ada@example.com', html)),
    await send(sandbox, mail(emails.bounced)),
    await send(sandbox, { ...mail(emails.delivered), message_type: 'NEWSLETTER' }),
  ]
  await clock.advance('1h')
  const [opened, bounced, newsletter] = await Promise.all(ids.map((id) => client.messages.explain(id)))
  expect(reasonAt(opened!, 'accepted', 'consent')).toBe(
    'an action-based email (MESSAGE) needs none; (EMAIL, MESSAGE) was not REVOKED',
  )
  expect(reasonAt(opened!, 'opened', 'mailbox')).toBe('opened true, as set')
  expect(reasonAt(opened!, 'planned', 'draw')).toContain('not clicked: 0% at the mail server')
  expect(reasonAt(bounced!, 'bounced', 'magic recipient')).toContain('outcome bounced, bounce_type hard')
  expect(reasonAt(newsletter!, 'accepted', 'consent')).toContain('(EMAIL, NEWSLETTER) was GRANTED')
})

test('manual steps are marked as such', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await send(sandbox, mail('ada@example.com'))
  await clock.advance('1h')
  await client.mailboxes.open('ada@example.com', { message_id: id })
  const explained = await client.messages.explain(id)
  expect(reasonAt(explained, 'planned', 'draw')).toContain('not opened: 0% at the mail server')
  expect(reasonAt(explained, 'opened', 'by hand')).toContain('triggered by a user')
})

test('changes since the send are distinguished from the facts at its time', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await send(sandbox, { to: phone(50) })
  await clock.advance('1h')
  const [record] = (await client.consent.list(contactOf(50))).consent_records
  await client.consent.revoke(contactOf(50), record!.id)
  await client.contacts.update(contactOf(50), { status: 'BLOCKED' })
  await client.agents.suspend(agents.multi)
  const explained = await client.messages.explain(id)
  expect(reasonAt(explained, 'accepted', 'consent')).toContain(
    'was GRANTED; it was REVOKED at 2026-01-01T01:00:00.000Z',
  )
  expect(reasonAt(explained, 'accepted', 'contact')).toContain('was not suppressed; it is BLOCKED now')
  expect(reasonAt(explained, 'accepted', 'sender')).toContain('it is SUSPENDED now')
  await client.contacts.delete(contactOf(50))
  const deleted = await client.messages.explain(id)
  expect(reasonAt(deleted, 'accepted', 'contact')).toContain('has been deleted')
})

test('a message that was revoked, one of a campaign, and one that came in are explained too', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const revoked = await send(sandbox, { to: phone(50) })
  await client.messages.revoke(revoked)
  expect(reasonAt(await client.messages.explain(revoked), 'revoked', 'by hand')).toContain('DELETE /v1/messages')
  await client.campaigns.trigger(campaigns.demo)
  await send(sandbox, { to: phones.repliesHello })
  await clock.advance('1h')
  const [ofCampaign] = (await client.messages.list({ campaign_id: campaigns.demo })).messages
  expect(reasonAt(await client.messages.explain(ofCampaign!.id), 'accepted', 'campaign')).toContain(campaigns.demo)
  const [inbound] = (await client.messages.list({ direction: 'INBOUND' })).messages
  expect(await client.messages.explain(inbound!.id)).toMatchObject({
    direction: 'INBOUND',
    steps: [{ what: 'received', at: inbound!.created_at }],
    next: null,
  })
})
