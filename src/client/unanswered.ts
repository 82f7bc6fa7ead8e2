import { Unreachable } from '../http/exchange.ts'
import { isRead } from './idempotency-key.ts'
import { InvalidAnswer } from './invalid-answer.ts'
import type { PreparedCall, Sender } from './prepared-call.ts'

/** An {@link Unreachable}, an {@link InvalidAnswer}, or the status of a gateway that got no answer itself. */
type Cause = Error & { readonly code: string }

/** A call without an answer, or with one that does not show the outcome: it may have been executed. */
export class Unanswered extends Error {
  readonly call: PreparedCall
  override readonly cause: Cause

  constructor(call: PreparedCall, cause: Cause) {
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
      if (isRead(call) || !isOutcomeUnknown(error)) throw error
      throw new Unanswered(call, error)
    }
  }

const isOutcomeUnknown = (error: unknown): error is InvalidAnswer | Unreachable =>
  error instanceof InvalidAnswer || (error instanceof Unreachable && error.wasConnected)

/** Statuses of a gateway that got no answer, or none that it understood. */
const GATEWAY_STATUSES = new Set([502, 504])

/** Throws {@link Unanswered} for writes that may have been carried out behind a gateway. */
export const withGateways =
  (send: Sender): Sender =>
  async (call) => {
    const answer = await send(call)
    const { status } = answer
    if (isRead(call) || !GATEWAY_STATUSES.has(status)) return answer
    const message = `${call.request.url.origin} answered ${status}: a gateway there got no answer from the service`
    throw new Unanswered(call, Object.assign(new Error(message), { code: `HTTP_${status}` }))
  }
