import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Client } from '../../../src/index.ts'
import { folder, worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { createSandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'
import { send, statuses } from './sends.ts'

const shared = sharedSandbox()

type Input = Parameters<Client['faults']['add']>[0]

const refusal = async (client: Client, fault: unknown) =>
  client.faults.add(fault as Input).then(
    () => 'taken',
    (error) => `${error.status} ${error.details[0]?.field} ${error.details[0]?.code}: ${error.details[0]?.message}`,
  )

const unknownRoute = (name: string, hint: string) => `400 routes[0] unknown_route: unknown route "${name}", ${hint}`
const ofControl = (name: string) =>
  `400 routes[0] unknown_route: "${name}" belongs to the control plane, which faults never affect, so that they can be undone`

test.each([
  [{ routes: ['messages.sent'], status: 503 }, unknownRoute('messages.sent', 'did you mean "messages.send"?')],
  [{ routes: ['mesages.*'], status: 503 }, unknownRoute('mesages.*', 'did you mean "messages.*"?')],
  [
    { routes: ['POST:/v1/mesages'], status: 503 },
    unknownRoute('POST:/v1/mesages', 'did you mean "POST /v1/messages"?'),
  ],
  [
    { routes: ['GET /v1/messages/msg_12'], status: 503 },
    unknownRoute('GET /v1/messages/msg_12', 'did you mean "GET /v1/messages/{id}"?'),
  ],
  [
    { routes: ['PUT /v1/messages'], status: 503 },
    unknownRoute('PUT /v1/messages', 'did you mean "POST /v1/messages"?'),
  ],
  [{ routes: ['clock.advance'], status: 503 }, ofControl('clock.advance')],
  [{ routes: ['faults.*'], status: 503 }, ofControl('faults.*')],
  [{ routes: ['POST /_sandbox/reset'], status: 503 }, ofControl('POST /_sandbox/reset')],
  [
    { events: ['message.delivred'], drop: true },
    '400 events[0] unknown_event: unknown event "message.delivred", did you mean "message.delivered"?',
  ],
  [
    { routes: ['*'], error: 'rate_limit_exceded' },
    '400 error unknown_code: the service has no error code "rate_limit_exceded", did you mean "rate_limit_exceeded"?',
  ],
  [{ routes: ['*'], statu: 503 }, '400 statu unknown_field: unknown field, did you mean "status"?'],
])('an unknown name is refused with the nearest one: %j', async (fault, expected) => {
  const sandbox = shared()
  expect(await refusal(sandbox.client, fault)).toBe(expected)
  expect((await sandbox.client.faults.list()).faults).toEqual([])
})

test.each([
  [{ status: 503 }, 'routes'],
  [{ routes: ['*'], events: ['*'], status: 503 }, 'events'],
  [{ routes: ['*'] }, 'routes'],
  [{ routes: [], status: 500 }, 'routes'],
  [{ routes: ['*'], drop: true }, 'drop'],
  [{ events: ['*'], status: 500 }, 'status'],
  [{ events: ['*'], latency: '1s' }, 'latency'],
  [{ routes: ['*'], status: 500, reset: 'after' }, 'reset'],
  [{ events: ['*'], drop: true, duplicate: true }, 'duplicate'],
  [{ routes: ['*'], status: 418 }, 'status'],
  [{ routes: ['*'], status: 200 }, 'status'],
  [{ routes: ['*'], status: 403, error: 'insufficient_balance' }, 'status'],
  [{ routes: ['*'], latency: '1s', message: 'No.' }, 'message'],
  [{ routes: ['*'], status: 500, fields: { error: 'mine' } }, 'fields'],
  [{ routes: ['*'], status: 500, window: '1s' }, 'window'],
  [{ routes: ['*'], limit: 5, share: 0.5 }, 'share'],
  [{ routes: ['*'], status: 500, share: 0.5, every: 2 }, 'share'],
  [{ routes: ['*'], status: 500, share: 0 }, 'share'],
  [{ routes: ['*'], status: 500, times: 0 }, 'times'],
  [{ routes: ['*'], truncate: '1.5' }, 'truncate'],
  [{ routes: ['*'], truncate: 'half' }, 'truncate'],
  [{ routes: ['*'], latency: '2s..1s' }, 'latency'],
  [{ routes: ['*'], latency: '2h' }, 'latency'],
  [{ events: ['*'], delay: '40d' }, 'delay'],
  [{ events: ['*'], delay: '381774058d' }, 'delay'],
  [{ routes: ['*'], status: 500, endpoint_id: '00000000-0000-4000-8000-000000000001' }, 'endpoint_id'],
])('a contradictory fault is refused with the name of the field: %j', async (fault, field) => {
  const sandbox = shared()
  expect(await refusal(sandbox.client, fault)).toMatch(new RegExp(`^400 ${field} `))
})

test('a fault on an endpoint that does not exist is refused', async () => {
  const sandbox = shared()
  const fault = { events: ['*'], endpoint_id: '00000000-0000-4000-8000-000000000009', drop: true } satisfies Input
  await expect(sandbox.client.faults.add(fault)).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test.each([
  'messages.send',
  'POST /v1/messages',
  'post:/v1/messages',
  'POST /v1/messages/',
  '/v1/messages',
  'messages.*',
  '*',
])('the route %s matches a send', async (route) => {
  const sandbox = shared()
  await sandbox.client.faults.add({ routes: [route], status: 503 })
  expect((await send(sandbox)).status).toBe(503)
  await sandbox.client.faults.clear()
})

test('a path with parameters matches every record, and no other route', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['GET /v1/messages/{message_id}'], status: 503 })
  expect((await ask(sandbox, 'GET', '/v1/messages/msg_1')).status).toBe(503)
  expect((await ask(sandbox, 'GET', '/v1/messages')).status).toBe(200)
  expect((await ask(sandbox, 'GET', '/v1/nowhere')).status).toBe(404)
})

test('one fault is removed, and the others stay; an id that is gone is not found', async () => {
  await using sandbox = await createSandbox()
  const { faults } = sandbox.client
  const first = await faults.add({ routes: ['messages.send'], status: 500, name: 'the first' })
  const second = await faults.add({ routes: ['messages.send'], status: 503, share: '100%' })
  expect(first).toMatchObject({
    name: 'the first',
    created_at: '2026-01-01T00:00:00.000Z',
    seen: 0,
    hits: 0,
    active: true,
  })
  expect(second).toMatchObject({ share: 1, does: 'answers 503, 100 %' })
  await send(sandbox)
  expect(await faults.remove(first.id)).toEqual({ ...first, seen: 1, hits: 1 })
  expect((await send(sandbox)).status).toBe(503)
  expect((await faults.list()).faults.map(({ id }) => id)).toEqual([second.id])
  await expect(faults.remove(first.id)).rejects.toMatchObject({ status: 404 })
  await expect(faults.show(first.id)).rejects.toMatchObject({ status: 404 })
})

test('chance repeats with the seed and differs with another', async () => {
  const runs: string[] = []
  for (const seed of ['one', 'one', 'two']) {
    await using sandbox = await createSandbox({ seed })
    await sandbox.client.faults.add({ routes: ['messages.send'], status: 503, share: '30%' })
    runs.push((await statuses(sandbox, 40)).join(' '))
    const [fault] = (await sandbox.client.faults.list()).faults
    expect(fault!.seen).toBe(40)
    expect(fault!.hits).toBeGreaterThan(3)
    expect(fault!.hits).toBeLessThan(25)
  }
  expect(runs[1]).toBe(runs[0])
  expect(runs[2]).not.toBe(runs[0])
})

test('a fault of one namespace does not affect another', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['*'], status: 503 })
  const other = { url: sandbox.url, apiKey: 'sk_sandbox_other' }
  expect((await send(other)).status).toBe(200)
  expect((await sandbox.as('other').faults.list()).faults).toEqual([])
  expect((await send(sandbox)).status).toBe(503)
})

