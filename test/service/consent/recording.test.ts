import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { emptySandbox } from '../contacts/plain.ts'

const granted = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'signup form' } as const
const pending = { ...granted, status: 'PENDING', enforced_doi: true, doi_channel: 'EMAIL' } as const

async function post(sandbox: Sandbox, contact: string, body: unknown) {
  const response = await fetch(`${sandbox.url}/v1/contacts/${contact}/consent`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const ada = async (sandbox: Sandbox) =>
  (await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'crm-7' })).id

test('each route carries the fields that the interface gives it', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const contact_id = await ada(sandbox)
  const created = await client.consent.record(contact_id, { ...granted, proof_text: 'Ticked the box.' })
  const id = created.id
  const at = '2026-01-01T00:00:00.000Z'
  const doi = { enforced_doi: false, doi_status: null, doi_channel: null }
  const about = { id, channel_type: 'EMAIL', message_type: 'NEWSLETTER' }
  expect(created).toEqual({
    ...about,
    ...doi,
    contact_id,
    status: 'GRANTED',
    source: 'signup form',
    granted_at: at,
    revoked_at: null,
    created_at: at,
  })

  const item = {
    ...about,
    ...doi,
    status: 'GRANTED',
    source: 'signup form',
    proof_text: 'Ticked the box.',
    granted_at: at,
    revoked_at: null,
    created_at: at,
  }
  expect(await client.consent.list(contact_id)).toEqual({ contact_id, consent_records: [item] })
  expect((await client.contacts.get(contact_id)).consent_records).toEqual([item])

  expect(await client.consent.revoke(contact_id, id)).toEqual({
    ...about,
    ...doi,
    contact_id,
    status: 'REVOKED',
    revoked_at: at,
  })
})

test('the contact is found by its external_id, and the answer carries its id', async () => {
  await using sandbox = await emptySandbox()
  const contact_id = await ada(sandbox)
  const { id } = await sandbox.client.consent.record('crm-7', granted)
  expect(await sandbox.client.consent.list('crm-7')).toMatchObject({ contact_id })
  expect(await sandbox.client.consent.revoke('crm-7', id)).toMatchObject({ contact_id, status: 'REVOKED' })
})

test('there is one record for each channel and message type', async () => {
  await using sandbox = await emptySandbox()
  const contact = await ada(sandbox)
  for (const channel_type of ['EMAIL', 'RCS', 'SMS'] as const)
    for (const message_type of ['MESSAGE', 'NEWSLETTER', 'MESSAGE'] as const)
      await sandbox.client.consent.record(contact, { ...granted, channel_type, message_type })
  const { consent_records } = await sandbox.client.consent.list(contact)
  expect(new Set(consent_records.map((record) => `${record.channel_type} ${record.message_type}`)).size).toBe(6)
  expect(consent_records).toHaveLength(6)
})

test('an update keeps the proof unless it contains another, also after a revocation', async () => {
  await using sandbox = await emptySandbox()
  const contact = await ada(sandbox)
  const proof = async () => (await sandbox.client.consent.list(contact)).consent_records[0]!.proof_text
  const { id } = await sandbox.client.consent.record(contact, { ...granted, proof_text: 'first' })
  await sandbox.client.consent.record(contact, granted)
  expect(await proof()).toBe('first')
  await sandbox.client.consent.record(contact, { ...granted, proof_text: 'second' })
  expect(await proof()).toBe('second')
  await sandbox.client.consent.revoke(contact, id)
  expect(await proof()).toBe('second')
  await sandbox.client.consent.record(contact, granted)
  expect(await proof()).toBe('second')
})

test('proof_text may have 5,000 characters and not one more, whatever their bytes', async () => {
  await using sandbox = await emptySandbox()
  const contact = await ada(sandbox)
  for (const character of ['a', 'ü', '€', '🦊']) {
    const proof_text = character.repeat(5_000)
    expect((await post(sandbox, contact, { ...granted, proof_text })).status).toBeLessThan(300)
    expect((await sandbox.client.consent.list(contact)).consent_records[0]!.proof_text).toBe(proof_text)
    expect(await post(sandbox, contact, { ...granted, proof_text: proof_text + character })).toMatchObject({
      status: 400,
      body: { error: 'validation_error', details: [{ field: 'proof_text', code: 'too_big' }] },
    })
  }
})

const { source: _, ...withoutSource } = granted
const { doi_channel: __, ...withoutDoiChannel } = pending

