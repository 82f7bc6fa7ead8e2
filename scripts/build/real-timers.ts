import { type RealTimer, realTime } from '../../src/world/real-time.ts'

/** Node's own timers for the packages of the bundle, also when a test has replaced the global ones. */

type Callback = (...args: unknown[]) => void

export const setTimeout = (callback: Callback, ms = 0, ...args: unknown[]) =>
  realTime.setTimeout(() => callback(...args), ms)

export const setImmediate = (callback: Callback, ...args: unknown[]) => realTime.setImmediate(() => callback(...args))

export const clearTimeout = (timer: RealTimer | undefined) => realTime.clearTimeout(timer)

export const clearImmediate = (timer: RealTimer) => realTime.clearImmediate(timer)
