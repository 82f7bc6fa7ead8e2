import { after } from './time/machine-time.ts'

/** Calls back at news; the returned function ends it. */
export type Follow = (listener: () => void) => () => void

/** Resolves to true when there is news or the reader has left, to false when a heartbeat is due, in ms of the machine. */
export function newsIn(follow: Follow, signal: AbortSignal, heartbeatMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isNews: boolean) => {
      unfollow()
      calm()
      signal.removeEventListener('abort', onAbort)
      resolve(isNews)
    }
    const onAbort = () => end(true)
    const unfollow = follow(() => end(true))
    const calm = after(heartbeatMs, () => end(false))
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) end(true)
  })
}
