import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, phone, phones, templates, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'
import { failing, refusalOf } from './rule.ts'

const shared = sharedSandbox()

const delivered = { outcome: 'delivered' } as const
const read = { read: true }

/** Rules that could never decide anything: what they are, the field at fault, and why. */
const never: readonly (readonly [what: string, rule: object, field: string, says: RegExp])[] = [
  ['says nothing', { behaviour: {} }, 'behaviour', /has no effect/],
  ['fails without a reason', { behaviour: { outcome: 'failed' } }, 'behaviour.failure_reason', /required/],
  [
    'has a reason and no failure',
    { behaviour: { failure_reason: 'REJECTED_SPAM' } },
    'behaviour.failure_reason',
    /outcome failed/,
  ],
  [
    'has a bounce type and no bounce',
    { behaviour: { bounce_type: 'hard' } },
    'behaviour.bounce_type',
    /outcome bounced/,
  ],
  ['is read though it fails', { behaviour: { ...failing, read: true } }, 'behaviour.read', /delivered/],
  [
    'delays what never arrives',
    { behaviour: { outcome: 'never_delivered', delivery_delay: '1s' } },
    'behaviour.delivery_delay',
    /nothing is delivered/,
  ],
  ['replies and taps', { behaviour: { replies: 'Yes', taps: 0 } }, 'behaviour.taps', /one answer/],
  ['replies unread', { behaviour: { replies: 'Yes', read: false } }, 'behaviour.replies', /read/],
  ['clicks unopened', { behaviour: { clicked: true, opened: false } }, 'behaviour.clicked', /opened/],
  ['mixes RCS and email', { behaviour: { read: true, opened: true } }, 'behaviour.opened', /EMAIL only/],
  [
    'bounces on RCS',
    { match: { channel: 'RCS' }, behaviour: { outcome: 'bounced' } },
    'behaviour.outcome',
    /only email bounces/,
  ],
  [
    'fails on email',
    { match: { to: 'ada@example.com' }, behaviour: failing },
    'behaviour.failure_reason',
    /RCS and SMS only/,
  ],
  [
    'opens what an agent sends',
    { match: { agent_id: agents.multi }, behaviour: { opened: true } },
    'behaviour.opened',
    /match.agent_id/,
  ],
  [
    'asks for traffic_type on email',
    { match: { channel: 'EMAIL', traffic_type: 'PROMOTION' }, behaviour: delivered },
    'match.traffic_type',
    /EMAIL/,
  ],
  [
    'asks for conversations by email',
    { match: { channel: 'EMAIL', message_type: 'CONVERSATION' }, behaviour: delivered },
    'match.message_type',
    /RCS/,
  ],
  [
    'asks for SMS where none is offered',
    { match: { channel: 'SMS' }, behaviour: delivered },
    'match.channel',
    /not available/,
  ],
  [
    'asks for another channel than that of the agent',
    { match: { agent_id: agents.otp, channel_id: channels.rcs }, behaviour: read },
    'match.channel_id',
    /an agent other than/,
  ],
  [
    'asks for an inactive channel',
    { match: { channel_id: channels.emailInactive }, behaviour: delivered },
    'match.channel_id',
    /inactive/,
  ],
  [
    'asks for an unverified domain',
    { match: { channel_id: channels.emailUnverified }, behaviour: delivered },
    'match.channel_id',
    /verified/,
  ],
  [
    'asks for traffic that the carrier turns away',
    { match: { agent_id: agents.otp, traffic_type: 'PROMOTION' }, behaviour: read },
    'match.traffic_type',
    /REJECTED_SPAM/,
  ],
  [
    'asks for a message_type that the agent may not send',
    { match: { agent_id: agents.otp, message_type: 'CONVERSATION' }, behaviour: read },
    'match.message_type',
    /may not send/,
  ],
  [
    'asks for newsletters of an agent without',
    { match: { agent_id: agents.promotional, message_type: 'NEWSLETTER' }, behaviour: read },
    'match.message_type',
    /newsletter_enabled/,
  ],
  [
    'names no agent of this world',
    { match: { agent_id: `ag_live_${uuid(9)}` }, behaviour: read },
    'match.agent_id',
    /did you mean "ag_live_/,
  ],
  [
    'names no channel of this world',
    { match: { channel_id: `ch_${uuid(9)}` }, behaviour: delivered },
    'match.channel_id',
    /did you mean "ch_/,
  ],
  [
    'names no campaign of this world',
    { match: { campaign_id: uuid(109) }, behaviour: delivered },
    'match.campaign_id',
    /did you mean/,
  ],
  [
    'names no template of this world',
    { match: { template_id: `tpl_${uuid(9)}` }, behaviour: delivered },
    'match.template_id',
    /did you mean "tpl_/,
  ],
  [
    'misspells a carrier',
    { match: { carrier: 'nordfunc' }, behaviour: read },
    'match.carrier',
    /did you mean "nordfunk"/,
  ],
  [
    'names no carrier',
    { match: { carrier: 'o2' }, behaviour: read },
    'match.carrier',
    /nordfunk, rheinmobil, alpentel/,
  ],
  [
    'asks for an invalid template',
    { match: { template_id: templates.deliveryNotice, content_type: 'TEXT' }, behaviour: read },
    'match.content_type',
    /TEMPLATE/,
  ],
  [
    'taps on plain text',
    { match: { content_type: 'TEXT' }, behaviour: { taps: 0 } },
    'behaviour.taps',
    /no suggestions/,
  ],
  [
    'is for a magic recipient',
    { match: { to: phones.rejectedAsSpam }, behaviour: delivered },
    'match.to',
    /magic recipient .*overrides rules/,
  ],
  [
    'is for a magic mailbox, with a label',
    { match: { to: 'opened+x@sandbox.test' }, behaviour: { opened: false } },
    'match.to',
    /magic recipient/,
  ],
  ['is for a phone without RCS', { match: { to: phones.notCapable }, behaviour: read }, 'match.to', /404/],
  ['is for no address', { match: { to: 'nobody' }, behaviour: delivered }, 'match.to', /not a phone number/],
  ['leaves the plus out', { match: { to: '4917*' }, behaviour: delivered }, 'match.to', /not a phone number/],
  [
    'has a country code that begins with 0',
    { match: { to: '+0*' }, behaviour: delivered },
    'match.to',
    /not a phone number/,
  ],
  ['has two @', { match: { to: 'a@b@*' }, behaviour: delivered }, 'match.to', /an email address or a pattern/],
]

