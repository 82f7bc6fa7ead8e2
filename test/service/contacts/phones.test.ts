import { afterAll, expect, test } from 'vitest'
import { worldLikeDefault, worldWith } from '../../folder.ts'
import { ask } from '../../http.ts'
import { agents, channels, contactOf, phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

/** Ways to write the phone +491713920050 that are not its E.164 form. */
const WRITTEN = ['+49 171 3920050', '+49-171-3920050', '+49 (0) 171 3920050', '+٤٩١٧١٣٩٢٠٠٥٠', '+491713920050\n']

const textWith = (suggestion: object) => ({ ...rcsText, content: { text: 'Hi', suggestions: [suggestion] } })

/** Every field of a body that takes a phone. */
const bodies: readonly [what: string, method: string, path: string, field: string, bodyOf: (to: string) => object][] = [
  ['a send', 'POST', '/v1/messages', 'to', (to) => ({ ...rcsText, to })],
  [
    'a number to dial',
    'POST',
    '/v1/messages',
    'content.suggestions[0].action.dial.phone_number',
    (phone_number) => ({
      ...textWith({ action: { text: 'Call', dial: { phone_number } } }),
      to: phones.readsAll,
    }),
  ],
  ['a new contact', 'POST', '/v1/contacts', 'phone', (phone) => ({ phone })],
  ['a contact that is changed', 'PATCH', `/v1/contacts/${contactOf(0)}`, 'phone', (phone) => ({ phone })],
  [
    'the brand of an agent',
    'POST',
    '/v1/rcs/agents',
    'phone',
    (phone) => ({ region: 'EUROPE', billing_category: 'CONVERSATIONAL', use_case: 'OTP', phone }),
  ],
  ['a brand that is changed', 'PATCH', `/v1/rcs/agents/${agents.draft}`, 'phone', (phone) => ({ phone })],
  ['a registration with the Test Agent', 'POST', '/v1/test/register', 'phone', (phone) => ({ phone })],
  ['its verification', 'POST', '/v1/test/verify', 'phone', (phone) => ({ phone, code: '123456' })],
  [
    'a send of the Test Agent',
    'POST',
    '/v1/test/messages',
    'to',
    (to) => ({ to, traffic_type: 'TRANSACTION', content: { text: 'Hi' } }),
  ],
  [
    'a trigger',
    'POST',
    '/_sandbox/trigger',
    'phone',
    (phone) => ({ event: 'conversation.started', phone, agent_id: agents.multi, text: 'Hi' }),
  ],
]

/** Every path and filter that takes a phone. */
const targets: readonly [what: string, field: string, targetOf: (to: string) => string][] = [
  ['a filter of messages', 'to', (to) => `/v1/messages?to=${encodeURIComponent(to)}`],
  ['a handset', 'phone', (to) => `/_sandbox/handsets/${encodeURIComponent(to)}`],
  ['the inbox of a handset', 'phone', (to) => `/_sandbox/handsets/${encodeURIComponent(to)}/inbox`],
  ['an inbox', 'address', (to) => `/_sandbox/inbox/${encodeURIComponent(to)}`],
]

const asIfNothing = async ({ client }: Sandbox) => [
  await client.world.dump({}),
  (await client.messages.list()).messages,
  (await client.events.list()).events,
]

const showsHowItIsWritten = (field: string) => ({
  error: 'validation_error',
  message: expect.stringContaining(`write ${phones.ordinary}`),
  details: [{ field }],
})

/** A world that refusals must not change. */
const refusing = await createSandbox()
const before = await asIfNothing(refusing)
afterAll(() => refusing[Symbol.asyncDispose]())

test.each(bodies)('%s takes a phone in E.164 only, and shows how another is written', async (...row) => {
  const [, method, path, field, bodyOf] = row
  for (const written of WRITTEN) {
    const { status, json } = await ask(refusing, method, path, { body: bodyOf(written) })
    expect([status, json], written).toMatchObject([400, showsHowItIsWritten(field)])
  }
})

test.each(targets)('%s takes a phone in E.164 only, and shows how another is written', async (_, field, targetOf) => {
  for (const written of WRITTEN) {
    const { status, json } = await ask(refusing, 'GET', targetOf(written))
    expect([status, json], written).toMatchObject([400, showsHowItIsWritten(field)])
  }
  expect((await ask(refusing, 'GET', targetOf(phones.ordinary))).status).toBe(200)
})

test('none of these refusals has changed anything', async () => {
  expect(await asIfNothing(refusing)).toEqual(before)
})

test('an imported row with a phone number that is not in E.164 is skipped, and the error shows the format', async () => {
  await using sandbox = await createSandbox()
  const { json } = await ask(sandbox, 'POST', '/v1/contacts/import', {
    body: { contacts: WRITTEN.map((phone) => ({ phone })) },
  })
  expect(json).toMatchObject({ imported: 0, updated: 0, skipped: WRITTEN.length })
  expect(json.errors).toEqual(
    WRITTEN.map((_, index) => ({
      index,
      field: 'phone',
      message: expect.stringContaining(`write ${phones.ordinary}`),
    })),
  )
})

test('an SMS takes a phone in E.164 only too', async () => {
  const world = await worldLikeDefault((file) => {
    file.preview = { sms: true }
  })
  await using sandbox = await createSandbox({ world })
  for (const to of WRITTEN) {
    const body = { channel_id: channels.sms, to, content: { text: 'Hi' } }
    const { status, json } = await ask(sandbox, 'POST', '/v1/messages', { body })
    expect([status, json]).toMatchObject([400, showsHowItIsWritten('to')])
  }
})

const sections: readonly [section: string, field: string, entryOf: (phone: string) => object][] = [
  ['contacts', 'phone', (phone) => ({ phone })],
  ['handsets', 'phone', (phone) => ({ phone, on: false })],
  ['magic_recipients', 'address', (address) => ({ address, does: 'nothing' })],
  ['rules', 'match.to', (to) => ({ match: { to }, behaviour: { read: false } })],
]

test.each(sections)('a world file takes phones in E.164 only in its %s', async (section, field, entryOf) => {
  const world = await worldWith({ [section]: WRITTEN.map(entryOf) })
  await expect(createSandbox({ world })).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining(`write ${phones.ordinary}`),
    details: WRITTEN.map((_, i) => ({
      field: `${section}[${i}].${field}`,
      message: expect.stringContaining(`write ${phones.ordinary}`),
    })),
  })
})

