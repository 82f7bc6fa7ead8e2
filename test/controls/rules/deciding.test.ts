import { expect, test } from 'vitest'
import { folder, worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, contactOf, phone, phones, rcsText, templates } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { failing, type NewRule, outcomes } from './rule.ts'

const statuses = (messages: readonly { status: string }[]) => messages.map(({ status }) => status)
const block = [50, 51, 52, 53, 54].map((nn) => ({ to: phone(nn) }))
const mail = (to: string) => ({ channel_id: channels.email, to, subject: 'Hello', content: { text: 'Your order' } })

test('the next 3 messages to a block of numbers fail, and those after them arrive', async () => {
  await using sandbox = await createSandbox()
  const rule = await sandbox.client.rules.add({ match: { to: '+49171392005*' }, behaviour: failing, times: 3 })
  const sent = await outcomes(sandbox, { to: phone(60) }, ...block)
  expect(sent.map(({ failure_reason }) => failure_reason)).toEqual([
    null,
    'REJECTED_SPAM',
    'REJECTED_SPAM',
    'REJECTED_SPAM',
    null,
    null,
  ])
  expect(await sandbox.client.rules.show(rule.id)).toMatchObject({ seen: 3, hits: 3, active: false })
})

test('a rule for 20 % applies to about a fifth of the messages, the same ones in every run', async () => {
  const run = async () => {
    await using sandbox = await createSandbox({ seed: 'a fifth' })
    const { id } = await sandbox.client.rules.add({ behaviour: failing, share: '20%' })
    const sends = Array.from({ length: 300 }, (_, i) => ({ ...rcsText, to: phone(50 + (i % 50)) }))
    for (const send of sends) await sandbox.client.messages.send(send)
    await sandbox.clock.advance('1h')
    const { messages } = await sandbox.client.messages.list({ status: 'failed', limit: 200 })
    return { rule: await sandbox.client.rules.show(id), failed: messages.map((message) => message.id) }
  }
  const first = await run()
  expect(first.rule).toMatchObject({ seen: 300, hits: first.failed.length, share: 0.2 })
  expect(first.failed.length).toBeGreaterThan(40)
  expect(first.failed.length).toBeLessThan(80)
  expect(await run()).toEqual(first)
})

test('a rule applies to every third match, also after a restart, and --times counts what it changes', async () => {
  const data = await folder()
  const failed = async (sandbox: Sandbox, count: number) =>
    (await outcomes(sandbox, ...Array(count).fill({ to: phones.ordinary }))).map(({ status }) => status === 'failed')
  const before = await createSandbox({ data })
  const { id } = await before.client.rules.add({ behaviour: failing, every: 3, times: 2 })
  expect(await failed(before, 4)).toEqual([false, false, true, false])
  await before.stop()
  await using sandbox = await createSandbox({ data })
  expect(await failed(sandbox, 5)).toEqual([false, true, false, false, false])
  expect(await sandbox.client.rules.show(id)).toMatchObject({ every: 3, seen: 6, hits: 2, active: false })
  expect(await sandbox.client.rules.update(id, { every: 2, times: null })).toMatchObject({ seen: 0, hits: 0 })
  expect(await failed(sandbox, 4)).toEqual([false, true, false, true])
})

test('a rule applies until the rules are reset', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ behaviour: failing })
  expect(statuses(await outcomes(sandbox, ...block))).toEqual(Array(5).fill('failed'))
  await sandbox.reset('rules')
  expect(await sandbox.client.rules.list()).toEqual({ rules: [] })
  expect(statuses(await outcomes(sandbox, ...block))).not.toContain('failed')
})

const card = { rich_card: { standalone: { orientation: 'VERTICAL', content: { title: 'Black Friday' } } } } as const

/** For each criterion a message that it holds for, and one that it does not. */
const criteria: readonly (readonly [NewRule['match'], yes: object, no: object])[] = [
  [{ to: phone(50) }, { to: phone(50) }, { to: phone(51) }],
  [{ to: '*51' }, { to: phone(51) }, { to: phone(50) }],
  [{ channel: 'RCS' }, { to: phone(50) }, mail('ada@example.com')],
  [{ agent_id: agents.otp }, { agent_id: agents.otp, traffic_type: 'AUTHENTICATION' }, {}],
  [{ message_type: 'NEWSLETTER' }, { message_type: 'NEWSLETTER' }, {}],
  [{ traffic_type: 'PROMOTION' }, { traffic_type: 'PROMOTION' }, {}],
  [{ content_type: 'INTERACTIVE' }, { content: card }, {}],
  [{ text_contains: 'black friday' }, { content: card }, {}],
  [
    { template_id: templates.deliveryNotice },
    { content: undefined, template_id: templates.deliveryNotice, template_data: { name: 'Ada', eta: 'soon' } },
    {},
  ],
  [{ channel_id: channels.rcs }, {}, { agent_id: agents.transactional }],
]

test.for(criteria)('a rule with %o applies to matching messages only', async ([match, yes, no]) => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.rules.add({ match, behaviour: { outcome: 'never_delivered' } })
  const [matching, other] = await outcomes(sandbox, { to: phone(50), ttl: '60s', ...yes }, { to: phone(50), ...no })
  expect(matching!.status).toBe('expired')
  expect(other!.status).not.toBe('expired')
  expect(await sandbox.client.rules.show(id)).toMatchObject({ seen: 1, hits: 1 })
})

test('a rule for a carrier applies to the phones on it', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ match: { carrier: 'alpentel' }, behaviour: failing })
  await sandbox.client.handsets.set(phone(50), { carrier: 'alpentel' })
  await sandbox.client.handsets.set(phone(51), { carrier: 'nordfunk' })
  const [on, off] = await outcomes(sandbox, { to: phone(50) }, { to: phone(51) })
  expect([on!.status === 'failed', off!.status === 'failed']).toEqual([true, false])
})

