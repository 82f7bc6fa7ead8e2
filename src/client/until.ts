import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'

/** A world's clock as `clock.show` answers it. */
export interface WorldClock {
  mode: string
  /** ISO 8601 UTC. */
  now: string
  /** When the next thing is to happen; null when nothing is. */
  next_due_at: string | null
  /** Nothing more happens by itself. */
  at_rest: boolean
}

export interface UntilOptions {
  /** How long to wait at most, in ms: on the world's clock where there is one, else on the machine's. */
  withinMs: number
  /** The clock of a sandbox; a service has none to show. */
  clock?: (() => Promise<WorldClock>) | undefined
  /** Between two looks, in ms of the machine. */
  everyMs: number
  signal: AbortSignal
}

/** Why a wait ended without anything found. */
export type WaitEnd = 'time is up' | 'time stands still'

/**
 * Looks until a look finds something, until the time is up, or until it is certain that nothing will come: the clock rests. The last look is made after that is known, so nothing is missed between.
 */
export async function until<T>(
  { withinMs, clock, everyMs, signal }: UntilOptions,
  look: () => Promise<T | undefined>,
): Promise<{ found: T } | { ending: WaitEnd; clock: WorldClock | undefined }> {
  const elapsed = stopwatch()
  let begun: number | undefined
  let movedAt = 0
  let before: string | undefined
  for (;;) {
    const reading = await clock?.()
    const now = timeIn(reading) ?? elapsed()
    begun ??= now
    if (reading?.now !== before) movedAt = elapsed()
    before = reading?.now
    const isStill = standsStill(reading, elapsed() - movedAt)
    const ending = now - begun >= withinMs ? 'time is up' : isStill ? 'time stands still' : undefined
    const found = await look()
    if (found !== undefined) return { found }
    if (ending !== undefined) return { ending, clock: reading }
    await sleep(everyMs, signal)
  }
}

const timeIn = (clock: WorldClock | undefined): number | undefined => {
  const time = Date.parse(clock?.now ?? '')
  return Number.isNaN(time) ? undefined : time
}

/** Whoever is tested may do something yet; a clock that has rested for so long, in ms of the machine, is given up. */
const REST_MS = 300

/** A clock that jumps may have to wait for a slow receiver, or for what is read in first. */
const standsStill = (clock: WorldClock | undefined, restedMs: number): boolean =>
  clock?.at_rest === true && (clock.mode === 'frozen' || restedMs >= REST_MS)
