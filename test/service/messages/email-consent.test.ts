import { expect, test } from 'vitest'
import { channels, emailContacts, emails } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { countsOf, define, end } from '../campaigns/campaign.ts'

const email = { channel_id: channels.email, to: emails.delivered, subject: 'Your order', content: { text: 'Hello' } }
const contact = emailContacts.delivered
const about = { channel_type: 'EMAIL', message_type: 'MESSAGE', source: 'preference centre' } as const

test('a contact who has revoked consent to email messages gets none, and nothing is held for it', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const record = await client.consent.record(contact, { ...about, status: 'GRANTED' })
  await client.consent.revoke(contact, record.id)
  await expect(client.messages.send(email)).rejects.toMatchObject({
    status: 422,
    code: 'consent_revoked',
    body: { to: emails.delivered, contact_id: contact, channel_type: 'EMAIL', message_type: 'MESSAGE' },
  })
  expect(await client.billing.balance()).toMatchObject({ reserved: 0 })
  expect((await client.messages.list({})).messages).toEqual([])
})

test('an email message needs no consent: without a record, PENDING and GRANTED it is sent', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const sent = () => client.messages.send(email)
  expect(await sent()).toMatchObject({ status: 'queued' })
  await client.consent.record(contact, { ...about, status: 'PENDING', enforced_doi: true, doi_channel: 'EMAIL' })
  expect(await sent()).toMatchObject({ status: 'queued' })
  await client.consent.record(contact, { ...about, status: 'GRANTED' })
  expect(await sent()).toMatchObject({ status: 'queued' })
})

test('revoking consent to newsletters leaves messages unchanged, and the reverse', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { consent_records } = await client.consent.list(contact)
  await client.consent.revoke(contact, consent_records.find((one) => one.message_type === 'NEWSLETTER')!.id)
  expect(await client.messages.send(email)).toMatchObject({ status: 'queued' })
  await client.consent.record(contact, { ...about, message_type: 'NEWSLETTER', status: 'GRANTED' })
  const record = await client.consent.record(contact, { ...about, status: 'GRANTED' })
  await client.consent.revoke(contact, record.id)
  expect(await client.messages.send({ ...email, message_type: 'NEWSLETTER' })).toMatchObject({ status: 'queued' })
})

test('to a campaign by email such a contact is ineligible', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const record = await client.consent.record(contact, { ...about, status: 'GRANTED' })
  await client.consent.revoke(contact, record.id)
  const { to: _, subject, content, ...by } = email
  const flow = [{ node: 'SEND' as const, id: 'mail', ...by, content: { ...content, subject } }, end]
  const id = await define(sandbox, flow, { audience: { contacts: [contact, emailContacts.opened] } })
  await client.campaigns.trigger(id)
  await clock.advance('1h')
  expect(await countsOf(sandbox, id)).toMatchObject({ completed: 1, ineligible: 1 })
})