test.for(never)('a rule that %s is refused when it is written', async ([, rule, field, says]) => {
  const sandbox = shared()
  const refusal = await refusalOf(sandbox.client.rules.add(rule as never))
  expect(refusal).toMatchObject({ status: 422, code: 'rule_never_matches' })
  expect(refusal!.details.map((detail) => detail.field)).toContain(field)
  expect(refusal!.message).toMatch(says)
  expect(await sandbox.client.rules.list()).toEqual({ rules: [] })
})

const malformed: readonly (readonly [rule: object, field: string])[] = [
  [{ behaviour: read, times: 0 }, 'times'],
  [{ behaviour: read, share: 0 }, 'share'],
  [{ behaviour: read, share: '120%' }, 'share'],
  [{ behaviour: { reed: true } }, 'behaviour.reed'],
  [{ behaviour: read, match: { two: '+49*' } }, 'match.two'],
  [{ behaviour: read, position: 2 }, 'position'],
  [{ behaviour: read, position: 1, before: `rule_${uuid(1)}` }, 'before'],
  [{ behaviour: { delivery_delay: '5s..1s' } }, 'behaviour.delivery_delay'],
]

test.for(malformed)('the malformed rule %o is a 400 that names the field', async ([rule, field]) => {
  const sandbox = shared()
  const refusal = await refusalOf(sandbox.client.rules.add(rule as never))
  expect(refusal).toMatchObject({ status: 400, code: 'validation_error', details: [{ field }] })
})

