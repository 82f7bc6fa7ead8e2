import { expect, test, vi } from 'vitest'
import { RateLimits } from '../../src/server/limits.ts'
import { ask, type RawAnswer } from '../http.ts'
import { holdMachineClock, moveMachineClock } from '../machine-clock.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const rcs = { ...rcsText, to: phones.off }

const standing = ({ headers }: RawAnswer) => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
})

test('every answer under /v1 says how many requests are left, errors included', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true })
  const answers = [
    await ask(sandbox, 'GET', '/v1/messages'),
    await ask(sandbox, 'GET', '/v1/messages/x'),
    await ask(sandbox, 'GET', '/v1/messages?limit=0'),
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs }),
    await ask(sandbox, 'POST', '/v1/messages', { body: '{' }),
    await ask(sandbox, 'POST', '/v1/messages', { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
    await ask(sandbox, 'PUT', '/v1/messages'),
    await ask(sandbox, 'GET', '/v1/nothing'),
    await ask(sandbox, 'GET', '/v1/messages/%ZZ'),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: undefined } }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: 'Bearer nonsense' } }),
    await ask(sandbox, 'GET', '/v1/messages', { headers: { Host: 'evil.example' } }),
  ]
  for (const { status, headers } of answers) {
    expect({ status, headers }).toMatchObject({
      headers: {
        'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      },
    })
    const reset = Number(headers['x-ratelimit-reset'])
    expect(reset - Date.now() / 1000).toBe(30)
  }
})

test('sending, reading and billing have limits of their own', async () => {
  await using sandbox = await createSandbox({ rateLimits: true })
  expect(standing(await ask(sandbox, 'POST', '/v1/messages', { body: rcs })).limit).toBe(6_000)
  expect(standing(await ask(sandbox, 'GET', '/v1/messages')).limit).toBe(12_000)
  expect(standing(await ask(sandbox, 'GET', '/v1/messages/x')).limit).toBe(12_000)
  expect(standing(await ask(sandbox, 'GET', '/v1/billing/balance')).limit).toBe(600)
  expect(standing(await ask(sandbox, 'DELETE', '/v1/messages/x')).limit).toBe(6_000)
})

test('a request beyond the limit is a 429 with the time to wait, and has no effect', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 3 } })
  holdMachineClock()
  const answers = []
  for (let i = 0; i < 5; i++) answers.push(await ask(sandbox, 'POST', '/v1/messages', { body: rcs }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429])
  expect(answers.map(standing)).toEqual([2, 1, 0, 0, 0].map((remaining) => ({ limit: 3, remaining })))

  const { headers, json } = answers[4]!
  expect(json).toEqual({
    error: 'rate_limit_exceeded',
    message: expect.any(String),
    details: [],
    retry_after: expect.any(Number),
  })
  expect(headers['retry-after']).toBe(String(json.retry_after))
  const untilReset = Number(headers['x-ratelimit-reset']) - Date.now() / 1000
  expect(untilReset).toBe(30)
  expect(json.retry_after).toBe(30)

  expect((await sandbox.client.messages.list()).messages).toHaveLength(3)
  expect((await sandbox.client.billing.balance()).reserved).toBe(0.15)
})

test('each key is counted separately, and the control plane is not counted', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 1, other: 1 } })
  holdMachineClock()
  const send = (namespace: string) =>
    ask({ url: sandbox.url, apiKey: `sk_sandbox_${namespace}` }, 'POST', '/v1/messages', { body: rcs })
  expect([(await send('one')).status, (await send('one')).status, (await send('two')).status]).toEqual([200, 429, 200])
  for (let i = 0; i < 5; i++) {
    const answer = await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { by: '1s' } })
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
  }
})

test('what a limit has refused is in the log of its key', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 1 } })
  const send = () => ask({ url: sandbox.url, apiKey: 'sk_sandbox_mine' }, 'POST', '/v1/messages', { body: rcs })
  const answers = [await send(), await send()]
  const statusesIn = async (namespace: string) =>
    (await sandbox.as(namespace).logs.list({ operation: 'messages.send' })).requests.map(({ status }) => status)
  expect(await statusesIn('mine')).toEqual(answers.map(({ status }) => status))
  expect(await statusesIn('default')).toEqual([])
})

test('refused requests count too', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 2 } })
  holdMachineClock()
  const statuses = []
  for (const body of ['{', { ...rcs, to: phones.noContact }, rcs])
    statuses.push((await ask(sandbox, 'POST', '/v1/messages', { body })).status)
  expect(statuses).toEqual([400, 422, 429])
})

test('disabled limits are reported and not enforced', async () => {
  await using sandbox = await createSandbox({ rateLimits: false, limits: { send: 1 } })
  holdMachineClock()
  const answers = [
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs }),
    await ask(sandbox, 'POST', '/v1/messages', { body: rcs }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(standing(answers[1]!)).toEqual({ limit: 1, remaining: 0 })
})

test('counts of an earlier window are forgotten, so that namespaces of the past take no memory', () => {
  holdMachineClock()
  const limits = new RateLimits({ limits: { send: 2 } })
  const set = vi.spyOn(Map.prototype, 'set')
  for (let i = 0; i < 100; i++) limits.take(`namespace-${i}`, 'send')
  const counts = set.mock.contexts.at(-1) as unknown as ReadonlyMap<string, unknown>
  expect(counts.size).toBe(100)
  moveMachineClock(60_000)
  expect(limits.take('namespace-0', 'send')).toMatchObject({ remaining: 1, refused: false })
  expect(counts.size).toBe(1)
})
