import { isDeepStrictEqual } from 'node:util'
import {
  callAnswers,
  callInstants,
  deliveryInstants,
  type FailedAnswer,
  type Form,
  forms,
  isOfCall,
  isSlowCall,
  killInstants,
  kindNames,
  kinds,
  LARGE_CROWD,
  type Perturbation,
  type PerturbationKind,
  type Schedule,
} from '../../scenarios/deliveries.ts'
import { seededNumber } from '../../world/random.ts'
import { type BeliefSection, RECORDS } from './belief.ts'
import { namesIn } from './copies.ts'
import { partsOf } from './differences.ts'
import { endingOf } from './ending.ts'
import { type LogEvents, RELOADED } from './flow.ts'
import { peopleOf } from './parts.ts'
import { STRANGE } from './schedule.ts'
import { type Truth, truthOf, type Value } from './truth.ts'
import { hasNewValue } from './variations.ts'

/** The number of other events before a late repetition. An application may remember the last 100 ids only. */
export const OTHERS = 150
/** The same for windows of up to 1,024 ids, and at the end of a search. */
const LONG_HISTORIES = [1_200, 10_000]
/** A usual buffer of a reader. */
const LONG_BODY = 4_096
/** The machine time before a late repetition. An application may remember ids for a minute only. */
export const IDLE_SECONDS = 61

/** The order in which single disturbances are tried: the most frequent causes of bugs first. */
const ORDER: readonly PerturbationKind[] = [
  'duplicate',
  'replay',
  'delay',
  'timeout',
  'restart',
  'forgery',
  'lost-answer',
  'unavailable',
  'together',
  'spelling',
  'unknown',
  'new-value',
  'connection',
  'kill',
  'rotation',
]

/** Disturbances that deliver an event after later ones. */
const OVERTAKEN: ReadonlySet<PerturbationKind> = new Set(['replay', 'delay'])

/**
 * Disturbances of the application as a whole or of the connection, and what it may not get over: no others are beside them in a
 * schedule that disturbs every event.
 */
const ALONE: ReadonlySet<PerturbationKind> = new Set(['restart', 'kill', 'rotation', 'connection', ...STRANGE])

/** An event that is late after a long history, or repeated after an outage, is a part of that. */
const PARTS: Readonly<Partial<Record<PerturbationKind, PerturbationKind>>> = { history: 'delay', outage: 'duplicate' }

/** Failures that not every event has. */
const PLAYED_APART: ReadonlySet<FailedAnswer> = new Set(['never', '402', 'late'])

/** What an application may forget when it is restarted; its answer to any other failure is the same. */
const BEFORE_RESTART: ReadonlySet<FailedAnswer | undefined> = new Set(['503', '429', 'none'])

/** Disturbances whose effect depends on another disturbance of the same event. */
const PAIRED: readonly PerturbationKind[] = [
  'restart',
  'kill',
  'duplicate',
  'replay',
  'delay',
  'timeout',
  'lost-answer',
  'unavailable',
  'together',
  'rotation',
]

/** All disturbances of pairs, the most important ones first. */
const IN_PAIRS: readonly PerturbationKind[] = ['forgery', 'spelling', ...PAIRED]

/** In the order in which their schedules are numbered. */
export const phaseNames = [
  'plain',
  'single',
  'history',
  'idle',
  'overtaking',
  'pair',
  'long',
  'crowd',
  'failed-call',
  'outage',
  'covering',
  'random',
] as const
export type Phase = (typeof phaseNames)[number]

