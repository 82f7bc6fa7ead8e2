import {
  type Form,
  isOfCall,
  type Perturbation,
  type PerturbationKind,
  type Schedule,
} from '../../scenarios/deliveries.ts'
import { PENDING } from './belief.ts'
import { RESTART_INSTANTS } from './deliver.ts'
import type { Flow, LogEvents } from './flow.ts'
import type { Requests } from './parts.ts'
import { type FlowPlan, othersIn, type Phase, phaseNames, priorityOf } from './plan.ts'

/** A flow with one of its schedules. */
export interface PlannedRun {
  flow: Flow
  draw: string
  seed: string
  phase: Phase
  /** Its effect on the application as a whole. */
  impact: Impact
  /** It shares no stop of the application with others. */
  isAlone?: boolean
  /** Nothing else is played beside it: the next event of another play would hide what it shows. */
  isOnly?: boolean
  /** It was played before, with a stop at another instant of the work. */
  isAgain?: boolean
  /** Takes the events that lead to requests. */
  requests?: Requests
  schedule: (recording: LogEvents) => Schedule
  /** The same, as far as it is known before the flow was recorded for the first time. */
  planned?: Schedule | undefined
}

/** Whether one of its disturbances meets a condition. */
export const disturbs = ({ planned }: PlannedRun, condition: (one: Perturbation) => unknown): boolean =>
  planned?.perturbations.some((one) => Boolean(condition(one))) ?? false

/** It stops the application at one of its calls. */
export const isAtCall = (run: PlannedRun): boolean => disturbs(run, ({ at }) => isOfCall(at))

/** The number of events of others that come before its end. */
export const othersOf = ({ planned }: PlannedRun): number => (planned ? othersIn(planned) : 0)

/** The schedules of a phase in their order. */
export interface PhaseOrder {
  /** A turn of each kind that finds much, of those that try an event with a disturbance for the first time in any flow. */
  first: readonly PlannedRun[]
  /** The beginning of the first turn of single disturbances: a few of each kind that stops nothing. */
  opening: readonly PlannedRun[]
  /** The other ones of these, in turns. */
  new: readonly PlannedRun[]
  others: readonly PlannedRun[]
}

/** Stops of the application in one batch, at the instants of its work in turn. */
const MOST_STOPS = RESTART_INSTANTS.length
/** Kinds of disturbances take turns, each with this number of schedules. */
const TURN = 8
/** What stops the application takes most time. */
const STOPPING_TURN = 2
/** What has a form depends on the event least of all. */
const FORM_TURN = 2
/** Delays find most bugs, and there are most of them: of each event, behind each other one. */
const DELAY_TURN = 48
/**
 * The part of a first turn that comes before the rest of any. Most bugs fail with any event of their kind, so a few of
 * each kind, which share a batch, find more than many of one kind.
 */
const OPENING = 1 / 3
/** There are about 50 kinds of pairs. */
const PAIR_TURN = 3
/**
 * Those that find most: a repetition or an older event after a restart, two events that arrive late or once more, what a
 * forgery leaves behind, a repetition or a restart after other bytes, and the old secret after a restart.
 */
const EARLY_PAIRS: Readonly<Record<string, number>> = {
  'restart duplicate': 8,
  'restart delay': 40,
  'restart rotation': 1,
  'delay delay': 24,
  'forgery restart': 24,
  'spelling duplicate': 3,
  'spelling restart': 3,
}