test.each([
  ['PENDING without enforced_doi', { ...granted, status: 'PENDING' }, 'enforced_doi', 'conflict'],
  ['GRANTED with enforced_doi', { ...pending, status: 'GRANTED' }, 'status', 'conflict'],
  ['enforced_doi without doi_channel', withoutDoiChannel, 'doi_channel', 'required'],
  ['doi_channel without enforced_doi', { ...granted, doi_channel: 'EMAIL' }, 'doi_channel', 'conflict'],
  ['doi_channel null', { ...pending, doi_channel: null }, 'doi_channel', 'invalid_value'],
  ['status REVOKED', { ...granted, status: 'REVOKED' }, 'status', 'invalid_value'],
  ['an unknown channel', { ...granted, channel_type: 'FAX' }, 'channel_type', 'invalid_value'],
  ['message type CONVERSATION', { ...granted, message_type: 'CONVERSATION' }, 'message_type', 'invalid_value'],
  ['no source', withoutSource, 'source', 'required'],
  ['an empty source', { ...granted, source: '' }, 'source', 'too_small'],
  ['enforced_doi as text', { ...pending, enforced_doi: 'true' }, 'enforced_doi', 'invalid_type'],
  ['a misspelt field', { ...granted, prooftext: 'x' }, 'prooftext', 'unknown_field'],
  ['ip_hash, which clients do not send', { ...granted, ip_hash: 'x' }, 'ip_hash', 'unknown_field'],
])('%s is a 400 that names the field', async (_, body, field, code) => {
  await using sandbox = await emptySandbox()
  const contact = await ada(sandbox)
  const answer = await post(sandbox, contact, body)
  expect(answer).toMatchObject({ status: 400, body: { error: 'validation_error' } })
  expect(answer.body.details).toContainEqual(expect.objectContaining({ field, code }))
  expect((await sandbox.client.consent.list(contact)).consent_records).toEqual([])
})

test('a misspelt field is refused with the nearest one', async () => {
  await using sandbox = await emptySandbox()
  const { body } = await post(sandbox, await ada(sandbox), { ...granted, prooftext: 'x' })
  expect(body.message).toContain('did you mean "proof_text"?')
})

test.each([
  { contact: { email: 'ada@example.com' }, doi_channel: 'RCS', missing: 'phone' },
  { contact: { email: 'ada@example.com' }, doi_channel: 'SMS', missing: 'phone' },
  { contact: { phone: '+493023125001' }, doi_channel: 'EMAIL', missing: 'email' },
] as const)('a doi_channel $doi_channel needs a contact with $missing', async ({ contact, doi_channel, missing }) => {
  await using sandbox = await emptySandbox()
  const { id } = await sandbox.client.contacts.create(contact)
  const refused = sandbox.client.consent.record(id, { ...pending, doi_channel })
  await expect(refused).rejects.toMatchObject({
    status: 422,
    code: 'no_verified_address',
    details: [{ field: 'doi_channel', message: `the contact has no ${missing}` }],
  })
  expect((await sandbox.client.consent.list(id)).consent_records).toEqual([])
})

test('a contact, record, or record of another contact that does not exist is not found', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const contact = await ada(sandbox)
  const other = await client.contacts.create({ email: 'bob@example.com' })
  const { id } = await client.consent.record(other.id, pending)
  const notFound = { status: 404, code: 'not_found' }
  await expect(client.consent.list('crm-8')).rejects.toMatchObject(notFound)
  await expect(client.consent.record('c_none', granted)).rejects.toMatchObject(notFound)
  await expect(client.consent.revoke(contact, id)).rejects.toMatchObject(notFound)
  await expect(client.consent.confirm(contact, id)).rejects.toMatchObject(notFound)
  expect((await client.consent.list(other.id)).consent_records).toMatchObject([{ status: 'PENDING' }])
})

test('every write keeps a salted hash of the address it came from, and no answer shows it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'consent-'))
  try {
    const sandbox = await emptySandbox({ data: folder })
    const contact = await ada(sandbox)
    const answer = await post(sandbox, contact, granted)
    const list = await sandbox.client.consent.list(contact)
    await sandbox.stop()
    expect(JSON.stringify([answer, list])).not.toContain('ip_hash')

    const db = new Sqlite(join(folder, 'default.db'), { readonly: true })
    const rows = db
      .prepare<[], { ip_hash: string }>('SELECT ip_hash FROM consent_records WHERE id = ?')
      .all(...([answer.body.id] as unknown as []))
    db.close()
    expect(rows).toHaveLength(1)
    expect(rows[0]!.ip_hash).toMatch(/^[0-9a-f]{64}$/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
