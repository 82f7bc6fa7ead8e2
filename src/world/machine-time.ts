import { realTime } from './real-time.ts'

/** The machine's own clock and timers. Only the world, the rate limiter and HTTP timeouts go by them. */

/** Milliseconds since 1970. */
export const machineNow = (): number => realTime.now()

/** Milliseconds that only rise, for measuring. */
export const machineMs = (): number => realTime.ms()

let steadyAt = Number.NEGATIVE_INFINITY
let steadyMs = 0
/** How far the machine's clock was put back while this process lives. */
let putBackMs = 0

/** The same as {@link machineNow} until the machine's clock is put back: then it goes on as if it had not been. */
export function steadyNow(): number {
  const ms = realTime.ms()
  const before = steadyAt
  steadyAt = realTime.now() + putBackMs
  if (steadyAt < before) {
    const expected = before + Math.floor(ms - steadyMs)
    putBackMs += expected - steadyAt
    steadyAt = expected
  }
  steadyMs = ms
  return steadyAt
}

/** Milliseconds from now on. */
export const stopwatch = (): (() => number) => {
  const from = realTime.ms()
  return () => realTime.ms() - from
}

/** The longest delay that setTimeout takes. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * Calls back after a delay; the returned function calls it off. A delay of 0 still lets other work go first. What is to
 * come does not keep the process alive: its server does, or whoever waits.
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

/** Keeps the process alive until the work is done, which waits for nothing that would. */
export async function keptAlive<T>(work: () => Promise<T>): Promise<T> {
  const hold = realTime.setTimeout(() => {}, MAX_TIMEOUT_MS)
  try {
    return await work()
  } finally {
    realTime.clearTimeout(hold)
  }
}

/** Waits; false when the signal has aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      callOff()
      signal.removeEventListener('abort', onAbort)
      resolve(isOver)
    }
    const onAbort = () => end(false)
    const callOff = after(ms, () => end(true))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end(false)
  })
}

/** Lets waiting requests be answered before more of the same work goes on. */
export const yieldToRequests = (): Promise<void> => new Promise((resume) => realTime.setImmediate(resume))
