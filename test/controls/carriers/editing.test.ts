import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { allItems } from '../../../src/client/pages.ts'
import { ask } from '../../http.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'

const shared = sharedSandbox()

const ALPENTEL = {
  name: 'alpentel',
  weight: 2,
  dispatch_delay: '150ms..600ms',
  delivery_delay: '600ms..2500ms',
  failure_delay: '600ms..2500ms',
  read_delay: '1s..4s',
  delivered: 1,
  read: 0.6,
  failed: {},
  never_delivered: 0,
  outage: false,
  throughput: null,
  changed: [],
  waiting: 0,
}

test('a carrier is shown as the world file has it', async () => {
  await using sandbox = await createSandbox()
  const { carriers } = await sandbox.client.carriers.list()
  expect(carriers.map(({ name }) => name)).toEqual(['nordfunk', 'rheinmobil', 'alpentel'])
  expect(await sandbox.client.carriers.show('alpentel')).toEqual(ALPENTEL)
  expect(carriers[2]).toEqual(ALPENTEL)
})

test('every setting of a carrier can be changed, and a reset restores it', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const change = {
    weight: 7,
    dispatch_delay: '1s',
    delivery_delay: '2s..5s',
    failure_delay: '~1s..8s',
    read_delay: '1h',
    read: 0.25,
    failed: { REJECTED_SPAM: 0.2, UNKNOWN_RCS_USER: 0.1 },
    never_delivered: 0.05,
    outage: true,
    throughput: 2.5,
  }
  const changed = await client.carriers.update('alpentel', change)
  expect(changed).toEqual({ ...ALPENTEL, ...change, delivered: 0.65, changed: Object.keys(change) })
  expect(await client.carriers.show('alpentel')).toEqual(changed)
  expect((await client.carriers.show('nordfunk')).changed).toEqual([])

  expect(await client.carriers.reset('alpentel')).toEqual(ALPENTEL)
})

test('a share may be written in percent', async () => {
  await using sandbox = await createSandbox()
  const carrier = await sandbox.client.carriers.update('nordfunk', { failed: { REJECTED_SPAM: '12.5%' }, read: '28%' })
  expect(carrier).toMatchObject({ failed: { REJECTED_SPAM: 0.125 }, delivered: 0.875, read: 0.28 })
})

test('a change keeps omitted fields; reasons of failure are replaced as a whole', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.carriers.update('nordfunk', { failed: { REJECTED_SPAM: 0.2 }, never_delivered: 0.1 })
  expect(await client.carriers.update('nordfunk', { failed: { UNKNOWN_RCS_USER: 0.3 } })).toMatchObject({
    failed: { UNKNOWN_RCS_USER: 0.3 },
    never_delivered: 0.1,
    delivered: 0.6,
  })
  expect(await client.carriers.update('nordfunk', { failed: {} })).toMatchObject({ failed: {}, delivered: 0.9 })
})

test.each([
  [{ failed: { REJECTED_SPAM: 0.7 }, never_delivered: 0.5 }, 'failed', /failed 0.7 \+ never_delivered 0.5 is 1.2/],
  [{ delivered: 0.5 }, 'delivered', /delivered 0.5 .* is 0.5, and must be 1; leave delivered out, and it is 1/],
  [{ delivered: 0.7, failed: { REJECTED_SPAM: 0.2 } }, 'delivered', /is 0.9, and must be 1/],
])('shares that do not add up are refused with the numbers: %j', async (body, field, message) => {
  const sandbox = shared()
  const answer = await ask(sandbox, 'PATCH', '/_sandbox/carriers/nordfunk', { body })
  expect(answer).toMatchObject({
    status: 400,
    json: { error: 'validation_error', message: expect.stringMatching(message), details: [{ field }] },
  })
  expect((await sandbox.client.carriers.show('nordfunk')).changed).toEqual([])
})

test('shares that do add up may be given in full', async () => {
  await using sandbox = await createSandbox()
  const shares = { delivered: 0.7, failed: { REJECTED_SPAM: 0.2 }, never_delivered: 0.1 }
  expect(await sandbox.client.carriers.update('nordfunk', shares)).toMatchObject(shares)
})

