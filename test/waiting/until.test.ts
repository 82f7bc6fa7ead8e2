import { expect, test } from 'vitest'
import { until, type WorldClock } from '../../src/waiting/until.ts'

const at = (ms: number): WorldClock => ({
  mode: 'auto',
  now: new Date(ms).toISOString(),
  next_due_at: null,
  at_rest: true,
})

test('a wait on an auto clock at rest lasts its limit on the clock of the machine, in which an application acts', async () => {
  let looks = 0
  const limits = { everyMs: 1, clock: () => at(0) }
  expect(await until({ ...limits, withinMs: 60_000 }, () => ++looks > 600 || undefined)).toEqual({ found: true })
  expect(await until({ ...limits, withinMs: 50 }, () => undefined)).toMatchObject({ ending: 'time is up' })
  expect(await until({ ...limits, withinMs: 60_000, restMs: 50 }, () => undefined)).toMatchObject({
    ending: 'clock at rest',
  })
})

test('a wait on an auto clock does not end because the work of others moves the clock', async () => {
  let now = 0
  const clock = () => {
    now += 3_600_000
    return at(now)
  }
  expect(await until({ everyMs: 1, clock, withinMs: 30_000 }, () => now > 36_000_000 || undefined)).toEqual({
    found: true,
  })
})
