import { HOUR, MINUTE } from '../../words/duration.ts'
import { isSuccess } from '../../words/success.ts'

/** Times of attempts since the first (choices, "Attempts"). */
const ATTEMPT_OFFSETS_MS = [0, MINUTE, 5 * MINUTE, HOUR, 24 * HOUR] as const

/** Minimum time between two attempts, also after a stop of the emulator. */
const MIN_PAUSE_MS = MINUTE

/** The instant of the next attempt after `made`; undefined after the last. */
export function nextAttemptAt(made: number, firstAt: number, lastAt: number): number | undefined {
  const offset = ATTEMPT_OFFSETS_MS[made]
  return offset === undefined ? undefined : Math.max(firstAt + offset, lastAt + MIN_PAUSE_MS)
}

/** Describes a refusing answer; null for success. */
export function answerFault(status: number): string | null {
  if (isSuccess(status)) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  if (status === 400 || status === 401 || status === 403)
    return `The receiver answered ${status}. If it refused the signature: check the exact body bytes with this endpoint's secret.`
  return `The receiver answered ${status}.`
}
