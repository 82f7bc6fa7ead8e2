import { machineMs } from '../world/machine-time.ts'

export { stopwatch } from '../world/machine-time.ts'

/** Milliseconds since the system created this process, so that all of a start counts. */
export const sinceProcessStart = machineMs
