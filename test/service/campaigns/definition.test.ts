import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { agents, campaigns, channels, contactOf, phone, templates, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { countsOf, define, end, eventsOf, notice, ordinary, sentBy, wait, worldWith } from './campaign.ts'

const plain = { name: 'Test', trigger: 'API', audience: { all: true } } as const

test('a campaign is defined, shown, replaced and run', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const made = await ask(sandbox, 'POST', '/_sandbox/campaigns', { body: { ...plain, flow: [notice, end] } })
  expect(made.status).toBe(201)
  expect(made.json).toMatchObject({
    ...plain,
    status: 'DRAFT',
    throughput: 500,
    flow: [{ ...notice, fallback: 'none' }, end],
  })
  const id = String(made.json.campaign_id)
  expect(await client.campaigns.show(id)).toEqual(made.json)

  const body = { ...plain, campaign_id: id, name: 'Other', audience: ordinary(1), flow: [end] }
  const replaced = await ask(sandbox, 'POST', '/_sandbox/campaigns', { body })
  expect([replaced.status, replaced.json]).toMatchObject([200, { name: 'Other', flow: [end] }])
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { total: 1, completed: 1 } })
  expect(await sentBy(sandbox, id)).toEqual([])
  expect((await client.world.show()).campaigns).toContainEqual({
    campaign_id: id,
    name: 'Other',
    trigger: 'API',
    status: 'COMPLETED',
  })
})

test('a fallback that is neither none nor a send is refused with both forms', async () => {
  await using sandbox = await createSandbox()
  const body = { ...plain, flow: [{ ...notice, fallback: 'mail' }, end] }
  const { json } = await ask(sandbox, 'POST', '/_sandbox/campaigns', { body })
  expect(json.message).toMatch(/^flow\[0\]\.fallback: must be none or an object with the fields agent_id, /)
})

test('replacing a completed campaign makes it a draft that has not run', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.campaigns.trigger(campaigns.demo)
  await clock.advance('1m')
  await define(sandbox, [notice, end], { campaign_id: campaigns.demo })
  expect(await client.campaigns.status(campaigns.demo)).toMatchObject({
    status: 'DRAFT',
    run_id: null,
    counts: { total: 0 },
  })
})

const { content: _, ...bare } = notice
const condition = { node: 'CONDITION', id: 'c', when: 'read', yes: 'end', no: 'end' } as const

