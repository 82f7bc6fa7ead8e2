import { expect, test } from 'vitest'
import { auditorWith } from '../../src/handlers/audit/audit.ts'
import { Facts } from '../../src/handlers/audit/facts.ts'
import { invariants } from '../../src/handlers/audit/invariants.ts'
import type { SeenRequest } from '../../src/handlers/audit/seen.ts'
import { audit, createAuditor, type Seen, seenBy } from '../../src/handlers/library.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { agents } from '../magic.ts'
import { readPage } from '../page.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const PHONE = '+491713920050'
const EMAIL = 'ada@example.com'
const CONTACT = 'c_00000000-0000-4000-8000-000000000050'
const AT = '2026-01-01T00:00:00.000Z'
const KEY = '00000000-0000-4000-8000-00000000000'

let events = 0
const event = (event: string, data: object): Seen => ({
  kind: 'event',
  body: JSON.stringify({ id: `evt_${++events}`, event, timestamp: AT, data }),
})
const request = (method: string, path: string, body: object | null, answer: object = {}): Seen => ({
  kind: 'request',
  at: AT,
  method,
  path,
  status: 200,
  error: null,
  idempotency_key: `${KEY}1`,
  replayed: false,
  body: body && JSON.stringify(body),
  ...answer,
})
const rcs = {
  agent_id: 'ag_1',
  to: PHONE,
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Hi' },
}
const sends = (body: object = {}, answer: object = {}) => request('POST', '/v1/messages', { ...rcs, ...body }, answer)
const mails = (body: object = {}, answer: object = {}) =>
  request('POST', '/v1/messages', { channel_id: 'ch_1', to: EMAIL, subject: 'Hi', ...body }, answer)
