import { withoutSecrets } from '../../service/webhooks/address.ts'
import { awaitedEndpoints, heldUp } from '../../service/webhooks/deliveries.ts'
import { until } from '../../waiting/until.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { durationMs } from '../../words/duration.ts'
import { definedFields } from '../../words/fields.ts'
import { END_OF_TIME } from '../../words/instant-text.ts'
import { isSamePace, paceOf } from '../../words/pace.ts'
import { offsetWindow } from '../../words/page.ts'
import type { Action, AsyncAction, Call } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull, parseIsoTime } from '../../world/time/clock.ts'
import { timerStore } from '../../world/time/timer-store.ts'
import type { World } from '../../world/world.ts'
import type { advanceClock, listScheduledWork, setClockMode, settleClock, showClock } from './contract.ts'
import { clockOf, runDueNow } from './waiting.ts'

export const reading = (world: World) => ({ ...world.clock.pace, now: world.timestamp() })

export const show: Action<typeof showClock> = (world) => ({
  ...world.clock.pace,
  ...definedFields({ ahead_ms: world.clock.aheadMs }),
  ...clockOf(world),
  waiting_for: awaitedEndpoints(world).map(({ endpoint: { id, url }, deliveries }) => ({
    endpoint_id: id,
    url: withoutSecrets(url),
    deliveries,
  })),
})

export const due: Action<typeof listScheduledWork> = (world, { query }) => {
  const { limit, offset } = offsetWindow(query)
  const { upcoming, count } = world.store(timerStore)
  return {
    due: upcoming(limit, offset).map(({ due_at, kind, subject }) => ({ at: isoTime(due_at), what: kind, subject })),
    total: count(),
  }
}

export const mode: Action<typeof setClockMode> = (world, { body }) => {
  const pace = paceOf(body)
  if (!isSamePace(pace, world.clock.pace)) world.setClock(world.now(), pace)
  world.driver.paceChanged()
  return reading(world)
}

export const advance: AsyncAction<typeof advanceClock> = async (world, { body }) => {
  // Computed when its turn comes, so that two advances of 20 min sent together make 40.
  const { fired, counts, total } = await world.driver.advance((hasRun) => targetOf(world, body, hasRun))
  return {
    now: world.timestamp(),
    next_due_at: clockOf(world).next_due_at,
    total,
    counts,
    fired: fired.map((firing) => ({ ...firing, at: isoTime(firing.at) })),
    ...heldUpIn(world),
  }
}

const MAX_HELD_UP = 5

function heldUpIn(world: World) {
  const held_up = heldUp(world, MAX_HELD_UP).map(({ first: { subject, endpoint_id, event, next_at }, waiting }) => ({
    subject,
    endpoint_id,
    event,
    next_attempt_at: isoTimeOrNull(next_at),
    waiting,
  }))
  return held_up.length > 0 ? { held_up } : {}
}

const LOOK_EVERY_MS = 20
const WITHIN = '30s'

export const settle: AsyncAction<typeof settleClock> = async (world, { body: { within = WITHIN }, caller }) => {
  const { isFrozen } = await runDueNow(world)
  let before: string | undefined
  const limits = { withinMs: durationMs(within), everyMs: LOOK_EVERY_MS, signal: caller.signal }
  const outcome = await until(limits, () => {
    const { now, next_due_at } = clockOf(world)
    const isDue = !world.driver.isQuiet || (next_due_at !== null && next_due_at <= now)
    const quiet = isDue ? undefined : String(next_due_at)
    // An auto clock also rests between two jumps.
    const isSettled = quiet !== undefined && (isFrozen || quiet === before)
    before = quiet
    return isSettled || undefined
  })
  return { ...reading(world), settled: 'found' in outcome, next_due_at: clockOf(world).next_due_at }
}

function targetOf(world: World, { by, to }: Call<typeof advanceClock>['body'], hasRun: boolean): number {
  const now = world.now()
  if (by !== undefined) return reachable('by', now, now + durationMs(by))
  if (to !== undefined) return reachable('to', now, parseIsoTime(to))
  return hasRun ? now : Math.max(now, world.driver.nextDueAt() ?? now)
}

function reachable(field: string, now: number, target: number): number {
  if (target < now) throw brokenField(field, 'invalid_value', `time does not run backwards: it is ${isoTime(now)}`)
  if (target > END_OF_TIME) throw brokenField(field, 'invalid_value', 'leads beyond the year 9998')
  return target
}