test('a magic recipient may have a rule for what it leaves open', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ match: { to: phones.after30Seconds }, behaviour: { read: false } })
  expect((await sandbox.client.rules.list()).rules).toHaveLength(1)
})

test('a rule behind one that matches all its messages is refused, and that rule is named', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const wide = await client.rules.add({ name: 'all Germans', match: { to: '+49*' }, behaviour: failing })
  const narrow = { match: { to: '+4917*', traffic_type: 'PROMOTION' }, behaviour: read } as const
  const refusal = await refusalOf(client.rules.add(narrow))
  expect(refusal).toMatchObject({ code: 'rule_never_matches', details: [{ field: 'match', code: 'shadowed' }] })
  expect(refusal!.message).toContain(`${wide.id} (all Germans)`)
  const first = await client.rules.add({ ...narrow, before: wide.id })
  expect(first.position).toBe(1)
  // Nor can it be moved behind, and no wider one be put before it.
  expect(await refusalOf(client.rules.update(first.id, { position: 2 }))).toMatchObject({ code: 'rule_never_matches' })
  expect(await refusalOf(client.rules.update(wide.id, { position: 1 }))).toMatchObject({
    details: [{ code: 'shadows' }],
  })
  expect((await client.rules.list()).rules.map(({ id }) => id)).toEqual([first.id, wide.id])
})

test.for([
  ['counted', { times: 3 }],
  ['for a share', { share: 0.99 }],
] as const)('a rule that is %s leaves something for the next', async ([, extent]) => {
  await using sandbox = await createSandbox()
  await sandbox.client.rules.add({ behaviour: failing, ...extent })
  await sandbox.client.rules.add({ match: { to: '+4917*' }, behaviour: failing })
  expect((await sandbox.client.rules.list()).rules).toHaveLength(2)
})

test('a world file with such a rule does not start, and says which', async () => {
  const world = await worldLikeDefault((file) => {
    file.rules = [
      { behaviour: { delivery_delay: '1s' }, times: 1 },
      { match: { to: phones.rejectedAsSpam }, behaviour: delivered },
    ]
  })
  await expect(createSandbox({ world })).rejects.toThrow(/rules\[1\]\.match\.to: .*magic recipient/)
})

test('a campaign of the world is known, and SMS where it is previewed', async () => {
  const world = await worldLikeDefault((file) => {
    file.preview = { sms: true }
  })
  await using sandbox = await createSandbox({ world })
  const { client } = sandbox
  const ofCampaign = await client.rules.add({
    match: { campaign_id: campaigns.demo },
    behaviour: { delivery_delay: '1s' },
  })
  expect(ofCampaign.channels).toEqual(['EMAIL', 'RCS', 'SMS'])
  const sms = await client.rules.add({ match: { channel: 'SMS', to: phone(50) }, behaviour: failing, position: 1 })
  expect(sms.channels).toEqual(['SMS'])
  const noRcs = client.rules.add({
    match: { channel: 'SMS' },
    behaviour: { outcome: 'failed', failure_reason: 'UNKNOWN_RCS_USER' },
  })
  expect(await refusalOf(noRcs)).toMatchObject({ code: 'rule_never_matches' })
})

test('a world has at most 1,000 rules', async () => {
  const world = await worldLikeDefault((file) => {
    file.rules = Array.from({ length: 1_000 }, (_, i) => ({
      match: { text_contains: `word ${String(i).padStart(4, '0')}` },
      behaviour: { outcome: 'never_delivered' },
    }))
  })
  await using sandbox = await createSandbox({ world })
  expect(await refusalOf(sandbox.client.rules.add({ behaviour: { read: false } }))).toMatchObject({
    status: 422,
    code: 'limit_exceeded',
  })
})
