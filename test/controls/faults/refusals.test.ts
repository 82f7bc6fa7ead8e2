import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask, everythingOf } from '../../http.ts'
import { holdMachineClock, moveMachineClock } from '../../machine-clock.ts'
import { createSandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'
import { messageCount, send, statuses } from './sends.ts'

const shared = sharedSandbox()

test('three sends are refused with 503 in the envelope of the service, and the fourth goes through', async () => {
  await using sandbox = await createSandbox()
  const fault = await sandbox.client.faults.add({ routes: ['POST:/v1/messages'], status: 503, times: 3 })
  const before = await everythingOf(sandbox.client)
  const refused = await send(sandbox)
  expect(refused).toMatchObject({
    status: 503,
    json: { error: 'service_unavailable', message: expect.stringContaining(fault.id), details: [] },
  })
  expect(refused.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': expect.stringMatching(/^req_/),
    'x-ratelimit-limit': '6000',
    'x-sandbox-fault': fault.id,
  })
  expect(await statuses(sandbox, 2)).toEqual([503, 503])
  expect(await everythingOf(sandbox.client)).toEqual(before)
  const taken = await send(sandbox)
  expect(taken.status).toBe(200)
  expect(taken.headers['x-sandbox-fault']).toBeUndefined()
  expect((await sandbox.client.faults.list()).faults).toMatchObject([
    { id: fault.id, target: 'api', does: 'answers 503, 3 times', seen: 3, hits: 3, active: false },
  ])
})

test('a code gives its own status, and the fields that clients rely on', async () => {
  await using sandbox = await createSandbox()
  for (const [error, status, fields] of [
    ['insufficient_balance', 402, { required_amount: 0.08, topup_url: expect.stringContaining('http') }],
    ['agent_not_approved', 403, { agent_status: 'PENDING_REVIEW' }],
    ['device_not_rcs_capable', 404, { to: expect.any(String) }],
    ['rate_limit_exceeded', 429, { retry_after: 1 }],
    ['internal_error', 500, { details: [] }],
  ] as const) {
    const { id } = await sandbox.client.faults.add({ routes: ['messages.send'], error })
    expect(await send(sandbox)).toMatchObject({ status, json: { error, ...fields } })
    await sandbox.client.faults.remove(id)
  }
  expect(await messageCount(sandbox)).toBe(0)
})

test.each([
  [400, 'validation_error'],
  [402, 'insufficient_balance'],
  [404, 'not_found'],
  [409, 'idempotency_key_reused'],
  [422, 'missing_consent'],
  [429, 'rate_limit_exceeded'],
  [500, 'internal_error'],
  [502, 'service_unavailable'],
  [504, 'service_unavailable'],
])('the status %i alone is answered with %s', async (status, error) => {
  const sandbox = shared()
  await sandbox.client.faults.add({ routes: ['*'], status })
  expect(await send(sandbox)).toMatchObject({ status, json: { error } })
  await sandbox.client.faults.clear()
})

test('an injected 500 repeats the id of its request, as a bug of the service does', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 500 })
  const { headers, json } = await send(sandbox)
  expect(json.request_id).toBe(headers['x-request-id'])
})

test('message, details, more fields and retry_after are answered as they were given', async () => {
  await using sandbox = await createSandbox()
  const details = [{ field: 'to', code: 'too_big', message: 'is too far' }]
  await sandbox.client.faults.add({
    routes: ['messages.*'],
    status: 422,
    error: 'recipient_suppressed',
    message: 'No.',
    details,
    fields: { contact_status: 'BOUNCED', ticket: 7 },
    retry_after: 30,
  })
  const { headers, json } = await send(sandbox)
  expect(json).toEqual({
    error: 'recipient_suppressed',
    message: 'No.',
    details,
    to: '+491713920040',
    contact_id: 'c_00000000-0000-4000-8000-000000000040',
    contact_status: 'BOUNCED',
    ticket: 7,
    retry_after: 30,
  })
  expect(headers['retry-after']).toBe('30')
})

test('a refusal by count says when to come back, in body and headers', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 429, retry_after: 7, times: 1 })
  const { headers, json } = await send(sandbox)
  expect(json).toMatchObject({ error: 'rate_limit_exceeded', retry_after: 7 })
  expect(headers).toMatchObject({ 'retry-after': '7', 'x-ratelimit-remaining': '0' })
  expect(Number(headers['x-ratelimit-reset']) - Date.now() / 1000).toBe(7)
})

