import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask, everythingOf, type RawAnswer } from '../../http.ts'
import { agents, contactOf, phones, templates } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { codeOn, verified } from './phone.ts'

const TEST_AGENT = 'ag_live_7e57a9e4-0000-4000-8000-000000000000'
const phone = phones.readsAll
const text = { to: phone, traffic_type: 'TRANSACTION', content: { text: 'Hello' } } as const
const send = (sandbox: Sandbox, body: object, headers = {}) =>
  ask(sandbox, 'POST', '/v1/test/messages', { body, headers })

test('a phone is registered, verified and gets a message that is logged and billed like any other', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  // No contact and no consent exist for this number: its verification is the consent.
  const to = phones.noContact
  await verified(client, to)
  const sent = await client.testAgent.send({ ...text, to })
  expect(sent).toMatchObject({
    message_id: expect.stringMatching(/^msg_/),
    status: 'queued',
    created_at: '2026-01-01T00:00:00.000Z',
    billing: {
      channel: 'RCS',
      message_type: 'basic_message',
      hold_amount: 0.05,
      balance: { free: 999.95, reserved: 0.05, total: 1000 },
    },
  })
  await clock.advance('1m')
  const log = await client.messages.get(sent.message_id)
  expect(log).toMatchObject({
    agent_id: TEST_AGENT,
    channel_id: expect.stringMatching(/^ch_/),
    contact_id: expect.stringMatching(/^c_/),
    to,
    message_type: 'MESSAGE',
    cost: '0.0500',
    delivered_at: expect.any(String),
  })
  const { events } = await client.events.list({ subject: sent.message_id })
  expect(events.map(({ event }) => event).slice(0, 2)).toEqual(['message.queued', 'message.delivered'])
  expect(events[1]!.data).toMatchObject({ message_id: sent.message_id, agent_id: TEST_AGENT, to, status: 'delivered' })
  expect(await client.testAgent.status()).toMatchObject({ messages_used: 1, messages_left: 4 })
})

test('an unknown number becomes a contact with its first message from the Test Agent, also after a deletion', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const to = phones.noContact
  await verified(client, to)
  const contactOfNext = async () => {
    const { message_id } = await client.testAgent.send({ ...text, to })
    await clock.advance('1m')
    return (await client.messages.get(message_id)).contact_id!
  }
  const contact = await contactOfNext()
  expect(await client.contacts.get(contact)).toMatchObject({ phone: to, source: 'API', status: 'ACTIVE' })
  expect(await contactOfNext()).toBe(contact)
  await client.contacts.delete(contact)
  const next = await contactOfNext()
  expect(next).not.toBe(contact)
  expect(await client.contacts.get(next)).toMatchObject({ phone: to, source: 'API', status: 'ACTIVE' })
  expect((await client.messages.list({ contact_id: next })).messages).toHaveLength(1)
  const { events } = await client.events.list({ event: 'contact.created' })
  expect(events.map(({ data }) => (data as { contact_id: string }).contact_id)).toEqual([contact, next])
})

test('a body as for a send may name the Test Agent, and no other agent', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  const { message_id } = await client.testAgent.send({ ...text, agent_id: TEST_AGENT })
  expect(await client.messages.get(message_id)).toMatchObject({ agent_id: TEST_AGENT, to: phone })
  expect(await send(sandbox, { ...text, agent_id: agents.multi })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'agent_id', message: expect.stringContaining(TEST_AGENT) }] },
  })
  expect(await client.testAgent.status()).toMatchObject({ messages_used: 1 })
})

test('a number of an existing contact keeps that contact', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  const { message_id } = await client.testAgent.send(text)
  expect((await client.messages.get(message_id)).contact_id).toBe(contactOf(0))
})

/** An answer without the id of the request. */
const shown = ({ status, bytes, headers }: RawAnswer) => {
  const { 'x-request-id': _, date: __, 'x-ratelimit-remaining': ___, 'x-ratelimit-reset': ____, ...rest } = headers
  return { status, bytes: bytes.toString('hex'), headers: rest }
}

