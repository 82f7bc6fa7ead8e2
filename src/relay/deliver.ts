import { type Backoff, delayAfter, type Wait } from './backoff.ts'
import { type Attempt, forward, isSuccess, type Target } from './forward.ts'
import type { LogEvent } from './stream.ts'

export interface DeliverOptions {
  target: Target
  /** Tries after the first one that the target answered badly or too late. */
  retries: number
  backoff: Backoff
  wait: Wait
  signal: AbortSignal
  /**
   * Called once when nobody listens at the target, and once when somebody does again; once for an event that the target
   * answers badly or too late, and that is tried again.
   */
  targetIs(state: TargetState, attempt: Attempt): void
}

export type TargetState = 'down' | 'up' | 'failing'

export interface Delivery {
  delivered: boolean
  attempts: number
  last: Attempt
}

/** Tries until the target answers 2xx or the retries are used up. While nobody listens there, it waits without end. */
export async function deliver(
  event: LogEvent,
  { target, retries, backoff, wait, signal, targetIs }: DeliverOptions,
): Promise<Delivery> {
  let downs = 0
  for (let attempts = 1; ; ) {
    const last = await forward(target, event, attempts, signal)
    if (last.isDown) {
      downs++
      if (downs === 1) targetIs('down', last)
      await wait(delayAfter(downs, backoff), signal)
      continue
    }
    if (downs > 0) targetIs('up', last)
    downs = 0
    if (isSuccess(last) || attempts > retries) return { delivered: isSuccess(last), attempts, last }
    if (attempts === 1) targetIs('failing', last)
    await wait(delayAfter(attempts, backoff), signal)
    attempts++
  }
}
