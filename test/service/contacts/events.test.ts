import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { emptySandbox } from './plain.ts'

const START = '2026-01-01T00:00:00.000Z'

const eventsOf = async ({ client }: Sandbox, subject: string) =>
  (await client.events.list({ subject })).events.map(({ event, data }) => ({ event, data }))

test('creating, changing and deleting a contact raise events, and an update without a change does not', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const ada = await client.contacts.create({ email: 'ada@example.com' })
  await client.contacts.create({ email: 'ada@example.com' })
  await client.contacts.update(ada.id, { email: 'ada@example.com', tags: [] })
  await client.contacts.update(ada.id, { status: 'BLOCKED', external_id: 'crm-7' })
  await client.contacts.delete(ada.id)

  const about = {
    contact_id: ada.id,
    external_id: null,
    email: 'ada@example.com',
    phone: null,
    status: 'ACTIVE',
    source: 'API',
  }
  expect(await eventsOf(sandbox, ada.id)).toEqual([
    { event: 'contact.created', data: { ...about, created_at: START } },
    { event: 'contact.updated', data: { ...about, external_id: 'crm-7', status: 'BLOCKED', updated_at: START } },
    { event: 'contact.deleted', data: { contact_id: ada.id, external_id: 'crm-7', deleted_at: START } },
  ])
})

test('a refused request raises no event', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  await client.contacts.create({ email: 'ada@example.com' })
  const { id } = await client.contacts.create({ email: 'bob@example.com' })
  await expect(client.contacts.update(id, { first_name: 'Bob', email: 'ada@example.com' })).rejects.toThrow()
  expect(await eventsOf(sandbox, id)).toHaveLength(1)
})

test('each step of a consent record raises an event with the previous status', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id: contact_id } = await client.contacts.create({ email: 'ada@example.com' })
  const about = { channel_type: 'RCS', message_type: 'NEWSLETTER' } as const
  const { id } = await client.consent.record(contact_id, {
    ...about,
    status: 'PENDING',
    source: 'form',
    enforced_doi: true,
    doi_channel: 'EMAIL',
  })
  await client.consent.confirm(contact_id, id)
  await client.consent.revoke(contact_id, id)
  await client.consent.revoke(contact_id, id)
  await client.consent.record(contact_id, { ...about, status: 'GRANTED', source: 'phone call' })

  const common = { contact_id, consent_record_id: id, ...about, source: 'form', enforced_doi: true, updated_at: START }
  expect(await eventsOf(sandbox, id)).toEqual([
    { event: 'consent.created', data: { ...common, previous_status: null, status: 'PENDING', doi_status: 'DOI_SEND' } },
    {
      event: 'consent.updated',
      data: { ...common, previous_status: 'PENDING', status: 'GRANTED', doi_status: 'DOI_ACCEPTED' },
    },
    {
      event: 'consent.updated',
      data: { ...common, previous_status: 'GRANTED', status: 'REVOKED', doi_status: 'DOI_ACCEPTED' },
    },
    {
      event: 'consent.updated',
      data: {
        ...common,
        source: 'phone call',
        enforced_doi: false,
        previous_status: 'REVOKED',
        status: 'GRANTED',
        doi_status: null,
      },
    },
  ])
})
