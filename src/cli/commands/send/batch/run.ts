import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { AnswerTo } from '../../../../client/answers.ts'
import { call, isReplayed, Refusal, resultOf } from '../../../../client/call.ts'
import { operations } from '../../../../client/operations.ts'
import { Unanswered } from '../../../../client/unanswered.ts'
import { exitOf } from '../../../failure/failure.ts'
import { progressBar } from '../../../output/progress.ts'
import { EXIT, type ExitCode, Fault, Interrupted, usage } from '../../../process/exit.ts'
import type { Session } from '../../../session/session.ts'
import { DryRunDone } from '../../../target/dry-run.ts'
import { completeRequest } from '../complete-request.ts'
import type { SendFields } from '../request.ts'
import { rehearse } from './rehearsal.ts'
import { type BatchRow, rowsOf, withFlags } from './rows.ts'
import { Sample } from './sample.ts'
import { inWords, type RowOutcome, type RowResult, tellEnd } from './tell.ts'

/** A file of messages to send. */
export interface Batch {
  file: string
  /** Names the batch in the keys of its rows; the name of the file by default. */
  name: string | undefined
  /** Separator of the cells of a CSV file. */
  delimiter: string
  concurrency: number
  /** The file was sent in part. */
  isResumed: boolean
  /** The fields that all rows have. */
  common: SendFields
}

/** Without money the remaining rows would be refused too. */
const NO_MONEY = 402

/** Sends rows concurrently. Requests in progress are always completed, however the batch ends. */
export async function sendBatch(
  session: Session,
  { file, name, delimiter, concurrency, isResumed, common }: Batch,
): Promise<ExitCode> {
  const { io, output, endpoint } = session
  const rows = await rowsOf(io, file, delimiter)
  const keyOf = keysFor(file, name)
  // A batch asks no questions about incomplete rows.
  const quiet: Session = { ...session, output: { ...output, canAsk: false } }
  if (endpoint.showing === 'request') return rehearse(quiet, file, rows, (row) => withFlags(common, row), keyOf)
  const counts: Record<RowOutcome, number> = {
    sent: 0,
    sent_before: 0,
    refused: 0,
    temporarily_refused: 0,
    unanswered: 0,
  }
  const sample = new Sample(rows.length)
  const bar = progressBar(session)
  let done = 0
  let stop: unknown

  const tell = inFileOrder((result) => {
    bar.end()
    output.item(result, (paint, shown) => sample.show(shown, (row) => inWords(row, paint)))
  })
  const take = async ([i, row]: [number, BatchRow]) => {
    let result: RowResult | undefined
    try {
      result = await resultFor(quiet, row, async (request) => {
        const { request: filled } = await completeRequest(quiet, withFlags(common, request))
        return sendRow(quiet, filled, keyOf(filled))
      })
    } finally {
      tell(i, result)
    }
    if (!result) return
    counts[result.outcome]++
    done++
    bar.show(done / rows.length, `${done} of ${rows.length}`)
    if (result.outcome === 'sent_before' && done === 1 && !isResumed) stop = sentBefore(file)
    if (result.http_status === NO_MONEY) stop = new Unsendable()
  }
  const waiting = rows.entries()
  const work = async () => {
    for (const row of waiting)
      if (stop || io.signal.aborted) return
      else await take(row).catch((error: unknown) => (stop ??= error))
  }
  // The first row shows whether the file was sent before.
  await take(waiting.next().value!).catch((error: unknown) => (stop ??= error))
  await Promise.all(Array.from({ length: concurrency }, work))
  bar.end()
  if (endpoint.showing) return EXIT.ok
  tellEnd(session, file, counts, { left: rows.length - done, sample })
  if (stop && !(stop instanceof Unsendable) && !io.signal.aborted) throw stop
  if (io.signal.aborted) throw new Interrupted()
  if (counts.unanswered > 0) return EXIT.unreachable
  // Before refusals that last: --resume sends these rows and reports the others again.
  if (counts.temporarily_refused > 0) return EXIT.temporary
  return counts.refused > 0 ? EXIT.refused : EXIT.ok
}

class Unsendable extends Error {}

/** Prints results in the order of the rows, which end in another one. A row without a result is passed over. */
function inFileOrder(print: (result: RowResult) => void) {
  const ended = new Map<number, RowResult | undefined>()
  let next = 0
  return (i: number, result: RowResult | undefined) => {
    ended.set(i, result)
    for (; ended.has(next); next++) {
      const one = ended.get(next)
      ended.delete(next)
      if (one) print(one)
    }
  }
}

type SendResult = Pick<RowResult, 'outcome' | 'to' | 'message_id' | 'hold_amount' | 'idempotency_key'>

/** Ignores Ctrl-C, so that the outcome of a request in progress is known. */
async function sendRow({ endpoint }: Session, request: Record<string, unknown>, key: string): Promise<SendResult> {
  const idempotencyKey = request.idempotency_key === undefined ? key : undefined
  const answer = await call(endpoint, operations.messages.send, {}, request, { idempotencyKey })
  const { message_id, billing } = resultOf(answer) as AnswerTo<'messages.send'>
  return {
    outcome: isReplayed(answer) ? 'sent_before' : 'sent',
    to: request.to,
    message_id,
    ...(billing ? { hold_amount: billing.hold_amount } : {}),
    idempotency_key: key,
  }
}

/** The result of a row; undefined if it was not sent. Failures that concern the whole batch are thrown. */
async function resultFor(
  { io }: Session,
  { line, request, fault }: BatchRow,
  send: (request: NonNullable<BatchRow['request']>) => Promise<SendResult>,
): Promise<RowResult | undefined> {
  if (!request) return { line, outcome: 'refused', error: 'usage', message: fault! }
  const of = { line, to: request.to }
  try {
    return { line, ...(await send(request)) }
  } catch (error) {
    if (error instanceof DryRunDone) return undefined
    // A wrong key concerns all rows.
    if (error instanceof Refusal && error.status !== 401) {
      const outcome = exitOf(error) === EXIT.temporary ? 'temporarily_refused' : 'refused'
      return { ...of, outcome, error: error.code, message: error.reason, http_status: error.status }
    }
    if (error instanceof Unanswered) return { ...of, outcome: 'unanswered', message: error.message }
    if (error instanceof Fault && error.exit === EXIT.usage)
      return { ...of, outcome: 'refused', error: error.code, message: error.message }
    if (io.signal.aborted) return undefined
    throw error
  }
}

const sentBefore = (file: string) =>
  usage(
    `${file} was sent already: the service knows its first message.`,
    'Pass --resume to send what is missing of it, or --batch-name <another name> to send all of it once more.',
  )

/**
 * Derives an idempotency key for each row, so that sending a file again repeats rows that were sent and sends the rest.
 * The key depends on the batch name, the request and how often that request came before, so rows may be added and
 * moved.
 */
function keysFor(file: string, batch: string | undefined): (request: SendFields) => string {
  const name = batch ?? basename(file)
  const seen = new Map<string, number>()
  return (request) => {
    if (typeof request.idempotency_key === 'string') return request.idempotency_key
    const text = JSON.stringify(request)
    const nth = (seen.get(text) ?? 0) + 1
    seen.set(text, nth)
    return uuidOf(JSON.stringify([name, nth, text]))
  }
}

/** A UUID of version 8 (RFC 9562 §5.8: its content is up to the maker). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