/** The schedules of a flow, numbered from 0, phase by phase. The last phase has no end. */
export interface FlowPlan {
  /** The number of the first random schedule. */
  systematic: number
  /** What the n-th schedule tries: names of events with their disturbances, and of the events that arrive before them. */
  topicsOf(n: number): string[]
  /** The number of events after the first disturbed one, or after the one that arrives first. */
  restOf(n: number): number
  /** Whether two events of the same name arrive at the same time. */
  hasTwins(n: number): boolean
  /** Whether an event arrives after one that ends something for the same person. */
  isOverEnding(n: number): boolean
  /**
   * What this event changes of what the application believes: sections of the truth, and counters. Of a late event, only what
   * an event before it changes too, and none after it, because their order does not matter to anything else.
   */
  partsOf(n: number, believed: ReadonlySet<string>): readonly string[]
  /**
   * Of an event that does not exist yet, its family, at which a handler may look first; of one with a new value, its name; of a
   * restart after a long event, that it is long.
   */
  noveltiesOf(n: number): readonly string[] | undefined
  /** The n-th schedule. */
  at(n: number): Schedule
  /** Whether the options and the application allow it. The numbers of schedules do not depend on this, so seeds stay valid. */
  isPlayed(n: number): boolean
  phaseOf(n: number): Phase
}

interface PlanOptions {
  seed: string
  variants: number
  /** The number of variants that are repeated after a history. */
  repeatedVariants?: number
  hasLargeCrowd?: boolean | undefined
  delivered: readonly number[]
  isPossible: (kind: PerturbationKind, form?: Form) => boolean
  idleSeconds: number
}

