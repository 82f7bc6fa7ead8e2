import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { agents, phones } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hello' } } as const
const fresh = { region: 'EUROPE', billing_category: 'CONVERSATIONAL', use_case: 'MULTI_USE' } as const

test('from a new agent to its first delivered message: refused until it is approved and live, then through a channel of its own', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.create({ ...fresh, display_name: 'Northwind' })
  const send = () => ask(sandbox, 'POST', '/v1/messages', { body: { ...text, agent_id, to: phones.readsAll } })

  expect(await send()).toMatchObject({ status: 403, json: { error: 'agent_not_approved', agent_status: 'DRAFT' } })
  await client.agents.submit(agent_id)
  expect(await send()).toMatchObject({
    status: 403,
    json: { error: 'agent_not_approved', agent_status: 'PENDING_REVIEW' },
  })
  await clock.advance('2s')
  expect(await send()).toMatchObject({ status: 403, json: { error: 'agent_not_launched', agent_status: 'APPROVED' } })
  await clock.advance('3s')

  const sent = await send()
  expect(sent).toMatchObject({ status: 200, json: { status: 'queued', billing: { message_type: 'basic_message' } } })
  await clock.advance('1m')
  const log = await client.messages.get(String(sent.json.message_id))
  expect(log).toMatchObject({ status: 'read', agent_id, channel_id: expect.stringMatching(/^ch_/) })
  const { channels } = await client.world.show()
  expect(channels).toContainEqual(
    expect.objectContaining({ channel_id: log.channel_id, type: 'RCS', agent_id, name: 'Northwind', active: true }),
  )
})

test('every approved agent of the default world has a channel, so each message has one', async () => {
  await using sandbox = await createSandbox()
  for (const agent_id of [agents.multi, agents.otp, agents.transactional, agents.promotional, agents.regional]) {
    const { message_id } = await sandbox.client.messages.send({ ...text, agent_id, to: phones.readsAll })
    expect(await sandbox.client.messages.get(message_id)).toMatchObject({ channel_id: expect.stringMatching(/^ch_/) })
  }
})

test('a suspended agent cannot send, and its messages in progress fail', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const underway = (await client.messages.send({ ...text, agent_id: agents.multi, to: phones.readsAll })).message_id
  expect(await client.agents.suspend(agents.multi)).toMatchObject({ status: 'SUSPENDED' })
  const { carriers } = await client.agents.launch(agents.multi)
  expect(carriers.map(({ status }) => status)).toEqual(['SUSPENDED', 'SUSPENDED', 'SUSPENDED'])
  expect(
    await ask(sandbox, 'POST', '/v1/messages', { body: { ...text, agent_id: agents.multi, to: phones.readsAll } }),
  ).toMatchObject({
    status: 403,
    json: {
      error: 'agent_not_approved',
      agent_status: 'SUSPENDED',
      message: 'The agent is SUSPENDED. Send by another agent until it is reinstated.',
    },
  })
  await clock.advance('1m')
  expect(await client.messages.get(underway)).toMatchObject({
    status: 'failed',
    failure_reason: 'CARRIER_NOT_LAUNCHED',
  })

  expect(await client.agents.reinstate(agents.multi)).toMatchObject({ status: 'APPROVED' })
  expect(await client.agents.launch(agents.multi)).toEqual({
    agent_id: agents.multi,
    agent_status: 'APPROVED',
    carriers: carriers.map((carrier) => ({ ...carrier, status: 'LAUNCHED' })),
  })
  const { message_id } = await client.messages.send({ ...text, agent_id: agents.multi, to: phones.readsAll })
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'read' })
})

test('a suspension in the middle of the launches stops them; they go on when it ends', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { agent_id } = await client.agents.create(fresh)
  await client.agents.submit(agent_id)
  const launches = async () => (await client.agents.launch(agent_id)).carriers.map(({ status }) => status)
  await clock.advance('3s')
  await client.agents.suspend(agent_id)
  await clock.advance('1d')
  expect(await launches()).toEqual(['SUSPENDED', 'PENDING', 'PENDING'])
  await client.agents.reinstate(agent_id)
  await clock.advance('2s')
  expect(await launches()).toEqual(['LAUNCHED', 'LAUNCHED', 'LAUNCHED'])
})

test('the control plane creates a live agent at once, also by the prefix of its id', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const made = await client.agents.provision({ ...fresh, display_name: 'At once', launched_on: ['nordfunk'] })
  expect(made).toMatchObject({
    agent_id: expect.stringMatching(/^ag_live_/),
    status: 'APPROVED',
    approved_at: made.created_at,
    submitted_at: null,
  })
  expect((await client.agents.launch(made.agent_id)).carriers.map(({ status }) => status)).toEqual([
    'LAUNCHED',
    'UNLAUNCHED',
    'UNLAUNCHED',
  ])
  const { message_id } = await client.messages.send({ ...text, agent_id: made.agent_id, to: phones.readsAll })
  expect(await client.messages.get(message_id)).toMatchObject({ channel_id: expect.stringMatching(/^ch_/) })
  expect((await client.events.list({ subject: made.agent_id })).events).toEqual([])

  const everywhere = await client.agents.provision(fresh)
  expect((await client.agents.launch(everywhere.agent_id)).carriers.every(({ status }) => status === 'LAUNCHED')).toBe(
    true,
  )
  await clock.advance('1m')
  expect(
    await ask(sandbox, 'POST', '/_sandbox/agents', { body: { ...fresh, launched_on: ['nordfunc'] } }),
  ).toMatchObject({
    status: 400,
    json: { details: [{ field: 'launched_on[0]', message: expect.stringContaining('did you mean "nordfunk"?') }] },
  })
})

test('a review decided by hand takes a reason only for a rejection', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.agents.submit(agents.draft)
  const review = (body: object) => ask(sandbox, 'POST', `/_sandbox/agents/${agents.draft}/review`, { body })
  expect(await review({ outcome: 'approved', reason: 'fine' })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'reason' }] },
  })
  expect(await review({ outcome: 'maybe' })).toMatchObject({ status: 400, json: { details: [{ field: 'outcome' }] } })
  expect(await review({ outcome: 'rejected', reason: 'No logo.' })).toMatchObject({
    status: 200,
    json: { status: 'REJECTED', rejection_reason: 'No logo.' },
  })
})
