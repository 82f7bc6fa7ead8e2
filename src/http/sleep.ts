import { realTime } from '../world/real-time.ts'

/** Waits in real time; rejects when the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      realTime.clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(new DOMException('The wait was cancelled.', 'AbortError')))
    const timer = realTime.setTimeout(() => end(resolve), ms)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
  })
}

/** Calls back after a time limit, unless the returned function is called earlier. */
export function deadline(ms: number, exceeded: () => void): () => void {
  const timer = realTime.setTimeout(exceeded, ms)
  return () => realTime.clearTimeout(timer)
}

/** Calls back when the condition holds, which is checked at this interval. It does not keep the process alive. */
export function whenTrue(ms: number, condition: () => boolean, callback: () => void) {
  const check = () => (condition() ? callback() : whenTrue(ms, condition, callback))
  realTime.setTimeout(check, ms).unref()
}
