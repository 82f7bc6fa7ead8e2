import type { AnswerTo } from '../../client/answers.ts'
import { compoundDuration, HOUR, MINUTE, SECOND } from '../../words/milliseconds.ts'
import { quantity } from '../../words/number-text.ts'
import type { NounCommands } from '../generate/noun.ts'
import type { Paint } from '../output/paint.ts'
import type { Session } from '../session/session.ts'
import { tellWaits } from './clock/waits.ts'
import { deliveryOf, resultOf } from './events/result.ts'

type Clock = AnswerTo<'clock.mode'>

/** The work that is printed; all of it is counted. */
const SHOWN = 5

const PACES: Readonly<Record<Clock['mode'], string>> = {
  real: 'It follows the clock of the machine.',
  frozen: 'It does not move by itself.',
  auto: 'It jumps to the next scheduled work as soon as nothing else is running.',
  scaled: 'It runs FACTOR times as fast as the machine.',
}

const paceIn = ({ mode, factor }: Clock, paint: Paint) =>
  // The mode may be unknown, where another service answers.
  (PACES[mode] ?? `Its mode is ${mode}.`).replace('FACTOR', String(factor)) +
  (mode === 'frozen' ? `\n  Advance it  ${paint.command('clock advance 24h')}` : '')

/** A clock that was advanced keeps its lead. */
function leadOf(ms = 0): string {
  const lead = Math.abs(ms)
  const unit = lead < HOUR ? SECOND : MINUTE
  const rounded = Math.round(lead / unit) * unit
  return rounded === 0 ? '' : ` It is ${compoundDuration(rounded)} ${ms > 0 ? 'ahead of' : 'behind'} it.`
}

const nextWork = (at: string | null | undefined) => (at ? `Next scheduled work: ${at}.` : 'No work is scheduled.')

type Work = AnswerTo<'clock.due'>['due'][number]
type HeldUp = NonNullable<AnswerTo<'clock.advance'>['held_up']>[number]

/** Nothing is cut, because a reader looks for the subject. */
const dueLines = (due: readonly Work[], paint: Paint, results: Readonly<Record<string, string>> = {}) =>
  due.map((work) =>
    [`  ${paint.dim(work.at)}`, work.what, work.subject, results[keyOf(work)]].filter(Boolean).join('  '),
  )

const keyOf = ({ at, subject }: Pick<Work, 'at' | 'subject'>) => `${at} ${subject}`

/** What receivers answered in the attempts that are shown. */
async function resultsOf(session: Session, fired: readonly Work[]): Promise<Record<string, string>> {
  const attempts = fired.filter(({ what }) => what === 'webhook.attempt')
  const ids = new Set(attempts.map(({ subject }) => subject))
  // The deliveries of an endpoint that was deleted are gone.
  const deliveries = await Promise.allSettled([...ids].map((id) => deliveryOf(session, id)))
  return Object.fromEntries(
    deliveries
      .flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []))
      .flatMap((delivery) =>
        delivery.attempts.map((attempt) => [
          keyOf({ at: attempt.at, subject: delivery.id }),
          resultOf(attempt, delivery),
        ]),
      ),
  )
}

const workDone = (total: number) =>
  total === 0 ? 'No scheduled work ran.' : `${quantity(total, 'scheduled tasks')} ran.`

const LISTS_ALL = '  "--query fired" lists them'

function heldUpInWords({ waiting, subject, event, next_attempt_at }: HeldUp): string {
  const wait = waiting === 1 ? 'waits' : 'wait'
  return `${quantity(waiting, 'deliveries')} of ${subject} ${wait} for ${event}${next_attempt_at ? `, next attempt ${next_attempt_at}` : ''}`
}

/** Reads what `advance` of a scenario file takes too. */
const targetOf = (text: string) =>
  text === 'next' ? { next: true } : /^\d{4}-/.test(text) ? { to: text } : { by: text }

/** Reads `scaled:60`, the form of `start --clock` and the library. */
function paceOf(text: string): { mode: string; factor?: number } {
  const [mode = '', factor] = text.split(':')
  return factor === undefined ? { mode } : { mode, factor: Number(factor) }
}

export const commands: NounCommands<'clock'> = {
  group: 'simulating',
  notes:
    '"advance" takes a duration (30s, 5m, 24h, 7d), --to <time>, or --next to the next scheduled work. All work up to that time runs. Modes: frozen, real, scaled:60 (60 times as fast as the machine), auto (jumps to the next work).',
  verbs: {
    show: {
      forPeople: (reading, paint) =>
        [
          `It is ${paint.bold(reading.now)}. ${paceIn(reading, paint)}${leadOf(reading.ahead_ms)}`,
          nextWork(reading.next_due_at),
        ].join('\n'),
    },
    due: {
      forPeople: ({ due, total }, paint) =>
        [
          ...(total === 0 ? [paint.dim(nextWork(null))] : dueLines(due, paint)),
          ...(total > due.length ? [paint.dim(`… of ${total}; --all shows all`)] : []),
        ].join('\n'),
    },
    advance: {
      positional: ['by'],
      words: { by: targetOf },
      shorten(answer) {
        const { fired } = answer
        if (fired.length <= SHOWN) return answer
        return { ...answer, fired: [], left_out: { fired: fired.length } }
      },
      notes: `Instead of a duration, the argument may be a time such as 2027-01-01T00:00Z, or next. The output counts the work by kind, and lists up to ${SHOWN} items. "--query fired" lists up to 10,000.`,
      meanwhile: tellWaits,
      lookUp: (session, { fired }) => resultsOf(session, fired),
      examples: ['sandbox clock advance 24h', 'sandbox clock advance 2027-01-01T00:00Z', 'sandbox clock advance next'],
      forPeople: ({ now, fired, counts, total, next_due_at, held_up = [] }, paint, _, results) =>
        [
          `${paint.green('✓')} It is ${paint.bold(now)}. ${workDone(total)}`,
          ...dueLines(fired, paint, results),
          ...(total > fired.length
            ? [...Object.entries(counts).map(([what, count]) => `  ${count} × ${what}`), paint.dim(LISTS_ALL)]
            : []),
          ...held_up.map((one) => paint.yellow(`! ${heldUpInWords(one)}`)),
          paint.dim(nextWork(next_due_at)),
        ].join('\n'),
    },
    // Commands wait by `expect` and `wait`; `clock advance 0s` runs what is due on a frozen clock.
    settle: { skip: true },
    mode: {
      positional: ['mode'],
      words: { mode: paceOf },
      examples: ['sandbox clock mode frozen', 'sandbox clock mode auto', 'sandbox clock mode scaled:60'],
      forPeople: (reading, paint) => `${paint.green('✓')} It is ${paint.bold(reading.now)}. ${paceIn(reading, paint)}`,
    },
  },
}