const rcsNewsletter = { channel_type: 'RCS', message_type: 'NEWSLETTER' }
const NEWSLETTER = { message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' }

const person = event('contact.created', { contact_id: CONTACT, phone: PHONE, email: EMAIL })
const consent = (message_type: string, status: string, enforced_doi = false, channel_type = 'RCS') =>
  event('consent.updated', {
    contact_id: CONTACT,
    consent_record_id: 'cr_1',
    channel_type,
    message_type,
    status,
    enforced_doi,
  })
const stop = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
const stopAgain = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
const to = { message_id: 'msg_1', to: EMAIL }
const grant = request('POST', `/v1/contacts/${CONTACT}/consent`, {
  channel_type: 'RCS',
  message_type: 'NEWSLETTER',
  status: 'GRANTED',
})
const refused = (status: number, error: string, key = 1) => ({ status, error, idempotency_key: `${KEY}${key}` })

/** Behaviour that the audit reports, and behaviour that it allows. */
const stories: readonly { code: string; wrong: readonly Seen[]; right: readonly Seen[] }[] = [
  {
    code: 'promotion-after-revocation',
    wrong: [person, consent('NEWSLETTER', 'REVOKED'), sends(NEWSLETTER)],
    right: [person, consent('NEWSLETTER', 'REVOKED'), sends()],
  },
  { code: 'send-after-stop', wrong: [stop, sends()], right: [stop, sends({ traffic_type: 'ACKNOWLEDGEMENT' })] },
  {
    code: 'send-after-hard-bounce',
    wrong: [event('email.bounced', { ...to, bounce_type: 'hard' }), mails()],
    right: [event('email.bounced', { ...to, bounce_type: 'soft' }), mails()],
  },
  {
    code: 'send-after-complaint',
    wrong: [event('email.complained', to), mails()],
    right: [event('email.opened', to), mails()],
  },
  {
    code: 'send-after-unsubscription',
    wrong: [event('email.unsubscribed', to), mails()],
    right: [event('email.delivered', to), mails()],
  },
  {
    code: 'acknowledged-twice',
    wrong: [
      stop,
      sends({ traffic_type: 'ACKNOWLEDGEMENT' }),
      sends({ traffic_type: 'ACKNOWLEDGEMENT' }, { idempotency_key: `${KEY}2` }),
    ],
    right: [
      stop,
      sends({ traffic_type: 'ACKNOWLEDGEMENT' }),
      sends({ traffic_type: 'ACKNOWLEDGEMENT' }, { replayed: true }),
    ],
  },
  {
    code: 'send-after-revocation',
    wrong: [sends({}, refused(422, 'consent_revoked'))],
    right: [person, consent('MESSAGE', 'REVOKED'), consent('MESSAGE', 'GRANTED'), sends()],
  },
  {
    code: 'newsletter-before-double-opt-in',
    wrong: [person, consent('NEWSLETTER', 'PENDING', true), sends(NEWSLETTER)],
    right: [person, consent('NEWSLETTER', 'PENDING', true), consent('NEWSLETTER', 'GRANTED', true), sends(NEWSLETTER)],
  },
  {
    code: 'newsletter-without-consent',
    wrong: [sends(NEWSLETTER, refused(422, 'missing_consent'))],
    right: [sends(NEWSLETTER)],
  },
  {
    code: 'suppressed-again',
    wrong: [
      mails({}, refused(422, 'recipient_suppressed')),
      mails({ subject: 'Other' }, refused(422, 'recipient_suppressed', 2)),
    ],
    right: [
      mails({}, refused(422, 'recipient_suppressed')),
      mails({ to: 'bob@example.com' }, { idempotency_key: `${KEY}2` }),
    ],
  },
  {
    code: 'refusal-repeated',
    wrong: [sends({}, refused(422, 'missing_consent')), sends({}, refused(422, 'missing_consent'))],
    right: [sends({}, refused(422, 'missing_consent')), consent('MESSAGE', 'GRANTED'), sends()],
  },
  {
    code: 'balance-repeated',
    wrong: [sends({}, refused(402, 'insufficient_balance')), sends({}, refused(402, 'insufficient_balance'))],
    right: [
      sends({}, refused(402, 'insufficient_balance')),
      request('POST', '/v1/billing/topup', { amount: 50 }),
      sends(),
    ],
  },
  {
    code: 'retry-storm',
    wrong: Array.from({ length: 6 }, () => sends({}, refused(503, 'service_unavailable'))),
    right: Array.from({ length: 5 }, () => sends({}, refused(503, 'service_unavailable'))),
  },
  { code: 'no-idempotency-key', wrong: [sends({}, { idempotency_key: null })], right: [sends()] },
  {
    code: 'key-reused',
    wrong: [sends(), sends({ content: { text: 'Other' } })],
    right: [sends(), sends({ content: { text: 'Other' } }, { idempotency_key: `${KEY}2` })],
  },
  {
    code: 'key-changed-on-retry',
    wrong: [sends({}, { status: null }), sends({}, { idempotency_key: `${KEY}2` })],
    right: [sends({}, { status: null }), sends()],
  },
  {
    code: 'sent-twice',
    wrong: [sends(), sends({}, { idempotency_key: `${KEY}2` })],
    right: [
      sends(),
      event('message.expired', { message_id: 'msg_1', to: PHONE }),
      sends({}, { idempotency_key: `${KEY}2` }),
    ],
  },
  {
    code: 'conversation-without-session',
    wrong: [sends({ message_type: 'CONVERSATION' }, refused(422, 'no_active_session'))],
    right: [sends({ message_type: 'CONVERSATION' })],
  },
  {
    code: 'mistake-in-text',
    wrong: [sends({ content: { text: `You wrote: ${{}}` } })],
    right: [
      event('conversation.started', { from: PHONE, user_message: { text: 'It says [object Object]' } }),
      sends({ content: { text: 'You wrote: It says [object Object] 👍, 100 %! (really)' } }),
    ],
  },
  {
    code: 'double-opt-in-bypassed',
    wrong: [person, consent('NEWSLETTER', 'PENDING', true), grant],
    right: [person, consent('NEWSLETTER', 'REVOKED'), grant],
  },
  { code: 'granted-after-ending', wrong: [person, stop, grant], right: [person, grant] },
  {
    code: 'stop-not-recorded',
    wrong: [person, stop],
    right: [person, stop, request('DELETE', `/v1/contacts/${CONTACT}/consent/cr_1`, null)],
  },
]

test.each([
  ['Thanks, None!', ['mistake-in-text']],
  ['Hello null, you wrote to us', ['mistake-in-text']],
  ['Hello <nil>', ['mistake-in-text']],
  ['Answer yes or None. The offer is null and void!', []],
])('a missing name is a mistake in a text: %s', async (text, codes) => {
  expect((await audit([sends({ content: { text } })])).map(({ code }) => code)).toEqual(codes)
})

test('what Go writes for a wrong format is a mistake in a text', async () => {
  const breaches = await audit([sends({ content: { text: 'You wrote: 100 %!(NOVERB)' } })])
  expect(breaches).toMatchObject([{ code: 'mistake-in-text', message: expect.stringContaining('"%!(NOVERB)"') }])
})

test.each(stories)('$code is reported, and allowed behaviour is not', async ({ code, wrong, right }) => {
  const codes = async (seen: readonly Seen[]) => (await audit(seen)).map((breach) => breach.code)
  expect(await codes(wrong)).toContain(code)
  expect(await codes(right)).not.toContain(code)
})

const patched = (reference: string, body: object) => request('PATCH', `/v1/contacts/${reference}`, body)

test.each([
  ['the contact is set to UNSUBSCRIBED', [patched(CONTACT, { status: 'UNSUBSCRIBED' })], true],
  [
    'it is named by an external_id',
    [patched(CONTACT, { external_id: 'ada' }), patched('ada', { status: 'BLOCKED' })],
    true,
  ],
  ['the contact is deleted', [event('contact.deleted', { contact_id: CONTACT, external_id: null })], true],
  ['the contact is set to ACTIVE', [patched(CONTACT, { status: 'ACTIVE' })], false],
  [
    'only consent to emails is revoked',
    [consent('NEWSLETTER', 'GRANTED', false, 'EMAIL'), request('DELETE', `/v1/contacts/${CONTACT}/consent/cr_1`, null)],
    false,
  ],
])('a STOP is recorded or not when %s', async (_, seen, isRecorded) => {
  const codes = (await audit([person, stop, ...seen])).map(({ code }) => code)
  expect(codes).toEqual(isRecorded ? [] : ['stop-not-recorded'])
})

test('a consent record of the application that differs from the service is reported', () => {
  const auditor = createAuditor()
  auditor.see(consent('NEWSLETTER', 'REVOKED'))
  const own = (status: string) => auditor.end({ consent: { [CONTACT]: { 'RCS/NEWSLETTER': status } } })
  expect(own('REVOKED')).toEqual([])
  expect(own('GRANTED')).toMatchObject([{ code: 'consent-differs', docs: 'docs/handlers.md#consent-differs' }])
})

test('every invariant has a story here and a paragraph in the docs', async () => {
  const codes = invariants.map(({ code }) => code)
  expect(codes.toSorted()).toEqual([...stories.map(({ code }) => code), 'consent-differs'].toSorted())
  expect(codes.length).toBeGreaterThanOrEqual(15)
  const page = await readPage('docs/handlers.md')
  expect(codes.filter((code) => !page.includes(`\n### ${code}\n`))).toEqual([])
})

test('a repeated event that repeats its send with the same key is one send', async () => {
  const acknowledgement = sends({ traffic_type: 'ACKNOWLEDGEMENT' }, refused(422, 'missing_consent'))
  const codes = async (...seen: Seen[]) => (await audit([person, ...seen])).map(({ code }) => code)
  expect(await codes(stop, acknowledgement, stop, acknowledgement)).toEqual(['stop-not-recorded'])
  expect(await codes(stop, acknowledgement, acknowledgement)).toContain('refusal-repeated')
  // The answer broke off, so the application does not know that it was refused.
  const cut: Seen = { ...(acknowledgement as SeenRequest), isUnanswered: true }
  expect(await codes(stop, cut, acknowledgement)).toEqual(['stop-not-recorded'])
})

test('two contacts with one phone number may each be welcomed, once', async () => {
  const other = CONTACT.replace('50', '51')
  const again = event('contact.created', { contact_id: other, phone: PHONE, email: null })
  const granted = (contact_id: string) =>
    event('consent.created', { contact_id, consent_record_id: `cr_${contact_id}`, ...rcsNewsletter, status: 'GRANTED' })
  const welcome = (n: number) => sends(NEWSLETTER, { idempotency_key: `${KEY}${n}` })
  const codes = async (...seen: Seen[]) => (await audit([person, again, ...seen])).map(({ code }) => code)
  const both = [granted(CONTACT), granted(other)]
  expect(await codes(...both, welcome(1), welcome(2))).toEqual([])
  expect(await codes(...both, welcome(1), welcome(2), welcome(3))).toEqual(['sent-twice'])
  expect(await codes(granted(other), welcome(1), welcome(2))).toEqual(['sent-twice'])
})

test('events that arrive together may cause a send each before the first is refused', async () => {
  const reply = (n: number) =>
    event('conversation.started', { agent_id: 'ag_1', from: PHONE, user_message: { text: `Friday ${n}` } })
  const thanks = (n: number) => sends({ message_type: 'CONVERSATION' }, refused(422, 'no_active_session', n))
  const codes = async (...seen: Seen[]) => (await audit([person, ...seen])).map(({ code }) => code)
  expect(await codes(reply(1), reply(2), thanks(1), thanks(2))).toEqual([])
  expect(await codes(reply(1), reply(2), thanks(1), thanks(2), thanks(3))).toEqual(['refusal-repeated'])
  expect(await codes(reply(1), thanks(1), thanks(2))).toEqual(['refusal-repeated'])
  const failed = sends({ message_type: 'CONVERSATION' }, refused(502, 'bad_gateway', 1))
  expect(await codes(reply(1), reply(2), failed, failed, thanks(1), thanks(2))).toEqual([])
  const all = [thanks(1), thanks(2), thanks(3), thanks(4)]
  expect(await codes(reply(1), reply(2), reply(3), reply(4), failed, failed, ...all)).toEqual([])
})

test('an agent has only the sessions that people have started with it', async () => {
  const refusal = sends({ message_type: 'CONVERSATION' }, refused(422, 'no_active_session'))
  const codes = async (agent_id: string) => {
    const reply = event('conversation.started', { agent_id, from: PHONE, user_message: { text: 'Friday' } })
    return (await audit([reply, refusal])).map(({ code }) => code)
  }
  expect(await codes('ag_1')).toEqual([])
  expect(await codes('ag_2')).toEqual(['conversation-without-session'])
})

test('a send whose answer was lost within its session may be repeated after the end with the same key only', async () => {
  const session = { agent_id: 'ag_1', from: PHONE, user_message: { text: 'Hi' } }
  const started = event('conversation.started', session)
  const ended = event('conversation.ended', { agent_id: 'ag_1', with: PHONE })
  const reply = (answer: object) => sends({ message_type: 'CONVERSATION' }, answer)
  const lost = reply({ status: null })
  const codes = async (...seen: Seen[]) => (await audit(seen)).map(({ code }) => code)
  expect(await codes(started, lost, ended, reply(refused(422, 'no_active_session')))).toEqual([])
  const otherKey = reply({ ...refused(422, 'no_active_session'), idempotency_key: `${KEY}2` })
  expect(await codes(started, ended, otherKey)).toEqual(['conversation-without-session'])
  expect(await codes(lost, reply(refused(422, 'no_active_session')))).toEqual(['conversation-without-session'])
})

test('a body that is not a text is refused', async () => {
  for (const seen of [person, sends()])
    await expect(audit([{ ...seen, body: {} } as unknown as Seen])).rejects.toThrow('must be its text')
})

test('a STOP that arrives before the consents or the phone number of its person has nothing to revoke', async () => {
  const codes = async (...seen: Seen[]) => (await audit([person, ...seen])).map(({ code }) => code)
  const granted = consent('NEWSLETTER', 'GRANTED')
  expect(await codes(stop, granted)).toEqual([])
  expect(await codes(granted, stop)).toEqual(['stop-not-recorded'])
  expect(await codes(stop)).toEqual(['stop-not-recorded'])
  // The person may be unknown, too.
  const codesOf = async (...seen: Seen[]) => (await audit(seen)).map(({ code }) => code)
  expect(await codesOf(stop, person, granted)).toEqual([])
  expect(await codesOf(granted, stop, person)).toEqual([])
  const before = event('contact.created', { contact_id: CONTACT, phone: '+491713920051', email: EMAIL })
  const moved = event('contact.updated', { contact_id: CONTACT, phone: PHONE, email: EMAIL })
  expect(await codesOf(before, granted, stop, moved)).toEqual([])
  const again = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
  expect(await codesOf(before, granted, stop, moved, again)).toEqual(['stop-not-recorded'])
})

test.each([
  ['consent', consent('NEWSLETTER', 'GRANTED'), person],
  ['contact', person, consent('NEWSLETTER', 'GRANTED')],
])('a STOP has nothing to revoke if the application accepted the %s only after it', (_, late, early) => {
  const codesIf = (isAccepted: boolean) => {
    const facts = new Facts()
    facts.noteArrival(JSON.parse(late.body!), isAccepted)
    facts.learn(JSON.parse(early.body!))
    facts.learn(JSON.parse(stop.body!))
    facts.noteArrival(JSON.parse(late.body!))
    return auditorWith(facts)
      .end()
      .map(({ code }) => code)
  }
  expect(codesIf(false)).toEqual([])
  expect(codesIf(true)).toEqual(['stop-not-recorded'])
})

test('a reply that was accepted only after the end of its session may be answered in it', () => {
  const reply = event('conversation.started', { agent_id: 'ag_1', from: PHONE, user_message: { text: 'Stop' } })
  const ended = event('conversation.ended', { agent_id: 'ag_1', with: PHONE, reason: 'expired' })
  const refusal = sends({ message_type: 'CONVERSATION' }, refused(422, 'no_active_session'))
  const codesAfter = (isAccepted: boolean) => {
    const facts = new Facts()
    facts.noteArrival(JSON.parse(reply.body!), isAccepted)
    facts.learn(JSON.parse(ended.body!))
    facts.noteArrival(JSON.parse(reply.body!))
    return auditorWith(facts)
      .see(refusal)
      .map(({ code }) => code)
  }
  expect(codesAfter(false)).toEqual([])
  expect(codesAfter(true)).toEqual(['conversation-without-session'])
})

test.each(['👍'.slice(0, 1), '\uFFFD', 'undefined', 'NaN'])(
  '%j in a text is a mistake, also in a card',
  async (mistake) => {
    const rich_card = { standalone: { content: { title: `Hello ${mistake}!` } } }
    const codes = (await audit([sends({ content: { rich_card } })])).map(({ code }) => code)
    expect(codes).toEqual(['mistake-in-text'])
  },
)

test('work that is repeated because a later call has failed repeats its refused send with the same key', async () => {
  const thanks = sends({ message_type: 'CONVERSATION' }, refused(422, 'no_active_session'))
  const failed = { ...grant, ...refused(503, 'service_unavailable') }
  const codes = async (...seen: Seen[]) => (await audit(seen)).map(({ code }) => code)
  const reply = event('conversation.started', { agent_id: 'ag_1', from: PHONE, user_message: { text: 'Friday' } })
  expect(await codes(reply, thanks, failed, thanks)).toEqual([])
  expect(await codes(reply, thanks, grant, failed, thanks, thanks)).toEqual(['refusal-repeated'])
})

test('what the application reads from the API may be ahead of the events', async () => {
  const codes = async (...seen: Seen[]) => (await audit(seen)).map(({ code }) => code)
  const newsletter = (answer?: ReturnType<typeof refused>) => sends(NEWSLETTER, answer)
  const revoked = [person, consent('NEWSLETTER', 'REVOKED')]
  const read = request('GET', `/v1/contacts/${CONTACT}/consent`, null)
  expect(await codes(...revoked, newsletter())).toEqual(['promotion-after-revocation'])
  expect(await codes(...revoked, read, newsletter())).toEqual([])
  expect(await codes(read, ...revoked, newsletter())).toEqual(['promotion-after-revocation'])
  const failed = { ...read, ...refused(503, 'service_unavailable') }
  expect(await codes(...revoked, failed, newsletter())).toEqual(['promotion-after-revocation'])
  expect(await codes(...revoked, read, newsletter(refused(422, 'consent_revoked')))).toEqual([
    'promotion-after-revocation',
  ])
  // The contact was read, because its own event is late.
  const missing = newsletter(refused(422, 'missing_consent'))
  expect(await codes(consent('NEWSLETTER', 'GRANTED'), missing)).toEqual([])
  expect(await codes(consent('MESSAGE', 'GRANTED'), missing)).toEqual(['newsletter-without-consent'])
})

test('a refused ACKNOWLEDGEMENT does not count as a confirmation', async () => {
  const acknowledgement = (answer?: ReturnType<typeof refused>) => sends({ traffic_type: 'ACKNOWLEDGEMENT' }, answer)
  const codes = async (...seen: Seen[]) => (await audit([person, stop, ...seen])).map(({ code }) => code)
  const [first, second] = [1, 2].map((key) => acknowledgement(refused(422, 'missing_consent', key))) as [Seen, Seen]
  expect(await codes(first, second)).not.toContain('acknowledged-twice')
  // The next STOP answers the confirmation, and its event comes after the request that it causes.
  expect(await codes(acknowledgement(), second, second)).not.toContain('acknowledged-twice')
})

test('a sandbox lists requests and events in order', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const send = {
    agent_id: agents.multi,
    to: PHONE,
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
  } as const
  const { message_id } = await client.messages.send(
    { ...send, content: { text: 'One' } },
    { idempotencyKey: `${KEY}1` },
  )
  await sandbox.trigger('message.read', { message_id })
  await client.messages.send({ ...send, content: { text: 'Two' } }, { idempotencyKey: `${KEY}2` })
  expect((await audit(await seenBy(client))).map(({ code }) => code)).toEqual([])
  await sandbox.trigger('conversation.started', { message_id, text: 'STOP' })
  await client.messages.send({ ...send, content: { text: 'Three' } }, { idempotencyKey: `${KEY}3` })
  expect((await audit(await seenBy(client))).map(({ code }) => code)).toEqual(['send-after-stop', 'stop-not-recorded'])
})

