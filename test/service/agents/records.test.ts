import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { holdMachineClock } from '../../machine-clock.ts'
import { agents, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const fresh = { region: 'EUROPE', billing_category: 'CONVERSATIONAL', use_case: 'TRANSACTIONAL' } as const
const profile = {
  display_name: 'Northwind',
  description: 'News of your orders.',
  color: '#0B5FFF',
  logo_url: 'https://example.com/logo.png',
  banner_url: 'https://example.com/banner.png',
  phone: '+491713920099',
  email: 'brand@example.com',
  website: 'https://example.com',
  privacy_policy_url: 'https://example.com/privacy',
  terms_of_service_url: 'https://example.com/terms',
}
const noProfile = Object.fromEntries(Object.keys(profile).map((name) => [name, null]))
const untouched = { submitted_at: null, approved_at: null, rejected_at: null, rejection_reason: null }

test('a new agent is a draft with a draft id, and omitted fields are null or off', async () => {
  await using sandbox = await createSandbox()
  const answer = await ask(sandbox, 'POST', '/v1/rcs/agents', { body: fresh })
  expect(answer.status).toBe(201)
  expect(answer.json).toEqual({
    agent_id: expect.stringMatching(/^ag_draft_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    status: 'DRAFT',
    ...fresh,
    newsletter_enabled: false,
    ...noProfile,
    created_at: '2026-01-01T00:00:00.000Z',
    ...untouched,
  })
  expect(await sandbox.client.agents.get(String(answer.json.agent_id))).toEqual(answer.json)
})

test('a brand profile can be given at creation, and an email takes its normal form', async () => {
  await using sandbox = await createSandbox()
  const created = await sandbox.client.agents.create({
    ...fresh,
    newsletter_enabled: true,
    ...profile,
    email: 'brand@EXAMPLE.com',
  })
  expect(created).toMatchObject({ newsletter_enabled: true, ...profile })
})

const edge = (length: number) => 'é'.repeat(length)

/** Bodies of a creation that are refused, and the fields that are named. */
const broken: readonly [body: object, ...fields: string[]][] = [
  [{}, 'region', 'billing_category', 'use_case'],
  [{ ...fresh, region: 'ASIA' }, 'region'],
  [{ ...fresh, billing_category: 'FREE' }, 'billing_category'],
  [{ ...fresh, use_case: 'TRANSACTION' }, 'use_case'],
  [{ ...fresh, newsletter_enabled: 'yes' }, 'newsletter_enabled'],
  [{ ...fresh, color: 'blue' }, 'color'],
  [{ ...fresh, logo_url: 'ftp://example.com/x' }, 'logo_url'],
  [{ ...fresh, phone: '0171' }, 'phone'],
  [{ ...fresh, email: 'nobody' }, 'email'],
  [{ ...fresh, display_name: '' }, 'display_name'],
  [{ ...fresh, display_name: edge(101) }, 'display_name'],
  [{ ...fresh, description: edge(501) }, 'description'],
  [{ ...fresh, display_name: null }, 'display_name'],
  [{ ...fresh, agent_id: `ag_live_${uuid(77)}` }, 'agent_id'],
  [{ ...fresh, status: 'APPROVED' }, 'status'],
]

test('a creation that breaks a rule is a 400 that names each field, and creates nothing', async () => {
  await using sandbox = await createSandbox()
  const before = await sandbox.client.world.show()
  for (const [body, ...fields] of broken) {
    const { status, json } = await ask(sandbox, 'POST', '/v1/rcs/agents', { body })
    expect({ body, status, error: json.error }).toEqual({ body, status: 400, error: 'validation_error' })
    expect((json.details as { field: string }[]).map(({ field }) => field)).toEqual(fields)
  }
  expect(await sandbox.client.world.show()).toEqual(before)
  expect(
    await sandbox.client.agents.create({ ...fresh, display_name: edge(100), description: edge(500) }),
  ).toMatchObject({ status: 'DRAFT' })
})

test('the brand profile and the use_case of a draft can be changed, field by field, and cleared with null', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const created = await client.agents.create({ ...fresh, ...profile })
  const changed = await client.agents.update(created.agent_id, {
    display_name: 'Southwind',
    website: null,
    use_case: 'OTP',
  })
  expect(changed).toEqual({ ...created, display_name: 'Southwind', website: null, use_case: 'OTP' })
  expect(await client.agents.get(created.agent_id)).toEqual(changed)
})

test('region, billing_category and newsletter_enabled are fixed at creation: a 400 names each of them', async () => {
  await using sandbox = await createSandbox()
  const created = await sandbox.client.agents.create(fresh)
  const body = {
    display_name: 'Southwind',
    region: 'EUROPE',
    billing_category: 'CONVERSATIONAL',
    newsletter_enabled: false,
  }
  const { status, json } = await ask(sandbox, 'PATCH', `/v1/rcs/agents/${created.agent_id}`, { body })
  expect({ status, error: json.error }).toEqual({ status: 400, error: 'validation_error' })
  expect(json.details).toEqual(
    ['region', 'billing_category', 'newsletter_enabled'].map((field) => ({
      field,
      code: 'immutable',
      message: expect.stringContaining('fixed at creation'),
    })),
  )
  expect(await sandbox.client.agents.get(created.agent_id)).toEqual(created)
})

test('an unknown field of an agent is refused with the nearest one', async () => {
  await using sandbox = await createSandbox()
  expect(await ask(sandbox, 'PATCH', `/v1/rcs/agents/${agents.draft}`, { body: { displayname: 'x' } })).toMatchObject({
    status: 400,
    json: {
      details: [{ field: 'displayname', code: 'unknown_field', message: expect.stringContaining('"display_name"') }],
    },
  })
})

test('after a rejection the profile can be changed, the use_case cannot', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { agent_id } = await client.agents.create(fresh)
  await client.agents.submit(agent_id)
  await client.agents.review(agent_id, { outcome: 'rejected', reason: 'No logo.' })
  expect(await client.agents.update(agent_id, { logo_url: profile.logo_url })).toMatchObject({
    status: 'REJECTED',
    rejection_reason: 'No logo.',
    logo_url: profile.logo_url,
  })
  expect(
    await ask(sandbox, 'PATCH', `/v1/rcs/agents/${agent_id}`, { body: { use_case: 'OTP', color: '#000000' } }),
  ).toMatchObject({
    status: 409,
    json: {
      error: 'agent_not_editable',
      details: [{ field: 'use_case', code: 'immutable' }],
      agent_status: 'REJECTED',
    },
  })
  expect(await client.agents.get(agent_id)).toMatchObject({ use_case: 'TRANSACTIONAL', color: null })
})