/** The schedules of all flows by phase. `believed` are the sections and counters that the application has. */
export function phaseOrdersOf(
  plans: readonly { flow: Flow; plan: FlowPlan }[],
  believed: ReadonlySet<string>,
  runOf: (flow: Flow, n: number) => PlannedRun,
  requestsOf: (flow: Flow) => Requests | undefined,
): Record<Phase, PhaseOrder> {
  const all = plans.flatMap(({ flow, plan }) =>
    Array.from({ length: plan.systematic }, (_, n) => ({ plan, n, run: runOf(flow, n) })).filter(
      ({ n, run }) => plan.isPlayed(n) && makesSense(plan.at(n), run, requestsOf(flow), believed),
    ),
  )
  const [together, others] = divided(all, ({ run }) => run.phase === 'covering')
  const seen = new Set<string>()
  const candidates = others.map(({ run, plan, n }) => {
    const topics = plan.topicsOf(n)
    const isNew = topics.some((topic) => !seen.has(topic))
    for (const topic of topics) seen.add(topic)
    const parts = plan.noveltiesOf(n) ?? plan.partsOf(n, believed)
    return candidateOf(run, plan, n, { isNew, parts })
  })
  const orders = Object.fromEntries(
    phaseNames.map((phase) => [phase, inTurns(candidates.filter(({ run }) => run.phase === phase))]),
  ) as Record<Phase, PhaseOrder>
  const covering = together.map(({ run, plan, n }) => ({
    run,
    topics: plan.topicsOf(n),
    events: 1 + plan.restOf(n),
  }))
  return { ...orders, covering: { ...orders.covering, first: coveringMost(covering) } }
}

/** Whether a schedule can show something of an application with these requests and beliefs. */
function makesSense(
  { perturbations }: Schedule,
  { phase, draw, isOnly }: PlannedRun,
  requests: Requests | undefined,
  believed: ReadonlySet<string>,
): boolean {
  // Nothing is played beside it, so it would need a long history of its own. Between recordings of its people lie years.
  if (isOnly && (phase === 'long' || (phase === 'history' && requests === undefined))) return false
  const ofCalls = perturbations.filter(({ kind, at }) => kind === 'failed-call' || isOfCall(at))
  // The people are unknown to the service. Another variant of the flow may lead to requests.
  if (phase === 'outage')
    return requests?.changes.size === 0 && requests.reads.size === 0 && (requests.draw ?? draw) === draw
  // Only what is pending shows that an application will try again.
  if (ofCalls.some(({ kind }) => kind === 'failed-call') && !believed.has(PENDING)) return false
  return ofCalls.every(({ event, ...one }) =>
    callsDisturbedBy(one).some((calls) => requests?.[calls].has(event) === true),
  )
}

const callsDisturbedBy = ({ at, answer }: Omit<Perturbation, 'event'>): ('reads' | 'changes')[] =>
  // A proxy does not know what a call does, and any answer can break off.
  answer === '502' || answer === 'part' ? ['reads', 'changes'] : [at === 'read' ? 'reads' : 'changes']

interface Covering {
  run: PlannedRun
  topics: readonly string[]
  /** The number of its events. */
  events: number
}

/** What a schedule takes besides its deliveries, as a number of events. */
const SHARE = 4

/** Each covers more that is new, for the time that it takes, than those after it; those that cover nothing new are left out. */
function coveringMost(all: readonly Covering[]): PlannedRun[] {
  const covered = new Set<string>()
  const withGain = (one: Covering) => {
    const count = new Set(one.topics.filter((topic) => !covered.has(topic))).size
    return { ...one, gain: count / (SHARE + one.events) }
  }
  const left = all.map(withGain).toSorted((a, b) => b.gain - a.gain)
  const order: PlannedRun[] = []
  for (let first = left.shift(); first; first = left.shift()) {
    const best = withGain(first)
    if (best.gain === 0) continue
    // Others were weighed earlier, and may gain less by now, but never more.
    const place = left.findIndex(({ gain }) => gain <= best.gain)
    if (place > 0) left.splice(place, 0, best)
    else if (place < 0 && left.length > 0) left.push(best)
    else {
      for (const topic of best.topics) covered.add(topic)
      order.push(best.run)
    }
  }
  return order
}

interface Candidate {
  run: PlannedRun
  isNew: boolean
  /** Its first turn comes before the other turns of any kind. */
  isEarly: boolean
  priority: number
  /** Sections and counters of the application that the disturbed event changes. */
  parts: readonly string[]
  /** The number of events after the disturbed one. */
  rest: number
  isForgery: boolean
  /** The number of schedules of its kind in the first turn. */
  size: number
}

