import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folder } from '../../folder.ts'
import { ask } from '../../http.ts'
import { holdMachineClock } from '../../machine-clock.ts'
import { emailOptIn } from '../../magic.ts'
import { createSandbox, type SandboxOptions } from '../../sandbox.ts'

async function sandboxOf(world: string, options: SandboxOptions = {}) {
  const path = join(await folder(), 'world.yaml')
  writeFileSync(path, world)
  return createSandbox({ world: path, ...options })
}

const READER = 'contacts: [{ external_id: reader, email: reader@example.com }]'
test('a double opt-in confirmation expires as the world file defines, and a new one can be requested', async () => {
  await using sandbox = await sandboxOf(`consent: { doi_expires_after: 24h }\n${READER}`)
  const { client, clock } = sandbox
  const { id } = await client.consent.record('reader', emailOptIn)
  const linkOf = async () => (await client.inbox.show('reader@example.com')).messages[0]!.link!
  const first = await linkOf()
  await clock.advance('24h')
  expect((await fetch(first)).status).toBe(409)
  await expect(client.consent.confirm('reader', id)).rejects.toMatchObject({ code: 'doi_expired' })
  await client.consent.record('reader', emailOptIn)
  await clock.advance('23h')
  expect((await fetch(await linkOf())).status).toBe(200)
  expect((await client.contacts.get('reader')).consent_records).toMatchObject([{ status: 'GRANTED' }])
})

test('a confirmation never expires by default', async () => {
  await using sandbox = await sandboxOf(READER)
  const { id } = await sandbox.client.consent.record('reader', emailOptIn)
  await sandbox.clock.advance('365d')
  expect(await sandbox.client.consent.confirm('reader', id)).toMatchObject({ status: 'GRANTED' })
})

test('limits of the world file apply to every key, and a key can set its own', async () => {
  holdMachineClock()
  await using sandbox = await sandboxOf(`limits: { read: 2 }\n${READER}`, { rateLimits: true })
  const status = async (key: string) =>
    (await ask(sandbox, 'GET', '/v1/contacts/reader', { headers: { Authorization: `Bearer ${key}` } })).status
  for (const key of ['sk_sandbox_default', 'sk_sandbox_other'])
    expect([await status(key), await status(key), await status(key)]).toEqual([200, 200, 429])
  await sandbox.client.world.setRateLimits({ limits: { read: 5 } })
  expect(await status('sk_sandbox_default')).toBe(200)
})

test('alerts and reloads of the world file apply from the first send on', async () => {
  await using sandbox = await sandboxOf(`
billing: { balance: 0.1, alerts: { threshold: 0.08 }, auto_reload: { threshold: 0.06, amount: 20 } }
agents: [{ agent_id: ag_live_00000000-0000-4000-8000-000000000001, use_case: OTP }]
contacts: [{ phone: "+491713920050", consent: [{ channel_type: RCS, message_type: MESSAGE, status: GRANTED }] }]
`)
  const { client } = sandbox
  await client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
    to: '+491713920050',
    message_type: 'MESSAGE',
    traffic_type: 'AUTHENTICATION',
    content: { text: '123456' },
  })
  const { events } = await client.events.list()
  expect(events.map(({ event }) => event).filter((name) => name.startsWith('billing.'))).toEqual(
    expect.arrayContaining(['billing.balance_low', 'billing.auto_reload_success']),
  )
  expect(await client.billing.balance()).toMatchObject({ free: 20.05 })
})

test('a world file with only a seed has carriers and mail, so new agents and channels can send', async () => {
  await using sandbox = await sandboxOf('seed: bare')
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.provision({
    use_case: 'OTP',
    billing_category: 'NON_CONVERSATIONAL',
    region: 'EUROPE',
  })
  await client.contacts.create({ phone: '+491713920050', external_id: 'ada' })
  await client.consent.record('ada', {
    channel_type: 'RCS',
    message_type: 'MESSAGE',
    status: 'GRANTED',
    source: 'form',
  })
  const { message_id } = await client.messages.send({
    agent_id,
    to: '+491713920050',
    message_type: 'MESSAGE',
    traffic_type: 'AUTHENTICATION',
    content: { text: '123456' },
  })
  await clock.advance('1m')
  expect(['delivered', 'read']).toContain((await client.messages.get(message_id)).status)
})

test('an id that a world of the same seed made can be used in a world file, and is not made again', async () => {
  await using first = await sandboxOf('seed: same')
  const { id } = await first.client.contacts.create({ email: 'a@example.com' })
  await using second = await sandboxOf(`seed: same\ncontacts: [{ id: ${id}, email: a@example.com }]`)
  expect((await second.client.contacts.create({ email: 'b@example.com' })).id).not.toBe(id)
})