test('after skips the first calls, and every selects each nth', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 500, after: 2, times: 1 })
  expect(await statuses(sandbox, 5)).toEqual([200, 200, 500, 200, 200])
  await sandbox.client.faults.clear()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 500, every: 3 })
  expect(await statuses(sandbox, 7)).toEqual([200, 200, 500, 200, 200, 500, 200])
})

test('the first fault that refuses decides; one that is used up makes room for the next', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 500, times: 1 })
  await sandbox.client.faults.add({ routes: ['*'], status: 503, times: 1 })
  expect(await statuses(sandbox, 3)).toEqual([500, 503, 200])
  expect((await sandbox.client.faults.list()).faults).toMatchObject([
    { seen: 1, hits: 1 },
    { seen: 1, hits: 1 },
  ])
})

test('a fault comes after key and rate limit, and before body and idempotency', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 2 } })
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 503 })
  const post = (headers: Record<string, string | undefined>) =>
    ask(sandbox, 'POST', '/v1/messages', { body: '{ this is not JSON', headers })
  expect((await post({ Authorization: 'Bearer nobody' })).status).toBe(401)
  expect((await post({})).status).toBe(503)
  expect((await post({ 'Idempotency-Key': 'no UUID' })).status).toBe(503)
  expect((await post({})).json.error).toBe('rate_limit_exceeded')
  expect((await sandbox.client.faults.list()).faults).toMatchObject([{ seen: 2, hits: 2 }])
})

test('an injected refusal is not remembered for its idempotency key', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], status: 500, times: 1 })
  const key = { 'Idempotency-Key': randomUUID() }
  expect((await send(sandbox, key)).status).toBe(500)
  const done = await send(sandbox, key)
  expect(done.status).toBe(200)
  expect(done.headers['idempotent-replayed']).toBeUndefined()
  expect(await messageCount(sandbox)).toBe(1)
})

test('beyond a throughput the rest is refused until the window is over, and the headers show it', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.faults.add({ routes: ['messages.send'], limit: 2, window: '1h' })
  const first = await send(sandbox)
  const closesAt = Date.now() / 1000 + 3_570
  expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
  expect(Number(first.headers['x-ratelimit-reset'])).toBe(closesAt)
  expect((await send(sandbox)).status).toBe(200)
  const refused = await send(sandbox)
  expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limit_exceeded' } })
  const retryAfter = Number(refused.json.retry_after)
  expect(retryAfter).toBe(3_570)
  expect(refused.headers).toMatchObject({
    'retry-after': String(retryAfter),
    'x-ratelimit-remaining': '0',
    'x-sandbox-fault': id,
  })
  // Other calls have their own limits.
  expect((await ask(sandbox, 'GET', '/v1/messages')).headers['x-ratelimit-limit']).toBe('12000')
  expect(await sandbox.client.faults.show(id)).toMatchObject({ seen: 3, hits: 1, does: 'answers 429 beyond 2 in 1h' })
})

test('a client that waits for the window to close is let through again', async () => {
  await using sandbox = await createSandbox()
  holdMachineClock()
  await sandbox.client.faults.add({ routes: ['messages.send'], limit: 1, window: '200ms' })
  const statuses = []
  for (const waitMs of [0, 0, 199, 1, 0, 200]) {
    moveMachineClock(waitMs)
    statuses.push((await send(sandbox)).status)
  }
  expect(statuses).toEqual([200, 429, 429, 200, 429, 200])
  expect(await messageCount(sandbox)).toBe(3)
})

test('no fault affects the control plane, so every fault can be removed', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['*'], status: 500 })
  expect((await ask(sandbox, 'GET', '/v1/messages')).status).toBe(500)
  expect((await ask(sandbox, 'GET', '/_sandbox/health')).status).toBe(200)
  expect(await sandbox.client.faults.clear()).toEqual({ removed: 1 })
  expect((await ask(sandbox, 'GET', '/v1/messages')).status).toBe(200)
})

test('a world has at most 1,000 faults', async () => {
  const world = await worldLikeDefault((file) => {
    file.faults = Array.from({ length: 1_000 }, () => ({ events: ['*'], drop: true, times: 1 }))
  })
  await using sandbox = await createSandbox({ world })
  const one = { routes: ['*'], status: 503 }
  expect(await ask(sandbox, 'POST', '/_sandbox/faults', { body: one })).toMatchObject({
    status: 422,
    json: { error: 'limit_exceeded' },
  })
  await sandbox.client.faults.clear()
  expect(await ask(sandbox, 'POST', '/_sandbox/faults', { body: one })).toMatchObject({ status: 201 })
})