test('sandbox listen --audit reports a breach when it happens', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const send = {
    agent_id: agents.multi,
    to: PHONE,
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Hi' },
  } as const
  const { code, lines } = await sandboxCommand(
    ['listen', '--audit', '--events', 'email.*', '--base-url', sandbox.url],
    {
      onOutput(text, stop) {
        if (text.includes('"auditing"')) void client.messages.send(send)
        if (text.includes('"breach"')) stop('SIGINT')
      },
    },
  )
  expect(code).toBe(0)
  expect(lines).toContainEqual(expect.objectContaining({ type: 'breach', code: 'no-idempotency-key' }))
})

const record = (id: string, message_type: string, status = 'GRANTED', channel_type = 'RCS') =>
  event('consent.created', { contact_id: CONTACT, consent_record_id: id, channel_type, message_type, status })
const revokes = (id: string) => request('DELETE', `/v1/contacts/${CONTACT}/consent/${id}`, null)
const unsubscribes = request('PATCH', `/v1/contacts/${CONTACT}`, { status: 'UNSUBSCRIBED' })
const deleted = event('contact.deleted', { contact_id: CONTACT })
const both = [
  person,
  record('cr_1', 'MESSAGE'),
  record('cr_2', 'NEWSLETTER'),
  record('cr_3', 'MESSAGE', 'GRANTED', 'EMAIL'),
]

