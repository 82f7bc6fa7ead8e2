import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'

/** A reading of a world's clock; `clock.show` answers it. */
export interface WorldClock {
  mode: string
  /** ISO 8601 UTC. */
  now: string
  /** The instant of the next due work; null without any. */
  next_due_at: string | null
  /** The clock is frozen, or no work is scheduled. */
  at_rest: boolean
}

export const clockInWords = ({ mode, now }: WorldClock): string =>
  mode === 'frozen' ? `The clock is frozen at ${now}.` : `The clock is at ${now} (${mode}).`

/** Work that is due later than this has nothing to do with what is waited for: a campaign of another year. */
const FAR_MS = 31 * 86_400_000

/** Whether work is due that a frozen clock should be moved to. */
export const isDueSoon = ({ now, next_due_at: then }: WorldClock): boolean =>
  then !== null && Date.parse(then) - Date.parse(now) <= FAR_MS

/** Describes the next due work, and `how` to move a frozen clock there. */
export function dueInWords(clock: WorldClock, how = '', what = 'The next work'): string {
  const { mode, next_due_at: then } = clock
  if (then === null) return 'No work is scheduled.'
  if (!isDueSoon(clock)) return `No work is due before ${then}.`
  return `${what} is due at ${then}${mode === 'frozen' && how ? `: ${how}` : ''}.`
}

/** Machine ms. Most runners end a test after 5 s, and their message would not name what it waited for. */
export const REST_IN_TEST_MS = 4_000

export interface UntilOptions {
  /** Time limit in ms: on the world's clock, or on the machine's without one and with an auto clock. */
  withinMs: number
  /** The clock of a world; without one the limit is one of the machine. */
  clock?: (() => WorldClock | Promise<WorldClock>) | undefined
  /** Moves a frozen clock to its next due work, up to the limit, instead of ending the wait. */
  advance?: (() => Promise<unknown>) | undefined
  /** Called once if the wait takes long, and neither its limit nor the next work is near. */
  onLong?: ((clock: WorldClock | undefined) => void) | undefined
  /** Machine ms after which an auto clock at rest ends the wait (default: 30 s). The code under test may still act. */
  restMs?: number | undefined
  /** Interval on the machine's clock, ms. */
  everyMs: number
  signal?: AbortSignal
}

/** Why a wait ended without a result. */
export type WaitEnd = 'time is up' | 'clock at rest'

/**
 * Repeats `look` until it returns a value, the time is up, or the clock is at rest, so that nothing more will
 * happen. Then it looks once more, so that nothing is missed. All waits for a sandbox or another server use this
 * function.
 */
export async function until<T>(
  { withinMs, clock, advance, onLong, restMs = 30_000, everyMs, signal = new AbortController().signal }: UntilOptions,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<{ found: T } | { ending: WaitEnd; clock: WorldClock | undefined }> {
  const elapsed = stopwatch()
  let startedAt: number | undefined
  let movedAt = 0
  let before: string | undefined
  let isLong = false
  for (;;) {
    const reading = await clock?.()
    const now = timeIn(reading) ?? elapsed()
    startedAt ??= now
    if (reading?.now !== before) movedAt = elapsed()
    before = reading?.now
    const isStill = reading?.at_rest && (reading.mode === 'frozen' || elapsed() - movedAt >= restMs)
    const spentMs = reading?.mode === 'auto' ? elapsed() : now - startedAt
    const ending = spentMs >= withinMs ? 'time is up' : isStill ? 'clock at rest' : undefined
    const found = await look()
    if (found !== undefined) return { found }
    if (advance && reading?.mode === 'frozen') {
      if (!isDueBy(reading, startedAt + withinMs)) return { ending: 'time is up', clock: reading }
      await advance()
      continue
    }
    if (ending !== undefined) return { ending, clock: reading }
    const isFar = spentMs + SOON_MS < withinMs && !isDueBy(reading, now + SOON_MS)
    if (!isLong && isFar && elapsed() >= LONG_MS) {
      isLong = true
      onLong?.(reading)
    }
    await sleep(everyMs, signal)
  }
}

interface PollOptions {
  everyMs: number
  /** Time limit on the machine's clock, ms; 0 means none. */
  timeoutMs: number
  signal: AbortSignal
}

/** Waits on the machine's clock; undefined after the time limit. */
export async function poll<T>(
  { everyMs, timeoutMs, signal }: PollOptions,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const outcome = await until({ withinMs: timeoutMs || Number.POSITIVE_INFINITY, everyMs, signal }, look)
  return 'found' in outcome ? outcome.found : undefined
}

/** After this time (machine ms) a wait is reported, unless it ends soon or work is due soon. */
const LONG_MS = 1_000
const SOON_MS = 10_000

const isDueBy = (clock: WorldClock | undefined, ms: number) =>
  typeof clock?.next_due_at === 'string' && Date.parse(clock.next_due_at) <= ms

const timeIn = (clock: WorldClock | undefined): number | undefined => {
  const time = Date.parse(clock?.now ?? '')
  return Number.isNaN(time) ? undefined : time
}
