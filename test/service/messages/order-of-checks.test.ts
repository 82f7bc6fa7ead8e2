import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { holdMachineClock } from '../../machine-clock.ts'
import { agents, channels, emails, phones, rcsText, templates, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const rcs = { ...rcsText, to: phones.readsAll }
const email = { channel_id: channels.email, to: emails.delivered, subject: 'Hello', content: { text: 'Hello' } }
const sms = { channel_id: channels.sms, to: phones.readsAll, content: { text: 'Hello' } }
const nobody = { agent_id: `ag_live_${uuid(99)}` }
const isolated = { agent_id: `ag_live_${uuid(8)}` }
const nowhere = { agent_id: `ag_live_${uuid(7)}` }
const byTemplate = (template_id: string, template_data?: object) => ({ content: undefined, template_id, template_data })

/** Each breaks two rules that lie next to each other; the earlier one must answer (choices, "Order of checks"). */
const pairs: readonly [first: string, then: string, body: object, status: number, error: string][] = [
  ['body', 'agent', { ...rcs, ...nobody, message_type: undefined }, 400, 'validation_error'],
  ['body: content', 'agent', { ...rcs, ...nobody, content: { text: 'x'.repeat(3073) } }, 400, 'validation_error'],
  ['body', 'channel', { ...email, channel_id: `ch_${uuid(99)}`, to: 'nobody' }, 400, 'validation_error'],
  ['body', 'template', { ...rcs, ...byTemplate(`tpl_${uuid(99)}`), ttl: '1h' }, 400, 'validation_error'],
  ['body', 'SMS', { ...email, channel_id: channels.sms, ttl: '0s' }, 400, 'validation_error'],
  ['body: phone', 'SMS', { ...sms, to: '0171 3920050' }, 400, 'validation_error'],
  ['body: content', 'SMS', { ...sms, content: { html: '<p>Hi</p>' } }, 400, 'validation_error'],
  ['SMS', 'template', { ...sms, ...byTemplate(`tpl_${uuid(99)}`) }, 422, 'channel_unavailable'],
  ['agent', 'template', { ...rcs, ...nobody, ...byTemplate(`tpl_${uuid(99)}`) }, 404, 'not_found'],
  [
    'template',
    'agent not approved',
    { ...rcs, agent_id: agents.draft, ...byTemplate(`tpl_${uuid(99)}`) },
    404,
    'not_found',
  ],
  [
    'data of the template',
    'agent not approved',
    { ...rcs, agent_id: agents.draft, ...byTemplate(templates.deliveryNotice) },
    422,
    'template_data_missing',
  ],
  [
    'template',
    'channel inactive',
    { ...email, subject: undefined, channel_id: channels.emailInactive, ...byTemplate(templates.orderConfirmation) },
    422,
    'template_data_missing',
  ],
  [
    'agent not approved',
    'suppression',
    { ...rcs, agent_id: agents.draft, to: phones.blocked },
    403,
    'agent_not_approved',
  ],
  ['agent not launched', 'message_type', { ...rcs, ...nowhere, message_type: 'NEWSLETTER' }, 403, 'agent_not_launched'],
  [
    'message_type',
    'suppression',
    { ...rcs, agent_id: agents.otp, message_type: 'NEWSLETTER', to: phones.blocked },
    403,
    'message_type_not_allowed',
  ],
  ['channel inactive', 'domain', { ...email, channel_id: `ch_${uuid(9)}` }, 403, 'channel_inactive'],
  [
    'domain',
    'message_type',
    { ...email, channel_id: `ch_${uuid(10)}`, message_type: 'NEWSLETTER' },
    403,
    'domain_not_verified',
  ],
  [
    'channel inactive',
    'suppression',
    { ...email, channel_id: channels.emailInactive, to: emails.suppressed },
    403,
    'channel_inactive',
  ],
  [
    'message_type of the agent',
    'channel of the agent inactive',
    { ...rcs, ...isolated, message_type: 'NEWSLETTER' },
    403,
    'message_type_not_allowed',
  ],
  [
    'channel of the agent inactive',
    'suppression',
    { ...rcs, ...isolated, to: phones.blocked },
    403,
    'channel_inactive',
  ],
  [
    'unknown recipient',
    'session',
    { ...rcs, message_type: 'CONVERSATION', to: phones.noContact },
    422,
    'missing_consent',
  ],
  [
    'suppression',
    'newsletter_enabled',
    { ...rcs, agent_id: agents.promotional, message_type: 'NEWSLETTER', to: phones.blocked },
    422,
    'recipient_suppressed',
  ],
  ['suppression', 'session', { ...rcs, message_type: 'CONVERSATION', to: phones.blocked }, 422, 'recipient_suppressed'],
  ['suppression', 'device', { ...rcs, to: '+491713920044' }, 422, 'recipient_suppressed'],
  ['suppression', 'consent', { ...rcs, to: '+491713920045' }, 422, 'recipient_suppressed'],
  ['consent', 'session', { ...rcs, message_type: 'CONVERSATION', to: phones.consentRevoked }, 422, 'consent_revoked'],
  ['consent', 'device', { ...rcs, to: '+491713920046' }, 422, 'consent_revoked'],
  ['session', 'device', { ...rcs, message_type: 'CONVERSATION', to: phones.notCapable }, 422, 'no_active_session'],
  ['device', 'balance', { ...rcs, to: phones.notCapable }, 404, 'device_not_rcs_capable'],
  ['consent', 'balance', { ...rcs, to: phones.noContact }, 422, 'missing_consent'],
  ['balance', 'nothing', rcs, 402, 'insufficient_balance'],
]

/** Without money, so that every request breaks at least the last rule too. */
const world = () =>
  worldLikeDefault((file) => {
    file.billing.balance = 0
    file.agents.push({
      agent_id: nowhere.agent_id,
      use_case: 'TRANSACTIONAL',
      display_name: 'Nowhere',
      launched_on: [],
    })
    file.agents.push({ agent_id: isolated.agent_id, use_case: 'TRANSACTIONAL', display_name: 'Isolated' })
    file.channels.push(
      { channel_id: `ch_${uuid(11)}`, type: 'RCS', name: 'Off', active: false, agent_id: isolated.agent_id },
      { channel_id: `ch_${uuid(9)}`, type: 'EMAIL', name: 'Neither', active: false, domain_verified: false },
      {
        channel_id: `ch_${uuid(10)}`,
        type: 'EMAIL',
        name: 'No newsletters',
        domain_verified: false,
        message_types: ['MESSAGE'],
      },
    )
    const revoked = [{ channel_type: 'RCS', message_type: 'MESSAGE', status: 'REVOKED', source: 'test' }]
    const add = (nn: number, status: string, rcs_capable: boolean, consent: object[]) => {
      const phone = `+4917139200${nn}`
      file.contacts.push({ id: `c_${uuid(nn)}`, external_id: `magic-${nn}`, phone, status, consent })
      file.magic_recipients.push({ address: phone, does: 'test', rcs_capable })
    }
    add(44, 'BLOCKED', false, [])
    add(45, 'UNSUBSCRIBED', true, revoked)
    add(46, 'ACTIVE', false, revoked)
  })

test('the rules of a send are checked in their documented order', async () => {
  await using sandbox = await createSandbox({ world: await world() })
  for (const [first, then, body, status, error] of pairs) {
    const answer = await ask(sandbox, 'POST', '/v1/messages', { body })
    expect({ first, then, status: answer.status, error: answer.json.error }).toEqual({ first, then, status, error })
  }
  // With an agent and a template both unknown, it is the agent that is named.
  const both = await ask(sandbox, 'POST', '/v1/messages', {
    body: { ...rcs, ...nobody, ...byTemplate(`tpl_${uuid(99)}`) },
  })
  expect(both.json.details).toMatchObject([{ field: 'agent_id' }])
})

const key = '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'

test('a replay comes before the body and before all rules, but after the key', async () => {
  await using sandbox = await createSandbox()
  const headers = { 'Idempotency-Key': key }
  const first = await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers })
  expect(first.status).toBe(200)
  await sandbox.client.contacts.update('magic-00', { status: 'BLOCKED' })
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers })).toMatchObject({
    status: 200,
    text: first.text,
  })
  // Another body with the key is refused for that, even if it is not a send at all.
  for (const body of [{ ...rcs, ttl: '1h' }, {}, { nonsense: true }])
    expect(await ask(sandbox, 'POST', '/v1/messages', { body, headers })).toMatchObject({
      status: 409,
      json: { error: 'idempotency_key_reused' },
    })
  expect(
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers: { ...headers, Authorization: undefined } }),
  ).toMatchObject({ status: 401 })
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: rcs })).toMatchObject({
    status: 422,
    json: { error: 'recipient_suppressed' },
  })
})

test('the key comes before the rate limit, and the rate limit before a replay', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 1 } })
  const headers = { 'Idempotency-Key': key }
  expect((await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers })).status).toBe(200)
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers })).toMatchObject({
    status: 429,
    json: { error: 'rate_limit_exceeded' },
  })
  expect(await ask(sandbox, 'POST', '/v1/messages', { body: '{', headers })).toMatchObject({ status: 429 })
  expect(
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers: { Authorization: 'Bearer nonsense' } }),
  ).toMatchObject({ status: 401 })
  expect(
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs, headers: { Authorization: 'Bearer nonsense' } }),
  ).toMatchObject({ status: 401 })
})