test.each([
  ['one of two consents is revoked', [...both, stop, revokes('cr_1')], ['RCS/NEWSLETTER']],
  ['both are revoked', [...both, stop, revokes('cr_1'), revokes('cr_2')], []],
  ['the contact is unsubscribed', [...both, stop, unsubscribes], []],
  ['the contact is deleted', [...both, stop, deleted], []],
  ['one is granted after the STOP', [...both.slice(0, 2), stop, revokes('cr_1'), record('cr_2', 'NEWSLETTER')], []],
  ['the consent by email is revoked', [...both, stop, revokes('cr_3')], ['the consent']],
  ['nothing is known about the contact', [stop, revokes('cr_1')], []],
  [
    'one is revoked before an event names it',
    [person, stop, revokes('cr_1'), record('cr_1', 'MESSAGE'), stopAgain],
    [],
  ],
])('a STOP is recorded for each consent by RCS that was known: %s', async (_, seen, left) => {
  const breaches = await audit(seen)
  expect(breaches.map(({ code }) => code)).toEqual(left.map(() => 'stop-not-recorded'))
  for (const [i, what] of left.entries()) expect(breaches[i]!.message).toMatch(new RegExp(`did not revoke ${what}$`))
})

test('a STOP is not recorded for a contact that has another phone number', async () => {
  const moved = event('contact.updated', { contact_id: CONTACT, phone: '+491713920051', email: EMAIL })
  expect(await audit([person, record('cr_1', 'MESSAGE'), stop, moved])).toEqual([])
})

