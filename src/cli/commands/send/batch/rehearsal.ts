import { remedyOf } from '../../../failure/remedies.ts'
import { EXIT, type ExitCode, Fault } from '../../../process/exit.ts'
import type { Session } from '../../../session/session.ts'
import { callOperation } from '../../../target/call-operation.ts'
import { completeRequest } from '../complete-request.ts'
import type { SendFields } from '../request.ts'
import type { BatchRow } from './rows.ts'
import { Sample } from './sample.ts'
import { inWords, type RehearsedRow, type RehearsedSend, tellTotal } from './tell-rehearsal.ts'

interface Ready {
  line: number
  request: SendFields
}

/** Reports the outcome that each row would have, without sending any. */
export async function rehearse(
  session: Session,
  file: string,
  rows: readonly BatchRow[],
  requestFor: (row: SendFields) => SendFields,
  keyOf: (request: SendFields) => string,
): Promise<ExitCode> {
  const prospects: RehearsedRow[] = []
  const ready: Ready[] = []
  for (const row of rows) {
    const found = await readied(session, row, requestFor)
    if ('request' in found) ready.push(found)
    else prospects.push(found)
  }
  const isEmulator = await session.endpoint.isEmulator()
  const sends = ready.map(({ request }) => ({ ...request, idempotency_key: keyOf(request) }))
  const rehearsal =
    isEmulator && sends.length > 0
      ? await callOperation(session, 'messages.rehearse', { payload: { sends }, isLookup: true })
      : undefined
  const judged = rehearsal
    ? ready.map(({ line, request: { to } }, i) => prospectOf({ line, to }, rehearsal.sends[i]!))
    : await Promise.all(ready.map(wellFormed))
  const all = [...prospects, ...judged].toSorted((a, b) => a.line - b.line)
  const sample = new Sample(all.length)
  for (const one of all) session.output.item(one, (paint, shown) => sample.show(shown, (row) => inWords(row, paint)))
  tellTotal(session, file, all, { total: rehearsal?.total, isEmulator, sample })
  return all.some(({ outcome }) => outcome === 'refused') ? EXIT.refused : EXIT.ok
}

/** A row as it would be sent. */
async function readied(
  session: Session,
  { line, request, fault }: BatchRow,
  requestFor: (row: SendFields) => SendFields,
): Promise<Ready | RehearsedRow> {
  if (!request) return { line, outcome: 'refused', error: 'usage', message: fault! }
  try {
    return { line, request: (await completeRequest(session, requestFor(request))).request }
  } catch (error) {
    if (!(error instanceof Fault) || error.exit !== EXIT.usage) throw error
    return { line, to: request.to, outcome: 'refused', error: error.code, message: error.message }
  }
}

const OUTCOME = { accepted: 'accepted', repeated: 'sent_before', refused: 'refused' } as const

function prospectOf(of: { line: number; to: unknown }, one: RehearsedSend): RehearsedRow {
  const { outcome, classification, hold_amount, free_after, refusal, rule_id, near_miss } = one
  const head = { ...of, outcome: OUTCOME[outcome] }
  if (refusal) return { ...head, ...refused(refusal) }
  if (outcome === 'repeated') return head
  return { ...head, classification: classification!, hold_amount, free_after, rule_id, near_miss }
}

function refused({ http_status, error, message, ...body }: NonNullable<RehearsedSend['refusal']>) {
  const details = body.details as { field: string; code: string; message: string }[]
  const { hint, commands } = remedyOf({ status: http_status, code: error, body, details })
  // The missing amount is reported for all rows together.
  if (error === 'insufficient_balance') return { error, message, http_status }
  const isStated = hint === undefined || message.includes(hint)
  return { error, message, http_status, ...(isStated ? {} : { hint }), ...(commands.length > 0 ? { commands } : {}) }
}

/** A service cannot predict its answer, so only the form of a row can be checked. */
async function wellFormed({ line, request }: Ready): Promise<RehearsedRow> {
  const [{ SendRequest }, { validate }, { Problem }] = await Promise.all([
    import('../../../../service/messages/contract.ts'),
    import('../../../../words/validate.ts'),
    import('../../../../words/problem.ts'),
  ])
  const of = { line, to: request.to }
  try {
    validate(SendRequest, request, 'body')
    return { ...of, outcome: 'well_formed' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...of, outcome: 'refused', error: error.code, message: error.message, http_status: error.status }
  }
}
