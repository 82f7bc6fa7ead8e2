import { expect, test } from 'vitest'
import { createClient } from '../../../src/index.ts'
import { startEmulator } from '../../../src/server/emulator.ts'
import { loadWorldFile } from '../../../src/server/world-source.ts'
import type { Pace } from '../../../src/words/pace.ts'
import { folder, worldLikeDefault } from '../../folder.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { startChild } from '../../world/child.ts'

/** As `sandbox start` does: a clock that nobody names is the one that the data has. */
async function startOn(
  data: string | undefined,
  { clock, now, world = 'default' }: { clock?: Pace; now?: string; world?: string } = {},
) {
  const emulator = await startEmulator({
    world: await loadWorldFile(world),
    folder: data,
    port: 0,
    clock,
    now,
    onFault(error) {
      throw error
    },
  })
  return {
    client: createClient({ baseUrl: emulator.url, apiKey: 'sk_sandbox_default' }),
    keptTime: emulator.keptTime,
    [Symbol.asyncDispose]: () => emulator.stop(),
  }
}

test('a restart keeps the clock in each mode, and never sets it back', async () => {
  for (const clock of [
    { mode: 'real' },
    { mode: 'frozen' },
    { mode: 'auto' },
    { mode: 'scaled', factor: 3_600 },
  ] satisfies Pace[]) {
    const data = await folder()
    let before: string
    {
      await using first = await startOn(data, { clock })
      await first.client.clock.advance({ by: '48h' })
      before = (await first.client.clock.show()).now
    }
    await using second = await startOn(data)
    const after = await second.client.clock.show()
    expect(after).toMatchObject(clock)
    if (clock.mode === 'frozen' || clock.mode === 'auto') expect(after.now).toBe(before)
    else expect(Date.parse(after.now)).toBeGreaterThan(Date.parse(before))
  }
})

test('a start that asks for an earlier time keeps the clock of its data, and for a later one moves it', async () => {
  const data = await folder()
  const frozen = { clock: { mode: 'frozen' }, now: '2026-03-01T00:00Z' } as const
  let id: string
  {
    await using first = await startOn(data, frozen)
    expect(first.keptTime).toBeUndefined()
    await first.client.clock.advance({ by: '5d' })
    id = (await first.client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })).message_id
  }
  const left = '2026-03-06T00:00:00.000Z'
  const restarts: { clock?: Pace; now: string }[] = [
    frozen,
    { now: frozen.now },
    { ...frozen, clock: { mode: 'auto' } },
  ]
  for (const options of restarts) {
    await using again = await startOn(data, options)
    expect(again.keptTime).toBe(left)
    if (options.clock?.mode !== 'auto') expect((await again.client.clock.show()).now).toBe(left)
    expect((await again.client.events.list({ limit: 1000 })).events.map(({ timestamp }) => timestamp)).toEqual(
      (await again.client.events.list({ limit: 1000 })).events.map(({ timestamp }) => timestamp).toSorted(),
    )
  }
  await using later = await startOn(data, { ...frozen, now: '2027-01-01T00:00Z' })
  expect(later.keptTime).toBeUndefined()
  expect((await later.client.clock.show()).now).toBe('2027-01-01T00:00:00.000Z')
  expect((await later.client.messages.get(id)).status).toBe('expired')
})

test('a clock that is named at a restart goes on from where the old one was', async () => {
  const data = await folder()
  {
    await using first = await startOn(data, { clock: { mode: 'frozen' } })
    await first.client.clock.advance({ by: '1h' })
  }
  await using second = await startOn(data, { clock: { mode: 'scaled', factor: 0.001 } })
  expect(await second.client.clock.show()).toMatchObject({
    mode: 'scaled',
    factor: 0.001,
    now: expect.stringMatching(/^2026-01-01T01:00:00/),
  })
})

test('an auto clock does after a restart what was left to do', async () => {
  const data = await folder()
  let id: string
  {
    await using first = await startOn(data, { clock: { mode: 'frozen' } })
    id = (await first.client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })).message_id
  }
  await using second = await startOn(data, { clock: { mode: 'auto' } })
  await expect.poll(async () => (await second.client.messages.get(id)).status, { interval: 2 }).toBe('expired')
})

test('after a kill in the middle of an advance nothing lies in the future', async () => {
  const data = await folder()
  const first = await startChild(data)
  const { client } = first
  await Promise.all(
    Array.from({ length: 300 }, (_, n) => client.messages.send({ ...rcsText, to: phone(50 + (n % 50)) })),
  )
  const advance = client.clock.advance({ by: '24h' }).catch(() => undefined)
  await expect
    .poll(async () => (await client.events.list({ event: 'message.delivered' })).events.length, { interval: 1 })
    .toBeGreaterThan(0)
  await first.end('SIGKILL')
  await advance
  await using second = await startOn(data)
  const { now } = await second.client.clock.show()
  const { events } = await second.client.events.list({ limit: 1000 })
  expect(events.some(({ event }) => event === 'message.delivered')).toBe(true)
  for (const { timestamp } of events) expect(timestamp <= now).toBe(true)
})

test('a world file says how time passes and from where', async () => {
  const clock = (value: object) => worldLikeDefault((world) => Object.assign(world, { clock: value }))
  const shown = async (value: object) => {
    await using started = await startOn(undefined, { world: await clock(value) })
    return await started.client.clock.show()
  }
  expect(await shown({ mode: 'auto' })).toMatchObject({ mode: 'auto', now: '2026-01-01T00:00:00.000Z' })
  expect(await shown({ mode: 'auto', now: '2027-01-01T00:00Z' })).toMatchObject({ now: '2027-01-01T00:00:00.000Z' })
  expect(await shown({ mode: 'scaled', factor: 0.001, now: '2027-01-01T00:00+01:00' })).toMatchObject({
    mode: 'scaled',
    factor: 0.001,
    now: expect.stringMatching(/^2026-12-31T23:00:00/),
  })
  await expect(clock({ mode: 'scaled' }).then(loadWorldFile)).rejects.toThrow(/clock\.factor: is required with scaled/)
  await expect(clock({ factor: 60 }).then(loadWorldFile)).rejects.toThrow(/clock\.factor: is allowed only with scaled/)
  await expect(clock({ mode: 'auto', now: '2027-01-01' }).then(loadWorldFile)).rejects.toThrow(/clock\.now/)
})

test('health is answered while a long advance is run', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (let batch = 0; batch < 20; batch++)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => client.messages.send({ ...rcsText, to: phone(50 + (n % 50)) })),
    )
  let isDone = false
  const advance = clock.advance('24h').finally(() => {
    isDone = true
  })
  let answers = 0
  while (!isDone) {
    await client.world.health()
    answers++
  }
  const { total, fired } = await advance
  expect(total).toBeGreaterThan(5_000)
  expect(fired).toHaveLength(Math.min(total, 10_000))
  // A request waits for one slice of the work, not for all of it.
  expect(answers).toBeGreaterThan(3)
})
