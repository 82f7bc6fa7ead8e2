import { type Mismatch, Watch } from '../../../client/expectation.ts'
import { type UntilOptions, until, type WorldClock } from '../../../client/until.ts'
import type { Where } from '../../../words/where.ts'
import { EXIT, type ExitCode, Fault } from '../../process/exit.ts'
import { callOperation } from '../../session/call-operation.ts'
import { messageIdOf } from '../../session/last-sent.ts'
import type { Session } from '../../session/session.ts'
import { withKnownFields } from '../listen/filters.ts'
import { fromLog, fromTimeline } from './source.ts'
import { inWords, nearestInWords, unwanted } from './tell.ts'

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

interface Ended {
  watch: Watch
  ending: 'time is up' | 'time stands still' | 'it has ended'
  clock: WorldClock | undefined
}

export async function expectEvent(session: Session, event: string, flags: ExpectFlags): Promise<ExitCode> {
  const { endpoint, output } = session
  const where = await withKnownFields(flags.where)
  const message = flags.message === undefined ? undefined : await messageIdOf(flags.message, session)
  const subject = message ?? flags.subject
  const hasLog = await endpoint.isEmulator()
  const events = hasLog ? await fromLog(session, event, subject, flags.after) : fromTimeline(session, event, message)
  const watch = new Watch({ event, subject, where, count: flags.not ? 1 : flags.count })
  const outcome = await until(patienceOf(session, flags, hasLog), async () => {
    watch.take(await events())
    return watch.isMet || watch.endedBy ? true : undefined
  })
  const ended: Ended = 'found' in outcome ? { watch, ending: 'it has ended', clock: undefined } : { watch, ...outcome }
  if (flags.not && watch.isMet) throw unwanted(event, watch.matched[0]!)
  if (!flags.not && !watch.isMet) throw await missing(session, event, message, flags, ended)
  const said = { expected: event, not: flags.not ?? false, count: watch.matched.length, events: watch.matched }
  output.data(said, (paint, { events }) =>
    flags.not
      ? `${paint.green('✓')} no ${event}`
      : events.map((one) => `${paint.green('✓')} ${inWords(one)}  ${paint.dim(one.timestamp)}`).join('\n'),
  )
  return EXIT.ok
}

const patienceOf = (session: Session, { within, interval }: ExpectFlags, hasLog: boolean): UntilOptions => ({
  withinMs: within,
  everyMs: interval,
  signal: session.io.signal,
  ...(hasLog ? { clock: () => callOperation(session, 'clock.show') } : {}),
})

async function missing(
  session: Session,
  event: string,
  message: string | undefined,
  { count, within }: ExpectFlags,
  { watch, ending, clock }: Ended,
): Promise<Fault> {
  const { nearest, endedBy, matched } = watch
  const lack = count === 1 ? `${event} has not come` : `${event} came ${matched.length} of ${count} times`
  const next = ending === 'time stands still' ? await nextIn(session, message, clock) : undefined
  const why: Readonly<Record<Ended['ending'], string>> = {
    'time is up': `${lack} within ${within / 1_000} s.`,
    'time stands still': `${lack}, and the clock stands at ${clock?.now}: nothing that is due by then can bring it. ${next ? `Next is ${next}.` : 'Nothing is due later either.'}`,
    'it has ended': `${lack}, and cannot any more${endedBy ? `: ${inWords(endedBy)}` : ''}.`,
  }
  const isLate = ending === 'time is up'
  return new Fault(
    [why[ending], nearest && ending !== 'it has ended' && nearestInWords(nearest)].filter(Boolean).join(' '),
    {
      code: isLate ? 'timed_out' : 'expectation_failed',
      exit: isLate ? EXIT.timedOut : EXIT.expectation,
      hint: next ? 'Move the clock: sandbox clock advance --next' : hintOf(message, nearest),
      extra: {
        expected: event,
        count: matched.length,
        nearest: nearest ?? null,
        next_due_at: clock?.next_due_at ?? null,
      },
    },
  )
}

const hintOf = (message: string | undefined, nearest: Mismatch | undefined) =>
  message === undefined
    ? nearest && 'What has come: sandbox events list --order newest'
    : `Why it is as it is: sandbox explain ${message}`

/** The next due work; for a message, also what will happen to it. */
async function nextIn(session: Session, message: string | undefined, clock: WorldClock | undefined) {
  if (message !== undefined) {
    const { next } = await callOperation(session, 'messages.explain', { params: { id: message } })
    if (next) return `${next.what} at ${next.at}`
  }
  return clock?.next_due_at ? `something at ${clock.next_due_at}` : undefined
}
