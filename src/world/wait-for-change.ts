import { after } from './machine-time.ts'

/** Adds a listener; the returned function removes it. */
export type Subscribe = (listener: () => void) => () => void

/** Resolves to true on a change or when the reader leaves, to false after `heartbeatMs` (machine ms). */
export function waitForChange(follow: Subscribe, signal: AbortSignal, heartbeatMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isChanged: boolean) => {
      unfollow()
      cancelHeartbeat()
      signal.removeEventListener('abort', onAbort)
      resolve(isChanged)
    }
    const onAbort = () => end(true)
    const unfollow = follow(() => end(true))
    const cancelHeartbeat = after(heartbeatMs, () => end(false))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end(true)
  })
}
