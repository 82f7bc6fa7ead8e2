import { poll } from '../client/poll.ts'
import { durationMs } from '../words/milliseconds.ts'
import { askFor, type ScenarioTarget } from './target.ts'

const WITHIN = '30s'
const LOOK_EVERY_MS = 100

interface Clock {
  mode: string
  now: string
  next_due_at: string | null
}

/**
 * Repeats `look` until it returns a value; undefined after the time limit. A standing sandbox clock is moved from one
 * due work to the next, up to the limit; otherwise machine time counts.
 */
export async function pollUntil<T>(
  target: ScenarioTarget,
  within: string | undefined,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const timeoutMs = durationMs(within ?? WITHIN)
  const clock = target.isEmulator ? await askFor<Clock>(target, 'clock.show') : undefined
  if (clock?.mode !== 'frozen') return poll({ everyMs: LOOK_EVERY_MS, timeoutMs, signal: target.signal }, look)
  const untilMs = Date.parse(clock.now) + timeoutMs
  for (let { next_due_at } = clock; ; ) {
    const found = await look()
    if (found !== undefined) return found
    if (next_due_at === null || Date.parse(next_due_at) > untilMs) return undefined
    next_due_at = (await askFor<Clock>(target, 'clock.advance', { next: true })).next_due_at
  }
}