function candidateOf(
  run: PlannedRun,
  plan: FlowPlan,
  n: number,
  { isNew, parts }: Pick<Candidate, 'isNew' | 'parts'>,
): Candidate {
  const { perturbations } = plan.at(n)
  const kinds = perturbations.map(({ kind }) => kind).join(' ')
  const isPair = run.phase === 'pair'
  const atCall = perturbations.some(({ at }) => isOfCall(at))
  // The first stop at an event of this name comes right after its delivery; later ones are shared, except at calls.
  const isCrowd = run.phase === 'crowd'
  const isAlone = STOPS.has(run.impact) && (isCrowd || (run.phase === 'single' && (isNew || atCall)))
  const isOverEnding = plan.isOverEnding(n)
  const isOfTwo = perturbations.some(({ event }) => event !== perturbations[0]!.event)
  return {
    // The application must do its work after the restart without another event.
    run: {
      ...{ ...run, isAlone },
      ...((atCall || (isAlone && run.impact === 'restart')) && plan.restOf(n) === 0 && { isOnly: true }),
    },
    isNew,
    parts,
    isEarly: !isPair || isOfTwo || kinds in EARLY_PAIRS,
    // What reads, changes and writes back shows only where both change the same.
    priority: priorityOf(plan.at(n)) + (plan.hasTwins(n) || isOverEnding ? TWINS : 0),
    rest: plan.restOf(n),
    isForgery: kinds === 'forgery',
    size: isPair
      ? (EARLY_PAIRS[kinds] ?? PAIR_TURN)
      : isOverEnding
        ? TURN
        : sizeOf(kinds, perturbations[0]?.form, isAlone && !atCall && !isCrowd),
  }
}

function sizeOf(kind: string, form: Form | undefined, isAlone: boolean): number {
  if (form) return FORM_TURN
  if (isAlone) return STOPPING_TURN
  return kind === 'delay' ? DELAY_TURN : TURN
}

/**
 * Two events of the same name at once are a kind of their own, which comes after other events at once; and so are events that arrive
 * after an ending, which they must not undo.
 */
const TWINS = 0.5

/** What a handler does after a forgery shows in the events that follow. */
const isForgeryAtEnd = ({ rest, isForgery }: Candidate): boolean => isForgery && rest === 0

/**
 * Every kind of disturbance is tried early: kinds alternate, and each starts with the events that change most, and with the
 * last ones of flows, which find most bugs.
 */
function inTurns(candidates: readonly Candidate[]): PhaseOrder {
  const counts = new Map<number, number>()
  const canRestart = candidates.some(({ run }) => run.impact === 'restart')
  // What a forgery leaves behind shows after a restart, which must not meet that of earlier schedules.
  const mayOpen = ({ run, isForgery }: Candidate) =>
    run.phase === 'single' && !stopsApplication(run) && !(isForgery && canRestart)
  const turnOf = (candidate: Candidate) => {
    const { size, priority } = candidate
    const count = counts.get(priority) ?? 0
    counts.set(priority, count + 1)
    if (mayOpen(candidate) && count < Math.ceil(OPENING * size)) return -1
    return Math.floor(count / size)
  }
  const turns = coveringFirst(
    candidates
      .filter(({ isNew }) => isNew)
      .toSorted(
        (a, b) =>
          Number(isForgeryAtEnd(a)) - Number(isForgeryAtEnd(b)) || b.parts.length - a.parts.length || a.rest - b.rest,
      ),
  )
    .map((candidate) => {
      const turn = turnOf(candidate)
      // What the first stops do not cover shares one.
      const isShared = candidate.run.isAlone && candidate.isCovering && turn > 0
      return isShared ? { ...candidate, run: inCompany(candidate.run), turn: 0 } : { ...candidate, turn }
    })
    .toSorted((a, b) => a.turn - b.turn || a.priority - b.priority)
  const first = turns.filter(({ turn, isEarly }) => turn < 1 && isEarly)
  return {
    first: runsOf(first),
    opening: runsOf(first.filter(({ turn }) => turn < 0)),
    new: runsOf(turns.filter(({ turn, isEarly }) => turn > 0 || !isEarly)),
    others: runsOf(candidates.filter(({ isNew }) => !isNew).toSorted((a, b) => a.priority - b.priority)),
  }
}