test('a path of the control plane takes the digits without their +, and nothing else', async () => {
  await using sandbox = await createSandbox()
  const { status, json } = await ask(sandbox, 'GET', '/_sandbox/handsets/491713920050')
  expect([status, json.phone]).toEqual([200, phone(50)])
  expect((await ask(sandbox, 'GET', '/_sandbox/handsets/01713920050')).status).toBe(400)
  expect((await ask(sandbox, 'GET', '/_sandbox/handsets/49%20171%203920050')).status).toBe(400)
})

test('an unencoded + in a query is named as the cause', async () => {
  await using sandbox = await createSandbox()
  const { status, json } = await ask(sandbox, 'GET', `/v1/messages?to=${phones.ordinary}`)
  expect([status, json]).toMatchObject([
    400,
    { message: expect.stringContaining('%2B491713920050'), details: [{ field: 'to' }] },
  ])
})

test('a rule for a phone number that is not in E.164 is refused, and the error shows the format', async () => {
  await using sandbox = await createSandbox()
  for (const to of WRITTEN) {
    const body = { match: { to }, behaviour: { read: false } }
    const { status, json } = await ask(sandbox, 'POST', '/_sandbox/rules', { body })
    expect([status, json]).toMatchObject([422, { message: expect.stringContaining(`write ${phones.ordinary}`) }])
  }
  expect((await sandbox.client.rules.list()).rules).toEqual([])
})
