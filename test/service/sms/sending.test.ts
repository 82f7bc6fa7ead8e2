import { expect, test } from 'vitest'
import { smsMessage } from '../../../src/service/messages/channels/sms.states.ts'
import { worldLikeDefault } from '../../folder.ts'
import { ask, everythingOf } from '../../http.ts'
import { channels, contactOf, phones, templates, uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const sms = { channel_id: channels.sms, to: phones.readsAll, content: { text: 'Hello' } } as const
const inactive = `ch_${uuid(8)}`
const both = `ch_${uuid(9)}`
const notice = `tpl_${uuid(9)}`

/** The default world with SMS, an inactive channel, one for newsletters too, and a template. */
const preview = () =>
  worldLikeDefault((file) => {
    file.preview = { sms: true }
    file.channels.push(
      { channel_id: inactive, type: 'SMS', name: 'Off', active: false },
      { channel_id: both, type: 'SMS', name: 'Both' },
    )
    file.templates.push({
      template_id: notice,
      channel_type: 'SMS',
      name: 'Notice',
      content: { text: 'Hello {{name}}' },
    })
  })

const grant = ({ client }: Pick<Sandbox, 'client'>, nn: number, message_type: 'MESSAGE' | 'NEWSLETTER' = 'MESSAGE') =>
  client.consent.record(contactOf(nn), { channel_type: 'SMS', message_type, status: 'GRANTED', source: 'test' })

const send = (sandbox: Sandbox, body: object) => ask(sandbox, 'POST', '/v1/messages', { body })

test('SMS sending is announced and not available: a 422, whatever consent there is', async () => {
  await using sandbox = await createSandbox()
  await grant(sandbox, 0)
  const before = await everythingOf(sandbox.client)
  expect(await send(sandbox, sms)).toMatchObject({ status: 422, json: { error: 'channel_unavailable', details: [] } })
  expect(await everythingOf(sandbox.client)).toEqual(before)
})

test('a world file can disable the SMS preview, and an unknown field of it is refused', async () => {
  await using sandbox = await createSandbox({
    world: await worldLikeDefault((file) => Object.assign(file, { preview: { sms: false } })),
  })
  expect(await send(sandbox, sms)).toMatchObject({ status: 422, json: { error: 'channel_unavailable' } })
  const wrong = await worldLikeDefault((file) => Object.assign(file, { preview: { mms: true } }))
  await expect(createSandbox({ world: wrong })).rejects.toThrow(/preview\.mms/)
})

/** The state table of SMS by hand: as RCS (interface §3.2), but nothing is read. */
const EXPECTED: Record<string, Record<string, readonly [to: string, ...effects: string[]]>> = {
  queued: {
    dispatch: ['dispatched'],
    expire: ['expired', 'release hold', 'emit'],
    revoke: ['revoked', 'release hold', 'emit'],
  },
  dispatched: {
    deliver: ['delivered', 'charge hold', 'emit'],
    fail: ['failed', 'release hold', 'emit'],
    expire: ['expired', 'release hold', 'emit'],
  },
  delivered: {},
  failed: {},
  expired: {},
  revoked: {},
}
const TRIGGERS = ['dispatch', 'deliver', 'fail', 'expire', 'revoke'] as const
const cases = Object.keys(EXPECTED).flatMap((state) => TRIGGERS.map((trigger) => ({ state, trigger })))

test.each(cases)('SMS: $trigger in $state does what the table says', ({ state, trigger }) => {
  const step = smsMessage.next(state, trigger)
  expect(step && [step.to, ...step.effects]).toEqual(EXPECTED[state]![trigger])
  expect([...smsMessage.states].sort()).toEqual(Object.keys(EXPECTED).sort())
  expect([...smsMessage.triggers].sort()).toEqual([...TRIGGERS].sort())
})

test('with the preview an SMS is queued at the basic price and delivered, with its channel in every event', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  const { client, clock } = sandbox
  await grant(sandbox, 0)
  const sent = await send(sandbox, sms)
  expect(sent).toMatchObject({
    status: 200,
    json: {
      status: 'queued',
      billing: {
        channel: 'SMS',
        message_type: 'basic_message',
        hold_amount: 0.05,
        tier: { channel: 'SMS', volume_used: 1 },
      },
    },
  })
  const id = String(sent.json.message_id)
  const { fired } = await clock.advance('1h')
  expect(fired.map(({ what }) => what)).toEqual(['message.dispatch', 'message.deliver'])
  const log = await client.messages.get(id)
  expect(log).toMatchObject({
    status: 'delivered',
    channel: 'SMS',
    channel_id: channels.sms,
    agent_id: null,
    contact_id: contactOf(0),
    message_type: 'MESSAGE',
    traffic_type: null,
    content_type: 'TEXT',
    cost: '0.0500',
    read_at: null,
  })
  expect(log.events.map(({ type }) => type)).toEqual(['queued', 'sent', 'delivered'])
  const head = { message_id: id, channel_id: channels.sms, to: phones.readsAll }
  expect((await client.events.list({ subject: id })).events.map(({ event, data }) => ({ event, data }))).toEqual([
    { event: 'message.queued', data: { ...head, status: 'queued', queued_at: log.created_at } },
    { event: 'message.delivered', data: { ...head, status: 'delivered', delivered_at: log.delivered_at } },
  ])
  expect(await client.billing.balance()).toEqual({ free: 999.95, reserved: 0, total: 999.95 })
})

