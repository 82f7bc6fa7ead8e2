import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'

export interface PollOptions {
  /** Interval in ms. */
  everyMs: number
  /** Time limit in ms; 0 means none. */
  timeoutMs: number
  signal: AbortSignal
}

/** Repeats `look` until it returns a value; undefined after the time limit. */
export async function poll<T>(
  { everyMs, timeoutMs, signal }: PollOptions,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const elapsed = stopwatch()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (timeoutMs > 0 && elapsed() + everyMs > timeoutMs) return undefined
    await sleep(everyMs, signal)
  }
}