test('a rule for a campaign applies to its messages alone', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.rules.add({ match: { campaign_id: campaigns.demo }, behaviour: failing })
  await client.campaigns.trigger(campaigns.demo)
  const [own] = await outcomes(sandbox, { to: phone(50) })
  await clock.advance('1h')
  const { messages } = await client.messages.list({ campaign_id: campaigns.demo })
  expect(new Set(statuses(messages))).toEqual(new Set(['failed']))
  expect(own!.status).not.toBe('failed')
})

test('an email rule is for an address in any case', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({
    match: { to: '*@Example.com' },
    behaviour: { outcome: 'bounced', bounce_type: 'soft' },
  })
  const sent = await outcomes(sandbox, mail('Ada@example.COM'), mail('ada@example.org'))
  expect(statuses(sent)).toEqual(['bounced', 'delivered'])
})

test('the first rule that matches decides, and what it leaves open is for the carrier', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const slow = await client.rules.add({ match: { to: phone(50) }, behaviour: { delivery_delay: '10m', read: false } })
  const lost = await client.rules.add({ match: { to: '+49*' }, behaviour: failing })
  const [first, second] = await outcomes(sandbox, { to: phone(50) }, { to: phone(51) })
  expect(first!.status).toBe('delivered')
  expect(Date.parse(first!.delivered_at!) - Date.parse(first!.sent_at!)).toBe(600_000)
  expect(second!.status).toBe('failed')
  expect((await client.rules.show(slow.id)).hits).toBe(1)
  expect((await client.rules.show(lost.id)).hits).toBe(1)
})

test('a rule answers for the user: a reply, and a tap on a suggestion', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.rules.add({ match: { to: phone(50) }, behaviour: { replies: 'Yes please', reply_delay: '5s' } })
  await client.rules.add({ match: { to: phone(51) }, behaviour: { taps: 0 } })
  const suggestions = [{ reply: { text: 'Track', postback_data: 'dHJhY2s=' } }]
  await outcomes(sandbox, { to: phone(50) }, { to: phone(51), content: { text: 'Hello', suggestions } })
  const { messages } = await client.messages.list({ direction: 'INBOUND' })
  expect(messages.map(({ contact_id, content }) => [contact_id, (content as { text: string }).text])).toEqual([
    [contactOf(50), 'Yes please'],
    [contactOf(51), 'Track'],
  ])
})

test('a handset setting wins over a rule, and a magic recipient over both', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const rule = await client.rules.add({ behaviour: { outcome: 'never_delivered' }, times: 1 })
  await client.handsets.set(phone(50), { outcome: 'failed', failure_reason: 'ACCOUNT_SUSPENDED' })
  const [handset, magic, ordinary, after] = await outcomes(
    sandbox,
    { to: phone(50) },
    { to: phones.rejectedAsSpam },
    { to: phone(51), ttl: '60s' },
    { to: phone(52) },
  )
  expect([handset!.failure_reason, magic!.failure_reason]).toEqual(['ACCOUNT_SUSPENDED', 'REJECTED_SPAM'])
  // It was consulted three times, and is used up by the one message that it decided.
  expect([ordinary!.status, after!.status === 'expired']).toEqual(['expired', false])
  expect(await client.rules.show(rule.id)).toMatchObject({ seen: 3, hits: 1, active: false })
})

test('traffic that the carrier rejects is not checked against rules, and uses none up', async () => {
  await using sandbox = await createSandbox()
  const rule = await sandbox.client.rules.add({ behaviour: { outcome: 'never_delivered' }, times: 1 })
  const [spam] = await outcomes(sandbox, { to: phone(50), agent_id: agents.otp })
  expect(spam!.failure_reason).toBe('REJECTED_SPAM')
  expect(await sandbox.client.rules.show(rule.id)).toMatchObject({ seen: 0, hits: 0 })
})

test('rules and their counts survive a restart', async () => {
  const data = await folder()
  const before = await createSandbox({ data })
  const rule = await before.client.rules.add({ behaviour: failing, times: 2, name: 'outage' })
  await outcomes(before, { to: phone(50) })
  await before.stop()
  await using sandbox = await createSandbox({ data })
  expect(await sandbox.client.rules.show(rule.id)).toMatchObject({ name: 'outage', hits: 1, active: true })
  expect(statuses(await outcomes(sandbox, ...block.slice(0, 2)))[0]).toBe('failed')
  expect(await sandbox.client.rules.show(rule.id)).toMatchObject({ hits: 2, active: false })
})

test('a world file brings rules, and a reset of the rules brings them back', async () => {
  const world = await worldLikeDefault((file) => {
    file.rules = [
      { name: 'flaky', match: { to: '+49171392005*' }, behaviour: { ...failing }, times: 2 },
      { match: { traffic_type: 'PROMOTION' }, behaviour: { delivery_delay: '1s..5s' }, share: '50%' },
    ]
  })
  await using sandbox = await createSandbox({ world })
  const { rules } = await sandbox.client.rules.list()
  expect(rules).toMatchObject([
    { name: 'flaky', position: 1, times: 2, share: null, match: { to: '+49171392005*' } },
    { name: null, position: 2, times: null, share: 0.5, behaviour: { delivery_delay: '1s..5s' } },
  ])
  await outcomes(sandbox, ...block)
  await sandbox.client.rules.clear()
  await sandbox.reset('rules')
  const again = await sandbox.client.rules.list()
  expect(again.rules.map(({ name, hits }) => [name, hits])).toEqual([
    ['flaky', 0],
    [null, 0],
  ])
})
