import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { emptySandbox } from '../contacts/plain.ts'

const about = { channel_type: 'RCS', message_type: 'NEWSLETTER' } as const
const viaEmail = {
  ...about,
  status: 'PENDING',
  source: 'signup form',
  enforced_doi: true,
  doi_channel: 'EMAIL',
} as const

const inboxOf = async (client: Sandbox['client'], address: string) => (await client.inbox.show(address)).messages

async function ada(client: Sandbox['client']) {
  return client.contacts.create({ email: 'ada@example.com', phone: '+493023125001' })
}

test('a contact who opens the link of the confirmation has granted consent from that moment', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  await client.consent.record(id, viaEmail)

  const [message] = await inboxOf(client, 'ada@example.com')
  expect(message).toMatchObject({ at: '2026-01-01T00:00:00.000Z', channel_type: 'EMAIL', kind: 'DOI_CONFIRMATION' })
  expect(message!.link).toMatch(new RegExp(`^${sandbox.url}/_sandbox/doi/`))

  await sandbox.clock.advance('30d')
  const page = await fetch(message!.link!)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toContain('this is confirmed')
  expect((await client.consent.list(id)).consent_records).toMatchObject([
    {
      status: 'GRANTED',
      enforced_doi: true,
      doi_status: 'DOI_ACCEPTED',
      doi_channel: 'EMAIL',
      granted_at: '2026-01-31T00:00:00.000Z',
    },
  ])
})

test('opening the link a second time says that it is confirmed and changes nothing', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  await client.consent.record(id, viaEmail)
  const [message] = await inboxOf(client, 'ada@example.com')
  await fetch(message!.link!)
  const confirmed = await client.consent.list(id)

  await sandbox.clock.advance('1h')
  const again = await fetch(message!.link!)
  expect(again.status).toBe(200)
  expect(await again.text()).toContain('Already confirmed')
  expect(await client.consent.list(id)).toEqual(confirmed)
})

test('the confirmation goes to the phone when doi_channel is RCS or SMS', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  await client.consent.record(id, { ...viaEmail, doi_channel: 'RCS' })
  await client.consent.record(id, { ...viaEmail, message_type: 'MESSAGE', doi_channel: 'SMS' })
  expect(await inboxOf(client, '+493023125001')).toMatchObject([
    { channel_type: 'SMS', kind: 'DOI_CONFIRMATION', subject: null },
    { channel_type: 'RCS', kind: 'DOI_CONFIRMATION', subject: null },
  ])
  expect(await inboxOf(client, 'ada@example.com')).toEqual([])
})

test('asking again sends a new link, and only the newest one confirms', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  const first = await client.consent.record(id, viaEmail)
  const second = await client.consent.record(id, viaEmail)
  expect(second.id).toBe(first.id)

  const [newest, oldest] = await inboxOf(client, 'ADA@example.com')
  expect((await fetch(oldest!.link!)).status).toBe(404)
  expect((await client.consent.list(id)).consent_records).toMatchObject([{ status: 'PENDING' }])
  expect((await fetch(newest!.link!)).status).toBe(200)
  expect((await client.consent.list(id)).consent_records).toMatchObject([{ status: 'GRANTED' }])
})

test('a link does not bring back consent that was withdrawn before it was opened', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  const { id: recordId } = await client.consent.record(id, viaEmail)
  const [message] = await inboxOf(client, 'ada@example.com')
  await client.consent.revoke(id, recordId)

  const refused = await fetch(message!.link!)
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ error: 'consent_not_pending', status: 'REVOKED' })

  await client.consent.record(id, viaEmail)
  expect((await fetch(message!.link!)).status).toBe(404)
  expect((await client.consent.list(id)).consent_records).toMatchObject([{ status: 'PENDING', revoked_at: null }])
})

test('a link is worth nothing once consent was granted without double opt-in, or the contact is gone', async () => {
  await using sandbox = await emptySandbox()
  const { client } = sandbox
  const { id } = await ada(client)
  await client.consent.record(id, viaEmail)
  await client.consent.record(id, { ...about, status: 'GRANTED', source: 'paper form' })
  await client.consent.record(id, { ...viaEmail, message_type: 'MESSAGE' })
  await client.contacts.delete(id)
  const messages = await inboxOf(client, 'ada@example.com')
  expect(messages).toHaveLength(2)
  for (const { link } of messages) expect((await fetch(link!)).status).toBe(404)
})

test.each(['doi_nonsense', 'default.doi_nonsense', 'nobody-uses-this.doi_x', '%00', "default.' OR 1=1"])(
  'a link that was never sent (%s) is not found',
  async (token) => {
    await using sandbox = await emptySandbox()
    const refused = await fetch(`${sandbox.url}/_sandbox/doi/${token}`)
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ error: 'not_found' })
  },
)

test('a link to a namespace that nobody has used makes no world', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'links-'))
  try {
    await using sandbox = await emptySandbox({ data: folder })
    expect((await fetch(`${sandbox.url}/_sandbox/doi/nobody-uses-this.doi_x`)).status).toBe(404)
    expect(await readdir(folder)).toContain('default.db')
    expect(await readdir(folder)).not.toContain('nobody-uses-this.db')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the link of a namespace confirms there, though a browser sends no key', async () => {
  await using sandbox = await emptySandbox()
  const [one, two] = [sandbox.as('suite-1'), sandbox.as('suite-2')]
  const [first, second] = [await ada(one), await ada(two)]
  await one.consent.record(first.id, viaEmail)
  await two.consent.record(second.id, viaEmail)

  const [message] = await inboxOf(one, 'ada@example.com')
  expect((await fetch(message!.link!)).status).toBe(200)
  expect((await one.consent.list(first.id)).consent_records).toMatchObject([{ status: 'GRANTED' }])
  expect((await two.consent.list(second.id)).consent_records).toMatchObject([{ status: 'PENDING' }])
})
