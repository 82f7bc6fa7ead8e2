import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { ask } from '../../http.ts'
import { startReceiver } from '../../receiver.ts'
import { emptySandbox } from './plain.ts'

const eventsOf = async ({ client }: Sandbox, event: string) => (await client.events.list({ event, limit: 200 })).events

const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    email: `person-${i}@example.com`,
    phone: `+49171${5_000_000 + i}`,
    first_name: `Person ${i}`,
    tags: ['spring', 'vip'],
    custom_fields: { plan: 'gold', visits: i },
  }))

test('new contacts are imported with source IMPORT, known ones are updated', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const ada = await client.contacts.create({ email: 'ada@example.com', tags: ['old'] })
  const rows = [
    { email: 'ADA@example.com', first_name: 'Ada', tags: ['new'] },
    { phone: '+491713920050', external_id: 'crm-2', custom_fields: { plan: 'gold' } },
    { email: 'cy@example.com', source: 'LANDING_PAGE' },
  ]
  expect(await client.contacts.import({ contacts: rows })).toEqual({ imported: 2, updated: 1, skipped: 0, errors: [] })
  expect(await client.contacts.get(ada.id)).toMatchObject({ first_name: 'Ada', tags: ['new'], source: 'API' })
  expect(await client.contacts.get('crm-2')).toMatchObject({
    phone: '+491713920050',
    source: 'IMPORT',
    status: 'ACTIVE',
    custom_fields: { plan: 'gold' },
    consent_records: [],
  })
  expect(await client.contacts.create({ email: 'cy@example.com' })).toMatchObject({ source: 'LANDING_PAGE' })
  const imported = await eventsOf(sandbox, 'contact.imported')
  expect(imported.map(({ data }) => data)).toMatchObject([
    { phone: '+491713920050', email: null, source: 'IMPORT' },
    { phone: null, email: 'cy@example.com', source: 'LANDING_PAGE' },
  ])
  expect(imported[0]!.data).toHaveProperty('imported_at', '2026-01-01T00:00:00.000Z')
  expect(await eventsOf(sandbox, 'contact.created')).toHaveLength(1)
  expect(await eventsOf(sandbox, 'contact.updated')).toHaveLength(1)
})

test('a bad row is reported with its place and field, and the others are imported', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  await client.contacts.create({ email: 'taken@example.com', phone: '+491713920051', external_id: 'taken' })
  const contacts = [
    { email: 'good-1@example.com' },
    { email: 'nonsense', phone: '123' },
    { first_name: 'Nobody' },
    { email: 'good-2@example.com', frist_name: 'Bob' },
    { email: 'good-1@example.com', external_id: 'taken' },
    { email: 'good-4@example.com', external_id: 'c_mine' },
    {},
    { email: 'good-5@example.com' },
    { email: 'good-5@example.com', phone: '+491713920051' },
    { email: 'good-6@example.com', status: 'BLOCKED' },
  ]
  const { errors, ...counts } = await client.contacts.import({ contacts })
  expect(counts).toEqual({ imported: 2, updated: 0, skipped: 8 })
  expect(errors.map(({ index, field }) => `${index} ${field}`)).toEqual([
    '1 email',
    '1 phone',
    '2 email',
    '3 frist_name',
    '4 external_id',
    '5 external_id',
    '6 email',
    '8 phone',
    '9 status',
  ])
  expect(errors.find(({ index }) => index === 3)!.message).toContain('did you mean "first_name"?')
  expect(await eventsOf(sandbox, 'contact.imported')).toHaveLength(2)
  for (const email of ['good-2@example.com', 'good-4@example.com', 'good-6@example.com'])
    expect((await ask(sandbox, 'POST', '/v1/contacts', { body: { email } })).status).toBe(201)
})

test('rows about one contact are taken in turn, as if each were posted', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const contacts = [
    { email: 'ada@example.com', first_name: 'Ada', custom_fields: { a: 1 } },
    { email: 'ada@example.com', phone: '+491713920050', custom_fields: { b: 2 } },
    { phone: '+491713920050', last_name: 'Lovelace' },
    { phone: '+491713920051', external_id: 'x' },
    { email: 'ada@example.com', external_id: 'x' },
  ]
  expect(await client.contacts.import({ contacts })).toEqual({
    imported: 2,
    updated: 2,
    skipped: 1,
    errors: [{ index: 4, field: 'external_id', message: 'belongs to another contact' }],
  })
  expect(await client.contacts.create({ email: 'ada@example.com' })).toMatchObject({
    first_name: 'Ada',
    last_name: 'Lovelace',
    phone: '+491713920050',
    custom_fields: { a: 1, b: 2 },
    external_id: null,
  })
})

