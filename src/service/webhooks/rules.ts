import { HOUR, MINUTE } from '../../words/duration.ts'

/** The times of the attempts, counted from the first of them (choices, "Retries"). */
export const ATTEMPT_OFFSETS_MS = [0, MINUTE, 5 * MINUTE, HOUR, 24 * HOUR] as const

/** Attempts keep this distance even when they are late, because the emulator was stopped for a day. */
const MIN_PAUSE_MS = MINUTE

/** The instant of the attempt after `made` of them; undefined when that was the last. */
export function nextAttemptAt(made: number, firstAt: number, lastAt: number): number | undefined {
  const offset = ATTEMPT_OFFSETS_MS[made]
  return offset === undefined ? undefined : Math.max(firstAt + offset, lastAt + MIN_PAUSE_MS)
}

/** Says what is wrong with the answer of the receiver; null when it took the event. */
export function answerFault(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`
  if (status === 400 || status === 401 || status === 403)
    return `The receiver answered ${status}. If it refused the signature: check the exact body bytes with this endpoint's secret.`
  return `The receiver answered ${status}.`
}
