import { realTime, type Timer } from '../../src/world/real-time.ts'

/** What packages of the bundle mean by their global timers: Node's own, whatever a test has put there. */

type Callback = (...args: unknown[]) => void

export const setTimeout = (callback: Callback, ms = 0, ...args: unknown[]) =>
  realTime.setTimeout(() => callback(...args), ms)

export const setImmediate = (callback: Callback, ...args: unknown[]) => realTime.setImmediate(() => callback(...args))

export const clearTimeout = (timer: Timer | undefined) => realTime.clearTimeout(timer)

export const clearImmediate = (timer: Timer) => realTime.clearImmediate(timer)
