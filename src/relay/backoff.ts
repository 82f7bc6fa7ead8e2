import { sleep } from '../http/sleep.ts'

/** Waits in real time, or as a test has it; rejects when the signal aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export const waitForReal: Wait = sleep

export interface Backoff {
  /** Before the second try, in ms; doubles from try to try. */
  firstMs: number
  mostMs: number
}

/** How long to wait after a number of failures in a row. */
export const delayAfter = (failures: number, { firstMs, mostMs }: Backoff): number =>
  Math.min(mostMs, firstMs * 2 ** (failures - 1))

/** Between tries to deliver, and to connect again. */
export const BACKOFF: Backoff = { firstMs: 200, mostMs: 5_000 }