test.each([
  [{}, ''],
  [{ raed: 0.5 }, 'raed'],
  [{ read: 1.5 }, 'read'],
  [{ read: '120%' }, 'read'],
  [{ failed: { SPAM: 0.1 } }, 'failed'],
  [{ delivery_delay: '5s..2s' }, 'delivery_delay'],
  [{ throughput: 0 }, 'throughput'],
  [{ preset: 'perfekt' }, 'preset'],
  [{ name: 'other' }, 'name'],
])('%j changes nothing', async (body, field) => {
  const sandbox = shared()
  for (const path of ['/_sandbox/carriers/nordfunk', '/_sandbox/carriers'])
    expect(await ask(sandbox, 'PATCH', path, { body })).toMatchObject({
      status: 400,
      json: { details: [{ field: expect.stringContaining(field) }] },
    })
})

test('an unknown carrier is not found, and the nearest name is suggested', async () => {
  const sandbox = shared()
  for (const [method, path, body] of [
    ['GET', '/_sandbox/carriers/nordfnk', undefined],
    ['PATCH', '/_sandbox/carriers/nordfnk', { read: 1 }],
    ['POST', '/_sandbox/carriers/nordfnk/reset', undefined],
  ] as const)
    expect(await ask(sandbox, method, path, { body })).toMatchObject({
      status: 404,
      json: { error: 'not_found', message: expect.stringContaining('did you mean "nordfunk"?') },
    })
})

test('all carriers are changed and reset in one call', async () => {
  await using sandbox = await createSandbox()
  const before = await sandbox.client.carriers.list()
  const { carriers } = await sandbox.client.carriers.updateAll({ read: 0.5, weight: 4 })
  expect(carriers.map(({ read, changed }) => [read, changed])).toEqual([
    [0.5, ['read']],
    [0.5, ['read']],
    [0.5, ['weight', 'read']],
  ])
  expect(await sandbox.client.carriers.resetAll()).toEqual(before)
})

test('shares that do not add up on one carrier change no carrier', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.carriers.update('alpentel', { never_delivered: 0.9 })
  expect(await ask(sandbox, 'PATCH', '/_sandbox/carriers', { body: { failed: { REJECTED_SPAM: 0.5 } } })).toMatchObject(
    {
      status: 400,
      json: { message: expect.stringContaining('alpentel') },
    },
  )
  expect((await client.carriers.show('nordfunk')).failed).toEqual({})
})

const send = ({ client }: Sandbox, to = phones.ordinary) => client.messages.send({ ...rcsText, to })

test('a message in delivery keeps the plan of its dispatch', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const before = await send(sandbox)
  await clock.advance('600ms')
  expect(await client.messages.get(before.message_id)).toMatchObject({ status: 'dispatched' })
  await client.carriers.updateAll({ failed: { REJECTED_SPAM: 1 } })
  const after = await send(sandbox)
  await clock.advance('1m')
  expect((await client.messages.get(before.message_id)).delivered_at).not.toBeNull()
  expect(await client.messages.get(after.message_id)).toMatchObject({
    status: 'failed',
    failure_reason: 'REJECTED_SPAM',
  })
})

test('a magic recipient behaves the same on every carrier', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.carriers.updateAll({ failed: { REJECTED_SPAM: 1 } })
  const { message_id } = await send(sandbox, phones.readsAll)
  await sandbox.clock.advance('1m')
  expect(await sandbox.client.messages.get(message_id)).toMatchObject({ status: 'read' })
})

test('the preset down starts an outage only, and another preset ends it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  expect((await client.carriers.updateAll({ preset: 'down' })).carriers.map(({ changed }) => changed)).toEqual([
    ['outage'],
    ['outage'],
    ['outage'],
  ])
  const { message_id } = await send(sandbox)
  await clock.advance('1h')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'queued' })
  await client.carriers.updateAll({ preset: 'perfect' })
  await clock.advance('1m')
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'read' })
})