export function planOf(
  recording: LogEvents,
  { seed, variants, repeatedVariants = 1, hasLargeCrowd, delivered, isPossible, idleSeconds }: PlanOptions,
): FlowPlan {
  const schedule = (...perturbations: Perturbation[]): Schedule => ({ events: delivered, perturbations })
  const singlesOf = (event: number, i: number) =>
    ORDER.flatMap((kind) => disturbances(kind, event, delivered.length - 1 - i))
  const singles = delivered.flatMap((event, i) => singlesOf(event, i).map((one) => schedule(one)))
  const all = (one: Omit<Perturbation, 'event'>) => schedule(...delivered.map((event) => ({ ...one, event })))
  /** What is true after each event. */
  const truths = recording.map((_, i) => truthOf(recording.slice(0, i + 1).map(({ body }) => body)))
  // What is kept in memory and what is stored may have different limits.
  const historiesOf = (others: number): [running: Schedule, restarted: Schedule] => {
    const running = all({ kind: 'history', others })
    return [running, afterRestart(running, others)]
  }
  const seconds = idleSeconds || IDLE_SECONDS
  const [running, restarted] = historiesOf(OTHERS)
  const late = [...Array.from({ length: repeatedVariants }, () => running), all({ kind: 'idle', seconds }), restarted]
  const pairsOn = (event: number, i: number) => {
    const each = PAIRED.map((kind) =>
      disturbances(kind, event, delivered.length - 1 - i).find(({ after = 1 }) => after === 1),
    )
    return pairsOf(each.filter((one) => one !== undefined))
  }
  const schedulesOf = (list: readonly Perturbation[][]) => list.map((some) => schedule(...some))
  const first = schedulesOf(overtakers(delivered))
  const atCalls = delivered.flatMap((event) => callInstants.map((at) => schedule({ kind: 'kill', event, at })))
  const failing = (answer: FailedAnswer, more?: Pick<Perturbation, 'seconds'>) =>
    delivered.map((event): Perturbation => ({ kind: 'failed-call', event, answer, ...more }))
  const failedCalls = callAnswers.filter((answer) => !PLAYED_APART.has(answer)).flatMap((answer) => failing(answer))
  const reload = delivered.findLast((event) => recording[event]!.event === RELOADED)
  const unpaid = failing('402').filter(({ event }) => event < (reload ?? 0))
  const endings = recording.map(({ body }) => endingOf(body))
  const isEnding = (event: number) => endings[event] !== undefined
  /** What the next event ends for the person of this one. */
  const endingFor = (event: number, next: number) => {
    const ending = endings[next]
    return ending && recording[event]!.body.includes(ending.subject) ? ending.of : undefined
  }
  const retryAfter = Math.ceil(seconds)
  // What an ending overtakes need not be sent any more.
  const isJudged = ![...recording.keys()].some(isEnding)
  const slowCalls = isJudged
    ? [...failing('never', { seconds: 2 * retryAfter }), ...failing('429', { seconds: retryAfter })]
    : []
  const failedBeforeRestart = failedCalls
    .filter(({ answer }) => BEFORE_RESTART.has(answer))
    .map((one) => schedule(one, { kind: 'restart', event: one.event }))
  const long = LONG_HISTORIES.flatMap(historiesOf)
  const anyCrowds = [schedule(), ...failing('503').map((one) => schedule(one))]
  const crowds = [...anyCrowds, ...delivered.map((event) => schedule({ kind: 'kill', event, at: 'work' }))].map(
    (one): Schedule => ({ ...one, crowd: true }),
  )
  const largeCrowds = hasLargeCrowd ? anyCrowds.map((one): Schedule => ({ ...one, crowd: LARGE_CROWD })) : []
  // What a person does in a session has no sense days after its end.
  const sessionEnds = [...(truths.at(-1)?.get('sessions')?.values() ?? [])]
  // The service may repeat what it delivers so late, too.
  const missed = delivered.flatMap((event) => [
    { kind: 'outage', event } as const,
    { kind: 'duplicate', event } as const,
  ])
  const outages = sessionEnds.every((end) => end === null) ? [schedule(...missed)] : []
  const forgeries = delivered.map((event): Perturbation[] => [
    { kind: 'forgery', event },
    { kind: 'restart', event },
  ])
  const respelledAnd = (kind: PerturbationKind) =>
    delivered.map((event): Perturbation[] => [
      { kind: 'spelling', event },
      { kind, event },
    ])
  // An event is known by its id, and not by its bytes.
  const respelled = respelledAnd('duplicate')
  const pairs = schedulesOf([...delivered.flatMap(pairsOn), ...pairsOfEvents(delivered), ...forgeries, ...respelled])
  const changes = truths.map((truth, i) => changesOf(recording[i]!, truth, truths[i - 1]))
  // An ending that the application learns of before its retry makes that wrong.
  const isBeforeEnding = ({ event }: Perturbation) => {
    const next = delivered[delivered.indexOf(event) + 1]
    const ended = next === undefined ? undefined : endingFor(event, next)
    return ended !== undefined && ended !== 'session'
  }
  const overtaken = failing('503')
    .filter(isBeforeEnding)
    .map((one) => schedule({ ...one, form: 'overtaken' }))
  const { 'failed-call': _, ...formsOfAny } = forms
  const formed = Object.entries(formsOfAny).flatMap(([kind, list]) =>
    list.flatMap((form): Perturbation[] => {
      const events = form === 'pieces' ? delivered : delivered.slice(-1)
      return events.map((event) => ({ kind: kind as PerturbationKind, event, form }))
    }),
  )
  const failedBeforeOrderly = failing('503').map((one) =>
    schedule(one, { kind: 'restart', event: one.event, form: 'orderly' }),
  )
  // What an orderly end stores may be less than what was known until then.
  const repeatedAfterOrderly = delivered.map((event): Perturbation[] => [
    { kind: 'restart', event, form: 'orderly' },
    { kind: 'duplicate', event },
  ])
  // What was received in one spelling may be stored in another.
  const storedPairs = schedulesOf([...respelledAnd('restart'), ...repeatedAfterOrderly])
  const covering = coveringAll(
    delivered.map((event, i) =>
      kindsInTurn(
        [...singlesOf(event, i), ...formed.filter((one) => one.event === event)].filter(({ kind }) => !ALONE.has(kind)),
      ),
    ),
    seed,
  ).map((some) => schedule(...some.filter(({ kind, form }) => isPossible(kind, form))))
  const numbered = [
    ...Array.from({ length: variants }, (): [Phase, Schedule] => ['plain', schedule()]),
    ...singles.map((one): [Phase, Schedule] => ['single', one]),
    ...late.map((one): [Phase, Schedule] => [one.perturbations[0]?.kind === 'idle' ? 'idle' : 'history', one]),
    ...first.map((one): [Phase, Schedule] => ['overtaking', one]),
    ...pairs.map((one): [Phase, Schedule] => ['pair', one]),
    ...atCalls.map((one): [Phase, Schedule] => ['single', one]),
    ...long.map((one): [Phase, Schedule] => ['long', one]),
    ...[...crowds, ...largeCrowds].map((one): [Phase, Schedule] => ['crowd', one]),
    ...[...failedCalls, ...slowCalls].map((one): [Phase, Schedule] => ['failed-call', schedule(one)]),
    ...failedBeforeRestart.map((one): [Phase, Schedule] => ['failed-call', one]),
    ...outages.map((one): [Phase, Schedule] => ['outage', one]),
    ...formed.map((one): [Phase, Schedule] => ['single', schedule(one)]),
    ...failedBeforeOrderly.map((one): [Phase, Schedule] => ['failed-call', one]),
    ...storedPairs.map((one): [Phase, Schedule] => ['pair', one]),
    ...overtaken.map((one): [Phase, Schedule] => ['failed-call', one]),
    ...covering.map((one): [Phase, Schedule] => ['covering', one]),
    ...unpaid.map((one): [Phase, Schedule] => ['failed-call', schedule(one)]),
    ...unpaid.map((one): [Phase, Schedule] => ['failed-call', schedule(one, { kind: 'restart', event: one.event })]),
    ...failing('late').map((one): [Phase, Schedule] => ['crowd', { ...schedule(one), crowd: true }]),
  ]
  const nameOf = (event: number | undefined) => recording[event!]?.event
  /** The events that arrive before a late one, although they followed it. */
  const overtakersOf = ({ event, after = 0 }: Perturbation) => {
    const place = delivered.indexOf(event) + 1
    return delivered.slice(place, place + after)
  }
  const lastChanging = (event: number, isMeant: (change: Change, other: number) => boolean) =>
    delivered.findLast((other) => other > event && changes[other]!.some((change) => isMeant(change, other)))
  /** The last event that changes the same. A late event before it would be repaired. */
  const lastAlike = (event: number, { about }: Change) => lastChanging(event, (other) => other.about === about)
  const names = recording.map((event) => namesIn([event]))
  const areRelated = (event: number, other: number) => [...names[event]!.keys()].some((name) => names[other]!.has(name))
  /** The same for what may be taken for it, such as another run of the campaign. */
  const lastRelated = (event: number, { about, part }: Change) =>
    lastChanging(event, (one, other) => one.part === part && one.about !== about && areRelated(event, other))
  /** What is read line by line or in pieces after a start may be cut. */
  const isStoredLong = ({ event, kind }: Perturbation) =>
    kind === 'restart' && Buffer.byteLength(recording[event]!.body) > LONG_BODY
  const storedAs = (one: Perturbation) => (isStoredLong(one) ? `long ${nameOf(one.event)}` : nameOf(one.event))
  /** An answer to a person and the confirmation of a STOP are different calls. After the last event nothing wakes a worker. */
  const instantOf = ({ event, at, answer, form }: Perturbation) => {
    if (!answer && !isOfCall(at)) return at ?? form ?? ''
    const isLast = event === delivered.at(-1)
    return [at ?? answer, form, isEnding(event) && 'ending', isLast && 'last'].filter(Boolean).join(' ')
  }
  const hasTwins = ([one, ...more]: readonly Perturbation[]) =>
    one?.kind === 'together' &&
    more.length === 0 &&
    nameOf(delivered[delivered.indexOf(one.event) + 1]) === nameOf(one.event)
  const topicOf = (perturbations: readonly Perturbation[]) =>
    perturbations.map((one) => `${storedAs(one)} ${one.kind} ${instantOf(one)}`).join(' ')
  const topicsOfDeliveries = (perturbations: readonly Perturbation[]) => {
    const topic = topicOf(perturbations)
    if (hasTwins(perturbations)) return [`${topic} twice`]
    const late = perturbations.find(({ kind }) => OVERTAKEN.has(kind))
    if (!late?.after || perturbations.some((one) => one.event !== late.event)) return [topic]
    const deciding = new Set(changes[late.event]!.filter(isOfTruth).map((change) => lastAlike(late.event, change)))
    return overtakersOf(late).flatMap((other) => [
      `${topic} after ${nameOf(other)}`,
      ...(deciding.has(other) ? [`${topic} at last after ${nameOf(other)}`] : []),
    ])
  }
  const at = (n: number) => numbered[n]?.[1] ?? drawSchedule(seed, n, delivered, isPossible)
  const phaseOf = (n: number) => numbered[n]?.[0] ?? 'random'
  /** The first disturbed event, or the one that arrives first. */
  const subjectOf = (n: number) => {
    const { perturbations } = at(n)
    return phaseOf(n) === 'overtaking' ? delivered[perturbations.length]! : (perturbations[0]?.event ?? 0)
  }
  return {
    ...{ at, phaseOf, systematic: numbered.length },
    isPlayed(n) {
      const { perturbations, crowd } = at(n)
      const isCrowdAlone = crowd !== undefined && perturbations.length === 0
      const isWaiting = perturbations.some((one) => one.kind === 'idle' || isSlowCall(one))
      if ((isCrowdAlone && !isPossible('together')) || (isWaiting && idleSeconds === 0)) return false
      if (phaseOf(n) === 'covering') return perturbations.length > 1
      const isUncuttable = ({ event, form }: Perturbation) => form === 'pieces' && isAscii(recording[event]!.body)
      if (phaseOf(n) !== 'random' && perturbations.some(isUncuttable)) return false
      const isPartOf = (kind: PerturbationKind) => perturbations.some((one) => PARTS[one.kind] === kind)
      return perturbations.every(({ kind, form }) => isPossible(kind, form) || isPartOf(kind))
    },
    topicsOf(n) {
      const { perturbations } = at(n)
      if (phaseOf(n) === 'covering') return perturbations.flatMap((one) => topicsOfDeliveries([one]))
      const topic = topicOf(perturbations)
      // Many failures in a row are the same for any event, and so is a long wait.
      if (at(n).crowd && perturbations[0]?.answer) return [`calls of ${peopleOf(at(n))} ${perturbations[0].answer}`]
      if (perturbations.some(isSlowCall)) return [`slow call ${perturbations[0]!.answer}`]
      if (at(n).crowd === LARGE_CROWD) return ['large crowd']
      if (phaseOf(n) === 'crowd')
        return perturbations.length > 0
          ? [`${topic} crowd`]
          : delivered.map((event) => `${nameOf(event)} ${isEnding(event) ? 'ending ' : ''}crowd`)
      if (phaseOf(n) === 'overtaking') return [`${topic} after ${nameOf(subjectOf(n))}`]
      return topicsOfDeliveries(perturbations)
    },
    hasTwins: (n) => hasTwins(at(n).perturbations),
    isOverEnding(n) {
      const [one, ...more] = at(n).perturbations
      if (one?.kind !== 'delay' || more.length > 0) return false
      return overtakersOf(one).some((next) => endingFor(one.event, next) !== undefined)
    },
    restOf: (n) => delivered.length - 1 - delivered.indexOf(subjectOf(n)),
    partsOf(n, believed) {
      const own = changes[subjectOf(n)] ?? []
      const [one, ...more] = at(n).perturbations
      const isBelieved = (part: string) => believed.has(part.startsWith(RECORDS) ? RECORDS : part)
      const changed = own.filter(({ part }) => isBelieved(part))
      if (one?.kind !== 'delay' || more.length > 0) return [...new Set(changed.map(({ part }) => part))]
      const overtakers = new Set<number | undefined>(overtakersOf(one))
      const parts = changed.flatMap((change) => {
        const before = lastAlike(one.event, change)
        const related = isOfTruth(change) ? lastRelated(one.event, change) : undefined
        return [
          ...(overtakers.has(before)
            ? [`${isOfTruth(change) ? change.part : nameOf(one.event)} after ${nameOf(before)}`]
            : []),
          ...(overtakers.has(related) ? [`${change.part} of another after ${nameOf(related)}`] : []),
        ]
      })
      return [...new Set(parts)]
    },
    noveltiesOf(n) {
      const { perturbations } = at(n)
      const strange = perturbations.find(({ kind }) => STRANGE.has(kind))
      if (!strange) return perturbations.length === 1 && isStoredLong(perturbations[0]!) ? ['long'] : undefined
      const { event, body } = recording[strange.event]!
      if (strange.kind === 'unknown') return [event.split('.')[0]!]
      return hasNewValue(body) ? [event] : []
    },
  }
}

