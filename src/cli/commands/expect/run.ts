import { statusEvents } from '../../../relay/status-events.ts'
import { eventInWords, fromLog, fromRecord, type NextEvents, waitForEvents } from '../../../waiting/event-wait.ts'
import { subjectIn } from '../../../waiting/expectation.ts'
import { dueInWords, type UntilOptions, type WorldClock } from '../../../waiting/until.ts'
import { formatDuration } from '../../../words/milliseconds.ts'
import type { Where } from '../../../words/where.ts'
import { EXIT, type ExitCode, misconfigured } from '../../process/exit.ts'
import { logAwaited } from '../../session/awaited.ts'
import { knownMessageId, messageIdOf, subjectOption } from '../../session/last-sent.ts'
import { tellLongWait } from '../../session/next-step.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'
import { withPossible } from '../listen/filters.ts'
import { notArrived, unwanted } from './tell.ts'

export interface ExpectFlags {
  message?: string
  subject?: string
  where?: Where[]
  count: number
  not?: boolean
  within: number
  after?: number
  interval: number
}

export async function expectEvent(session: Session, [event]: [string], flags: ExpectFlags): Promise<ExitCode> {
  const { endpoint, output } = session
  const where = await withPossible(flags.where)
  const hasLog = await endpoint.isEmulator()
  // Elsewhere, reading the timeline refuses an unknown message.
  const idOf = hasLog ? knownMessageId : messageIdOf
  const message = flags.message === undefined ? undefined : await idOf(flags.message, session)
  const subject = message ?? (flags.subject && (await subjectOption.read(flags.subject, session))) ?? subjectIn(where)
  const next = hasLog ? await eventLog(session, event, subject, flags.after) : timeline(session, event, message)
  const wanted = { event, subject, where, count: flags.not ? 1 : flags.count }
  const outcome = await waitForEvents(next, wanted, limitsOf(session, event, flags, hasLog))
  const found = 'found' in outcome ? outcome.found : []
  if (flags.not && found.length > 0) throw unwanted(event, found[0]!)
  if (!flags.not && 'missing' in outcome) {
    const { ending, clock } = outcome.missing
    const id = subject?.startsWith('msg_') ? subject : undefined
    const next = ending === 'clock at rest' && clock ? await nextIn(session, id, clock) : undefined
    const { count, within: withinMs } = flags
    throw notArrived({ event, count, withinMs, message: id, next }, outcome.missing)
  }
  if (!flags.not) for (const one of found) await logAwaited(session, one, where)
  const result = { expected: event, not: flags.not ?? false, count: found.length, events: found }
  output.data(result, (paint, { events }) =>
    flags.not
      ? `${paint.green('✓')} no ${event}`
      : events.map((one) => `${paint.green('✓')} ${eventInWords(one)}  ${paint.dim(one.timestamp)}`).join('\n'),
  )
  return EXIT.ok
}

const limitsOf = (
  session: Session,
  what: string,
  { within, interval, not }: ExpectFlags,
  hasLog: boolean,
): UntilOptions => ({
  withinMs: within,
  onLong(clock) {
    const span = formatDuration(within)
    tellLongWait(session.output, { what, within: span, clock }, `To pass the time: sandbox clock advance ${span}`)
  },
  // When nothing more happens by itself, none has arrived.
  restMs: not ? 300 : undefined,
  everyMs: interval,
  signal: session.io.signal,
  ...(hasLog ? { clock: () => callOperation(session, 'clock.show', { isLookup: true }) } : {}),
})

/** The next due work; for a message, also what will happen to it. */
async function nextIn(session: Session, message: string | undefined, clock: WorldClock): Promise<string> {
  const { next } = message ? await callOperation(session, 'messages.explain', { params: { id: message } }) : {}
  return dueInWords({ ...clock, next_due_at: next?.at ?? clock.next_due_at }, '', next?.what)
}

/** Reads the event log. The sandbox refuses unknown event names with the nearest one. */
async function eventLog(session: Session, event: string, subject: string | undefined, after = 0): Promise<NextEvents> {
  await callOperation(session, 'events.list', { payload: { event, limit: 1, after } })
  // Repeated reads would fill the request log of the sandbox.
  return fromLog((payload) => callOperation(session, 'events.list', { payload, isLookup: true }), after, subject)
}

/** Derives events from a message's timeline, at a service without an event log. */
function timeline(session: Session, event: string, message: string | undefined): NextEvents {
  if (message === undefined || !/^(message|email)\./.test(event))
    throw misconfigured(
      `${session.endpoint.baseUrl} is not a sandbox, and only a sandbox has an event log.`,
      'A service shows the events of one message: sandbox expect message.delivered --message <id>',
    )
  return fromRecord(async () => statusEvents(await callOperation(session, 'messages.get', { params: { id: message } })))
}
