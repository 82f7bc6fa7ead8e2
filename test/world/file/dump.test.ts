import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { WORLD_NAMES } from '../../../src/words/worlds.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { folder } from '../../folder.ts'
import { ask } from '../../http.ts'
import { rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox.ts'

const dumpOf = ({ client }: Pick<Sandbox, 'client'>) => client.world.dump()

/** Starts a sandbox from a dump. */
async function sandboxOf(dump: string, options: SandboxOptions = {}) {
  const path = join(await folder(), 'world.yaml')
  writeFileSync(path, dump)
  return createSandbox({ ...options, world: path })
}

type Contact = { id: string; created_at: string; updated_at: string; consent_records: Record<string, unknown>[] }

/** The content of a world, without its origin and times of creation. */
async function answersOf(sandbox: Sandbox, dump: string) {
  const { contacts = [], agents = [] } = parse(dump) as { contacts?: { id: string }[]; agents?: { agent_id: string }[] }
  const get = async (path: string) => JSON.parse((await ask(sandbox, 'GET', path)).text) as Record<string, unknown>
  const people = await Promise.all(contacts.map(({ id }) => get(`/v1/contacts/${id}`)))
  const { made_from: _, ...world } = await get('/_sandbox/world')
  const { carriers } = (await get('/_sandbox/carriers')) as { carriers: { changed: unknown }[] }
  return {
    world: {
      ...world,
      carriers: [],
      agents: (world.agents as { agent_id: string }[]).toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1)),
    },
    carriers: carriers.map(({ changed: _, ...carrier }) => carrier),
    contacts: (people as unknown as Contact[]).map(({ created_at: _, updated_at: __, ...contact }) => ({
      ...contact,
      consent_records: contact.consent_records.map(({ granted_at, revoked_at, created_at: ___, ...record }) => ({
        ...record,
        isGranted: granted_at !== null,
        isRevoked: revoked_at !== null,
      })),
    })),
    launches: await Promise.all(
      agents.map(async ({ agent_id }) =>
        ((await get(`/v1/rcs/agents/${agent_id}/launch`)).carriers as { carrier: string; status: string }[]).map(
          ({ carrier, status }) => `${carrier} ${status}`,
        ),
      ),
    ),
    balance: await get('/v1/billing/balance'),
    limits: await get('/_sandbox/rate-limits'),
    handsets: await get('/_sandbox/handsets'),
    rules: await get('/_sandbox/rules'),
    webhooks: ((await get('/v1/webhooks')).data as Record<string, unknown>[]).map(
      ({ created_at: _, updated_at: __, ...webhook }) => webhook,
    ),
  }
}

test.each(WORLD_NAMES)(
  'the world %s gives the same dump and the same answers after it is dumped and loaded',
  async (name) => {
    await using first = await createSandbox({ world: name })
    const dump = await dumpOf(first)
    await using second = await sandboxOf(dump)
    expect(await dumpOf(second)).toBe(dump)
    expect(await answersOf(second, dump)).toEqual(await answersOf(first, dump))
  },
)

test('a dump loads after a contact of a campaign was deleted', async () => {
  await using first = await createSandbox()
  const { id: ada } = await first.client.contacts.get('magic-40')
  const { id: bob } = await first.client.contacts.get('magic-50')
  const define = (contacts: string[]) =>
    first.client.campaigns.define({
      name: 'Two people',
      trigger: 'API',
      audience: { contacts },
      flow: [{ node: 'END', id: 'end' }],
    })
  const [nobody, one] = [await define([ada]), await define([ada, bob])]
  await first.client.contacts.delete(ada)
  await using second = await sandboxOf(await dumpOf(first))
  for (const sandbox of [first, second])
    for (const [{ campaign_id }, total] of [[nobody, 0] as const, [one, 1] as const]) {
      await sandbox.client.campaigns.trigger(campaign_id)
      await sandbox.clock.advance('1m')
      const counts = expect.objectContaining({ total })
      expect(await sandbox.client.campaigns.status(campaign_id)).toMatchObject({ status: 'COMPLETED', counts })
    }
})

