import { BACKOFF, type Backoff, delayAfter, type Wait, waitForReal } from './backoff.ts'
import { type Attempt, forward, isAccepted } from './forward.ts'
import type { ForwardRoute } from './route.ts'
import type { LogEvent } from './stream.ts'

export interface DeliverOptions {
  /** Further attempts after a bad or late answer. */
  retries?: number | undefined
  backoff?: Backoff | undefined
  wait?: Wait | undefined
  signal: AbortSignal
  onTargetState?: OnTargetState | undefined
}

/**
 * Called when a target goes down and when it is back, and once for each event that is retried after a bad or late
 * answer.
 */
export type OnTargetState = (state: TargetState, route: ForwardRoute, attempt: Attempt) => void

export type TargetState = 'down' | 'up' | 'failing'

export interface Delivery {
  route: ForwardRoute
  delivered: boolean
  attempts: number
  last: Attempt
}

const RETRIES = 5

/** Posts until the target answers 2xx or the retries are used up. While the target is down it waits without limit. */
export async function deliver(
  { body, headers }: Pick<LogEvent, 'body' | 'headers'>,
  route: ForwardRoute,
  { retries = RETRIES, backoff = BACKOFF, wait = waitForReal, signal, onTargetState }: DeliverOptions,
): Promise<Delivery> {
  let downs = 0
  for (let attempts = 1; ; ) {
    const last = await forward(route.target, body, attempts, signal, headers)
    if (last.isDown !== route.isDown) {
      route.isDown = last.isDown
      onTargetState?.(last.isDown ? 'down' : 'up', route, last)
    }
    if (last.isDown) {
      await wait(delayAfter(++downs, backoff), signal)
      continue
    }
    downs = 0
    if (isAccepted(last) || attempts > retries) return { route, delivered: isAccepted(last), attempts, last }
    if (attempts === 1) onTargetState?.('failing', route, last)
    await wait(delayAfter(attempts, backoff), signal)
    attempts++
  }
}