test('fields next to a preset override it', async () => {
  await using sandbox = await createSandbox()
  expect(await sandbox.client.carriers.update('nordfunk', { preset: 'flaky', outage: true, read: 1 })).toMatchObject({
    name: 'nordfunk',
    weight: 4,
    outage: true,
    read: 1,
    never_delivered: 0.05,
    delivery_delay: '~3s..3m',
  })
})

const COUNT = 1_500

const fates = ({ client }: Sandbox) => allItems(client.messages.list, ({ messages }) => messages)

async function sendMany(sandbox: Sandbox) {
  for (let i = 0; i < COUNT; i += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, j) =>
        sandbox.client.messages.send({ ...rcsText, to: phone(50 + ((i + j) % 50)), ttl: '86400s' }),
      ),
    )
}

const seconds = (from: string | null, to: string | null) => (Date.parse(to!) - Date.parse(from!)) / 1_000

test('under flaky a quarter fails for mixed reasons, some get lost, and delays are mostly short and now and then long', async () => {
  await using sandbox = await createSandbox({ checkAnswers: false })
  await sandbox.client.carriers.updateAll({ preset: 'flaky' })
  await sendMany(sandbox)
  await sandbox.clock.advance('25h')
  const messages = await fates(sandbox)
  const share = (is: (message: (typeof messages)[number]) => boolean) => messages.filter(is).length / COUNT
  expect(share(({ status }) => status === 'failed')).toBeCloseTo(0.25, 1)
  expect(share(({ failure_reason }) => failure_reason === 'UNKNOWN_RCS_USER')).toBeCloseTo(0.1, 1)
  expect(share(({ failure_reason }) => failure_reason === 'REJECTED_SPAM')).toBeCloseTo(0.05, 1)
  expect(share(({ status }) => status === 'expired')).toBeCloseTo(0.05, 1)
  const delays = messages
    .filter(({ delivered_at }) => delivered_at !== null)
    .map(({ sent_at, delivered_at }) => seconds(sent_at, delivered_at))
    .sort((a, b) => a - b)
  const at = (part: number) => delays[Math.floor(delays.length * part)]!
  // ~3s..3m: the middle is √(3 · 180) ≈ 23 s, and nine of ten lie within.
  expect(at(0.5)).toBeGreaterThan(19)
  expect(at(0.5)).toBeLessThan(28)
  const within = delays.filter((delay) => delay >= 3 && delay <= 180).length / delays.length
  expect(Math.abs(within - 0.9)).toBeLessThan(0.03)
  expect(delays.at(-1)).toBeGreaterThan(240)
})

test('under perfect everything is read within seconds; under realistic most, and few fail', async () => {
  await using sandbox = await createSandbox({ checkAnswers: false })
  const { client, clock } = sandbox
  await client.carriers.updateAll({ preset: 'perfect' })
  const first = await Promise.all(Array.from({ length: 50 }, (_, i) => send(sandbox, phone(50 + i))))
  await clock.advance('3s')
  for (const { message_id } of first) expect((await client.messages.get(message_id)).status).toBe('read')
  await client.carriers.updateAll({ preset: 'realistic' })
  await sendMany(sandbox)
  await clock.advance('25h')
  const messages = (await fates(sandbox)).slice(0, COUNT)
  const share = (...wanted: string[]) => messages.filter(({ status }) => wanted.includes(status)).length / COUNT
  expect(share('failed')).toBeGreaterThan(0.01)
  expect(share('failed')).toBeLessThan(0.045)
  expect(share('read')).toBeGreaterThan(0.65)
  expect(share('read')).toBeLessThan(0.8)
  expect(share('delivered')).toBeGreaterThan(0.15)
})

test('a changed carrier is dumped as it is now, and survives a restart in that form', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.carriers.update('nordfunk', { throughput: 3, delivery_delay: '~1s..8s', read: 0.5 })
  const file = parse((await sandbox.client.world.dump({})) as string)
  expect(file.carriers[0]).toMatchObject({ name: 'nordfunk', throughput: 3, delivery_delay: '~1s..8s', read: 0.5 })
})