/** Outcome of an SMS to the magic recipients: failures of RCS alone do not apply, and nobody reads or replies. */
const fates: readonly [nn: number, status: string, reason?: string][] = [
  [1, 'delivered'],
  [10, 'delivered'],
  [11, 'delivered'],
  [12, 'delivered'],
  [13, 'failed', 'REJECTED_SPAM'],
  [14, 'failed', 'ACCOUNT_SUSPENDED'],
  [20, 'expired'],
  [30, 'delivered'],
]

test('each magic recipient has its outcome for SMS, without RCS and replies', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  const { client, clock } = sandbox
  const sent: [string, (typeof fates)[number]][] = []
  for (const visibility of fates) {
    await grant(sandbox, visibility[0])
    const { message_id } = await client.messages.send({
      ...sms,
      to: `+4917139200${String(visibility[0]).padStart(2, '0')}`,
      ttl: '3600s',
    })
    sent.push([message_id, visibility])
  }
  await clock.advance('2h')
  for (const [id, [nn, status, failure_reason = null]] of sent)
    expect({ nn, ...(await client.messages.get(id)) }).toMatchObject({ nn, status, failure_reason })
  expect((await client.messages.list({ direction: 'INBOUND' })).messages).toEqual([])
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, free: 999.75 })
})

test('an SMS that is still queued can be revoked, with its channel in the event', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  const { client } = sandbox
  await grant(sandbox, 0)
  const { message_id } = await client.messages.send(sms)
  await client.messages.revoke(message_id)
  const { events } = await client.events.list({ subject: message_id })
  expect(events.at(-1)).toMatchObject({ event: 'message.revoked', data: { channel_id: channels.sms } })
  expect(await client.billing.balance()).toMatchObject({ reserved: 0, free: 1000 })
})

test('a newsletter needs consent of its own and costs the same', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  await grant(sandbox, 0)
  const newsletter = { ...sms, channel_id: both, message_type: 'NEWSLETTER' }
  expect(await send(sandbox, newsletter)).toMatchObject({ status: 422, json: { error: 'missing_consent' } })
  await grant(sandbox, 0, 'NEWSLETTER')
  expect(await send(sandbox, newsletter)).toMatchObject({
    status: 200,
    json: { billing: { message_type: 'basic_message', hold_amount: 0.05 } },
  })
})

test('a text has 1 to 1,530 characters, also from a template', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  await grant(sandbox, 0)
  expect(await send(sandbox, { ...sms, content: { text: '😀'.repeat(1530) } })).toMatchObject({ status: 200 })
  expect(await send(sandbox, { ...sms, content: { text: '😀'.repeat(1531) } })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'content.text', code: 'too_big' }] },
  })
  const { content: _, ...bare } = sms
  const byTemplate = await send(sandbox, { ...bare, template_id: notice, template_data: { name: 'Ada' } })
  expect(byTemplate.status).toBe(200)
  expect(await sandbox.client.messages.get(String(byTemplate.json.message_id))).toMatchObject({
    content_type: 'TEMPLATE',
    content: { text: 'Hello Ada' },
  })
})

test('each refusal of an SMS has its status and its code, and changes nothing', async () => {
  await using sandbox = await createSandbox({ world: await preview() })
  const { client } = sandbox
  for (const nn of [0, 40, 41]) await grant(sandbox, nn)
  const revoked = (await client.consent.list(contactOf(41))).consent_records.find(
    ({ channel_type }) => channel_type === 'SMS',
  )!
  await client.consent.revoke(contactOf(41), revoked.id)
  const before = await everythingOf(client)
  const refusals: readonly [body: object, status: number, error: string, says: object][] = [
    [{ ...sms, to: 'ada@example.com' }, 400, 'validation_error', { details: [{ field: 'to', code: 'invalid_phone' }] }],
    [{ ...sms, message_type: 'CONVERSATION' }, 400, 'validation_error', { details: [{ field: 'message_type' }] }],
    [{ ...sms, subject: 'Hello' }, 400, 'validation_error', { details: [{ field: 'subject' }] }],
    [{ ...sms, content: { html: '<p>' } }, 400, 'validation_error', {}],
    [
      { ...sms, content: { text: 'x', suggestions: [] } },
      400,
      'validation_error',
      { details: [{ field: 'content.suggestions' }] },
    ],
    [
      { ...sms, content: undefined, template_id: templates.deliveryNotice, template_data: { name: 'a', eta: 'b' } },
      400,
      'validation_error',
      { details: [{ field: 'template_id' }] },
    ],
    [{ ...sms, channel_id: inactive }, 403, 'channel_inactive', { channel_id: inactive }],
    [{ ...sms, message_type: 'NEWSLETTER' }, 403, 'message_type_not_allowed', {}],
    [{ ...sms, to: phones.blocked }, 422, 'recipient_suppressed', { contact_id: contactOf(40) }],
    [
      { ...sms, to: phones.consentRevoked },
      422,
      'consent_revoked',
      { contact_id: contactOf(41), channel_type: 'SMS', message_type: 'MESSAGE' },
    ],
    [{ ...sms, to: phones.neverReads }, 422, 'missing_consent', { contact_id: contactOf(1), channel_type: 'SMS' }],
    [{ ...sms, to: phones.noContact }, 422, 'missing_consent', { contact_id: null }],
  ]
  for (const [body, status, error, says] of refusals)
    expect(await send(sandbox, body), JSON.stringify(body)).toMatchObject({ status, json: { error, ...says } })
  expect(await everythingOf(client)).toEqual(before)
})