test('an import without rows is a 400, and one with too many a 422; nothing is imported', async () => {
  await using sandbox = await emptySandbox()
  const post = (body: unknown) => ask(sandbox, 'POST', '/v1/contacts/import', { body })
  for (const body of [{}, { contacts: [] }, { contacts: {} }])
    expect(await post(body)).toMatchObject({ status: 400, json: { error: 'validation_error' } })
  expect(await post({ contacts: [{ email: 'ada@example.com' }], dry_run: true })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'dry_run' }] },
  })
  expect(await post({ contacts: people(10_001) })).toMatchObject({
    status: 422,
    json: { error: 'limit_exceeded', details: [{ field: 'contacts', code: 'too_big' }] },
  })
  expect((await sandbox.client.events.list()).events).toEqual([])
})

test('an import may be 16 MiB large, and no larger', async () => {
  await using sandbox = await emptySandbox()
  const body = (bytes: number) => {
    const text = JSON.stringify({ contacts: [{ email: 'ada@example.com' }] })
    return text + ' '.repeat(bytes - text.length)
  }
  const most = 16 * 1024 * 1024
  expect((await ask(sandbox, 'POST', '/v1/contacts/import', { body: body(most) })).status).toBe(200)
  expect(await ask(sandbox, 'POST', '/v1/contacts/import', { body: body(most + 1) })).toMatchObject({
    status: 413,
    json: { error: 'payload_too_large', message: expect.stringContaining('16 MiB') },
  })
  expect((await ask(sandbox, 'POST', '/v1/contacts', { body: body(1024 * 1024 + 1) })).status).toBe(413)
})

test('10,000 contacts are imported while other requests are answered', async () => {
  await using sandbox = await emptySandbox()
  const contacts = people(10_000)
  let isDone = false
  const done = sandbox.client.contacts.import({ contacts }).finally(() => {
    isDone = true
  })
  // CPU time between two answers, which other processes do not lengthen.
  const slices: number[] = []
  while (!isDone) {
    const before = process.cpuUsage()
    await sandbox.client.world.health()
    slices.push(process.cpuUsage(before).user)
  }
  expect(await done).toEqual({ imported: 10_000, updated: 0, skipped: 0, errors: [] })
  expect(slices.length).toBeGreaterThan(10)
  // The import runs in slices. Their duration depends on the machine, but no slice takes most of the time.
  expect(Math.max(...slices)).toBeLessThan(slices.reduce((sum, slice) => sum + slice) / 2)
})

test('each imported contact is delivered to every subscribed endpoint', async () => {
  await using receiver = await startReceiver()
  await using sandbox = await emptySandbox()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.imported'] })
  await sandbox.client.contacts.import({ contacts: people(3) })
  await sandbox.clock.advance('1s')
  expect(receiver.received.map(({ event }) => event.data.email).sort()).toEqual(people(3).map(({ email }) => email))
})

test('a row that is not an object is an error of that row', async () => {
  await using sandbox = await emptySandbox()
  const body = { contacts: [{ email: 'row@example.com' }, null, 'text', [], 7] }
  const { status, json } = await ask(sandbox, 'POST', '/v1/contacts/import', { body })
  expect({ status, json }).toMatchObject({ status: 200, json: { imported: 1, skipped: 4 } })
  expect((json.errors as { index: number; message: string }[]).map(({ index, message }) => [index, message])).toEqual(
    [1, 2, 3, 4].map((index) => [index, 'must be an object']),
  )
})

test('an empty name of a custom field is refused in words', async () => {
  await using sandbox = await emptySandbox()
  const body = { email: 'name@example.com', custom_fields: { '': 1 } }
  expect(await ask(sandbox, 'POST', '/v1/contacts', { body })).toMatchObject({
    status: 400,
    json: {
      details: [
        {
          field: 'custom_fields',
          message: 'the name "" must have at least 1 character',
        },
      ],
    },
  })
})
