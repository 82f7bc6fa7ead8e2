import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { campaigns, contactOf, phone, uuid } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { countsOf, define, end, eventsOf, notice, ordinary, sentBy, worldWith } from './campaign.ts'

const path = (id: string, verb = 'trigger') => `/v1/campaigns/${id}/${verb}`

test('a campaign that is triggered sends to each contact of its audience once', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const answer = await ask(sandbox, 'POST', path(campaigns.demo))
  expect(answer.status).toBe(202)
  expect(answer.json).toEqual({ run_id: expect.stringMatching(/^run_[0-9a-f-]{36}$/), status: 'RUNNING' })
  const counts = { total: 20, pending: 20, in_progress: 0, completed: 0, failed: 0, ineligible: 0 }
  expect(await client.campaigns.status(campaigns.demo)).toEqual({
    campaign_id: campaigns.demo,
    run_id: answer.json.run_id,
    status: 'RUNNING',
    pause_reason: null,
    counts,
    started_at: '2026-01-01T00:00:00.000Z',
    completed_at: null,
  })

  await clock.advance('1m')
  const done = await client.campaigns.status(campaigns.demo)
  expect(done).toMatchObject({ status: 'COMPLETED', counts: { ...counts, pending: 0, completed: 20 } })
  expect(done.completed_at! > done.started_at!).toBe(true)
  const messages = await sentBy(sandbox, campaigns.demo)
  expect(messages.map(({ to }) => to).sort()).toEqual(Array.from({ length: 20 }, (_, i) => phone(50 + i)))
  expect(
    messages.every(({ campaign_id, status }) => campaign_id === campaigns.demo && /read|delivered/.test(status)),
  ).toBe(true)
  const { reserved, total } = await client.billing.balance()
  expect({ reserved, total }).toEqual({ reserved: 0, total: 999 })
  expect(await eventsOf(sandbox, campaigns.demo)).toMatchObject([
    { event: 'campaign.started', status: 'RUNNING', counts },
    { event: 'campaign.completed', status: 'COMPLETED', counts: done.counts, at: done.completed_at },
  ])
})

test.each([0, 100])('the audience is that of the start, also of one in parts (%i contacts more)', async (more) => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const tag = 'campaign-demo'
  if (more > 0)
    await client.contacts.generate({ count: more, tag, consent: [{ channel_type: 'RCS', message_type: 'MESSAGE' }] })
  await client.campaigns.trigger(campaigns.demo)
  const { counts } = await client.campaigns.status(campaigns.demo)
  expect(counts.total).toBe(20 + more)
  await client.contacts.create({ phone: '+4915112345678', tags: [tag] })
  await client.contacts.update(contactOf(70), { tags: [tag] })
  await client.contacts.update(contactOf(52), { tags: [] })
  for (const gone of [50, 51]) await client.contacts.delete(contactOf(gone))
  await clock.advance('10m')
  expect(await client.campaigns.status(campaigns.demo)).toMatchObject({
    status: 'COMPLETED_PARTIAL',
    counts: { total: 20 + more, ineligible: 2, completed: 18 + more },
  })
  const reached = (await sentBy(sandbox, campaigns.demo)).map(({ to }) => to)
  expect(reached).toContain(phone(52))
  expect(reached).not.toContain(phone(70))
})

test('contacts that are added while a large audience is enrolled are not in the run', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const tag = 'campaign-demo'
  await client.contacts.generate({ count: 100, tag, consent: [{ channel_type: 'RCS', message_type: 'MESSAGE' }] })
  await client.campaigns.trigger(campaigns.demo)
  await client.contacts.generate({ count: 5, tag, consent: [{ channel_type: 'RCS', message_type: 'MESSAGE' }] })
  await clock.advance('10m')
  expect(await countsOf(sandbox, campaigns.demo)).toMatchObject({ total: 120, completed: 120 })
})

