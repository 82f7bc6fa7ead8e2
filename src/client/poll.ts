import { setTimeout as sleep } from 'node:timers/promises'

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
  const from = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (timeoutMs > 0 && performance.now() - from + everyMs > timeoutMs) return undefined
    await sleep(everyMs, undefined, { signal })
  }
}