test('each of two STOPs may be confirmed, but neither twice', async () => {
  const again = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
  const confirms = (key: number) => sends({ traffic_type: 'ACKNOWLEDGEMENT' }, { idempotency_key: `${KEY}${key}` })
  expect(await audit([person, stop, confirms(1), unsubscribes, again, confirms(2)])).toEqual([])
  const breaches = await audit([person, stop, confirms(1), unsubscribes, again, confirms(2), confirms(3)])
  expect(breaches.map(({ code }) => code)).toContain('acknowledged-twice')
})

test('each of two STOPs is confirmed with a key of its own, also if the first confirmation failed', async () => {
  const again = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
  const confirms = (key: number, status = 201) =>
    sends({ traffic_type: 'ACKNOWLEDGEMENT' }, { idempotency_key: `${KEY}${key}`, status })
  const codes = async (...seen: Seen[]) => (await audit([person, ...seen, unsubscribes])).map(({ code }) => code)
  expect(await codes(stop, confirms(1, 503), again, confirms(2, 503), confirms(1), confirms(2))).toEqual([])
  expect(await codes(stop, again, confirms(1, 503), confirms(2, 503), confirms(1), confirms(2))).toEqual([])
  expect(await codes(stop, confirms(1, 503), confirms(2))).toEqual(['key-changed-on-retry'])
  expect(await codes(stop, again, confirms(1), confirms(2, 503), confirms(3))).toContain('key-changed-on-retry')
})

