import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.ts'

/** A sandbox of a world file with these contacts. */
async function sandboxOf(contacts: string) {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  try {
    const world = join(folder, 'world.yaml')
    await writeFile(world, `seed: s\nclock: { mode: frozen }\ncontacts:\n${contacts}`)
    return await createSandbox({ checkAnswers: true, world })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const ADA = 'c_00000000-0000-4000-8000-000000000007'

test('contacts of a world file are there from the start, with their consent and without events', async () => {
  await using sandbox = await sandboxOf(`
  - id: ${ADA}
    external_id: crm-7
    email: ada@Example.com
    phone: "+493023125001"
    status: BLOCKED
    tags: [vip]
    custom_fields: { plan: gold }
    consent:
      - { channel_type: RCS, message_type: MESSAGE, status: GRANTED, source: import }
      - { channel_type: RCS, message_type: NEWSLETTER, status: PENDING, doi_channel: EMAIL }
      - { channel_type: EMAIL, message_type: NEWSLETTER, status: REVOKED }
  - phone: "+493023125002"
`)
  const { client } = sandbox
  expect(await client.contacts.get('crm-7')).toMatchObject({
    id: ADA,
    email: 'ada@example.com',
    phone: '+493023125001',
    status: 'BLOCKED',
    source: 'API',
    tags: ['vip'],
    custom_fields: { plan: 'gold' },
    consent_records: [
      { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'import', enforced_doi: false },
      {
        channel_type: 'RCS',
        message_type: 'NEWSLETTER',
        status: 'PENDING',
        doi_status: 'DOI_SEND',
        doi_channel: 'EMAIL',
        granted_at: null,
      },
      { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'REVOKED', revoked_at: '2026-01-01T00:00:00.000Z' },
    ],
  })
  expect((await client.events.list()).events).toEqual([])
})

test('pending consent of a world file can be confirmed, and asked for again', async () => {
  await using sandbox = await sandboxOf(`
  - { id: ${ADA}, phone: "+493023125001", consent: [{ channel_type: RCS, message_type: MESSAGE, status: PENDING }] }
`)
  const { client } = sandbox
  const [pending] = (await client.contacts.get(ADA)).consent_records
  await client.consent.record(ADA, {
    channel_type: 'RCS',
    message_type: 'MESSAGE',
    status: 'PENDING',
    source: 'form',
    enforced_doi: true,
    doi_channel: 'RCS',
  })
  expect((await client.inbox.show('+493023125001')).messages).toHaveLength(1)
  expect(await client.consent.confirm(ADA, pending!.id)).toMatchObject({
    status: 'GRANTED',
    doi_status: 'DOI_ACCEPTED',
  })
})

test('a new contact cannot have an address of a contact in the world file', async () => {
  await using sandbox = await sandboxOf(`
  - { id: ${ADA}, phone: "+493023125001" }
`)
  const { id } = await sandbox.client.contacts.create({ phone: '+493023125001', first_name: 'Ada' })
  expect(id).toBe(ADA)
})

test.each([
  ['two contacts with one email', '  - { email: a@example.com }\n  - { email: A@example.com }', 'contacts[1].email'],
  [
    'two contacts with one id',
    `  - { id: ${ADA}, email: a@example.com }\n  - { id: ${ADA}, email: b@example.com }`,
    'contacts[1].id',
  ],
  ['a contact without an address', '  - { first_name: Ada }', 'contacts[0].email'],
  ['a misspelt field', '  - { mail: a@example.com }', 'contacts[0].mail'],
  [
    'two records for one kind of message',
    '  - { email: a@example.com, consent: [&c { channel_type: EMAIL, message_type: NEWSLETTER, status: GRANTED }, *c] }',
    'contacts[0].consent',
  ],
  [
    'pending consent without double opt-in',
    '  - { email: a@example.com, consent: [{ channel_type: EMAIL, message_type: MESSAGE, status: PENDING, enforced_doi: false }] }',
    'contacts[0].consent[0].enforced_doi',
  ],
])('%s in a world file is refused at the start with its place', async (_, contacts, place) => {
  await expect(sandboxOf(contacts)).rejects.toThrow(place)
})
