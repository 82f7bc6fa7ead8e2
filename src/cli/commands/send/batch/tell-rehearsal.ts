import type { AnswerTo } from '../../../../client/answers.ts'
import type { Remedy } from '../../../failure/remedies.ts'
import type { Paint } from '../../../output/paint.ts'
import { euros } from '../../../output/render.ts'
import type { Session } from '../../../session/session.ts'
import { rowInWords, type Sample } from './sample.ts'

/** The rehearsed outcome of a row. */
export interface RehearsedRow extends Partial<Remedy> {
  line: number
  to?: unknown
  outcome: 'accepted' | 'sent_before' | 'refused' | 'well_formed'
  classification?: string
  hold_amount?: number
  free_after?: number
  rule_id?: string | null
  near_miss?: NearMiss | null
  error?: string
  message?: string
  http_status?: number
}

export type Rehearsal = AnswerTo<'messages.rehearse'>
export type RehearsedSend = Rehearsal['sends'][number]
type NearMiss = NonNullable<RehearsedSend['near_miss']>

export function inWords(one: RehearsedRow, paint: Paint): string {
  const { hint, commands = [], rule_id, near_miss } = one
  const rule = rule_id
    ? `rule ${rule_id} would decide it`
    : near_miss && `nearest rule ${near_miss.name ?? near_miss.rule_id}: ${near_miss.says}`
  return [
    rowInWords(one, whatOf(one), paint),
    ...[hint, rule].filter(Boolean).map((text) => paint.dim(`    ${text}`)),
    ...commands.map((command) => `    ${paint.typed(command)}`),
  ].join('\n')
}

function whatOf({ outcome, classification, hold_amount, free_after, error, message }: RehearsedRow): string {
  if (outcome === 'accepted') return `${classification} ${euros(hold_amount!)}, then ${euros(free_after!)} are free`
  if (outcome === 'refused') return `${error}: ${message}`
  return outcome === 'sent_before' ? 'sent before: neither sent nor charged again' : 'well-formed'
}

/** The least that a top-up takes, EUR. */
const LEAST_TOPUP = 10

/** The counts, and the cost against the balance, on stderr. */
export function tellTotal(
  { output, endpoint }: Session,
  file: string,
  all: readonly RehearsedRow[],
  { total, isEmulator, sample }: { total: Rehearsal['total'] | undefined; isEmulator: boolean; sample: Sample },
) {
  const counts = Object.groupBy(all, ({ outcome }) => outcome)
  const { accepted = [], sent_before = [], refused = [], well_formed = [] } = counts
  const parts = isEmulator
    ? [
        `${accepted.length} would be sent${total ? ` for ${euros(total.hold_amount)} of ${euros(total.free_before)}` : ''}`,
        ...(sent_before.length > 0 ? [`${sent_before.length} sent before`] : []),
      ]
    : [`${well_formed.length} well-formed`]
  const message = `${[...parts, `${refused.length} refused`].join(', ')}; nothing of ${file} was sent.`
  const hint = isEmulator ? missing(total) : unjudged(endpoint.baseUrl)
  const value = {
    type: 'rehearsal',
    ...{ accepted: accepted.length, sent_before: sent_before.length, refused: refused.length },
    ...(isEmulator ? {} : { well_formed: well_formed.length }),
    ...(total ? { hold_amount: total.hold_amount, free_before: total.free_before } : {}),
    ...(total ? { free_after: total.free_after, missing: total.missing } : {}),
    message,
    ...(hint ? { hint } : {}),
  }
  output.warn(value, (paint, { message, hint }: { message: string; hint?: string }) =>
    sample.end(refused.length === 0, message, hint, paint),
  )
}

const missing = (total: Rehearsal['total'] | undefined) =>
  total && total.missing > 0
    ? `${euros(total.missing)} are missing for the others: sandbox billing topup ${Math.max(LEAST_TOPUP, Math.ceil(total.missing))}`
    : undefined

const unjudged = (url: string) =>
  `${url} is not a sandbox: only the form of each row was checked. The service checks senders, consent, prices and the balance when it gets the messages.`
