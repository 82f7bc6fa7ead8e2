import { expect, test } from 'vitest'
import { type Detail, problems } from '../../../src/words/problem.ts'
import { worldLikeDefault } from '../../folder.ts'
import { ask, everythingOf } from '../../http.ts'
import { agents, channels, contactOf, emailContacts, emails, phones, rcsText, templates, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const rcs = { ...rcsText, to: phones.readsAll }
const newsletter = { ...rcs, message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' }
const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hello', content: { text: 'Hello' } }
const unlaunched = `ag_live_${uuid(7)}`
const suspended = `ag_live_${uuid(8)}`
const mailOnly = `ch_${uuid(9)}`
const limited = { agent_id: `ag_live_${uuid(10)}`, channel_id: `ch_${uuid(10)}` }
const switchedOff = { agent_id: `ag_live_${uuid(11)}`, channel_id: `ch_${uuid(11)}` }

/** The default world with an agent that is launched nowhere, a suspended one, and a channel for MESSAGE only. */
const world = () =>
  worldLikeDefault((file) => {
    file.agents.push(
      { agent_id: unlaunched, use_case: 'MULTI_USE', display_name: 'Nowhere', launched_on: [] },
      { agent_id: suspended, use_case: 'MULTI_USE', display_name: 'Suspended', status: 'SUSPENDED' },
    )
    file.channels.push({ channel_id: mailOnly, type: 'EMAIL', name: 'No newsletters', message_types: ['MESSAGE'] })
    for (const { agent_id } of [limited, switchedOff])
      file.agents.push({ agent_id, use_case: 'MULTI_USE', newsletter_enabled: true, display_name: 'By channel' })
    file.channels.push(
      { ...limited, type: 'RCS', name: 'No newsletters', message_types: ['MESSAGE'] },
      { ...switchedOff, type: 'RCS', name: 'Off', active: false },
    )
  })

const unknown = (field: string) => ({ details: [{ field, code: 'not_found' }] })
const ofPhone = (nn: number, message_type = 'MESSAGE') => ({
  contact_id: contactOf(nn),
  channel_type: 'RCS',
  message_type,
})

/** A request, the code of its refusal, and the additional fields of the refusal. */
const refusals: readonly [what: string, body: object, status: number, error: string, says: object][] = [
  ['an unknown agent', { ...rcs, agent_id: `ag_live_${uuid(99)}` }, 404, 'not_found', unknown('agent_id')],
  ['an unknown channel', { ...email, channel_id: `ch_${uuid(99)}` }, 404, 'not_found', unknown('channel_id')],
  [
    'an unknown template',
    { ...rcs, content: undefined, template_id: `tpl_${uuid(99)}` },
    404,
    'not_found',
    unknown('template_id'),
  ],
  [
    'an unknown version of a template',
    {
      ...rcs,
      content: undefined,
      template_id: templates.deliveryNotice,
      template_version: '9',
      template_data: { name: 'a', eta: 'b' },
    },
    404,
    'not_found',
    unknown('template_version'),
  ],
  [
    'a template of another channel',
    {
      ...rcs,
      content: undefined,
      template_id: templates.orderConfirmation,
      template_data: { name: 'a', order_id: 'b' },
    },
    400,
    'validation_error',
    { details: [{ field: 'template_id', code: 'invalid_value' }] },
  ],
  [
    'a template without its data',
    { ...rcs, content: undefined, template_id: templates.deliveryNotice, template_data: { name: 'Ada' } },
    422,
    'template_data_missing',
    { details: [{ field: 'template_data.eta', code: 'required' }] },
  ],
  [
    'the RCS channel instead of the agent',
    { ...email, channel_id: channels.rcs },
    400,
    'validation_error',
    { details: [{ field: 'channel_id' }] },
  ],
  [
    'SMS',
    { ...email, subject: undefined, channel_id: channels.sms, to: phones.readsAll },
    422,
    'channel_unavailable',
    {},
  ],
  [
    'an agent in draft',
    { ...rcs, agent_id: agents.draft },
    403,
    'agent_not_approved',
    { agent_id: agents.draft, agent_status: 'DRAFT' },
  ],
  [
    'a suspended agent',
    { ...rcs, agent_id: suspended },
    403,
    'agent_not_approved',
    { agent_id: suspended, agent_status: 'SUSPENDED' },
  ],
  [
    'an agent that is launched nowhere',
    { ...rcs, agent_id: unlaunched },
    403,
    'agent_not_launched',
    { agent_id: unlaunched, agent_status: 'APPROVED' },
  ],
  [
    'CONVERSATION by an OTP agent',
    { ...rcs, agent_id: agents.otp, message_type: 'CONVERSATION' },
    403,
    'message_type_not_allowed',
    { agent_id: agents.otp, agent_status: 'APPROVED' },
  ],
  [
    'NEWSLETTER by an OTP agent',
    { ...newsletter, agent_id: agents.otp },
    403,
    'message_type_not_allowed',
    { agent_id: agents.otp },
  ],
  [
    'NEWSLETTER by a TRANSACTIONAL agent',
    { ...newsletter, agent_id: agents.transactional },
    403,
    'message_type_not_allowed',
    {},
  ],
  [
    'CONVERSATION by a PROMOTIONAL agent',
    { ...rcs, agent_id: agents.promotional, message_type: 'CONVERSATION' },
    403,
    'message_type_not_allowed',
    {},
  ],
  ['an inactive channel', { ...email, channel_id: channels.emailInactive }, 403, 'channel_inactive', {}],
  ['an unverified domain', { ...email, channel_id: channels.emailUnverified }, 403, 'domain_not_verified', {}],
  [
    'a newsletter through a channel without',
    { ...email, channel_id: mailOnly, message_type: 'NEWSLETTER' },
    403,
    'message_type_not_allowed',
    {},
  ],
  [
    'an inactive channel of an agent',
    { ...rcs, agent_id: switchedOff.agent_id },
    403,
    'channel_inactive',
    { ...switchedOff },
  ],
  [
    'a newsletter by an agent whose channel refuses newsletters',
    { ...newsletter, agent_id: limited.agent_id },
    403,
    'message_type_not_allowed',
    { ...limited },
  ],
  [
    'a BLOCKED contact',
    { ...rcs, to: phones.blocked },
    422,
    'recipient_suppressed',
    { to: phones.blocked, contact_id: contactOf(40), contact_status: 'BLOCKED' },
  ],
  [
    'an UNSUBSCRIBED contact',
    { ...email, to: emails.suppressed },
    422,
    'recipient_suppressed',
    { to: emails.suppressed, contact_id: emailContacts.suppressed, contact_status: 'UNSUBSCRIBED' },
  ],
  [
    'revoked consent',
    { ...rcs, to: phones.consentRevoked },
    422,
    'consent_revoked',
    { to: phones.consentRevoked, ...ofPhone(41) },
  ],
  [
    'pending consent',
    { ...rcs, to: phones.consentPending },
    422,
    'consent_pending',
    { to: phones.consentPending, ...ofPhone(42) },
  ],
  [
    'nobody known at the number',
    { ...rcs, to: phones.noContact },
    422,
    'missing_consent',
    { to: phones.noContact, contact_id: null, channel_type: 'RCS', message_type: 'MESSAGE' },
  ],
  [
    'a newsletter with revoked consent',
    { ...newsletter, to: phones.consentRevoked },
    422,
    'missing_consent',
    ofPhone(41, 'NEWSLETTER'),
  ],
  [
    'a newsletter with pending consent',
    { ...newsletter, to: phones.consentPending },
    422,
    'missing_consent',
    {
      ...ofPhone(42, 'NEWSLETTER'),
      consent_status: 'PENDING',
      message: expect.stringContaining('Wait for the contact'),
    },
  ],
  [
    'a newsletter to nobody known',
    { ...newsletter, to: phones.noContact },
    422,
    'missing_consent',
    { contact_id: null },
  ],
  [
    'a newsletter by an agent without newsletter_enabled',
    { ...newsletter, agent_id: agents.promotional },
    422,
    'missing_consent',
    { details: [{ field: 'agent_id', code: 'newsletter_not_enabled' }] },
  ],
  [
    'a newsletter by email to nobody known',
    { ...email, to: 'ada@example.com', message_type: 'NEWSLETTER' },
    422,
    'missing_consent',
    { channel_type: 'EMAIL', message_type: 'NEWSLETTER' },
  ],
  [
    'CONVERSATION with an unknown number',
    { ...rcs, message_type: 'CONVERSATION', to: phones.noContact },
    422,
    'missing_consent',
    { to: phones.noContact, contact_id: null },
  ],
  [
    'CONVERSATION without a session',
    { ...rcs, message_type: 'CONVERSATION' },
    422,
    'no_active_session',
    { to: phones.readsAll },
  ],
  [
    'CONVERSATION with revoked consent',
    { ...rcs, message_type: 'CONVERSATION', to: phones.consentRevoked },
    422,
    'consent_revoked',
    ofPhone(41),
  ],
  ['a phone without RCS', { ...rcs, to: phones.notCapable }, 404, 'device_not_rcs_capable', { to: phones.notCapable }],
]

test('each refusal of a send has its status, its code and its context, and changes nothing', async () => {
  await using sandbox = await createSandbox({ world: await world() })
  const { client } = sandbox
  await client.messages.send(rcs)
  const before = await everythingOf(client)
  for (const [what, body, status, error, says] of refusals) {
    const answer = await ask(sandbox, 'POST', '/v1/messages', { body })
    expect({ what, status: answer.status, error: answer.json.error }).toEqual({ what, status, error })
    const details = (says as { details?: object[] }).details ?? []
    // A 403 or 422 says what to do as well (interface §7).
    const message = expect.stringMatching(status === 403 || status === 422 ? /\w\)?[.;] \w.*\.$/ : /\w{3}.*\.$/)
    expect(answer.json, what).toMatchObject({ message, ...says, details })
    for (const detail of answer.json.details as object[])
      expect(detail).toEqual({ field: expect.any(String), code: expect.any(String), message: expect.any(String) })
    expect(await everythingOf(client), what).toEqual(before)
  }
  // Neither the unknown number nor the address became a contact.
  expect(await ask(sandbox, 'GET', '/v1/contacts/magic-43')).toMatchObject({ status: 404 })
})

test('a send beyond the balance is a 402 with what is needed, what is there and where to top up', async () => {
  await using sandbox = await createSandbox({
    world: await worldLikeDefault((file) => Object.assign(file.billing, { balance: 0.0799 })),
  })
  const { client } = sandbox
  const before = await everythingOf(client)
  const single = { ...rcs, content: { text: 'x'.repeat(161) } }
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: single })).toMatchObject({
    status: 402,
    json: {
      error: 'insufficient_balance',
      message: expect.stringMatching(/0\.08 EUR.*0\.0799 EUR/),
      details: [],
      required_amount: 0.08,
      balance: { free: 0.0799, reserved: 0, total: 0.0799 },
      topup_url: expect.stringMatching(/^https:\/\//),
    },
  })
  expect(await everythingOf(client)).toEqual(before)

  // An email to a stranger makes a contact, unless it is refused.
  await client.messages.send(rcs)
  for (let i = 0; i < 5; i++) await client.messages.send(email)
  const stranger = { ...email, to: 'ada@example.com' }
  const poor = await everythingOf(client)
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: stranger })).toMatchObject({
    status: 402,
    json: { required_amount: 0.005, balance: { free: 0.0049 } },
  })
  expect(await everythingOf(client)).toEqual(poor)
  expect((await client.events.list({ event: 'contact.created' })).events).toEqual([])
})