test('faults and their counts survive a restart, and a random one continues its sequence', async () => {
  const data = await folder()
  const expected: number[] = []
  {
    await using whole = await createSandbox()
    await whole.client.faults.add({ routes: ['messages.send'], status: 503, share: '50%' })
    expected.push(...(await statuses(whole, 12)))
  }
  const seen: number[] = []
  for (let run = 0; run < 3; run++) {
    await using sandbox = await createSandbox({ data })
    if (run === 0) {
      await sandbox.client.faults.add({ routes: ['messages.send'], status: 503, share: '50%' })
      await sandbox.client.faults.add({ routes: ['billing.*'], status: 500, times: 1 })
      await ask(sandbox, 'GET', '/v1/billing/balance')
    }
    seen.push(...(await statuses(sandbox, 4)))
    expect((await sandbox.client.faults.list()).faults).toMatchObject([
      { seen: 4 * (run + 1) },
      { seen: 1, hits: 1, active: false },
    ])
  }
  expect(seen).toEqual(expected)
})

test('a reset of the world, or of its faults, removes the faults', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.faults.add({ routes: ['messages.send'], limit: 0, window: '1h' })
  expect((await send(sandbox)).status).toBe(429)
  await client.world.reset({ scope: 'faults' })
  expect((await send(sandbox)).status).toBe(200)
  await client.faults.add({ routes: ['messages.send'], status: 503 })
  await client.world.reset()
  expect((await client.faults.list()).faults).toEqual([])
  expect((await send(sandbox)).status).toBe(200)
})

test('a world file brings faults, and an unknown route in it is refused', async () => {
  const withFault = (route: string) =>
    worldLikeDefault((world) => {
      world.faults = [{ name: 'shaky', routes: [route], status: 503, share: '100%', times: 1 }]
    })
  await using sandbox = await createSandbox({ world: await withFault('messages.send') })
  expect(await statuses(sandbox, 2)).toEqual([503, 200])
  await expect(createSandbox({ world: await withFault('messages.sent') })).rejects.toThrow(
    'did you mean "messages.send"?',
  )
})

test('a dump of the world contains its faults in the form of a world file', async () => {
  await using sandbox = await createSandbox()
  const fault = { routes: ['messages.send'], status: 503, share: 0.5, latency: '1ms..2ms', name: 'shaky' }
  await sandbox.client.faults.add(fault)
  const dumped = parse(String(await sandbox.client.world.dump())) as { faults: unknown[] }
  expect(dumped.faults).toEqual([fault])
})

test('the request log names the fault that an answer comes from', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.faults.add({ routes: ['messages.send'], status: 503, times: 1 })
  await statuses(sandbox, 2)
  const { requests } = await sandbox.client.logs.list()
  const sends = requests.filter(({ operation }) => operation === 'messages.send')
  expect(sends.map(({ status, fault }) => ({ status, fault }))).toEqual([
    { status: 503, fault: id },
    { status: 200, fault: null },
  ])
})
