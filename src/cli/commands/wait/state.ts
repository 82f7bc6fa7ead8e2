import { clockInWords, dueInWords, until } from '../../../waiting/until.ts'
import {
  AGENT_STATUSES,
  CAMPAIGN_STATUSES,
  SENT_MESSAGE_STATUSES,
  statusAfter,
  UNDELIVERED_STATUSES,
} from '../../../words/statuses.ts'
import { suggest } from '../../../words/suggest.ts'
import { record } from '../../output/render.ts'
import { EXIT, type ExitCode, Fault, usage } from '../../process/exit.ts'
import { messageIdOf } from '../../session/last-sent.ts'
import { commandToAdvance, describeNextStep } from '../../session/next-step.ts'
import type { Session } from '../../session/session.ts'
import { callOperation } from '../../target/call-operation.ts'

export interface StateFlags {
  message?: string
  campaign?: string
  agent?: string
  status?: string
  within: number
}

interface State {
  status: string
  /** Earlier statuses. */
  been: readonly string[]
}

interface Kind {
  statuses: readonly string[]
  /** Statuses that are final. */
  final: readonly string[]
  look(session: Session, id: string): Promise<State>
}

const KINDS: Readonly<Record<'message' | 'campaign' | 'agent', Kind>> = {
  message: {
    statuses: SENT_MESSAGE_STATUSES,
    final: ['read', 'clicked', ...UNDELIVERED_STATUSES],
    async look(session, id) {
      const { status, events = [] } = await callOperation(session, 'messages.get', { params: { id } })
      return { status, been: events.map(({ type }) => statusAfter(type)) }
    },
  },
  campaign: {
    statuses: CAMPAIGN_STATUSES,
    final: ['COMPLETED', 'COMPLETED_PARTIAL'],
    async look(session, id) {
      const { status } = await callOperation(session, 'campaigns.status', { params: { id } })
      return { status, been: [] }
    },
  },
  agent: {
    statuses: AGENT_STATUSES,
    final: [],
    async look(session, id) {
      const { status } = await callOperation(session, 'agents.get', { params: { id } })
      return { status, been: [] }
    },
  },
}

const EVERY_MS = 100

/** Waits until a record is in a status or has passed through it. */
export async function waitForState(session: Session, flags: StateFlags): Promise<ExitCode> {
  const named = (['message', 'campaign', 'agent'] as const).filter((name) => flags[name] !== undefined)
  if (named.length !== 1) throw usage('Pass one of --message, --campaign and --agent.')
  const [name] = named as ['message' | 'campaign' | 'agent']
  const wanted = statusFor(name, flags.status)
  const id = name === 'message' ? await messageIdOf(flags.message!, session) : flags[name]!
  const kind = KINDS[name]
  const isWorld = await session.endpoint.isEmulator()
  const limits = { withinMs: flags.within, everyMs: EVERY_MS, signal: session.io.signal }
  let last: State | undefined
  const outcome = await until(
    { ...limits, ...(isWorld ? { clock: () => callOperation(session, 'clock.show') } : {}) },
    async () => {
      last = await kind.look(session, id)
      const { status, been } = last
      if (status === wanted || been.includes(wanted)) return 'there'
      return kind.final.includes(status) ? 'elsewhere' : undefined
    },
  )
  if (!('found' in outcome) || outcome.found !== 'there') {
    // The next work of the clock may concern another message.
    const next =
      name === 'message' && isLate(outcome) ? await describeNextStep(session, { messageId: id, advance: '1m' }) : ''
    throw notThere(name, id, wanted, last!.status, flags, outcome, next)
  }
  const result = { [`${name}_id`]: id, status: last!.status, waited_for: wanted }
  session.output.data(result, (paint, shown) => `${paint.green('✓')} ${paint.bold(wanted)}\n${record(shown, paint)}`)
  return EXIT.ok
}

function statusFor(name: keyof typeof KINDS, status: string | undefined): string {
  const { statuses } = KINDS[name]
  const hint = `A ${name} can be: ${statuses.join(', ')}.`
  if (status === undefined) throw usage('Missing status: pass --status.', hint)
  const exact = statuses.find((one) => one.toLowerCase() === status.toLowerCase())
  if (exact === undefined)
    throw usage(`Unknown status "${status}" of a ${name}${suggest(status, statuses) || '.'}`, hint)
  return exact
}

type Outcome = Awaited<ReturnType<typeof until>>

const isLate = (outcome: Outcome) => 'ending' in outcome && outcome.ending === 'time is up'

function notThere(
  name: string,
  id: string,
  wanted: string,
  status: string,
  { within }: StateFlags,
  outcome: Outcome,
  comes: string | undefined,
): Fault {
  const clock = 'clock' in outcome ? outcome.clock : undefined
  const isTimeUp = isLate(outcome)
  const isStill = 'ending' in outcome && outcome.ending === 'clock at rest'
  const why = isTimeUp ? ` after ${within / 1_000} s` : isStill ? '' : ', and cannot change any more'
  const next = isStill && clock ? [clockInWords(clock), dueInWords(clock)] : [comes]
  return new Fault([`The ${name} ${id} is ${status}, not ${wanted}${why}.`, ...next].filter(Boolean).join(' '), {
    code: isTimeUp ? 'timed_out' : 'expectation_failed',
    exit: isTimeUp ? EXIT.timedOut : EXIT.expectation,
    hint: isStill && clock ? commandToAdvance(clock, within) : undefined,
    extra: { [`${name}_id`]: id, status, waited_for: wanted, next_due_at: clock?.next_due_at ?? null },
  })
}