test('an email MESSAGE to an unknown address creates a contact, and needs no consent', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...email, to: 'Ada@Example.com' })
  const log = await sandbox.client.messages.get(message_id)
  expect(log).toMatchObject({
    to: 'Ada@example.com',
    message_type: 'MESSAGE',
    contact_id: expect.stringMatching(/^c_/),
  })
  expect(await sandbox.client.contacts.get(log.contact_id!)).toMatchObject({
    email: 'Ada@example.com',
    source: 'API',
    consent_records: [],
  })
  expect((await sandbox.client.messages.send({ ...email, to: 'ada@EXAMPLE.com' })).message_id).not.toBe(message_id)
  expect((await sandbox.client.messages.list({ contact_id: log.contact_id! })).messages).toHaveLength(2)
})

test('BOUNCED suppresses email only', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { id } = await client.contacts.update(contactOf(0), { email: 'zero@example.com', status: 'BOUNCED' })
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: { ...email, to: 'zero@example.com' } })).toMatchObject({
    status: 422,
    json: { error: 'recipient_suppressed', contact_id: id, contact_status: 'BOUNCED' },
  })
  expect(await client.messages.send({ ...rcs } as never)).toMatchObject({ status: 'queued' })
})

test('every documented refusal of a send is tested above or in another test', async () => {
  const { sendMessage } = await import('../../../src/service/messages/contract.ts')
  const seen = new Set(refusals.map(([, , , error]) => error))
  const elsewhere = ['insufficient_balance', 'idempotency_key_reused', 'limit_exceeded']
  expect(sendMessage.problems.filter((code) => !seen.has(code) && !elsewhere.includes(code))).toEqual([])
  for (const [, , status, error] of refusals) expect(problems[error as keyof typeof problems].status).toBe(status)
})

test('an answer names what is missing together with what does not fit, and blames nothing on a field that is wrong', async () => {
  const sandbox = await createSandbox()
  const fieldsOf = async (body: object) => {
    const { json } = await ask(sandbox, 'POST', '/v1/messages', { body })
    return (json.details as Detail[]).map(({ field, code }) => `${field} ${code}`)
  }
  expect(await fieldsOf({})).toEqual(['to required', 'agent_id exactly_one', 'content exactly_one'])
  expect(await fieldsOf({ agent_id: 'x', content: {} })).toEqual(['agent_id invalid_format', 'to required'])
  const { agent_id } = rcs
  expect(await fieldsOf({ agent_id })).toEqual([
    'to required',
    'message_type required',
    'traffic_type required',
    'content exactly_one',
  ])
  expect(await fieldsOf({ ...rcs, to: 'nobody', content: { text: 'Hi', html: '<p>Hi</p>' } })).toEqual([
    'to invalid_phone',
    'content.html unknown_field',
  ])
  const { channel_id } = email
  expect(await fieldsOf({ channel_id, to: 'nobody', message_type: 'CONVERSATION', content: { text: 'Hi' } })).toEqual([
    'to invalid_email',
    'message_type invalid_value',
    'subject required',
  ])
})
