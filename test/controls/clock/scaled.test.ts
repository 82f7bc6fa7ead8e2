import { expect, test } from 'vitest'
import { END_OF_TIME } from '../../../src/words/instant-text.ts'
import { Clock, clockStateAt } from '../../../src/world/time/clock.ts'
import { ask } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const START = Date.UTC(2026, 0)

/** A clock beside a machine whose time is set by hand. */
function scaledClock(factor: number, at = START) {
  const machine = { now: 1_000_000 }
  const clock = new Clock(clockStateAt(at, { mode: 'scaled', factor }, machine.now), () => machine.now)
  return { clock, machine }
}

test('a scaled clock runs its factor times as fast as the machine, from the instant it was set', () => {
  const { clock, machine } = scaledClock(60)
  expect(clock.now()).toBe(START)
  machine.now += 1_500
  expect(clock.now()).toBe(START + 90_000)
  clock.set(clock.now(), { mode: 'scaled', factor: 0.5 })
  machine.now += 1_001
  // Whole milliseconds, and never ahead of itself.
  expect(clock.now()).toBe(START + 90_500)
  clock.set(clock.now(), { mode: 'real' })
  machine.now += 10
  expect(clock.now()).toBe(START + 90_510)
})

test('a scaled clock computes the machine time to an instant', () => {
  const { clock } = scaledClock(60)
  expect(clock.machineMsUntil(START + 60_000)).toBe(1_000)
  expect(clock.machineMsUntil(START - 1)).toBe(0)
  clock.set(START, { mode: 'real' })
  expect(clock.machineMsUntil(START + 60_000)).toBe(60_000)
  for (const mode of ['frozen', 'auto'] as const) {
    clock.set(START, { mode })
    expect(clock.machineMsUntil(START + 1)).toBe(Number.POSITIVE_INFINITY)
  }
})

test('a scaled clock never runs backwards when the machine clock is set back', () => {
  for (const factor of [0.001, 60, 1_000_000]) {
    const { clock, machine } = scaledClock(factor)
    machine.now += 5_000
    const before = clock.now()
    machine.now -= 4_000
    expect(clock.now()).toBe(before)
    machine.now += 10_000
    expect(clock.now()).toBeGreaterThan(before)
  }
})

test('a scaled clock stops at the end of the year 9998', () => {
  const { clock, machine } = scaledClock(1_000_000)
  machine.now += 400 * 86_400_000
  expect(clock.now()).toBe(END_OF_TIME)
})

test('work runs sooner by the factor, and is stamped with the time of the world', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:10000' })
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after30Seconds })
  await expect.poll(async () => (await client.messages.get(message_id)).delivered_at, { interval: 2 }).not.toBeNull()
  const { sent_at, delivered_at } = await client.messages.get(message_id)
  expect(Date.parse(delivered_at!) - Date.parse(sent_at!)).toBe(30_000)
})

test('work scheduled on a slow clock is due sooner when the clock becomes faster', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  await expect.poll(async () => (await client.messages.get(message_id)).status, { interval: 10 }).toBe('dispatched')
  const before = await clock.now()
  const set = await clock.mode('scaled:100000')
  expect(set).toMatchObject({ mode: 'scaled', factor: 100_000 })
  expect(Date.parse(set.now)).toBeGreaterThanOrEqual(Date.parse(before))
  await expect.poll(async () => (await client.messages.get(message_id)).delivered_at, { interval: 2 }).not.toBeNull()
})

test('every answer that shows a clock shows its factor, and only while it has one', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:2.5' })
  const { client, clock } = sandbox
  const shown = { mode: 'scaled', factor: 2.5 }
  expect(await client.clock.show()).toMatchObject(shown)
  expect((await client.world.health()).clock).toMatchObject(shown)
  expect((await client.world.show()).clock).toMatchObject(shown)
  expect((await client.world.reset({})).clock).toMatchObject(shown)
  expect(await clock.mode('scaled:3')).toMatchObject({ factor: 3 })
  expect(Object.keys(await clock.mode('frozen'))).toEqual(['mode', 'now'])
})

test('a scaled clock can be advanced, and continues from there', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:0.001' })
  const { client, clock } = sandbox
  const { message_id, created_at } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  const { now, total } = await clock.advance('2h')
  expect(total).toBeGreaterThanOrEqual(2)
  expect(Date.parse(now) - Date.parse(created_at)).toBeGreaterThanOrEqual(7_200_000)
  expect((await client.messages.get(message_id)).delivered_at).not.toBeNull()
  expect(await client.clock.show()).toMatchObject({ mode: 'scaled', factor: 0.001 })
})

test('scaled requires a factor, and other modes refuse it with a 400', async () => {
  await using sandbox = await createSandbox()
  const faults: readonly [body: object, field: string, message: RegExp][] = [
    [{ mode: 'scaled' }, 'factor', /required with scaled/],
    [{ mode: 'real', factor: 2 }, 'factor', /is allowed only with scaled/],
    [{ mode: 'scaled', factor: 0 }, 'factor', /at least 0.001/],
    [{ mode: 'scaled', factor: -60 }, 'factor', /at least 0.001/],
    [{ mode: 'scaled', factor: 1_000_001 }, 'factor', /at most 1000000/],
    [{ mode: 'scaled', factor: '60' }, 'factor', /must be a number/],
    [{ mode: 'scale', factor: 60 }, 'mode', /did you mean "scaled"/],
    [{ factor: 60 }, 'mode', /required/],
  ]
  for (const [body, field, message] of faults)
    expect({ body, ...(await ask(sandbox, 'POST', '/_sandbox/clock/mode', { body })) }).toMatchObject({
      body,
      status: 400,
      json: { details: [{ field, message: expect.stringMatching(message) }] },
    })
  expect(await sandbox.client.clock.show()).toMatchObject({ mode: 'frozen' })
})

test('the library says what a clock can be', async () => {
  for (const [clock, words] of [
    ['scaled', /scaled:60/],
    ['scaled:fast', /scaled:60/],
    ['scaled:', /scaled:60/],
    ['scaled:1e9', /0.001 to 1000000/],
    ['frozen:2', /is allowed only with scaled/],
    ['forzen', /did you mean "frozen"/],
  ] as const)
    await expect(createSandbox({ clock: clock as 'frozen' })).rejects.toThrow(words)
})
