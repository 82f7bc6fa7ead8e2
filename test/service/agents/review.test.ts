import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { agents } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const fresh = { region: 'EUROPE', billing_category: 'NON_CONVERSATIONAL', use_case: 'OTP' } as const
const worldWith = (review: object) => worldLikeDefault((file) => Object.assign(file, { review }))

test('a submitted agent is in review for two seconds, then approved, then launched carrier by carrier', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.create({ ...fresh, display_name: 'Codes' })
  expect(await client.agents.submit(agent_id)).toEqual({
    agent_id,
    status: 'PENDING_REVIEW',
    submitted_at: '2026-01-01T00:00:00.000Z',
    estimated_review_days: 1,
    newsletter_enabled: false,
  })
  const launch = async () => (await client.agents.launch(agent_id)).carriers.map(({ status }) => status)
  await clock.advance('1999ms')
  expect(await client.agents.launch(agent_id)).toEqual({ agent_id, agent_status: 'PENDING_REVIEW', carriers: [] })
  await clock.advance('1ms')
  expect(await client.agents.get(agent_id)).toMatchObject({
    status: 'APPROVED',
    approved_at: '2026-01-01T00:00:02.000Z',
  })
  expect(await client.agents.launch(agent_id)).toEqual({
    agent_id,
    agent_status: 'APPROVED',
    carriers: ['nordfunk', 'rheinmobil', 'alpentel'].map((carrier) => ({
      carrier,
      status: 'PENDING',
      launched_at: null,
      rejection_reason: null,
    })),
  })
  await clock.advance('999ms')
  expect(await launch()).toEqual(['PENDING', 'PENDING', 'PENDING'])
  await clock.advance('1ms')
  expect(await launch()).toEqual(['LAUNCHED', 'PENDING', 'PENDING'])
  await clock.advance('1s')
  expect(await launch()).toEqual(['LAUNCHED', 'LAUNCHED', 'PENDING'])
  await clock.advance('1s')
  expect((await client.agents.launch(agent_id)).carriers.map(({ launched_at }) => launched_at)).toEqual([
    '2026-01-01T00:00:03.000Z',
    '2026-01-01T00:00:04.000Z',
    '2026-01-01T00:00:05.000Z',
  ])
  expect((await clock.advance('1d')).fired).toEqual([])
  const { events } = await client.events.list({ subject: agent_id })
  expect(events.map(({ event, timestamp, data }) => ({ event, timestamp, data }))).toEqual([
    {
      event: 'agent.approved',
      timestamp: '2026-01-01T00:00:02.000Z',
      data: { agent_id, display_name: 'Codes', approved_at: '2026-01-01T00:00:02.000Z' },
    },
    ...['nordfunk', 'rheinmobil', 'alpentel'].map((carrier, i) => ({
      event: 'agent.launched',
      timestamp: `2026-01-01T00:00:0${i + 3}.000Z`,
      data: { agent_id, carrier, launched_at: `2026-01-01T00:00:0${i + 3}.000Z` },
    })),
  ])
})

test('a world can reject an agent: it shows the reason, can be edited, and is submitted again without it', async () => {
  await using sandbox = await createSandbox({
    world: await worldWith({ outcome: 'rejected', reason: 'The logo cannot be read.', delay: '3d' }),
  })
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.create(fresh)
  expect(await client.agents.submit(agent_id)).toMatchObject({ estimated_review_days: 3 })
  await clock.advance('3d')
  expect(await client.agents.get(agent_id)).toMatchObject({
    status: 'REJECTED',
    approved_at: null,
    rejected_at: '2026-01-04T00:00:00.000Z',
    rejection_reason: 'The logo cannot be read.',
  })
  expect(await client.agents.launch(agent_id)).toEqual({ agent_id, agent_status: 'REJECTED', carriers: [] })
  const { events } = await client.events.list({ subject: agent_id })
  expect(events.map(({ event, data }) => ({ event, data }))).toEqual([
    {
      event: 'agent.rejected',
      data: {
        agent_id,
        display_name: null,
        rejected_at: '2026-01-04T00:00:00.000Z',
        reason: 'The logo cannot be read.',
      },
    },
  ])
  await client.agents.update(agent_id, { logo_url: 'https://example.com/better.png' })
  expect(await client.agents.submit(agent_id)).toMatchObject({
    status: 'PENDING_REVIEW',
    submitted_at: '2026-01-04T00:00:00.000Z',
  })
  expect(await client.agents.get(agent_id)).toMatchObject({ rejected_at: null, rejection_reason: null })
  await client.agents.review(agent_id, { outcome: 'approved' })
  expect(await client.agents.get(agent_id)).toMatchObject({ status: 'APPROVED' })
})