test.each([
  ['two nodes of one id', { flow: [notice, { ...wait('1s'), id: 'notice' }, end] }, 'flow[1].id', 'duplicate'],
  ['a next that leads nowhere', { flow: [{ ...notice, next: 'edn' }, end] }, 'flow[0].next', 'unknown_node'],
  ['a yes that leads nowhere', { flow: [{ ...condition, yes: 'x' }, end] }, 'flow[0].yes', 'unknown_node'],
  ['a no that leads nowhere', { flow: [{ ...condition, no: 'x' }, end] }, 'flow[0].no', 'unknown_node'],
  ['no END', { flow: [notice] }, 'flow[0].next', 'required'],
  ['a circle', { flow: [notice, { ...wait('1s'), next: 'notice' }, end] }, 'flow[1].next', 'circle'],
  ['a node that leads to itself', { flow: [{ ...condition, no: 'c' }, end] }, 'flow[0].no', 'circle'],
  [
    'a node that nothing leads to',
    { flow: [{ ...notice, next: 'end' }, wait('1s'), end] },
    'flow[1].id',
    'unreachable',
  ],
  ['no node', { flow: [] }, 'flow', 'too_small'],
  ['an unknown node', { flow: [{ node: 'SNED', id: 'a' }, end] }, 'flow[0].node', 'invalid_value'],
  ['a wait that is not a duration', { flow: [wait('soon'), end] }, 'flow[0].for', 'invalid_format'],
  ['a wait without end', { flow: [wait('367d'), end] }, 'flow[0].for', 'too_big'],
  ['a TAG that does nothing', { flow: [{ node: 'TAG', id: 't' }, end] }, 'flow[0].add', 'required'],
  ['a SEND without a sender', { flow: [{ ...notice, agent_id: undefined }, end] }, 'flow[0].agent_id', 'exactly_one'],
  ['a SEND without content', { flow: [bare, end] }, 'flow[0].content', 'exactly_one'],
  [
    'an agent that does not exist',
    { flow: [{ ...notice, agent_id: `ag_live_${uuid(99)}` }, end] },
    'flow[0].agent_id',
    'not_found',
  ],
  [
    'an RCS send without message_type',
    { flow: [{ ...notice, message_type: undefined }, end] },
    'flow[0].message_type',
    'required',
  ],
  [
    'an RCS send without traffic_type',
    { flow: [{ ...notice, traffic_type: undefined }, end] },
    'flow[0].traffic_type',
    'required',
  ],
  [
    'RCS content that is too long',
    { flow: [{ ...notice, content: { text: 'x'.repeat(3_073) } }, end] },
    'flow[0].content.text',
    'too_big',
  ],
  [
    'a channel that does not exist',
    { flow: [{ ...notice, fallback: { channel_id: `ch_${uuid(99)}`, content: { text: 'x' } } }, end] },
    'flow[0].fallback.channel_id',
    'not_found',
  ],
  [
    'an email without a subject',
    { flow: [{ node: 'SEND', id: 'm', channel_id: channels.email, content: { text: 'x' } }, end] },
    'flow[0].content.subject',
    'required',
  ],
  [
    'a channel that belongs to an agent',
    { flow: [{ node: 'SEND', id: 'm', channel_id: channels.rcs, content: { subject: 'a', text: 'x' } }, end] },
    'flow[0].channel_id',
    'invalid_value',
  ],
  [
    'a template that does not exist',
    { flow: [{ ...bare, template_id: `tpl_${uuid(99)}` }, end] },
    'flow[0].template_id',
    'not_found',
  ],
  [
    'a template of another channel',
    { flow: [{ ...bare, template_id: templates.orderConfirmation }, end] },
    'flow[0].template_id',
    'invalid_value',
  ],
  [
    'a template without its data',
    { flow: [{ ...bare, template_id: templates.deliveryNotice, template_data: { name: 'x' } }, end] },
    'flow[0].template_data.eta',
    'required',
  ],
  [
    'a value for a variable that the template does not have',
    {
      flow: [
        { ...bare, template_id: templates.deliveryNotice, template_data: { name: 'Ada', eta: 'noon', naem: 'x' } },
        end,
      ],
    },
    'flow[0].template_data.naem',
    'unknown_variable',
  ],
  [
    'such a value in a fallback',
    {
      flow: [
        {
          ...notice,
          fallback: {
            channel_id: channels.email,
            template_id: templates.orderConfirmation,
            template_data: { name: 'Ada', order_id: 'A-7', order: 'A-7' },
          },
        },
        end,
      ],
    },
    'flow[0].fallback.template_data.order',
    'unknown_variable',
  ],
  [
    'a contact that does not exist',
    { flow: [end], audience: { contacts: [contactOf(50), contactOf(43)] } },
    'audience.contacts[1]',
    'not_found',
  ],
  ['no audience', { flow: [end], audience: undefined }, 'audience', 'required'],
  ['an audience for events', { flow: [end], trigger: 'EVENT' }, 'audience', 'unknown_field'],
  ['no date', { flow: [end], trigger: 'SCHEDULED' }, 'scheduled_at', 'required'],
  ['a date without a schedule', { flow: [end], scheduled_at: '2027-01-01T00:00:00Z' }, 'scheduled_at', 'unknown_field'],
  [
    'a date in the past',
    { flow: [end], trigger: 'SCHEDULED', scheduled_at: '2025-12-31T23:59:59Z' },
    'scheduled_at',
    'in_the_past',
  ],
  ['a throughput of nothing', { flow: [end], throughput: 0 }, 'throughput', 'too_small'],
  ['a misspelt field', { flow: [end], troughput: 5 }, 'troughput', 'unknown_field'],
])('a definition with %s is refused', async (_, change, field, code) => {
  await using sandbox = await createSandbox()
  const before = (await sandbox.client.world.show()).campaigns
  const answer = await ask(sandbox, 'POST', '/_sandbox/campaigns', { body: { ...plain, ...change } })
  expect(answer.status).toBe(400)
  expect(answer.json).toMatchObject({
    error: 'validation_error',
    details: expect.arrayContaining([expect.objectContaining({ field, code })]),
  })
  expect((await sandbox.client.world.show()).campaigns).toEqual(before)
})

test('a world file with a faulty campaign says where', async () => {
  const world = await worldLikeDefault((file) => {
    file.campaigns[1].flow[0].agent_id = `ag_live_${uuid(99)}`
  })
  await expect(createSandbox({ world })).rejects.toMatchObject({
    code: 'validation_error',
    details: [{ field: 'campaigns[1].flow[0].agent_id', code: 'not_found' }],
  })
})

test('a scheduled campaign starts at its instant', async () => {
  await using sandbox = await createSandbox({ now: '2030-01-01T08:59:00.000Z' })
  const { client, clock } = sandbox
  expect((await client.campaigns.status(campaigns.scheduled)).status).toBe('SCHEDULED')
  await clock.advance('59s')
  expect((await client.campaigns.status(campaigns.scheduled)).status).toBe('SCHEDULED')
  await clock.advance('2s')
  expect(await client.campaigns.status(campaigns.scheduled)).toMatchObject({
    status: 'COMPLETED',
    started_at: '2030-01-01T09:00:00.000Z',
    counts: { total: 20, completed: 20 },
  })
  expect(await sentBy(sandbox, campaigns.scheduled)).toHaveLength(20)
})

