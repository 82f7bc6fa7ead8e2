import type { Paint } from '../../../output/paint.ts'
import type { Session } from '../../../session/session.ts'
import { rowInWords, type Sample } from './sample.ts'

export type RowOutcome = 'sent' | 'sent_before' | 'refused' | 'temporarily_refused' | 'unanswered'

export interface RowResult {
  line: number
  outcome: RowOutcome
  to?: unknown
  message_id?: string
  hold_amount?: number
  error?: string
  message?: string
  http_status?: number
  idempotency_key?: string
}

export const inWords = (one: RowResult, paint: Paint): string =>
  rowInWords(one, one.message_id ?? [one.error, one.message].filter(Boolean).join(': '), paint)

export function tellEnd(
  { output }: Session,
  file: string,
  counts: Readonly<Record<RowOutcome, number>>,
  { left, sample }: { left: number; sample: Sample },
) {
  const { sent: sentNow, sent_before, refused, temporarily_refused, unanswered } = counts
  const parts = [
    `${sentNow} sent`,
    ...(sent_before > 0 ? [`${sent_before} sent before`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(temporarily_refused > 0 ? [`${temporarily_refused} temporarily refused`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
    ...(left > 0 ? [`${left} left`] : []),
  ].join(', ')
  const isWhole = left === 0 && unanswered === 0 && temporarily_refused === 0
  const hint = isWhole ? undefined : `Continue with the same command and --resume: nothing of ${file} is sent twice.`
  const value = { type: 'batch', ...counts, left, ...(hint ? { hint } : {}) }
  output.warn(value, (paint, { hint }: { hint?: string }) => sample.end(isWhole, parts, hint, paint))
}
