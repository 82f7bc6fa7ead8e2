import type { AnswerTo } from '../../client/answers.ts'
import { call, resultOf } from '../../client/call.ts'
import { operations } from '../../client/operations.ts'
import { stopwatch } from '../../http/stopwatch.ts'
import { poll } from '../../waiting/until.ts'
import { statusAfter, UNDELIVERED_STATUSES } from '../../words/statuses.ts'
import type { Paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { euros } from '../output/render.ts'
import { EXIT, type ExitCode, Fault, timedOut } from '../process/exit.ts'
import { parserOf } from '../process/parser-of.ts'
import { callOperation } from '../target/call-operation.ts'
import { durationFlag, durationOption } from '../target/globals.ts'
import { logAwaited } from './awaited.ts'
import { describeNextStep } from './next-step.ts'
import type { Session } from './session.ts'

export interface WatchFlags {
  until?: 'delivered' | 'read'
  interval: number
  settle: number
  timeout: number
}

/** After this time without a change, the next step and its time are shown. */
const HINT_AFTER_MS = 5_000

const ARRIVED = new Set(['delivered', 'read', 'opened', 'clicked', 'received'])
const ENDED = new Set(['read', 'clicked', 'received', ...UNDELIVERED_STATUSES])

type Message = AnswerTo<'messages.get'>

/** An item of a message's timeline; where a service shows none, its status at an unknown time. */
interface TimelineItem {
  type: Message['events'][number]['type'] | Message['status']
  at: Message['events'][number]['at'] | null
}

/** The fields that are read of a message (interface §2.6). A service may omit any of them. */
type WatchedMessage = Pick<Message, 'id' | 'status'> &
  Partial<Pick<Message, 'failure_reason' | 'error_message' | 'cost'>> & { events: readonly TimelineItem[] }

/** Prints the steps of a message until it ends; fails unless it has arrived. */
export async function watchToEnd(session: Session, id: string, flags: WatchFlags): Promise<ExitCode> {
  const { io, output } = session
  const { until, interval: everyMs, settle: settleMs, timeout: timeoutMs } = flags
  const wait = { messageId: id, advance: '1m' }
  const elapsed = stopwatch()
  let reported = 0
  let lastAt = 0
  let restsSince: number | undefined
  let isHinted = false
  let message: WatchedMessage | undefined
  const isOver = await poll({ everyMs, timeoutMs, signal: io.signal }, async (): Promise<true | undefined> => {
    const before = message
    message = await readMessage(session, id, before)
    const { status, events } = message
    if (reported < events.length) lastAt = elapsed()
    for (; reported < events.length; reported++)
      output.item(lineOf(events[reported]!, message), (paint, line) => inWords(line, paint))
    if (ENDED.has(status) || (until === 'delivered' && ARRIVED.has(status))) return true
    if (status !== before?.status) {
      restsSince = until !== 'read' && ARRIVED.has(status) ? elapsed() : undefined
      if (restsSince !== undefined) output.note((paint) => paint.dim(`Waiting ${settleMs / 1000} s for further steps.`))
    }
    if (restsSince !== undefined && elapsed() - restsSince >= settleMs) return true
    if (!isHinted && elapsed() - lastAt >= HINT_AFTER_MS) {
      isHinted = true
      void hintAtNext(session, wait)
    }
    return undefined
  })
  if (isOver) await logLast(session, id)
  const { status, cost } = message!
  if (!isOver)
    throw timedOut(`${id} is still ${status} after ${timeoutMs / 1000} s.`, await describeNextStep(session, wait))
  if (!ARRIVED.has(status) || (until === 'read' && status !== 'read')) throw notArrived(message!)
  output.note((paint) => `${paint.green('✓')} ${printable(status)}${cost ? paint.dim(` · cost ${euros(cost)}`) : ''}`)
  return EXIT.ok
}

async function readMessage(
  { endpoint, io: { signal } }: Session,
  id: string,
  before: WatchedMessage | undefined,
): Promise<WatchedMessage> {
  // Watching has no side effects: it is not affected by faults, and is not in the request log.
  const observer = { ...endpoint, isObserver: true }
  const answer = await call(observer, operations.messages.get, { id }, undefined, { signal })
  const message = resultOf(answer) as Partial<WatchedMessage> & Pick<Message, 'status'>
  // A service without a timeline still shows the status.
  const earlier = before?.events ?? []
  const events =
    message.events ?? (before?.status === message.status ? earlier : [...earlier, { type: message.status, at: null }])
  return { ...message, id, events }
}

/** The event that ended the watch, since the reads of a watch are not in the request log. */
async function logLast(session: Session, id: string) {
  if (!(await session.endpoint.isEmulator())) return
  const payload = { subject: id, event: 'message.*,email.*', order: 'newest', limit: 1 }
  const [last] = await callOperation(session, 'events.list', { payload, isLookup: true }).then(
    ({ events }) => events,
    () => [],
  )
  if (last) await logAwaited(session, last)
}

async function hintAtNext(session: Session, wait: { messageId: string; advance: string }) {
  const next = await describeNextStep(session, wait)
  if (next)
    session.output.note((paint) =>
      paint.dim(`Nothing for ${HINT_AFTER_MS / 1000} s. ${printable(session.output.withProgramName(next))}`),
    )
}

const lineOf = ({ type, at }: TimelineItem, { id, status, failure_reason }: WatchedMessage) => ({
  id,
  type,
  at,
  status,
  ...(type === 'failed' ? { failure_reason: failure_reason ?? null } : {}),
})

function inWords({ type, at, failure_reason }: ReturnType<typeof lineOf>, paint: Paint): string {
  const colour = type === 'failed' || type === 'bounced' ? paint.red : ARRIVED.has(type) ? paint.green : paint.bold
  const why = failure_reason ? `  ${failure_reason}` : ''
  return `${paint.dim(at ?? '')}  ${colour(statusAfter(type))}${why}`
}

function notArrived({ id, status, failure_reason, error_message }: WatchedMessage): Fault {
  const why = [failure_reason, error_message].filter(Boolean).join(': ').replace(/\.$/, '')
  return new Fault(`${id} ended as ${status}${why ? `: ${why}` : ''}.`, {
    code: 'not_delivered',
    exit: EXIT.expectation,
    extra: { id, status, failure_reason: failure_reason ?? null },
  })
}

export const settleOption = () =>
  durationOption('--settle <duration>', 'time to wait for further steps after delivery', '5s')

export const intervalOption = (description = 'time between two requests', preset = '250ms') =>
  durationOption('--interval <duration>', description, preset).argParser(intervalFlag)

const intervalFlag = parserOf((text) => durationFlag(text) || undefined, 'It must be more than 0.')
