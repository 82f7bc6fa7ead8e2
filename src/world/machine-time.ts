import { MAX_TIMEOUT_MS, realTime } from './real-time.ts'

/** The machine's clock and timers, for the world, the rate limiter and HTTP timeouts only. */

/** Milliseconds since 1970. */
export const machineNow = (): number => realTime.now()

/** Monotonic milliseconds, for measuring. */
export const machineMs = (): number => realTime.ms()

/** A clock that continues at the pace of the machine from an instant that it must not fall behind. */
export class SteadyClock {
  #latest = Number.NEGATIVE_INFINITY
  /** While the machine's clock is behind: an instant of this clock, and the monotonic time then. */
  #from: { at: number; ms: number } | undefined
  #seenMs = 0

  /** Continues from an instant, unless the machine's clock is later. */
  continueFrom(at: number) {
    this.#latest = at
    this.#from = { at, ms: realTime.ms() }
  }

  /** Like {@link machineNow}. If the machine's clock is set back, it continues until that has caught up. */
  now(): number {
    const now = realTime.now()
    const ms = realTime.ms()
    if (now >= this.#latest) this.#from = undefined
    else this.#from ??= { at: this.#latest, ms: this.#seenMs }
    this.#latest = this.#from ? Math.max(this.#latest, this.#from.at + Math.floor(ms - this.#from.ms)) : now
    this.#seenMs = ms
    return this.#latest
  }
}

/** Continues if the machine's clock is set back during this process. */
export const steady = new SteadyClock()

export const steadyNow = (): number => steady.now()

/** Returns a function that returns the milliseconds since this call. */
export const stopwatch = (): (() => number) => {
  const from = realTime.ms()
  return () => realTime.ms() - from
}

/**
 * Calls back after a delay; the returned function cancels. A delay of 0 lets other work go first. The timer does not
 * keep the process alive.
 */
export function after(ms: number, callback: () => void): () => void {
  if (ms <= 0) {
    const soon = realTime.setImmediate(callback)
    return () => realTime.clearImmediate(soon)
  }
  const timer = realTime.setTimeout(callback, Math.min(ms, MAX_TIMEOUT_MS))
  timer.unref()
  return () => realTime.clearTimeout(timer)
}

/** The longest time between two readings of the machine's clock, ms. */
const READING_MS = 500

/**
 * Calls back when the machine's clock has advanced by this time. Unlike {@link after}, it notices within a second that
 * the clock was set forward or that the machine slept.
 */
export function whenPassed(ms: number, callback: () => void): () => void {
  if (ms <= READING_MS) return after(ms, callback)
  const until = steadyNow() + ms
  const wait = (): (() => void) => {
    const left = until - steadyNow()
    if (left <= READING_MS) return after(left, callback)
    return after(READING_MS, () => {
      cancel = wait()
    })
  }
  let cancel = wait()
  return () => cancel()
}

/** Keeps the process alive during work whose own timers would not. */
export async function keepingProcessAlive<T>(work: () => Promise<T>): Promise<T> {
  const hold = realTime.setTimeout(() => {}, MAX_TIMEOUT_MS)
  try {
    return await work()
  } finally {
    realTime.clearTimeout(hold)
  }
}

/** Adds a listener; the returned function removes it. */
export type Subscribe = (listener: () => void) => () => void

/** Resolves to true on a change or when the signal aborts, to false after a time. */
export function waitForChange(follow: Subscribe, signal: AbortSignal, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isChanged: boolean) => {
      unfollow()
      cancel()
      signal.removeEventListener('abort', onAbort)
      resolve(isChanged)
    }
    const onAbort = () => end(true)
    const unfollow = follow(onAbort)
    const cancel = after(ms, () => end(false))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end(true)
  })
}

/** Waits; resolves to false if the signal aborts first. */
export const pause = async (ms: number, signal: AbortSignal): Promise<boolean> =>
  !(await waitForChange(() => () => {}, signal, ms))

/** Lets pending requests run between slices of long work. */
export const yieldToRequests = (): Promise<void> => new Promise((resume) => realTime.setImmediate(resume))
