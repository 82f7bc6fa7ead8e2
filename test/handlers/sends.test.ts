import { expect, test } from 'vitest'
import type { SeenRequest } from '../../src/handlers/audit/seen.ts'
import { noteSend, type Sent, sendFindings } from '../../src/handlers/explore/sends.ts'
import type { EventData, EventName } from '../../src/service/events/catalogue.ts'

const [PHONE, NEW_PHONE, CONTACT] = ['+4917139200001', '+4917139200002', 'c_1']

let time = 0
const event = <Name extends EventName>(name: Name, data: Partial<EventData<Name>>) =>
  JSON.stringify({ id: `evt_${++time}`, event: name, timestamp: new Date(time * 1000).toISOString(), data })

const contact = { contact_id: CONTACT, phone: PHONE, email: null, status: 'ACTIVE' } as const
const created = event('contact.created', contact)
const granted = event('consent.created', { contact_id: CONTACT, channel_type: 'RCS', status: 'GRANTED' })
const writes = (text: string, from = PHONE) =>
  event('conversation.started', { from, user_message: { type: 'text', text, postback_data: null } })

const sends = (error: string | null = null, { to = PHONE, traffic_type = 'ACKNOWLEDGEMENT' } = {}): SeenRequest => ({
  ...{ kind: 'request', at: '', method: 'POST', path: '/v1/messages', idempotency_key: null, replayed: false },
  ...{ status: error === null ? 200 : Number(error.slice(0, 3)), error: error?.slice(4) ?? null },
  body: JSON.stringify({ to, traffic_type }),
})

/** What the explorer finds after events in their order; the events of `caused` follow from calls of the application. */
function found(events: string[], requests: SeenRequest[], caused: string[] = []) {
  const sent: Sent = { accepted: new Map(), refused: new Map() }
  for (const request of requests) noteSend(sent, request)
  const arrivals = events.map((body) => [{ body, isAccepted: true }])
  const rule = { reply: 1, stop: 1, 'consent.created': 1 } as const
  return sendFindings(rule, [...events, ...caused], sent, arrivals)
}

const welcome = sends(null, { traffic_type: 'PROMOTION' })

test('a confirmation of STOP that is refused because the application has recorded the STOP first is missing', () => {
  const events = [created, granted, writes('STOP')]
  const unsubscribed = event('contact.updated', { ...contact, status: 'UNSUBSCRIBED' })
  expect(found(events, [welcome, sends()], [unsubscribed])).toEqual([])
  const [finding] = found(events, [welcome, sends('422 recipient_suppressed')], [unsubscribed])
  expect(finding).toMatchObject({
    message: `sends to ${PHONE}: 1 message was sent, 2 messages were expected for consent.created and stop; 1 refused with 422 recipient_suppressed`,
    remedy: expect.stringMatching(/^Confirm the STOP before/),
  })
})

test.each([
  ['no session is open any more', [], '422 no_active_session'],
  ['there has never been such a consent', [], '422 missing_consent'],
  [
    'the contact is unsubscribed in the flow',
    [event('contact.updated', { ...contact, status: 'UNSUBSCRIBED' })],
    '422 recipient_suppressed',
  ],
  [
    'the consent is revoked in the flow',
    [
      event('consent.updated', {
        contact_id: CONTACT,
        consent_record_id: 'cr_1',
        channel_type: 'RCS',
        status: 'REVOKED',
      }),
    ],
    '422 consent_revoked',
  ],
] as const)('a confirmation of STOP may be refused if %s', (_, more, error) => {
  expect(found([created, granted, writes('STOP'), ...more], [welcome, sends(error)])).toEqual([])
})

test('after STOP the service may refuse an answer for lack of consent, but not for a fault of the request', () => {
  const refusedWith = (error: string) =>
    found(
      [created, granted, writes('Hello'), writes('STOP')],
      [welcome, sends(error, { traffic_type: 'TRANSACTION' }), sends()],
    )
  expect(refusedWith('422 recipient_suppressed')).toEqual([])
  expect(refusedWith('409 idempotency_key_reused')).toMatchObject([{ code: 'sends-differ' }])
})

test.each([
  ['402 insufficient_balance', /^Read the error of the refused send\. If the scenario itself suspends/],
  ['403 agent_not_approved', /^Read the error of the refused send\. If the scenario itself suspends/],
  ['422 missing_consent', /CONVERSATION needs an open session/],
])('the remedy of a send that is refused with %s names its cause', (error, remedy) => {
  const [finding] = found([created, granted, writes('Hello')], [welcome, sends(error, { traffic_type: 'TRANSACTION' })])
  expect(finding).toMatchObject({ code: 'sends-differ', remedy: expect.stringMatching(remedy) })
})