/** What an event changes: a subject of a section, and the part of the belief to which that belongs. */
interface Change {
  about: string
  part: string
}

const isOfTruth = ({ about }: Change) => !about.startsWith(RECORDS)

function changesOf(event: LogEvents[number], truth: Truth, before: Truth | undefined): Change[] {
  const isChanged = (section: BeliefSection, subject: string, value: Value) =>
    !isDeepStrictEqual(value, before?.get(section)?.get(subject)) && !isNothing(value)
  // Nothing says what an event changes in the records of the application, but events of one family may change the same.
  const family = `${RECORDS} ${event.event.split('.')[0]}`
  return [
    ...[...namesIn([event]).keys()].map((name) => ({ about: `${family} ${name}`, part: family })),
    ...[...truth].flatMap(([section, subjects]) =>
      [...subjects]
        .filter(([subject, value]) => isChanged(section, subject, value))
        .map(([subject]) => ({ about: `${section} ${subject}`, part: partsOf(section, [subject])[0]! })),
    ),
  ]
}

/** Lower numbers are tried first. Schedules that kill the application at the same instant have the same number. */
export function priorityOf({ perturbations: [one, other, ...more] }: Schedule): number {
  if (!one || more.length > 0) return 0
  const formRank = ({ kind, form }: Perturbation) =>
    form ? (1 + formsOf(kind).indexOf(form)) / (1 + formsOf(kind).length) : 0
  if (one.answer)
    return (
      ORDER.length +
      (callAnswers.indexOf(one.answer) + formRank(other ?? one)) / callAnswers.length +
      (other || one.seconds ? 1 : 0)
    )
  if (!other) {
    const rank = ORDER.indexOf(one.kind)
    const at = one.at ? killInstants.indexOf(one.at) / killInstants.length : 0
    return (rank < 0 ? ORDER.length : rank) + at + formRank(one)
  }
  const pair = IN_PAIRS.indexOf(one.kind) * IN_PAIRS.length + IN_PAIRS.indexOf(other.kind) + formRank(one)
  return one.event === other.event ? pair : pair - IN_PAIRS.length ** 2
}

