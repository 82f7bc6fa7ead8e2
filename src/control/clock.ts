import { durationMs } from '../words/duration.ts'
import { problem } from '../words/problem.ts'
import { isoTime, isoTimeOrNull, parseIsoTime } from '../world/clock.ts'
import type { Action, OutsideAction } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { advanceClock, setClockMode, showClock } from './contract.ts'

/** The clock as answers show it. */
export const reading = (world: World) => ({ mode: world.clock.mode, now: world.timestamp() })

export const show: Action<typeof showClock> = (world) => ({
  ...reading(world),
  next_due_at: isoTimeOrNull(world.driver.nextDueAt() ?? null),
})

export const setMode: Action<typeof setClockMode> = (world, { body }) => {
  if (body.mode !== world.clock.mode) world.setClock(world.now(), body.mode)
  world.driver.wake()
  return reading(world)
}

/** Timestamps have years of four digits; the last one is left to what is scheduled from there. */
const END_OF_TIME = parseIsoTime('9999-01-01T00:00:00.000Z')

export const advance: OutsideAction<typeof advanceClock> = async (world, { body }) => {
  // Reckoned when its turn comes, so that two advances of 20 min asked for together make 40.
  const { fired, total } = await world.driver.advance(() => targetOf(world, body))
  return { now: world.timestamp(), fired: fired.map((firing) => ({ ...firing, at: isoTime(firing.at) })), total }
}

function targetOf(world: World, { by, to }: { by?: string | undefined; to?: string | undefined }): number {
  const target = by === undefined ? parseIsoTime(to!) : world.now() + durationMs(by)
  if (target < world.now()) throw refusal('to', `time does not run backwards: it is ${world.timestamp()}`)
  if (target > END_OF_TIME) throw refusal(by === undefined ? 'to' : 'by', 'leads beyond the year 9998')
  return target
}

const refusal = (field: string, message: string) =>
  problem('validation_error', `${field}: ${message}.`, { details: [{ field, code: 'invalid_value', message }] })