test('a campaign that has never run has no run and counts no contacts', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.client.campaigns.status(campaigns.demo)).toEqual({
    campaign_id: campaigns.demo,
    run_id: null,
    status: 'DRAFT',
    pause_reason: null,
    counts: { total: 0, pending: 0, in_progress: 0, completed: 0, failed: 0, ineligible: 0 },
    started_at: null,
    completed_at: null,
  })
})

test('a completed campaign can be triggered again, as a run of its own', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const first = await client.campaigns.trigger(campaigns.demo)
  await clock.advance('1m')
  const second = await client.campaigns.trigger(campaigns.demo)
  expect(second.run_id).not.toBe(first.run_id)
  expect((await client.campaigns.status(campaigns.demo)).counts).toMatchObject({ total: 20, pending: 20, completed: 0 })
  await clock.advance('1m')
  expect(await sentBy(sandbox, campaigns.demo)).toHaveLength(40)
})

test('the same key returns the original run for 24 hours, whether it comes in the header or the body', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const first = await ask(sandbox, 'POST', path(campaigns.demo), { headers: { 'Idempotency-Key': 'spring sale' } })
  await clock.advance('1m')
  const inBody = await ask(sandbox, 'POST', path(campaigns.demo), { body: { idempotency_key: 'spring sale' } })
  expect(inBody.text).toBe(first.text)
  expect(inBody.status).toBe(202)
  expect(inBody.headers['idempotent-replayed']).toBe('true')
  await clock.advance('23h')
  const late = await client.campaigns.trigger(campaigns.demo, {}, { idempotencyKey: 'spring sale' })
  expect(late.run_id).toBe(first.json.run_id)
  expect(await sentBy(sandbox, campaigns.demo)).toHaveLength(20)

  await clock.advance('59m')
  const after = await client.campaigns.trigger(campaigns.demo, {}, { idempotencyKey: 'spring sale' })
  expect(after.run_id).not.toBe(first.json.run_id)
})

test('a key counts for one campaign alone, and a refused trigger is not remembered', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const options = { idempotencyKey: 'k'.repeat(255) }
  const other = await define(sandbox, [notice, end])
  const first = await client.campaigns.trigger(campaigns.demo, {}, options)
  expect((await client.campaigns.trigger(other, {}, options)).run_id).not.toBe(first.run_id)
  await expect(client.campaigns.trigger(other, {}, { idempotencyKey: 'next' })).rejects.toMatchObject({
    code: 'campaign_already_running',
  })
  await clock.advance('1m')
  expect((await client.campaigns.trigger(other, {}, { idempotencyKey: 'next' })).status).toBe('RUNNING')
})

test.each([
  ['a key that is too long', { headers: { 'Idempotency-Key': 'k'.repeat(256) } }, 'Idempotency-Key'],
  ['an empty key', { body: { idempotency_key: '' } }, 'idempotency_key'],
  ['two different keys', { body: { idempotency_key: 'a' }, headers: { 'Idempotency-Key': 'b' } }, 'Idempotency-Key'],
  ['an unknown field', { body: { idempotency_kye: 'a' } }, 'idempotency_kye'],
  ['a key that is not a text', { body: { idempotency_key: 1 } }, 'idempotency_key'],
])('a trigger with %s is refused', async (_, options, field) => {
  await using sandbox = await createSandbox()
  const answer = await ask(sandbox, 'POST', path(campaigns.demo), options)
  expect(answer.status).toBe(400)
  expect(answer.json).toMatchObject({ error: 'validation_error', details: [{ field }] })
  expect((await sandbox.client.campaigns.status(campaigns.demo)).status).toBe('DRAFT')
})

test.each(['trigger', 'pause', 'resume', 'status'])('%s of a campaign that does not exist is a 404', async (verb) => {
  await using sandbox = await createSandbox()
  const answer = await ask(sandbox, verb === 'status' ? 'GET' : 'POST', path(uuid(999), verb))
  expect([answer.status, answer.json.error]).toEqual([404, 'not_found'])
})

