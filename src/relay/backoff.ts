import { Refusal } from '../client/call.ts'
import { Unreachable } from '../http/exchange.ts'
import { sleep } from '../http/sleep.ts'

/** Waits; rejects when the signal aborts. Tests replace it. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const waitForReal: Wait = sleep

export interface Backoff {
  /** Before the second attempt, in ms; doubles with each. */
  firstMs: number
  mostMs: number
}

/** The delay after a number of failures in a row. */
export const delayAfter = (failures: number, { firstMs, mostMs }: Backoff): number =>
  Math.min(mostMs, firstMs * 2 ** (failures - 1))

/** For deliveries and connections. */
export const BACKOFF: Backoff = { firstMs: 200, mostMs: 5_000 }

/** True for a broken connection, and for a server that is stopping or overloaded. */
export const isPassing = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refusal && (error.status >= 500 || error.status === 429))