/** The number of events of others that come before its end. */
export const othersIn = ({ perturbations }: Schedule): number =>
  Math.max(0, ...perturbations.map(({ others = 0 }) => others))

/** Too many other events for repeated attempts. */
export const isLongHistory = (others: number): boolean => others > OTHERS

/**
 * The application is restarted after the first repetition, so that the others test what it has stored. After a long
 * history, an event arrives for the first time, which is older than the last one.
 */
const afterRestart = ({ events, perturbations }: Schedule, others: number): Schedule => ({
  events,
  perturbations: [
    ...perturbations,
    ...events.slice(0, 1).map((event) => ({ kind: 'restart' as const, event })),
    ...(others > OTHERS ? events.slice(1, -1).slice(-1) : []).map((event) => ({
      kind: 'delay' as const,
      event,
      after: 1,
    })),
  ],
})

const formsOf = (kind: PerturbationKind): readonly Form[] => (kind in forms ? forms[kind as keyof typeof forms] : [])

/** What any application believes before the first event. */
const isNothing = (value: Value) => value === false || (Array.isArray(value) && value.length === 0)

const isAscii = (body: string) => Buffer.byteLength(body) === body.length

/** All positions of one kind of disturbance of an event that has `rest` events after it. */
function disturbances(kind: PerturbationKind, event: number, rest: number): Perturbation[] {
  if (kind === 'kill') return deliveryInstants.map((at) => ({ kind, event, at }))
  if (kind === 'together') return rest > 0 ? [{ kind, event }] : []
  // It has forms only.
  if (kind === 'connection') return []
  if (!('after' in kinds[kind].shape)) return [{ kind, event }]
  // A delayed event arrives last, or one to three events later. A failed attempt is repeated last, or after one event.
  const places = kind === 'replay' || kind === 'delay' ? [rest, 1, 2, 3] : [rest, 1]
  return [...new Set(places)].filter((after) => after > 0 && after <= rest).map((after) => ({ kind, event, after }))
}

