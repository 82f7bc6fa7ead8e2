import { expect, test } from 'vitest'
import { api } from '../../src/registry/api.ts'
import type { Operation } from '../../src/words/operation.ts'
import { worldLikeDefault } from '../folder.ts'
import { ask, type RawAnswer } from '../http.ts'
import { holdMachineClock } from '../machine-clock.ts'
import { channels, emails, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const rcs = { ...rcsText, to: phones.off }
const mail = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }
const limitOf = ({ headers }: RawAnswer) => Number(headers['x-ratelimit-limit'])

const BANDS = { send: 11, read: 12, agents: 13, billing: 14, other: 15 }

/** Interface §8: which route family each path counts against. */
function bandOf({ method, path }: Operation): keyof typeof BANDS {
  if (method === 'post' && path === '/v1/messages') return 'send'
  if (path.startsWith('/v1/rcs/agents')) return 'agents'
  if (path.startsWith('/v1/billing/')) return 'billing'
  return method === 'get' ? 'read' : 'other'
}

const operations = Object.values(api as unknown as Record<string, Record<string, Operation>>)
  .flatMap((verbs) => Object.values(verbs))
  .filter(({ path }) => path.startsWith('/v1/') && !path.startsWith('/v1/test/'))

test('every route counts against the limit of its family, and says so', async () => {
  await using sandbox = await createSandbox({ limits: BANDS })
  for (const operation of operations) {
    const { id, method, path } = operation
    const answer = await ask(
      sandbox,
      method.toUpperCase(),
      path.replace(/\{\w+\}/g, 'x'),
      method === 'get' ? {} : { body: {} },
    )
    const { headers } = answer
    expect({
      id,
      limit: limitOf(answer),
      names: Object.keys(headers).filter((name) => name.startsWith('x-ratelimit')),
    }).toEqual({
      id,
      limit: BANDS[bandOf(operation)],
      names: ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
    })
  }
})

test('each family has its own limit', async () => {
  await using sandbox = await createSandbox({
    rateLimits: true,
    limits: { send: 1, read: 1, agents: 1, billing: 1, other: 1 },
  })
  holdMachineClock()
  const calls: readonly [method: string, path: string, body?: object][] = [
    ['POST', '/v1/messages', rcs],
    ['GET', '/v1/messages'],
    ['GET', '/v1/billing/balance'],
    ['POST', '/v1/contacts', { email: 'ada@example.com' }],
  ]
  const round = async () => {
    const statuses = []
    for (const [method, path, body] of calls) statuses.push((await ask(sandbox, method, path, { body })).status)
    return statuses
  }
  expect(await round()).toEqual([200, 200, 200, 201])
  expect(await round()).toEqual([429, 429, 429, 429])
})

test('each tier of a channel doubles the limit of sends through it, and the turn of the month takes it back', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing.tiers = [
      { name: 'tier_1', from: 0 },
      { name: 'tier_2', from: 2 },
      { name: 'tier_3', from: 3 },
    ]
  })
  await using sandbox = await createSandbox({ world, limits: { send: 100 } })
  const send = async (body: object) => limitOf(await ask(sandbox, 'POST', '/v1/messages', { body }))
  const limits = []
  for (let i = 0; i < 5; i++) limits.push(await send(rcs))
  expect(limits).toEqual([100, 100, 200, 400, 400])
  expect(await send(mail)).toBe(100)
  expect(limitOf(await ask(sandbox, 'GET', '/v1/messages'))).toBe(12_000)
  expect(
    limitOf(await ask({ url: sandbox.url, apiKey: 'sk_sandbox_other' }, 'POST', '/v1/messages', { body: rcs })),
  ).toBe(100)
  await sandbox.clock.advance('31d')
  expect(await send(mail)).toBe(100)
  expect(await send(mail)).toBe(100)
  expect(await send(mail)).toBe(200)
})

test('a key that used up the limit of one channel may go on sending through a channel of a higher tier', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing.tiers = [
      { name: 'tier_1', from: 0 },
      { name: 'tier_2', from: 2 },
    ]
  })
  await using sandbox = await createSandbox({ world, rateLimits: true, limits: { send: 2 } })
  holdMachineClock()
  const send = async (body: object) => {
    const answer = await ask(sandbox, 'POST', '/v1/messages', { body })
    return [answer.status, limitOf(answer), Number(answer.headers['x-ratelimit-remaining'])]
  }
  expect(await send(rcs)).toEqual([200, 2, 1])
  expect(await send(rcs)).toEqual([200, 2, 0])
  expect(await send(mail)).toEqual([429, 2, 0])
  expect(await send(rcs)).toEqual([200, 4, 1])
  expect(await send({ ...mail, channel_id: 7 })).toEqual([400, 4, 0])
  expect(await send(rcs)).toEqual([429, 4, 0])
})

test('a send that is refused raises no limit', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing = {
      balance: 0.05,
      tiers: [
        { name: 'tier_1', from: 0 },
        { name: 'tier_2', from: 1 },
      ],
    }
  })
  await using sandbox = await createSandbox({ world, limits: { send: 100 } })
  const send = (body: object) => ask(sandbox, 'POST', '/v1/messages', { body })
  await send({ ...rcs, content: { text: 'x'.repeat(161) } })
  expect(limitOf(await send({ ...rcs, to: phones.noContact }))).toBe(100)
  expect(await send(rcs)).toMatchObject({ status: 200 })
  expect(limitOf(await send(rcs))).toBe(200)
})

const limitsOf = ({ client }: Pick<Sandbox, 'client'>) => client.world.rateLimits()

test('the control plane shows and changes the limits of one key', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 1 } })
  holdMachineClock()
  const usual = { enabled: true, limits: { send: 1, read: 12_000, agents: 600, billing: 600, other: 6_000 } }
  expect(await limitsOf(sandbox)).toEqual(usual)
  const send = async () => (await ask(sandbox, 'POST', '/v1/messages', { body: rcs })).status
  expect([await send(), await send()]).toEqual([200, 429])

  expect(await sandbox.client.world.setRateLimits({ limits: { send: 2, read: 0 } })).toEqual({
    enabled: true,
    limits: { ...usual.limits, send: 2, read: 0 },
  })
  expect([await send(), await send()]).toEqual([200, 429])
  expect(await ask(sandbox, 'GET', '/v1/messages')).toMatchObject({
    status: 429,
    headers: { 'x-ratelimit-limit': '0' },
  })

  expect(await sandbox.client.world.setRateLimits({ enabled: false })).toMatchObject({
    enabled: false,
    limits: { send: 2 },
  })
  expect(await send()).toBe(200)
  expect(await limitsOf({ client: sandbox.as('other') })).toEqual(usual)

  await sandbox.client.world.reset()
  expect(await limitsOf(sandbox)).toEqual(usual)
})

test('invalid limits are refused', async () => {
  await using sandbox = await createSandbox()
  for (const [body, field] of [
    [{ limits: { send: -1 } }, 'limits.send'],
    [{ limits: { send: 1.5 } }, 'limits.send'],
    [{ limits: { sends: 1 } }, 'limits.sends'],
    [{ enabled: 'no' }, 'enabled'],
    [{ window: '1m' }, 'window'],
  ] as const)
    expect(await ask(sandbox, 'PUT', '/_sandbox/rate-limits', { body })).toMatchObject({
      status: 400,
      json: { details: [{ field }] },
    })
})