const routes = [
  ['GET', '', undefined],
  ['PATCH', '', { description: 'x' }],
  ['POST', '/submit', undefined],
  ['GET', '/launch', undefined],
] as const

test('an agent that does not exist is a 404 on every route, the shared Test Agent included', async () => {
  await using sandbox = await createSandbox()
  for (const id of [`ag_live_${uuid(99)}`, 'nonsense', 'ag_live_7e57a9e4-0000-4000-8000-000000000000']) {
    for (const [method, path, body] of routes)
      expect(await ask(sandbox, method, `/v1/rcs/agents/${id}${path}`, { body })).toMatchObject({
        status: 404,
        json: { error: 'not_found' },
      })
    for (const path of ['review', 'suspend', 'reinstate'])
      expect(
        await ask(sandbox, 'POST', `/_sandbox/agents/${id}/${path}`, {
          body: path === 'review' ? { outcome: 'approved' } : undefined,
        }),
      ).toMatchObject({ status: 404, json: { error: 'not_found' } })
  }
})

test('agents are another band of the rate limits, and need a key', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { agents: 3 } })
  for (const [method, path, body] of routes.slice(0, 3)) {
    const { headers } = await ask(sandbox, method, `/v1/rcs/agents/${agents.draft}${path}`, { body })
    expect(headers['x-ratelimit-limit']).toBe('3')
  }
  expect(await ask(sandbox, 'GET', `/v1/rcs/agents/${agents.draft}`)).toMatchObject({
    status: 429,
    json: { error: 'rate_limit_exceeded' },
  })
  expect(await ask(sandbox, 'GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(
    await ask(sandbox, 'POST', '/v1/rcs/agents', { body: fresh, headers: { Authorization: undefined } }),
  ).toMatchObject({ status: 401 })
})

test('agents of one key are unknown to another', async () => {
  await using sandbox = await createSandbox()
  const { agent_id } = await sandbox.client.agents.create(fresh)
  await expect(sandbox.as('other').agents.get(agent_id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
})
