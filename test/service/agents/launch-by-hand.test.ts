import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { agents, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const statuses = async ({ client }: Sandbox, id: string) =>
  Object.fromEntries((await client.agents.launch(id)).carriers.map(({ carrier, status }) => [carrier, status]))

const launched = async ({ client }: Sandbox) =>
  (await client.events.list({})).events
    .filter(({ event }) => event === 'agent.launched')
    .map(({ data }) => data as { agent_id: string; carrier: string; launched_at: string })

test('an agent can be launched on a carrier, which emits one event', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await sandbox.clock.advance('1m')
  const answer = await client.agents.setLaunch(agents.regional, { carrier: 'alpentel', status: 'LAUNCHED' })
  expect(answer.carriers.find(({ carrier }) => carrier === 'alpentel')).toEqual({
    carrier: 'alpentel',
    status: 'LAUNCHED',
    launched_at: '2026-01-01T00:01:00.000Z',
    rejection_reason: null,
  })
  expect(await client.agents.launch(agents.regional)).toEqual(answer)
  await client.agents.setLaunch(agents.regional, { carrier: 'alpentel', status: 'LAUNCHED' })
  expect(await launched(sandbox)).toEqual([
    { agent_id: agents.regional, carrier: 'alpentel', launched_at: '2026-01-01T00:01:00.000Z' },
  ])
})

test('on a carrier where the agent is not live, messages fail with CARRIER_NOT_LAUNCHED', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { carrier } = await client.handsets.show(phones.ordinary)
  for (const status of ['UNLAUNCHED', 'REJECTED', 'SUSPENDED'] as const) {
    await client.agents.setLaunch(agents.multi, { carrier, status })
    const { message_id } = await client.messages.send({ ...rcsText, to: phones.ordinary })
    await clock.advance('1m')
    expect(await client.messages.get(message_id)).toMatchObject({ failure_reason: 'CARRIER_NOT_LAUNCHED' })
  }
  await client.agents.setLaunch(agents.multi, { carrier, status: 'LAUNCHED' })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.ordinary })
  await clock.advance('1m')
  expect((await client.messages.get(message_id)).delivered_at).not.toBeNull()
})

test('an agent that is live nowhere cannot send', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.agents.setLaunch(agents.regional, { carrier: 'nordfunk', status: 'UNLAUNCHED' })
  await expect(
    client.messages.send({ ...rcsText, agent_id: agents.regional, to: phones.ordinary }),
  ).rejects.toMatchObject({ code: 'agent_not_launched' })
})

test('a rejection has a reason, given or not; an end of it has none', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const on = async (body: object) =>
    (await client.agents.setLaunch(agents.multi, { carrier: 'nordfunk', status: 'REJECTED', ...body })).carriers.find(
      ({ carrier }) => carrier === 'nordfunk',
    )
  expect(await on({ rejection_reason: 'No opt-out.' })).toMatchObject({
    status: 'REJECTED',
    rejection_reason: 'No opt-out.',
    launched_at: null,
  })
  expect((await on({}))!.rejection_reason).toContain('nordfunk')
  expect(await on({ status: 'UNLAUNCHED' })).toMatchObject({ rejection_reason: null })
  expect(
    await ask(sandbox, 'PATCH', `/_sandbox/agents/${agents.multi}/launch`, {
      body: { carrier: 'nordfunk', status: 'LAUNCHED', rejection_reason: 'No' },
    }),
  ).toMatchObject({ status: 400, json: { details: [{ field: 'rejection_reason' }] } })
})

test('a second launch request follows the settings of the world, and pending carriers still decide', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.agents.submit(agents.draft, {})
  await clock.advance('2500ms')
  expect(await statuses(sandbox, agents.draft)).toEqual({
    nordfunk: 'PENDING',
    rheinmobil: 'PENDING',
    alpentel: 'PENDING',
  })
  await client.agents.setLaunch(agents.draft, { carrier: 'nordfunk', status: 'REJECTED' })
  await clock.advance('1m')
  expect(await statuses(sandbox, agents.draft)).toEqual({
    nordfunk: 'REJECTED',
    rheinmobil: 'LAUNCHED',
    alpentel: 'LAUNCHED',
  })
  await client.agents.setLaunch(agents.draft, { carrier: 'nordfunk', status: 'PENDING' })
  await clock.advance('1m')
  expect((await statuses(sandbox, agents.draft)).nordfunk).toBe('LAUNCHED')
  expect((await launched(sandbox)).map(({ carrier }) => carrier)).toEqual(['rheinmobil', 'alpentel', 'nordfunk'])
})

test('no carrier decides on an unapproved agent, an unknown agent or an unknown carrier', async () => {
  await using sandbox = await createSandbox()
  const set = (id: string, carrier: string) =>
    ask(sandbox, 'PATCH', `/_sandbox/agents/${id}/launch`, { body: { carrier, status: 'LAUNCHED' } })
  expect(await set(agents.draft, 'nordfunk')).toMatchObject({
    status: 409,
    json: { error: 'agent_state_conflict', agent_status: 'DRAFT' },
  })
  await sandbox.client.agents.suspend(agents.multi)
  expect(await set(agents.multi, 'nordfunk')).toMatchObject({ status: 409, json: { agent_status: 'SUSPENDED' } })
  expect(await set('ag_live_00000000-0000-4000-8000-000000000099', 'nordfunk')).toMatchObject({ status: 404 })
  expect(await set(agents.regional, 'nordfnk')).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining('did you mean "nordfunk"?'), details: [{ field: 'carrier' }] },
  })
})