test('a schedule that is replaced is no longer kept', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const schedule = (campaign_id: string | undefined, scheduled_at: string) =>
    define(sandbox, [notice, end], { campaign_id, trigger: 'SCHEDULED', scheduled_at })
  const moved = await schedule(undefined, '2026-01-01T01:00:00Z')
  await schedule(moved, '2026-01-01T03:00:00Z')
  const dropped = await schedule(undefined, '2026-01-01T01:00:00Z')
  await define(sandbox, [notice, end], { campaign_id: dropped })
  await clock.advance('2h')
  expect((await client.campaigns.status(moved)).status).toBe('SCHEDULED')
  await clock.advance('2h')
  expect(await client.campaigns.status(moved)).toMatchObject({
    status: 'COMPLETED',
    started_at: '2026-01-01T03:00:00.000Z',
  })
  expect((await client.campaigns.status(dropped)).status).toBe('DRAFT')
})

test('a scheduled campaign that cannot be paid for starts paused', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(0.1) })
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { trigger: 'SCHEDULED', scheduled_at: '2026-01-01T01:00:00Z' })
  await clock.advance('2h')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'PAUSED_BALANCE',
    counts: { total: 3, pending: 3 },
  })
  expect((await eventsOf(sandbox, id)).map(({ event }) => event)).toEqual(['campaign.started', 'campaign.paused'])
  await client.billing.topup({ amount: 10, currency: 'EUR' })
  await client.campaigns.resume(id)
  await clock.advance('1s')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 3 } })
})

test('a manual campaign is started only through the control plane', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, end], { trigger: 'MANUAL' })
  const started = await ask(sandbox, 'POST', `/_sandbox/campaigns/${id}/run`)
  expect([started.status, started.json]).toMatchObject([202, { status: 'RUNNING' }])
  await expect(client.campaigns.run(id)).rejects.toMatchObject({ code: 'campaign_already_running' })
  await clock.advance('1s')
  expect(await countsOf(sandbox, id)).toMatchObject({ completed: 3 })
  await expect(client.campaigns.run(campaigns.demo)).rejects.toMatchObject({
    code: 'campaign_not_manually_triggered',
    status: 409,
  })
  await expect(client.campaigns.run(uuid(999))).rejects.toMatchObject({ status: 404 })
})

test('a manual campaign that cannot be paid for is refused like a triggered one', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(0.1) })
  const id = await define(sandbox, [notice, end], { trigger: 'MANUAL' })
  await expect(sandbox.client.campaigns.run(id)).rejects.toMatchObject({ status: 402, body: { required_amount: 0.15 } })
})

test('each event brings its contact to the open run, once, and the next run begins with the next event', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), end], { trigger: 'EVENT' })
  const first = await client.campaigns.event(id, { contact_id: contactOf(50) })
  expect(first.status).toBe('RUNNING')
  await clock.advance('10m')
  expect((await client.campaigns.event(id, { contact_id: 'magic-51' })).run_id).toBe(first.run_id)
  expect((await client.campaigns.event(id, { contact_id: contactOf(50) })).run_id).toBe(first.run_id)
  await clock.advance('55m')
  expect(await client.campaigns.status(id)).toMatchObject({
    status: 'RUNNING',
    counts: { total: 2, completed: 1, in_progress: 1 },
  })
  await clock.advance('10m')
  expect((await client.campaigns.status(id)).status).toBe('COMPLETED')
  expect((await sentBy(sandbox, id)).map(({ to }) => to).sort()).toEqual([phone(50), phone(51)])

  const second = await client.campaigns.event(id, { contact_id: contactOf(50) })
  expect(second.run_id).not.toBe(first.run_id)
  expect(
    (await eventsOf(sandbox, id)).map(({ event, counts }) => [event, (counts as { total: number }).total]),
  ).toEqual([
    ['campaign.started', 1],
    ['campaign.completed', 2],
    ['campaign.started', 1],
  ])
})

test('an event while the campaign is paused waits until it goes on', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const id = await define(sandbox, [notice, wait('1h'), end], { trigger: 'EVENT' })
  await client.campaigns.event(id, { contact_id: contactOf(50) })
  await client.campaigns.pause(id)
  expect((await client.campaigns.event(id, { contact_id: contactOf(51) })).status).toBe('PAUSED')
  await clock.advance('1h')
  expect(await sentBy(sandbox, id)).toEqual([])
  await client.campaigns.resume(id)
  await clock.advance('2h')
  expect(await client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { completed: 2 } })
})

test('an event needs an EVENT campaign and a contact', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const id = await define(sandbox, [notice, end], { trigger: 'EVENT' })
  await expect(client.campaigns.event(campaigns.demo, { contact_id: contactOf(50) })).rejects.toMatchObject({
    code: 'campaign_not_event_triggered',
    status: 409,
  })
  await expect(client.campaigns.event(id, { contact_id: contactOf(43) })).rejects.toMatchObject({
    code: 'not_found',
    details: [{ field: 'contact_id' }],
  })
  await expect(client.campaigns.event(uuid(999), { contact_id: contactOf(50) })).rejects.toMatchObject({ status: 404 })
  await expect(client.campaigns.show(uuid(999))).rejects.toMatchObject({ status: 404 })
  expect((await client.campaigns.status(id)).status).toBe('DRAFT')
  expect((await client.campaigns.show(campaigns.demo)).flow[0]).toMatchObject({ agent_id: agents.multi })
})