test('the confirmation of an earlier STOP may be repeated with its key after a later one was refused', async () => {
  const again = event('conversation.started', { from: PHONE, user_message: { text: 'Stop' } })
  const refused = { status: 422, error: 'recipient_suppressed', idempotency_key: `${KEY}2` }
  const confirms = (answer: object) => sends({ traffic_type: 'ACKNOWLEDGEMENT' }, answer)
  const seen = [person, stop, confirms({}), unsubscribes, again, confirms(refused), unsubscribes, stop]
  expect(await audit([...seen, confirms({ replayed: true })])).toEqual([])
})

test.each([
  ['a contact of the world file', async () => PHONE],
  ['a leased phone', async ({ lease }: Sandbox) => (await lease.phone({ consent: true })).address],
])('a STOP is recorded or not by a contact without an event of its own: %s', async (_, phoneIn) => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const to = await phoneIn(sandbox)
  const send = {
    agent_id: agents.multi,
    to,
    message_type: 'MESSAGE',
    traffic_type: 'TRANSACTION',
    content: { text: 'Hi' },
  } as const
  const { message_id } = await client.messages.send(send, { idempotencyKey: `${KEY}1` })
  await sandbox.trigger('message.delivered', { message_id })
  await sandbox.trigger('conversation.started', { message_id, text: 'STOP' })
  expect((await audit(await seenBy(client))).map(({ code }) => code)).toEqual(['stop-not-recorded'])
  const { contact_id } = await client.messages.get(message_id)
  for (const { id } of (await client.consent.list(contact_id)).consent_records)
    await client.consent.revoke(contact_id, id)
  expect(await audit(await seenBy(client))).toEqual([])
})
