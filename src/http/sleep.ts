import { realTime } from '../world/real-time.ts'

/** Waits in real time; rejects when the signal aborts, if there is one. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      realTime.clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(new DOMException('The wait was cancelled.', 'AbortError')))
    const timer = realTime.setTimeout(() => end(resolve), ms)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
  })
}

/** A process that gets no CPU time runs its timers late. It loses one of these steps of a time limit. */
export const LIMIT_STEPS = 4
export const stepOf = (ms: number): number => Math.ceil(ms / LIMIT_STEPS)

/** Calls back after a time limit, unless the returned function is called earlier. */
export function deadline(ms: number, exceeded: () => void): () => void {
  const wait = (steps: number) => realTime.setTimeout(() => next(steps - 1), stepOf(ms))
  const next = (steps: number) => {
    if (steps === 0) exceeded()
    else timer = wait(steps)
  }
  let timer = wait(LIMIT_STEPS)
  return () => realTime.clearTimeout(timer)
}

/** Calls back when the condition holds, which is checked at this interval. It does not keep the process alive. */
export function whenTrue(ms: number, condition: () => boolean, callback: () => void) {
  const check = () => (condition() ? callback() : whenTrue(ms, condition, callback))
  realTime.setTimeout(check, ms).unref()
}