test('a carrier can reject an approved agent; the next carrier decides independently', async () => {
  const launch = {
    rheinmobil: { outcome: 'rejected', reason: 'Not in our network.' },
    alpentel: { outcome: 'rejected' },
  }
  await using sandbox = await createSandbox({ world: await worldWith({ delay: '0s', launch_gap: '10s', launch }) })
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.create(fresh)
  await client.agents.submit(agent_id)
  await clock.advance('30s')
  expect((await client.agents.launch(agent_id)).carriers).toEqual([
    { carrier: 'nordfunk', status: 'LAUNCHED', launched_at: '2026-01-01T00:00:10.000Z', rejection_reason: null },
    { carrier: 'rheinmobil', status: 'REJECTED', launched_at: null, rejection_reason: 'Not in our network.' },
    { carrier: 'alpentel', status: 'REJECTED', launched_at: null, rejection_reason: expect.stringMatching(/\w/) },
  ])
  expect((await client.events.list({ subject: agent_id })).events.map(({ event }) => event)).toEqual([
    'agent.approved',
    'agent.launched',
  ])
})

test('a delay can be a range: the seed decides, and decides the same again', async () => {
  const world = await worldWith({ delay: '1h..48h' })
  const approvedAt = async () => {
    await using sandbox = await createSandbox({ world })
    const { agent_id } = await sandbox.client.agents.create(fresh)
    expect(await sandbox.client.agents.submit(agent_id)).toMatchObject({ estimated_review_days: 2 })
    await sandbox.clock.advance('48h')
    return (await sandbox.client.agents.get(agent_id)).approved_at!
  }
  const first = await approvedAt()
  expect(first >= '2026-01-01T01:00:00.000Z' && first <= '2026-01-03T00:00:00.000Z').toBe(true)
  expect(await approvedAt()).toBe(first)
})

test('newsletter_enabled cannot be added at submission, nor taken back', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const plain = (await client.agents.create(fresh)).agent_id
  const newsletter = (await client.agents.create({ ...fresh, use_case: 'PROMOTIONAL', newsletter_enabled: true }))
    .agent_id
  const submit = (id: string, body?: object) => ask(sandbox, 'POST', `/v1/rcs/agents/${id}/submit`, { body })

  expect(await submit(plain, { newsletter_enabled: true })).toMatchObject({
    status: 409,
    json: { error: 'newsletter_not_enabled', details: [{ field: 'newsletter_enabled' }], agent_id: plain },
  })
  expect(await submit(newsletter, { newsletter_enabled: false })).toMatchObject({
    status: 400,
    json: { error: 'validation_error', details: [{ field: 'newsletter_enabled', code: 'immutable' }] },
  })
  for (const id of [plain, newsletter])
    expect(await client.agents.get(id)).toMatchObject({ status: 'DRAFT', submitted_at: null })
  expect(await submit(plain, { newsletter_enabled: false })).toMatchObject({
    status: 200,
    json: { newsletter_enabled: false },
  })
  expect(await submit(newsletter, { newsletter_enabled: true })).toMatchObject({
    status: 200,
    json: { newsletter_enabled: true },
  })
  expect(await submit(newsletter, { newsletter: true })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'newsletter', code: 'unknown_field' }] },
  })
})

test('a world can require a complete brand profile: what is missing is named, a complete one passes', async () => {
  await using sandbox = await createSandbox({ world: await worldWith({ profile: 'required' }) })
  const { client } = sandbox
  const { agent_id } = await client.agents.create({ ...fresh, display_name: 'Codes', website: 'https://example.com' })
  const { status, json } = await ask(sandbox, 'POST', `/v1/rcs/agents/${agent_id}/submit`)
  expect({ status, error: json.error }).toEqual({ status: 422, error: 'agent_profile_incomplete' })
  expect((json.details as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`)).toEqual(
    [
      'description',
      'color',
      'logo_url',
      'banner_url',
      'phone',
      'email',
      'privacy_policy_url',
      'terms_of_service_url',
    ].map((field) => `${field} required`),
  )
  expect(await client.agents.get(agent_id)).toMatchObject({ status: 'DRAFT' })
  expect(await client.agents.submit(agents.draft)).toMatchObject({ status: 'PENDING_REVIEW' })
})

test('a world file with an unknown carrier does not start', async () => {
  const withCarrier = await worldWith({ launch: { nordfunc: { outcome: 'rejected' } } })
  await expect(createSandbox({ world: withCarrier }).then((sandbox) => sandbox.client.world.health())).rejects.toThrow(
    /nordfunk/,
  )
  const launched = await worldLikeDefault((file) => {
    file.agents[0].launched_on = ['nowhere']
  })
  await expect(createSandbox({ world: launched }).then((sandbox) => sandbox.client.world.health())).rejects.toThrow(
    /launched_on\[0\]/,
  )
})

test('an agent that the world file leaves in review waits for a decision', async () => {
  const id = 'ag_draft_00000000-0000-4000-8000-000000000070'
  const world = await worldLikeDefault((file) => {
    file.agents.push({ agent_id: id, use_case: 'OTP', display_name: 'Waiting', status: 'PENDING_REVIEW' })
  })
  await using sandbox = await createSandbox({ world })
  await sandbox.clock.advance('30d')
  expect(await sandbox.client.agents.get(id)).toMatchObject({ status: 'PENDING_REVIEW' })
  await sandbox.client.agents.review(id, { outcome: 'approved' })
  await sandbox.clock.advance('3s')
  expect((await sandbox.client.agents.launch(id)).carriers.every(({ status }) => status === 'LAUNCHED')).toBe(true)
})