/** Each kind disturbs everything that the application believes before it disturbs anything twice. */
function coveringFirst(candidates: readonly Candidate[]): (Candidate & { isCovering: boolean })[] {
  const covered = new Set<string>()
  const isCovering = ({ priority, parts }: Candidate) => {
    const before = covered.size
    for (const part of parts) covered.add(`${priority} ${part}`)
    return covered.size > before
  }
  return candidates
    .map((candidate) => ({ ...candidate, isCovering: isCovering(candidate) }))
    .toSorted((a, b) => Number(b.isCovering) - Number(a.isCovering))
}

/** The same run, which shares its stop with others. */
export const inCompany = (run: PlannedRun): PlannedRun => ({
  ...run,
  isAlone: false,
  isOnly: run.isOnly === true && isAtCall(run),
})

const runsOf = (candidates: readonly Candidate[]) => candidates.map(({ run }) => run)

/** Batches of schedules that can be judged together. Schedules that stop the application or rotate its secret are separate. */
export function* batchesOf(runs: readonly PlannedRun[], largest: number): Generator<PlannedRun[]> {
  let batch: PlannedRun[] = []
  for (const run of runs) {
    const isFull = batch[0]?.isOnly || batch.length === (run.isAlone ? Math.min(largest, MOST_STOPS) : largest)
    const isOther = run.isOnly || (batch[0]?.isAlone ?? false) !== (run.isAlone ?? false) || !isAlike(batch[0], run)
    if (batch.length > 0 && (isFull || isOther)) {
      yield batch
      batch = []
    }
    batch.push(run)
  }
  if (batch.length > 0) yield batch
}

export function* following(...lists: readonly Iterable<PlannedRun[]>[]): Generator<PlannedRun[]> {
  for (const list of lists) yield* list
}

/** The next batch of each list. */
export function* onceEach(lists: readonly Iterator<PlannedRun[]>[]): Generator<PlannedRun[]> {
  for (const list of lists) {
    const next = list.next()
    if (!next.done) yield next.value
  }
}

/** Batches of several lists in turns. */
export function* alternately(...lists: readonly Iterable<PlannedRun[]>[]): Generator<PlannedRun[]> {
  let left = lists.map((list) => list[Symbol.iterator]())
  while (left.length > 0) {
    const next = left.map((batches) => ({ batches, ...batches.next() })).filter(({ done }) => !done)
    for (const { value } of next) yield value
    left = next.map(({ batches }) => batches)
  }
}

/** Runs with an equal impact on the application make full batches. */
export const byImpact = (runs: readonly PlannedRun[]): PlannedRun[] =>
  IMPACTS.flatMap((impact) => runs.filter((run) => run.impact === impact))

/** The effect of a schedule on the application as a whole. */
export const impactOf = ({ perturbations }: Schedule): Impact =>
  STRONGEST_FIRST.find((kind) => perturbations.some((one) => one.kind === kind)) ?? 'none'

const STRONGEST_FIRST = ['kill', 'rotation', 'restart', 'unknown', 'new-value'] as const satisfies PerturbationKind[]
type Impact = (typeof STRONGEST_FIRST)[number] | 'none'
const IMPACTS: readonly Impact[] = ['restart', 'kill', 'none', 'unknown', 'new-value', 'rotation']
const STOPS: ReadonlySet<Impact> = new Set(['kill', 'restart'])

const isAlike = (one: PlannedRun | undefined, other: PlannedRun): boolean =>
  one?.impact === 'rotation' || other.impact === 'rotation'
    ? one?.impact === other.impact
    : one !== undefined && STOPS.has(one.impact) === STOPS.has(other.impact)

/** A rotation may take a restart. */
export const stopsApplication = ({ impact }: PlannedRun): boolean => STOPS.has(impact) || impact === 'rotation'

/** Those that meet a condition, and the others. */
export function divided<T>(list: readonly T[], condition: (value: T) => boolean): [T[], T[]] {
  return [list.filter(condition), list.filter((value) => !condition(value))]
}
