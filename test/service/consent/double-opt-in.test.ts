import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { ask } from '../../http.ts'
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

test('a link is invalid after consent was granted without double opt-in, or the contact was deleted', async () => {
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

test('a link to an unused namespace creates no world', async () => {
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

/** Headers that browsers set and pages cannot change. */
const asBrowser = (site: string, dest: string, more = {}) => ({
  headers: { 'User-Agent': 'Mozilla/5.0', 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest, ...more },
})

const pendingLink = async ({ client }: Sandbox) => {
  const { id } = await ada(client)
  await client.consent.record(id, viaEmail)
  const [message] = await inboxOf(client, 'ada@example.com')
  const statusNow = async () => (await client.consent.list(id)).consent_records[0]!.status
  return { path: new URL(message!.link!).pathname, link: message!.link!, statusNow }
}

test('no web page can confirm: not by an image, a frame, a script, a form or a redirect', async () => {
  await using sandbox = await emptySandbox()
  const { path, statusNow } = await pendingLink(sandbox)
  const old = { 'User-Agent': 'Mozilla/5.0 (a browser without Sec-Fetch-Site)', Accept: 'image/png,*/*' }
  for (const options of [
    asBrowser('cross-site', 'image'),
    asBrowser('cross-site', 'iframe'),
    asBrowser('cross-site', 'empty'),
    asBrowser('cross-site', 'document', { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-User': '?1' }),
    asBrowser('same-site', 'script'),
    { headers: old },
  ]) {
    const { status, text } = await ask(sandbox, 'GET', path, options)
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('<button>Confirm</button>') })
  }
  for (const options of [
    asBrowser('cross-site', 'document', { Origin: 'https://evil.example' }),
    asBrowser('cross-site', 'document'),
    { headers: { Origin: 'null' } },
  ])
    expect(await ask(sandbox, 'POST', path, options)).toMatchObject({
      status: 403,
      json: { error: 'origin_not_allowed' },
    })
  expect((await ask(sandbox, 'HEAD', path)).status).toBe(200)
  expect(await statusNow()).toBe('PENDING')
})

test('a person who opens the link in a browser is asked, and confirms with a button', async () => {
  await using sandbox = await emptySandbox()
  const { path, statusNow } = await pendingLink(sandbox)
  const page = await ask(sandbox, 'GET', path, asBrowser('none', 'document'))
  expect(page.text).toContain('Do you want to receive NEWSLETTER messages over RCS?')
  expect(await statusNow()).toBe('PENDING')
  const form = { Origin: sandbox.url, 'Content-Type': 'application/x-www-form-urlencoded' }
  const confirmed = await ask(sandbox, 'POST', path, asBrowser('same-origin', 'document', form))
  expect(confirmed.text).toContain('this is confirmed')
  expect(await statusNow()).toBe('GRANTED')
  expect((await ask(sandbox, 'GET', path, asBrowser('none', 'document'))).text).toContain('Already confirmed')
})

test('a page does not offer to confirm an invalid link', async () => {
  await using sandbox = await emptySandbox()
  const { path, statusNow } = await pendingLink(sandbox)
  const [record] = (await sandbox.client.consent.list((await ada(sandbox.client)).id)).consent_records
  await sandbox.client.consent.revoke((await ada(sandbox.client)).id, record!.id)
  expect(await ask(sandbox, 'GET', path, asBrowser('none', 'document'))).toMatchObject({ status: 409 })
  expect(await statusNow()).toBe('REVOKED')
})

test('a person reads in words why a link is refused, and a program reads the code', async () => {
  await using sandbox = await emptySandbox()
  const { path, statusNow } = await pendingLink(sandbox)
  const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const form = { Origin: sandbox.url, 'Content-Type': 'application/x-www-form-urlencoded', ...accept }
  const ofBrowser = asBrowser('same-origin', 'document', accept)
  await ask(sandbox, 'GET', path, ofBrowser)
  const { id } = await ada(sandbox.client)
  const [record] = (await sandbox.client.consent.list(id)).consent_records
  await sandbox.client.consent.revoke(id, record!.id)
  // Withdrawn before the link was opened, and between the question and the answer.
  for (const answer of [
    await ask(sandbox, 'GET', path, ofBrowser),
    await ask(sandbox, 'POST', path, asBrowser('same-origin', 'document', form)),
  ]) {
    expect(answer).toMatchObject({ status: 409, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(answer.text).toContain('<p>Consent was withdrawn after the confirmation was sent')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  }
  const unknown = await ask(sandbox, 'GET', '/_sandbox/doi/default.doi_x', ofBrowser)
  expect(unknown.text).toContain('<p>This confirmation link is not valid')
  expect((await ask(sandbox, 'GET', path)).json).toMatchObject({ error: 'consent_not_pending' })
  expect(await statusNow()).toBe('REVOKED')
})
