import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { emptySandbox } from './plain.ts'

const START = '2026-01-01T00:00:00.000Z'
const PHONE = '+493023125001'
const OTHER_PHONE = '+493023125002'

async function post(sandbox: Sandbox, body: unknown) {
  const response = await fetch(`${sandbox.url}/v1/contacts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a new contact has the fields of the request, and null for the others', async () => {
  await using sandbox = await emptySandbox()
  const { status, body } = await post(sandbox, { phone: PHONE, tags: ['vip', 'beta', 'vip'] })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^c_[0-9a-f-]{36}$/),
    external_id: null,
    email: null,
    phone: PHONE,
    first_name: null,
    last_name: null,
    status: 'ACTIVE',
    source: 'API',
    tags: ['vip', 'beta'],
    custom_fields: {},
    created_at: START,
    updated_at: START,
  })
  expect(await sandbox.client.contacts.get(String(body.id))).toEqual({ ...body, consent_records: [] })
})

test.each([
  { by: 'email, in any case', sent: { email: 'ADA@Example.COM' }, kept: { email: 'ADA@example.com' } },
  { by: 'phone', sent: { phone: PHONE }, kept: { phone: PHONE } },
  {
    by: 'email before an unused phone',
    sent: { email: 'ada@example.com', phone: OTHER_PHONE },
    kept: { phone: OTHER_PHONE },
  },
  {
    by: 'phone before an unused external_id',
    sent: { phone: PHONE, external_id: 'crm-9' },
    kept: { external_id: 'crm-9' },
  },
  {
    by: 'external_id, with an unused email',
    sent: { external_id: 'crm-7', email: 'countess@example.com' },
    kept: { email: 'countess@example.com' },
  },
])('a contact with the same $by is updated', async ({ sent, kept }) => {
  await using sandbox = await emptySandbox()
  const existing = {
    email: 'ada@example.com',
    phone: PHONE,
    external_id: 'crm-7',
    first_name: 'Ada',
    source: 'MANUAL',
  } as const
  const before = await sandbox.client.contacts.create({
    ...existing,
    tags: ['a'],
    custom_fields: { plan: 'free', seats: 2 },
  })
  await sandbox.clock.advance('1h')
  const { status, body } = await post(sandbox, {
    ...sent,
    last_name: 'Lovelace',
    tags: ['b'],
    custom_fields: { plan: 'gold' },
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...before,
    ...kept,
    last_name: 'Lovelace',
    tags: ['b'],
    custom_fields: { plan: 'gold', seats: 2 },
    updated_at: '2026-01-01T01:00:00.000Z',
  })
})

test.each([
  ['an external_id', { email: 'ada@example.com', external_id: 'crm-8' }, 'external_id_taken', 'external_id'],
  ['a phone', { email: 'ada@example.com', phone: OTHER_PHONE }, 'address_taken', 'phone'],
])('%s of another contact is refused and changes neither', async (_, body, error, field) => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const ada = await client.contacts.create({ email: 'ada@example.com', external_id: 'crm-7' })
  const bob = await client.contacts.create({ phone: OTHER_PHONE, external_id: 'crm-8' })
  expect(await post(sandbox, { ...body, first_name: 'X' })).toMatchObject({
    status: 409,
    body: { error, details: [{ field, code: 'taken' }] },
  })
  expect(await client.contacts.get(ada.id)).toMatchObject(ada)
  expect(await client.contacts.get(bob.id)).toMatchObject(bob)
})

test('an email of another contact is refused on update, in any case', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  await client.contacts.create({ email: 'ada@example.com' })
  const bob = await client.contacts.create({ email: 'bob@example.com' })
  const refused = client.contacts.update(bob.id, { email: 'Ada@EXAMPLE.com' })
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'address_taken', details: [{ field: 'email' }] })
  expect(await client.contacts.update(bob.id, { email: 'Bob@example.com' })).toMatchObject({ email: 'Bob@example.com' })
})

test('an external_id stands for the id in every path', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  for (const external_id of ['42', 'crm/7?x=1#y', 'Łódź ☂', '%41', '...']) {
    const { id } = await client.contacts.create({ email: 'ada@example.com', external_id })
    expect(await client.contacts.get(external_id)).toMatchObject({ id, external_id })
    expect(await client.contacts.update(external_id, { first_name: 'Ada' })).toMatchObject({ id })
    expect(await client.contacts.delete(external_id)).toEqual({ success: true })
    await expect(client.contacts.get(id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  }
})

test('an address in a path is answered with the id of its contact', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: 'ada@example.com', phone: PHONE })
  for (const ref of ['ADA@example.com', PHONE])
    await expect(client.contacts.get(ref)).rejects.toThrow(
      `There is no contact ${ref} in this world. A contact has this address: pass its id, ${id}, or its external_id.`,
    )
  await expect(client.contacts.get(OTHER_PHONE)).rejects.toThrow(/no contact \S+ in this world\.$/)
})

test('an update clears fields with null, replaces tags and merges custom fields', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({
    email: 'ada@example.com',
    phone: PHONE,
    external_id: 'crm-7',
    first_name: 'Ada',
    tags: ['a', 'b'],
    custom_fields: { plan: 'free', seats: 2, trial: true },
  })
  const patch = {
    email: null,
    external_id: null,
    first_name: null,
    tags: ['c'],
    custom_fields: { plan: 'gold', trial: null },
  }
  expect(await client.contacts.update(id, patch)).toMatchObject({
    email: null,
    external_id: null,
    first_name: null,
    phone: PHONE,
    tags: ['c'],
    custom_fields: { plan: 'gold', seats: 2 },
  })
  expect(await client.contacts.update(id, { tags: null, custom_fields: null })).toMatchObject({
    tags: [],
    custom_fields: {},
  })
  await expect(client.contacts.get('crm-7')).rejects.toMatchObject({ status: 404 })
})

test('a contact keeps at least one of email and phone', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: 'ada@example.com' })
  await expect(client.contacts.update(id, { email: null })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'email', code: 'required' }],
  })
  expect(await client.contacts.update(id, { email: null, phone: PHONE })).toMatchObject({ email: null, phone: PHONE })
})

test.each(['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'BLOCKED'] as const)(
  'the status of a contact can be set to %s',
  async (status) => {
    await using sandbox = await emptySandbox()
    const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
    expect(await sandbox.client.contacts.update(id, { status })).toMatchObject({ status })
  },
)

test('an update that changes nothing leaves the contact as it was', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const ada = await client.contacts.create({ email: 'ada@example.com', tags: ['a'], custom_fields: { plan: 'free' } })
  await sandbox.clock.advance('1h')
  expect(await client.contacts.update(ada.id, { tags: ['a'], custom_fields: { plan: 'free' }, phone: null })).toEqual(
    ada,
  )
})

test('a deleted contact takes its consent along, and its addresses are free again', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const granted = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'form' } as const
  const ada = await client.contacts.create({ email: 'ada@example.com', external_id: 'crm-7' })
  const { id: recordId } = await client.consent.record(ada.id, granted)
  expect(await client.contacts.delete(ada.id)).toEqual({ success: true })

  const notFound = { status: 404, code: 'not_found' }
  await expect(client.contacts.delete(ada.id)).rejects.toMatchObject(notFound)
  await expect(client.consent.list(ada.id)).rejects.toMatchObject(notFound)
  const again = await client.contacts.create({ email: 'ada@example.com', external_id: 'crm-7' })
  expect(again.id).not.toBe(ada.id)
  expect(await client.consent.list(again.id)).toEqual({ contact_id: again.id, consent_records: [] })
  await expect(client.consent.revoke(again.id, recordId)).rejects.toMatchObject(notFound)
})

test('two namespaces do not see each other', async () => {
  await using sandbox = await emptySandbox()
  const [one, two] = [sandbox.as('suite-1'), sandbox.as('suite-2')]
  const ada = await one.contacts.create({ email: 'ada@example.com', external_id: 'crm-7', first_name: 'Ada' })
  await expect(two.contacts.get(ada.id)).rejects.toMatchObject({ status: 404 })
  await expect(two.contacts.get('crm-7')).rejects.toMatchObject({ status: 404 })
  const other = await two.contacts.create({ email: 'ada@example.com', external_id: 'crm-7', first_name: 'Adam' })
  await two.contacts.delete(other.id)
  expect(await one.contacts.get('crm-7')).toMatchObject({ first_name: 'Ada' })
})

const email = 'ada@example.com'
const many = (count: number, make: (n: number) => string) => Array.from({ length: count }, (_, n) => make(n))
const fields = (count: number) => Object.fromEntries(many(count, (n) => `f${n}`).map((name) => [name, 1]))

test.each([
  ['neither email nor phone', { first_name: 'Ada' }, 'email', 'required'],
  ['neither, though the external_id is given', { external_id: 'crm-7' }, 'email', 'required'],
  ['an email without a domain', { email: 'ada@' }, 'email', 'invalid_format'],
  ['an email of more than 254 characters', { email: `ada@${'a.'.repeat(130)}com` }, 'email', 'too_big'],
  ['a phone in national format', { phone: '030 23125001' }, 'phone', 'invalid_phone'],
  ['a phone as a number', { phone: 493023125001 }, 'phone', 'invalid_type'],
  ['an external_id that looks like an id', { email, external_id: 'c_7' }, 'external_id', 'reserved'],
  ['an external_id that a path cannot hold', { email, external_id: '..' }, 'external_id', 'reserved'],
  ['an external_id that is a route', { email, external_id: 'import' }, 'external_id', 'reserved'],
  ['an external_id with a line break', { email, external_id: 'a\nb' }, 'external_id', 'invalid_value'],
  ['an empty external_id', { email, external_id: '' }, 'external_id', 'too_small'],
  ['an external_id of 256 characters', { email, external_id: 'x'.repeat(256) }, 'external_id', 'too_big'],
  ['a name of 201 characters', { email, first_name: '🦊'.repeat(201) }, 'first_name', 'too_big'],
  ['101 tags', { email, tags: many(101, String) }, 'tags', 'too_big'],
  ['a tag of 101 characters', { email, tags: ['a', 'x'.repeat(101)] }, 'tags[1]', 'too_big'],
  ['an empty tag', { email, tags: [''] }, 'tags[0]', 'too_small'],
  ['101 custom fields', { email, custom_fields: fields(101) }, 'custom_fields', 'too_big'],
  [
    'a custom field of 1,001 characters',
    { email, custom_fields: { a: 'x'.repeat(1_001) } },
    'custom_fields.a',
    'too_big',
  ],
  ['an object in a custom field', { email, custom_fields: { a: { b: 1 } } }, 'custom_fields.a', 'invalid_type'],
  ['a list in a custom field', { email, custom_fields: { a: [1] } }, 'custom_fields.a', 'invalid_type'],
  ['custom fields that are a list', { email, custom_fields: [] }, 'custom_fields', 'invalid_type'],
  ['an unknown source', { email, source: 'FAX' }, 'source', 'invalid_value'],
  ['a status on creation', { email, status: 'BLOCKED' }, 'status', 'unknown_field'],
  ['a misspelt field', { email, firstname: 'Ada' }, 'firstname', 'unknown_field'],
])('%s is a 400 that names the field', async (_, body, field, code) => {
  await using sandbox = await emptySandbox()
  const answer = await post(sandbox, body)
  expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  expect(answer.body.details).toContainEqual(expect.objectContaining({ field, code }))
})

test('values at the limits are stored unchanged', async () => {
  await using sandbox = await emptySandbox()
  const body = {
    email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`,
    external_id: '🦊'.repeat(255),
    first_name: '🦊'.repeat(200),
    tags: many(100, (n) => `${n + 100}${'🦊'.repeat(97)}`),
    custom_fields: { ...fields(99), long: 'ü'.repeat(1_000) },
  }
  expect(await post(sandbox, body)).toMatchObject({ status: 201, body })
})

test('merging cannot exceed the limit of custom fields', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email, custom_fields: fields(100) })
  await expect(client.contacts.update(id, { custom_fields: { one_more: 1 } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'custom_fields', code: 'too_big' }],
  })
  const swapped = await client.contacts.update(id, { custom_fields: { one_more: 1, f0: null } })
  expect(Object.keys(swapped.custom_fields)).toHaveLength(100)
})

test('a misspelt field is refused with the nearest one', async () => {
  await using sandbox = await emptySandbox()
  expect((await post(sandbox, { email, firstname: 'Ada' })).body.message).toContain('did you mean "first_name"?')
})