test('a wrong target and an unverified one get byte-equal answers, for every owner of the number', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(sandbox.as('other'), phones.after30Seconds)
  const unregistered = await send(sandbox, text)
  expect(unregistered).toMatchObject({ status: 403, json: { error: 'test_agent_forbidden', details: [] } })
  expect(Object.keys(unregistered.json)).toEqual(['error', 'message', 'details'])

  await client.testAgent.register({ phone })
  const answers = [await send(sandbox, text)]
  await client.testAgent.verify({ phone, code: await codeOn(client, phone) })
  const before = await everythingOf(client)
  // A stranger, a contact, another account's number, a blocked one, a phone without RCS.
  for (const to of [phones.noContact, phones.ordinary, phones.after30Seconds, phones.blocked, phones.notCapable])
    answers.push(await send(sandbox, { ...text, to }))
  for (const answer of answers) expect(shown(answer)).toEqual(shown(unregistered))
  expect(await everythingOf(client)).toEqual(before)
})

test('only the key of a used-up number learns that it is used up', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  for (let i = 0; i < 5; i++) await client.testAgent.send(text)
  await verified(client, phones.neverReads)
  expect(await send(sandbox, text)).toMatchObject({ status: 403, json: { error: 'test_agent_forbidden' } })
})

test('the sixth message to a number is refused, also after another registration', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  for (let left = 4; left >= 0; left--) {
    expect(await send(sandbox, text)).toMatchObject({ status: 200 })
    expect(await client.testAgent.status()).toMatchObject({ messages_used: 5 - left, messages_left: left })
  }
  const before = await everythingOf(client)
  expect(await send(sandbox, text)).toMatchObject({
    status: 403,
    json: { error: 'test_agent_limit_reached', details: [] },
  })
  expect(await everythingOf(client)).toEqual(before)

  await verified(client, phones.neverReads)
  expect(await send(sandbox, { ...text, to: phones.neverReads })).toMatchObject({ status: 200 })
  expect(await verified(client, phone)).toMatchObject({ messages_used: 5, messages_left: 0 })
  expect(await send(sandbox, text)).toMatchObject({ status: 403, json: { error: 'test_agent_limit_reached' } })
})

test('refused and repeated messages do not count', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phones.notCapable)
  expect(await send(sandbox, { ...text, to: phones.notCapable })).toMatchObject({
    status: 404,
    json: { error: 'device_not_rcs_capable', to: phones.notCapable },
  })
  expect(await client.testAgent.status()).toMatchObject({ messages_used: 0 })

  await verified(client, phone)
  const key = { 'Idempotency-Key': '00000000-0000-4000-8000-000000000042' }
  const first = await send(sandbox, text, key)
  const again = await send(sandbox, text, key)
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await client.testAgent.status()).toMatchObject({ messages_used: 1 })
  expect(await send(sandbox, { ...text, ttl: '60s' }, key)).toMatchObject({
    status: 409,
    json: { error: 'idempotency_key_reused' },
  })
})

test('without the money a test message is a 402 and does not count', async () => {
  await using sandbox = await createSandbox({
    world: await worldLikeDefault((file) => Object.assign(file.billing, { balance: 0 })),
  })
  await verified(sandbox.client, phone)
  expect(await send(sandbox, text)).toMatchObject({
    status: 402,
    json: { error: 'insufficient_balance', required_amount: 0.05 },
  })
  expect(await sandbox.client.testAgent.status()).toMatchObject({ messages_used: 0 })
})

test('a suppressed contact stays suppressed, though it verified its number', async () => {
  await using sandbox = await createSandbox()
  await verified(sandbox.client, phones.blocked)
  expect(await send(sandbox, { ...text, to: phones.blocked })).toMatchObject({
    status: 422,
    json: { error: 'recipient_suppressed', contact_id: contactOf(40) },
  })
})

