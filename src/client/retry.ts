import { type HttpAnswer, Unreachable } from '../http/exchange.ts'
import { sleep } from '../http/sleep.ts'
import { jsonOr } from '../words/json.ts'
import { isRepeatable } from './idempotency-key.ts'
import type { PreparedCall, Sender } from './prepared-call.ts'
import { Unanswered } from './unanswered.ts'

export interface RetryOptions {
  signal: AbortSignal
  /** Called before each wait. */
  onRetry(retry: Retry): void
}

interface Retry {
  /** The status, or what happened to the connection. */
  because: string
  waitMs: number
  /** The number of the next attempt. */
  next: number
  of: number
}

const TRIES = 4
/** Before the second attempt; doubles with each. */
const FIRST_MS = 250
const MAX_BACKOFF_MS = 8_000
/** A longer Retry-After is not waited for. A rate-limit window is one minute. */
const MAX_RETRY_AFTER_MS = 61_000

/** Temporary statuses, after which nothing was done or an idempotency key makes repetition safe. */
const PASSING = new Set([429, 502, 503, 504])
/** The connection broke after it was established, or a gateway's did; or a write with a key got an answer that says nothing. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'HTTP_502', 'HTTP_504', 'INVALID_ANSWER'])

type Outcome = { answer: HttpAnswer } | { error: unknown }

/** Retries repeatable calls with exponential backoff and jitter, where the service is busy or the connection breaks. */
export const withRetries =
  ({ signal, onRetry }: RetryOptions) =>
  (send: Sender): Sender =>
  async (call) => {
    let lost: Unanswered | undefined
    for (let tried = 1; ; tried++) {
      const outcome = await outcomeOf(send, call)
      const mayRetry = isRepeatable(call) && !('answer' in outcome && call.expectsRefusal)
      const waitMs = tried < TRIES && mayRetry && !signal.aborted ? waitAfter(outcome, tried) : undefined
      // The outcome of a later attempt says nothing about an earlier one.
      if ('error' in outcome && outcome.error instanceof Unanswered) lost ??= outcome.error
      if (waitMs === undefined) return endOf(outcome, lost)
      onRetry({ because: reasonOf(outcome), waitMs, next: tried + 1, of: TRIES })
      try {
        await sleep(waitMs, signal)
      } catch (error) {
        throw lost ?? error
      }
    }
  }

const outcomeOf = (send: Sender, call: PreparedCall): Promise<Outcome> =>
  send(call).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )

function endOf(outcome: Outcome, lost: Unanswered | undefined): HttpAnswer {
  if ('error' in outcome) throw lost ?? outcome.error
  if (lost && PASSING.has(outcome.answer.status)) throw lost
  return outcome.answer
}

/** Milliseconds to wait; undefined if no retry makes sense. */
function waitAfter(outcome: Outcome, tried: number): number | undefined {
  const backoff = Math.min(MAX_BACKOFF_MS, FIRST_MS * 2 ** (tried - 1)) * (0.5 + Math.random() / 2)
  if ('error' in outcome) return BROKEN.has(brokenBy(outcome.error)?.code ?? '') ? backoff : undefined
  if (!PASSING.has(outcome.answer.status)) return undefined
  const retryAfter = retryAfterMs(outcome.answer)
  return retryAfter > MAX_RETRY_AFTER_MS ? undefined : retryAfter + backoff
}

/** `retry_after` in the body of a 429 (interface §7); other servers send the header. */
function retryAfterMs({ headers, body }: HttpAnswer): number {
  const answer = jsonOr(body.toString(), null) as { retry_after?: unknown } | null
  const seconds = Number(answer?.retry_after ?? headers['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0
}

function brokenBy(error: unknown): { code: string } | undefined {
  if (error instanceof Unanswered) return error.cause
  return error instanceof Unreachable ? error : undefined
}

const reasonOf = (outcome: Outcome): string =>
  'answer' in outcome ? String(outcome.answer.status) : (outcome.error as Error).message