test('a dump loads after an endpoint of a fault was deleted', async () => {
  await using first = await createSandbox()
  const create = () => first.client.webhooks.create({ url: 'https://example.com/hook', events: ['*'] })
  const [gone, kept] = [await create(), await create()]
  for (const { id: endpoint_id } of [gone, kept])
    await first.client.faults.add({ events: ['*'], endpoint_id, drop: true })
  await first.client.webhooks.delete(gone.id)
  await using second = await sandboxOf(await dumpOf(first))
  expect((await second.client.faults.list()).faults).toMatchObject([{ endpoint_id: kept.id }])
})

/** Changes a record of every kind, and leaves messages in flight. */
async function change({ client, clock }: Sandbox) {
  const ada = await client.contacts.create({
    email: 'ada@example.com',
    tags: ['a, b'],
    custom_fields: { 'b.c': 'é', n: 1, '<<': 'a key that would merge' },
  })
  await client.consent.record(ada.id, {
    channel_type: 'RCS',
    message_type: 'NEWSLETTER',
    status: 'PENDING',
    source: 'form',
    enforced_doi: true,
    doi_channel: 'EMAIL',
  })
  const draft = await client.agents.create({ region: 'EUROPE', use_case: 'OTP', billing_category: 'CONVERSATIONAL' })
  await client.agents.submit(draft.agent_id)
  await clock.advance('1h')
  await client.agents.suspend('ag_live_00000000-0000-4000-8000-000000000002')
  await client.carriers.update('nordfunk', { preset: 'flaky' })
  await client.webhooks.create({ url: 'https://example.com/hook', events: ['message.*'], secret: 'known to both' })
  await client.world.setRateLimits({ limits: { send: 7 } })
  await client.billing.setAlerts({ enabled: true, threshold: 2.5 })
  await client.messages.send({ ...rcsText, to: '+491713920000' })
  await clock.advance('1m')
  await client.messages.send({ ...rcsText, to: '+491713920020' })
  return { contact: ada.id, agent: draft.agent_id }
}

test('a dump contains every kind of change, but no messages in flight', async () => {
  await using first = await createSandbox()
  const { contact, agent } = await change(first)
  const dump = await dumpOf(first)
  expect(parse(dump)).toMatchObject({
    seed: 'messaging-sandbox',
    clock: { mode: 'frozen', now: '2026-01-01T01:01:00.000Z' },
    billing: { balance: 999.95, alerts: { threshold: 2.5 } },
    limits: { send: 7 },
    webhooks: { endpoints: [{ url: 'https://example.com/hook', events: ['message.*'] }] },
  })
  expect(dump).not.toContain('msg_')
  await using second = await sandboxOf(dump)
  expect(await dumpOf(second)).toBe(dump)
  const [before, after] = [await answersOf(first, dump), await answersOf(second, dump)]
  // The hold for the message in flight is not part of the dump.
  expect(before.balance).toEqual({ free: 999.9, reserved: 0.05, total: 999.95 })
  expect({ ...after, balance: null }).toEqual({ ...before, balance: null })
  expect(after.balance).toEqual({ free: 999.95, reserved: 0, total: 999.95 })
  expect(await second.client.agents.get(agent)).toMatchObject({ status: 'APPROVED' })
  expect((await second.client.contacts.get(contact)).consent_records).toMatchObject([
    { status: 'PENDING', doi_channel: 'EMAIL' },
  ])
})

test('after a dump is loaded, new records get the ids that the first world would assign next', async () => {
  await using first = await createSandbox({ seed: 'again' })
  await change(first)
  await using second = await sandboxOf(await dumpOf(first), { seed: 'again' })
  const made = ({ client }: Sandbox) => client.contacts.create({ email: 'grace@example.com' }).then(({ id }) => id)
  expect(await made(second)).toBe(await made(first))
})

test('a dump contains no default values', async () => {
  await using sandbox = await createSandbox({ world: 'strict' })
  expect(parse(await dumpOf(sandbox))).toMatchObject({
    seed: 'strict',
    billing: { balance: 5, payment: 'declined', alerts: { threshold: 2 } },
    consent: { doi_expires_after: '24h' },
    review: { profile: 'required', delay: '4h..2d' },
  })
  expect(await dumpOf(sandbox)).not.toMatch(/prices|tiers|topup|magic_recipients/)
})

