import { realTime } from '../world/real-time.ts'

/** Milliseconds since the system made this process, so that nothing of a start is left out. */
export const sinceProcessStart = (): number => realTime.ms()

/** Milliseconds from now on. */
export function stopwatch(): () => number {
  const from = realTime.ms()
  return () => realTime.ms() - from
}
