import { realTime } from '../world/real-time.ts'

/** Milliseconds since the system created this process, so that all of a start counts. */
export const sinceProcessStart = (): number => realTime.ms()

/** Returns a function that returns the milliseconds since this call. */
export function stopwatch(): () => number {
  const from = realTime.ms()
  return () => realTime.ms() - from
}