test('a dump contains webhook secrets only on request', async () => {
  await using sandbox = await createSandbox()
  await change(sandbox)
  expect(await dumpOf(sandbox)).not.toContain('known to both')
  const whole = await sandbox.client.world.dump({ secrets: 'true' })
  expect(whole).toContain('secret: known to both')
  await using second = await sandboxOf(whole)
  expect(await second.client.world.dump({ secrets: 'true' })).toBe(whole)
})

test('a dump keeps the carriers that rejected an agent or have not decided yet', async () => {
  await using first = await sandboxOf(`
review: { launch_gap: 1h, launch: { rheinmobil: { outcome: rejected, reason: Not here. } } }
agents: [{ agent_id: ag_draft_00000000-0000-4000-8000-000000000001, use_case: OTP, status: DRAFT }]
`)
  const id = 'ag_draft_00000000-0000-4000-8000-000000000001'
  await first.client.agents.submit(id)
  await first.clock.advance('150m')
  const dump = await dumpOf(first)
  await using second = await sandboxOf(dump)
  expect(await dumpOf(second)).toBe(dump)
  expect((await second.client.agents.launch(id)).carriers).toMatchObject([
    { carrier: 'nordfunk', status: 'LAUNCHED' },
    { carrier: 'rheinmobil', status: 'REJECTED', rejection_reason: 'Not here.' },
    { carrier: 'alpentel', status: 'PENDING' },
  ])
  await second.clock.advance('2h')
  expect((await second.client.agents.launch(id)).carriers[2]).toMatchObject({ status: 'LAUNCHED' })
})

test('sandbox world dump always prints YAML, and validate reads it from a pipe', async () => {
  await using sandbox = await createSandbox({ world: 'newsletter' })
  const env = { SANDBOX_BASE_URL: sandbox.url }
  const piped = await sandboxCommand(['world', 'dump'], { env })
  const seen = await sandboxCommand(['world', 'dump'], { env, tty: true })
  expect(piped.stdout).toBe(await dumpOf(sandbox))
  expect(seen.stdout).toBe(piped.stdout)
  expect(piped.stdout).toMatch(/^# The world of the key sk_sandbox_default/)
  const verdict = await sandboxCommand(['world', 'validate', '-'], { stdin: piped.stdout })
  expect(verdict).toMatchObject({ code: 0, json: { file: 'stdin', valid: true } })
})

test('a dump without secrets contains none in endpoint URLs either, and can be loaded', async () => {
  await using sandbox = await createSandbox()
  const urls = [
    'https://zaphod:pass-w0rd@example.com/hook?token=t0ken&more=m0re',
    'https://example.com/hook?justatoken#frag',
    'http://zaphod@127.0.0.1:8080/hook',
    'https://example.com/plain',
  ]
  for (const url of urls) await sandbox.client.webhooks.create({ url, events: ['*'], secret: 'very secret' })
  const dump = await dumpOf(sandbox)
  for (const secret of ['zaphod', 'pass-w0rd', 't0ken', 'm0re', 'justatoken', 'frag', 'very secret'])
    expect(dump).not.toContain(secret)
  await using again = await sandboxOf(dump)
  const kept = (await again.client.webhooks.list()).data.map(({ url }) => url)
  expect(kept.toReversed()).toEqual([
    'https://redacted@example.com/hook?redacted',
    'https://example.com/hook?redacted',
    'http://redacted@127.0.0.1:8080/hook',
    'https://example.com/plain',
  ])
  const whole = await sandbox.client.world.dump({ secrets: 'true' })
  for (const url of urls) expect(whole).toContain(url)
})

test('other requests are answered while a large world is dumped', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.generate({ count: 1_000 })
  const ended: string[] = []
  const [dump] = await Promise.all([
    dumpOf(sandbox).finally(() => ended.push('dump')),
    sandbox.client.clock.show().finally(() => ended.push('clock')),
  ])
  expect(ended).toEqual(['clock', 'dump'])
  expect((parse(dump) as { contacts: unknown[] }).contacts.length).toBeGreaterThan(1_000)
})

test('a world with more contacts than a file can hold is not dumped, and the answer names the snapshot', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.contacts.generate({ count: 50_001 })
  await expect(dumpOf(sandbox)).rejects.toMatchObject({
    code: 'limit_exceeded',
    message: expect.stringMatching(/at most 50,000 contacts, and this world has 50,\d{3}\. Save a snapshot/),
  })
})