/** Schedules that disturb each event in its own way. Together they contain all disturbances: one list for each event. */
function coveringAll(lists: readonly (readonly Perturbation[])[], seed: string): Perturbation[][] {
  const first = Math.floor(seededNumber(seed, 'covering') * ORDER.length)
  const queues = lists.map((list, i) => {
    const at = (first + i) % Math.max(1, list.length)
    return [...list.slice(at), ...list.slice(0, at)]
  })
  const schedules: Perturbation[][] = []
  while (queues.some(({ length }) => length > 0)) {
    let before: Perturbation | undefined
    const schedule = queues.flatMap((queue) => {
      // What arrives together with the next event needs it undisturbed.
      before = before?.kind === 'together' ? undefined : queue.shift()
      return before ?? []
    })
    schedules.push(schedule)
  }
  return schedules
}

/** The nth disturbance of each kind, before the next one of any. */
const kindsInTurn = (list: readonly Perturbation[]): Perturbation[] => {
  const ranks = list.map(({ kind }, i) => list.slice(0, i).filter((one) => one.kind === kind).length)
  return list
    .map((one, i) => ({ one, rank: ranks[i]! }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

/** Each event in turn arrives first. For the first two events this takes a single disturbance, which is tried already. */
const overtakers = (events: readonly number[]): Perturbation[][] =>
  events
    .slice(2)
    .map((_, i) => events.slice(0, i + 2).map((event, at) => ({ kind: 'delay', event, after: i + 2 - at })))

/** Two events arrive last, in their order or reversed; or one arrives last, and the other is repeated or retried. */
const pairsOfEvents = (events: readonly number[]): Perturbation[][] =>
  events.flatMap((one, i) =>
    events.slice(i + 1).flatMap((other, j): Perturbation[][] => {
      // The number of events after each of the two.
      const [rest, restOfOther] = [events.length - 1 - i, events.length - 2 - i - j]
      if (restOfOther === 0) return []
      const late = { kind: 'delay', event: one, after: rest } as const
      const otherLate = { kind: 'delay', event: other, after: restOfOther } as const
      return [
        [late, otherLate],
        [{ ...late, after: rest + 1 }, otherLate],
        [late, { ...otherLate, kind: 'replay' }],
        [{ ...late, kind: 'replay' }, otherLate],
        [{ ...late, kind: 'lost-answer' }, otherLate],
      ]
    }),
  )

const pairsOf = (list: readonly Perturbation[]): [Perturbation, Perturbation][] =>
  list.flatMap((one, i) => list.slice(i + 1).map((other): [Perturbation, Perturbation] => [one, other]))

const MAX_RANDOM = 3
const MAX_AFTER = 4

/** Two or three disturbances of any events. */
function drawSchedule(
  seed: string,
  n: number,
  events: readonly number[],
  isPossible: PlanOptions['isPossible'],
): Schedule {
  const draw = (what: string, below: number) => Math.floor(seededNumber(seed, `${n} ${what}`) * below)
  const possible = kindNames.filter((kind) => ORDER.includes(kind) && isPossible(kind))
  const count = events.length === 0 || possible.length === 0 ? 0 : 2 + draw('count', MAX_RANDOM - 1)
  const perturbations = Array.from({ length: count }, (_, i): Perturbation => {
    const kind = possible[draw(`${i} kind`, possible.length)]!
    const event = events[draw(`${i} event`, events.length)]!
    if (kind === 'kill') return { kind, event, at: deliveryInstants[draw(`${i} at`, deliveryInstants.length)]! }
    if ('after' in kinds[kind].shape) return { kind, event, after: 1 + draw(`${i} after`, MAX_AFTER) }
    const own = formsOf(kind).filter((form) => isPossible(kind, form))
    const all = kind === 'connection' ? own : [undefined, ...own]
    const form = all[draw(`${i} form`, all.length)]
    return { kind, event, ...(form && { form }) }
  })
  return { events, perturbations }
}
