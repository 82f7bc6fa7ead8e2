import { after } from './machine-time.ts'

/** Calls back at every change; the returned function ends it. */
export type Follow = (listener: () => void) => () => void

/** Resolves to true when something changed or the reader has left, to false when a heartbeat is due, in ms of the machine. */
export function waitForChange(follow: Follow, signal: AbortSignal, heartbeatMs: number): Promise<boolean> {
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
