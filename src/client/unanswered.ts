import { Unreachable } from '../http/exchange.ts'
import type { Call, Sender } from './call.ts'
import { isRead } from './idempotency-key.ts'

/** A call that was sent and got no answer: it may have been carried out. `cause` is the {@link Unreachable}. */
export class Unanswered extends Error {
  readonly call: Call
  override readonly cause: Unreachable

  constructor(call: Call, cause: Unreachable) {
    super(cause.message)
    this.name = 'Unanswered'
    this.call = call
    this.cause = cause
  }
}

/** Throws {@link Unanswered} for writes that reached a server, so that they differ from calls never sent. */
export const withUnanswered =
  (send: Sender): Sender =>
  async (call) => {
    try {
      return await send(call)
    } catch (error) {
      if (isRead(call) || !(error instanceof Unreachable) || !error.wasConnected) throw error
      throw new Unanswered(call, error)
    }
  }