test('a reply to the Test Agent opens a session, in which CONVERSATION can be sent', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await verified(client, phone)
  const conversation = { ...text, message_type: 'CONVERSATION' } as const
  expect(await send(sandbox, conversation)).toMatchObject({ status: 422, json: { error: 'no_active_session' } })
  await client.testAgent.send(text)
  await clock.advance('1m')
  await client.handsets.reply(phone, { agent_id: TEST_AGENT, text: 'Hi' })
  expect(await send(sandbox, conversation)).toMatchObject({ status: 200 })
})

test('a template and rich content work as in a send', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  const { content: _, ...bare } = text
  const byTemplate = { ...bare, template_id: templates.deliveryNotice }
  expect(await send(sandbox, { ...byTemplate, template_data: { name: 'Ada', eta: 'today' } })).toMatchObject({
    status: 200,
    json: { billing: { message_type: 'single_message' } },
  })
  expect(await send(sandbox, byTemplate)).toMatchObject({ status: 422, json: { error: 'template_data_missing' } })
  expect(
    await send(sandbox, {
      ...bare,
      template_id: templates.orderConfirmation,
      template_data: { name: 'a', order_id: 'b' },
    }),
  ).toMatchObject({
    status: 400,
    json: { details: [{ field: 'template_id' }] },
  })
  expect(await send(sandbox, { ...bare, template_id: 'tpl_00000000-0000-4000-8000-000000000099' })).toMatchObject({
    status: 404,
  })
})

const broken: readonly [body: object, field: string][] = [
  [{ ...text, to: 'nobody' }, 'to'],
  [{ ...text, traffic_type: undefined }, 'traffic_type'],
  [{ ...text, message_type: 'NEWSLETTER' }, 'message_type'],
  [{ ...text, content: undefined }, 'content'],
  [{ ...text, content: { text: 'x'.repeat(3073) } }, 'content.text'],
  [{ ...text, content: { text: 'x', html: '<p>' } }, 'content.html'],
  [{ ...text, template_data: {} }, 'template_id'],
  [{ ...text, agent_id: agents.multi }, 'agent_id'],
  [{ ...text, channel_id: 'ch_00000000-0000-4000-8000-000000000001' }, 'channel_id'],
  [{ ...text, subject: 'x' }, 'subject'],
]

test('consent that is revoked after the code was entered is no consent any more; entering a new code is', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const to = phones.noContact
  await verified(client, to)
  const { id } = await client.contacts.create({ phone: to })
  const kind = { channel_type: 'RCS', message_type: 'MESSAGE' } as const
  const record = await client.consent.record(id, { ...kind, status: 'GRANTED', source: 'form' })
  await client.consent.revoke(id, record.id)
  expect(await send(sandbox, { ...text, to })).toMatchObject({ status: 422, json: { error: 'consent_revoked' } })
  await sandbox.clock.advance('1m')
  await verified(client, to)
  expect(await send(sandbox, { ...text, to })).toMatchObject({ status: 200 })
})

test('a broken body is a 400 for a verified number and for any other alike', async () => {
  await using sandbox = await createSandbox()
  await verified(sandbox.client, phone)
  for (const [body, field] of broken) {
    const own = await send(sandbox, body)
    expect(own, field).toMatchObject({ status: 400, json: { error: 'validation_error', details: [{ field }] } })
    if (field !== 'to') expect((await send(sandbox, { ...body, to: phones.noContact })).text).toBe(own.text)
  }
})

test("the shared agent is nobody's own: it is not listed, and POST /v1/messages does not know it", async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  const shown = await client.world.show()
  expect(JSON.stringify([shown.agents, shown.channels])).not.toContain('7e57a9e4')
  const body = { ...text, message_type: 'MESSAGE', agent_id: TEST_AGENT }
  expect(await ask(sandbox, 'POST', '/v1/messages', { body })).toMatchObject({
    status: 404,
    json: { error: 'not_found' },
  })
})

test('a world file cannot take the id of the shared agent', async () => {
  const world = await worldLikeDefault((file) => {
    file.agents[0].agent_id = TEST_AGENT
  })
  await expect(createSandbox({ world })).rejects.toThrow(/Test Agent/)
})