test.each([
  ['SCHEDULED', { scheduled_at: '2027-01-01T00:00:00Z' }],
  ['EVENT', {}],
  ['MANUAL', {}],
] as const)('the API cannot trigger a campaign that is %s', async (trigger, rest) => {
  await using sandbox = await createSandbox()
  const id = await define(sandbox, [notice, end], { trigger, ...rest })
  const before = await sandbox.client.campaigns.status(id)
  const answer = await ask(sandbox, 'POST', path(id))
  expect(answer.status).toBe(409)
  expect(answer.json).toMatchObject({ error: 'campaign_not_api_triggered', campaign_trigger: trigger })
  expect(await sandbox.client.campaigns.status(id)).toEqual(before)
})

test('a trigger is refused when the free balance does not cover the estimated audience', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(0.99) })
  const answer = await ask(sandbox, 'POST', path(campaigns.demo))
  expect(answer.status).toBe(402)
  expect(answer.json).toMatchObject({
    error: 'insufficient_balance',
    required_amount: 1,
    balance: { free: 0.99, reserved: 0, total: 0.99 },
    topup_url: expect.stringMatching(/^https:/),
  })
  expect(await eventsOf(sandbox, campaigns.demo)).toEqual([])
})

test('a trigger is accepted when the free balance just covers it, and the last contact is still sent to', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(1) })
  await sandbox.client.campaigns.trigger(campaigns.demo)
  await sandbox.clock.advance('1s')
  expect(await sandbox.client.campaigns.status(campaigns.demo)).toMatchObject({
    status: 'COMPLETED',
    counts: { completed: 20 },
  })
  expect((await sandbox.client.billing.balance()).free).toBe(0)
})

test('the estimate uses the most expensive path through the flow, at the price of each send', async () => {
  await using sandbox = await createSandbox({ world: await worldWith(0.1) })
  const long = { ...notice, id: 'long', content: { text: 'x'.repeat(161) }, next: 'end' }
  const short = { ...notice, id: 'short', next: 'end' }
  const flow = [
    notice,
    { node: 'CONDITION', id: 'seen', when: 'read', yes: 'short', no: 'long' },
    long,
    short,
    end,
  ] as const
  const id = await define(sandbox, [...flow], { audience: ordinary(10) })
  const answer = await ask(sandbox, 'POST', path(id))
  // Ten contacts; 0.05 for the notice, then 0.08 for the long one rather than 0.05 for the short one.
  expect(answer.json).toMatchObject({ error: 'insufficient_balance', required_amount: 1.3 })
})

test('a run without contacts ends at once', async () => {
  await using sandbox = await createSandbox()
  const id = await define(sandbox, [notice, end], { audience: { tag: 'nobody' } })
  await sandbox.client.campaigns.trigger(id)
  await sandbox.clock.advance('1s')
  expect(await sandbox.client.campaigns.status(id)).toMatchObject({ status: 'COMPLETED', counts: { total: 0 } })
})

test('a tag is matched whole, and a contact named twice is sent to once', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (const [nn, tags] of [
    [70, ['a', 'b']],
    [71, [',']],
    [72, ['campaign-demo-2']],
    [73, ['"a"']],
  ] as const)
    await client.contacts.update(`magic-${nn}`, { tags: [...tags] })
  const audiences: [tag: string, size: number][] = [
    ['a', 1],
    [',', 1],
    ['campaign-demo', 20],
    ['campaign', 0],
    ['"a"', 1],
  ]
  for (const [tag, size] of audiences) {
    const id = await define(sandbox, [notice, end], { audience: { tag } })
    await client.campaigns.trigger(id)
    await clock.advance('1s')
    expect(await countsOf(sandbox, id), tag).toMatchObject({ total: size, completed: size })
  }
  const [contact] = ordinary(1).contacts
  const id = await define(sandbox, [notice, end], { audience: { contacts: [contact!, contact!] } })
  await client.campaigns.trigger(id)
  await clock.advance('1s')
  expect(await countsOf(sandbox, id)).toMatchObject({ total: 1, completed: 1 })
})