test('of two STOPs of a person only the first one must be confirmed', () => {
  const events = [created, granted, writes('STOP'), writes('stop')]
  expect(found(events, [welcome, sends()])).toEqual([])
  expect(found(events, [welcome, sends(), sends()])).toEqual([])
  expect(found(events, [welcome])).toMatchObject([{ code: 'sends-differ' }])
})

test('what a person gets by email instead of RCS counts for that person', () => {
  const both = event('contact.created', { ...contact, email: 'person@example.test' })
  const byEmail = sends(null, { to: 'person@example.test', traffic_type: 'TRANSACTION' })
  expect(found([both, writes('Hello')], [byEmail])).toEqual([])
  expect(found([both, writes('Hello')], [byEmail, byEmail])).toMatchObject([{ code: 'sends-differ' }])
})

test('a person with a new phone number may get a message at either number', () => {
  const events = [
    created,
    granted,
    event('contact.updated', { ...contact, phone: NEW_PHONE }),
    writes('Hello', NEW_PHONE),
  ]
  const newsletter = { traffic_type: 'PROMOTION' }
  const answer = sends(null, { to: NEW_PHONE, traffic_type: 'TRANSACTION' })
  expect(found(events, [welcome, answer])).toEqual([])
  expect(found(events, [sends(null, { to: NEW_PHONE, ...newsletter }), answer])).toEqual([])
  expect(found(events, [sends('422 missing_consent', newsletter), answer])).toEqual([])
  expect(found(events, [welcome])).toMatchObject([
    { message: expect.stringContaining('1 message was sent, 2 messages were expected') },
  ])
})

test('an answer whose session was refused after a restart is not sent once more when its event is repeated', () => {
  const reply = writes('Friday')
  const ended = event('conversation.ended', { with: PHONE })
  const sent: Sent = { accepted: new Map(), refused: new Map() }
  noteSend(sent, sends('422 no_active_session', { traffic_type: 'TRANSACTION' }))
  const found = (isAccepted: boolean, isUnfinished: boolean) =>
    sendFindings({ reply: 1 }, [reply, ended], sent, [
      [{ body: reply, isAccepted, isUnfinished }],
      [{ body: ended, isAccepted: true }],
      [{ body: reply, isAccepted: true }],
    ])
  expect(found(true, true)).toEqual([])
  // It may have stored the event before it was stopped.
  expect(found(false, true)).toEqual([])
  expect(found(false, false)).toMatchObject([{ code: 'sends-differ' }])
})

test('a missing answer differs from one that the service may refuse', () => {
  const early = writes('Hello')
  const ended = event('conversation.ended', { with: PHONE })
  const late = event('conversation.started', {
    ...{ from: PHONE, user_message: { type: 'text', text: 'Friday', postback_data: null } },
  })
  const older = JSON.stringify({ ...JSON.parse(late), timestamp: JSON.parse(early).timestamp })
  const [finding] = found([early, ended, older], [sends('422 no_active_session', { traffic_type: 'TRANSACTION' })])
  expect(finding?.message).toBe(
    `sends to ${PHONE}: 0 messages were sent, 2 messages were expected for reply, of which 1 may be refused; 1 refused with 422 no_active_session`,
  )
})

test('a STOP after a new consent needs a confirmation of its own, which may be refused', () => {
  const first = writes('STOP')
  const renewed = event('consent.updated', {
    ...{ contact_id: CONTACT, consent_record_id: 'cr_1', channel_type: 'RCS', status: 'GRANTED' },
  })
  const second = writes('quit')
  const events = [created, granted, first, renewed, second]
  expect(found(events, [welcome, sends(), sends()])).toEqual([])
  expect(found(events, [welcome, sends(), sends('422 consent_revoked')])).toEqual([])
  expect(found(events, [welcome, sends()])).toMatchObject([{ code: 'sends-differ' }])
  // It learns too late of the consent, or whose it is.
  expect(found([created, granted, first, second, renewed], [welcome, sends()])).toEqual([])
  expect(found([created, granted, second, renewed, first], [welcome, sends()])).toEqual([])
  expect(found([granted, first, renewed, second, created], [welcome, sends()])).toEqual([])
})
