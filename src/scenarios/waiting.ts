import type { UntilOptions, WorldClock } from '../waiting/until.ts'
import { durationMs } from '../words/milliseconds.ts'
import { askFor, lookFor, type ScenarioTarget } from './target.ts'

export const WITHIN = '30s'
const LOOK_EVERY_MS = 100

/** The limits of a step that waits. A frozen clock is advanced from one due work to the next, as far as the limit. */
export const limitsOf = (target: ScenarioTarget, what: string, within = WITHIN): UntilOptions => ({
  withinMs: durationMs(within),
  everyMs: LOOK_EVERY_MS,
  signal: target.signal,
  onLong: (clock) => target.onLongWait?.({ what, within, clock }),
  ...(target.isEmulator
    ? {
        clock: () => lookFor<WorldClock>(target, 'clock.show'),
        advance: () => askFor(target, 'clock.advance', { next: true }),
      }
    : {}),
})
