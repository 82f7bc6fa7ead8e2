import { sleep } from '../http/sleep.ts'
import { stopwatch } from '../http/stopwatch.ts'

export interface PollOptions {
  /** Between two looks, in ms. */
  everyMs: number
  /** How long to go on, in ms; 0 without end. */
  timeoutMs: number
  signal: AbortSignal
}

/** Looks until a look finds something; undefined when the time is up. */
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
