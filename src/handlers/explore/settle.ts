import { sleep } from '../../http/sleep.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import type { PlayContext } from './context.ts'

/** The result of one look at the application. */
export interface Observation {
  /** Everything about the subjects of the play; a change shows that work goes on. */
  state: string
  /** Counters, which other traffic may change as well. */
  counters: string
  /** It has called the sandbox, or received an event of its own, since the last look. */
  isActive: boolean
  /** The time that the look took for deliveries of its own, before it asked the probe, machine ms. */
  deliveryMs: number
  isPending: boolean
  /** How much is pending, as far as the application says so. */
  pending: number
  /** Whether it is right, also in its counters if these are compared. Takes longer than the rest of a look. */
  isRight: (hasCounters: boolean) => boolean
  /** A counter is above the truth. */
  isCountedTooOften: boolean
}

/** `stalled` is pending without any progress in the second half of the time. */
export type Settlement = 'right' | 'wrong' | 'changing' | 'pending' | 'stalled'

const LOOK_EVERY_MS = 10
const MIN_LOOKS = 3
/** Looks that a wrong belief gets at least: each is an answer of an application that has time to work. */
const MIN_LOOKS_IF_WRONG = 8
/** Looks that fit into the limit at least, each with a wait as long. */
const LOOKS_IN_LIMIT = 3 * MIN_LOOKS_IF_WRONG
/** The wait after a look at an application whose probe is slow. */
const MOST_WAIT_MS = 500
export const MIN_QUIET_MS = 30
/** One slow moment of a busy machine must not slow down everything after it. */
const FADING = 0.9
/** The pace that is assumed until it is known. */
export const FIRST_LAG_MS = 85
const LIMIT_MS = 10_000
/** The time since the last change after which an application is not at work any more. */
const AT_WORK_MS = 1_000

/** The limit of all waiting, machine ms. */
export const limitOf = (settleMs: number) => Math.max(LIMIT_MS, 10 * settleMs)

/** The time without change after which an application is quiet; it follows the pace that was seen. */
const usualQuietMs = ({ seen, settleMs }: PlayContext) =>
  Math.min(2 * seen.lagMs + MIN_QUIET_MS, Math.max(settleMs, MIN_QUIET_MS))

/** The time without change after which a wrong belief is assumed to be final, before it is confirmed with `settleMs`. */
export const shortSettleMs = ({ seen, settleMs }: PlayContext) => Math.min(settleMs, 3 * seen.lagMs + 100)

export interface SettleTimes {
  leastMs?: number
  /** The moment without change, if it is shorter than usual for the application. */
  quietMs?: number
  mostMs?: number
}

/**
 * Looks until the application is quiet: no request and no change of state for a moment. A right belief must then still be
 * right; a wrong one gets `settleMs` without any change. The moment is not shorter than `leastMs`. An application that is
 * still at work at the limit has until `mostMs`.
 */
export async function settle(
  context: PlayContext,
  settleMs: number,
  look: () => Promise<Observation>,
  limitMs: number,
  { leastMs = 0, quietMs = Number.POSITIVE_INFINITY, mostMs = limitMs }: SettleTimes = {},
): Promise<Settlement> {
  const { seen, signal } = context
  const watch = stopwatch()
  // The time of waits that ended late: a busy machine may have let the application do nothing meanwhile.
  let lostMs = 0
  const elapsed = () => watch() - lostMs
  seen.lagMs *= FADING
  let before: Observation | undefined
  let [stateAt, countedAt, strayAt, workedAt, pendingAt, resumedAt] = [0, 0, 0, 0, 0, 0]
  let leastPending = Number.POSITIVE_INFINITY
  let allLooks = 0
  let fastestLookMs = Number.POSITIVE_INFINITY
  for (let looks = 1; ; looks++) {
    allLooks++
    const startedAt = elapsed()
    const found = await look()
    const now = elapsed()
    const lookMs = now - startedAt - found.deliveryMs
    fastestLookMs = Math.min(fastestLookMs, lookMs)
    const lastAt = seen.otherTraffic ? stateAt : Math.max(stateAt, countedAt)
    const isOther = before?.state !== found.state
    // A queue that gets shorter is work, also where nobody of the play is concerned.
    const isShorter = found.pending < leastPending
    if (isOther || isShorter) workedAt = now
    if (isShorter) [leastPending, looks] = [found.pending, 1]
    if (isOther || found.isActive) stateAt = now
    if (before?.counters !== found.counters) {
      countedAt = now
      if (!before?.isPending && !found.isPending) strayAt = now
    }
    const changedAt = seen.otherTraffic ? stateAt : Math.max(stateAt, countedAt)
    if (before && changedAt > lastAt) {
      // What is pending is known to be work. A look that finds activity also delivers what follows from it.
      const foundAt = found.isActive ? startedAt : now
      const lagMs = Math.min(Math.max(0, foundAt - Math.max(lastAt, pendingAt)), settleMs)
      seen.lagMs = Math.max(seen.lagMs, lagMs)
      seen.longestLagMs = Math.max(seen.longestLagMs, lagMs)
      seen.longestWorkMs = Math.max(seen.longestWorkMs, Math.min(now - lastAt, settleMs))
      looks = 1
    }
    // Work on what was pending may have just started, with a call that has not arrived.
    if (before?.isPending && !found.isPending) {
      resumedAt = now
      looks = 1
    }
    if (found.isPending) pendingAt = now
    before = found
    // Counters that rise above the truth while no event arrives, and none is pending, count other events.
    if (found.isCountedTooOften && strayAt > stateAt && now - stateAt > settleMs) seen.otherTraffic = true
    const stillMs = now - Math.max(changedAt, resumedAt)
    const isStill = (ms: number, leastLooks: number) => !found.isPending && stillMs >= ms && looks >= leastLooks
    const isRight = () => found.isRight(!seen.otherTraffic)
    if (isStill(Math.max(leastMs, Math.min(quietMs, usualQuietMs(context))), MIN_LOOKS) && isRight()) return 'right'
    if (isStill(settleMs, MIN_LOOKS_IF_WRONG) && !isRight()) return 'wrong'
    // A slow probe needs longer for as many looks.
    const leastMostMs = LOOKS_IN_LIMIT * fastestLookMs
    if (now > Math.max(mostMs, leastMostMs) || (now > Math.max(limitMs, leastMostMs) && now - workedAt > AT_WORK_MS)) {
      if (!found.isPending) return 'changing'
      return looks > 1 && 2 * looks > allLooks ? 'stalled' : 'pending'
    }
    // An application gets at least as much time for its work as for answers to the probe.
    const waitMs = Math.max(LOOK_EVERY_MS, Math.min(lookMs, MOST_WAIT_MS))
    const waitedAt = watch()
    await sleep(waitMs, signal)
    lostMs += Math.max(0, watch() - waitedAt - waitMs)
  }
}
