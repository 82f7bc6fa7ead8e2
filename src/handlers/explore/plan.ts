import {
  killInstants,
  kindNames,
  kinds,
  type Perturbation,
  type PerturbationKind,
  type Schedule,
} from '../../scenarios/deliveries.ts'
import { seededNumber } from '../../world/random.ts'
import type { LogEvents } from './flow.ts'
import { truthOf } from './truth.ts'

/** Other events before a late repetition: more than a window of 100 ids holds. */
const OTHERS = 150
/** Machine time before a late repetition: more than a window of a minute. */
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
  'kill',
  'rotation',
]

/** Disturbances that let other events overtake one. */
const OVERTAKEN: ReadonlySet<PerturbationKind> = new Set(['replay', 'delay'])

/** Disturbances that change what happens to another disturbance of the same event. */
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

export type Phase = 'plain' | 'single' | 'history' | 'pair' | 'random' | 'idle'

/** The schedules of a flow, numbered from 0: undisturbed ones, singles, history, idle, pairs, then random ones. */
export interface FlowPlan {
  plain: number
  singles: readonly Schedule[]
  late: readonly Schedule[]
  pairs: readonly Schedule[]
  /** What the n-th schedule tries, apart from its flow: an event with disturbances, and the events that overtake it. */
  topicsOf(n: number): string[]
  /** The number of events after the first disturbed one. */
  restOf(n: number): number
  /** The number of sections of the truth that the first disturbed event changes. */
  weightOf(n: number): number
  /** The n-th schedule. */
  at(n: number): Schedule
  phaseOf(n: number): Phase
}

interface PlanOptions {
  seed: string
  variants: number
  delivered: readonly number[]
  isPossible: (kind: PerturbationKind) => boolean
  idleSeconds: number
}

export function planOf(
  recording: LogEvents,
  { seed, variants, delivered, isPossible, idleSeconds }: PlanOptions,
): FlowPlan {
  const possible = ORDER.filter(isPossible)
  const schedule = (...perturbations: Perturbation[]): Schedule => ({ events: delivered, perturbations })
  const singlesOf = (event: number, i: number) =>
    possible.flatMap((kind) => disturbances(kind, event, delivered.length - 1 - i))
  const singles = delivered.flatMap((event, i) => singlesOf(event, i).map((one) => schedule(one)))
  const all = (one: Omit<Perturbation, 'event'>) => schedule(...delivered.map((event) => ({ ...one, event })))
  const late = [
    ...(isPossible('history') ? [all({ kind: 'history', others: OTHERS })] : []),
    ...(idleSeconds > 0 && isPossible('idle') ? [all({ kind: 'idle', seconds: idleSeconds })] : []),
    ...(isPossible('history') && isPossible('restart') ? [afterRestart(all({ kind: 'history', others: OTHERS }))] : []),
  ]
  const pairs = delivered.flatMap((event, i) => {
    const each = PAIRED.filter((kind) => possible.includes(kind)).map((kind) =>
      disturbances(kind, event, delivered.length - 1 - i).find(({ after = 1 }) => after === 1),
    )
    return pairsOf(each.filter((one) => one !== undefined)).map((pair) => schedule(...pair))
  })
  const weights = recording.map(({ body }) => truthOf([body]).size)
  const [beforeLate, beforePairs] = [variants + singles.length, variants + singles.length + late.length]
  return {
    plain: variants,
    singles,
    late,
    pairs,
    topicsOf(n) {
      const { perturbations } = this.at(n)
      const [{ event } = { event: 0 }] = perturbations
      const topic = [recording[event]?.event, ...perturbations.map((one) => `${one.kind} ${one.at ?? ''}`)].join(' ')
      const { after = 0 } = perturbations.find(({ kind }) => OVERTAKEN.has(kind)) ?? {}
      if (after === 0) return [topic]
      const place = delivered.indexOf(event) + 1
      return delivered.slice(place, place + after).map((other) => `${topic} after ${recording[other]!.event}`)
    },
    restOf(n) {
      const [{ event } = { event: 0 }] = this.at(n).perturbations
      return delivered.length - 1 - delivered.indexOf(event)
    },
    weightOf(n) {
      const [{ event } = { event: 0 }] = this.at(n).perturbations
      return weights[event]!
    },
    at(n) {
      if (n < variants) return schedule()
      if (n < beforeLate) return singles[n - variants]!
      if (n < beforePairs) return late[n - beforeLate]!
      return pairs[n - beforePairs] ?? drawSchedule(seed, n, delivered, possible)
    },
    phaseOf(n) {
      if (n < variants) return 'plain'
      if (n < beforeLate) return 'single'
      if (n < beforePairs) return late[n - beforeLate]!.perturbations[0]?.kind === 'idle' ? 'idle' : 'history'
      return n < beforePairs + pairs.length ? 'pair' : 'random'
    },
  }
}

/** Smaller for schedules that are to be tried first; those that stop the application at equal instants stay together. */
export function priorityOf({ perturbations: [one, other] }: Schedule): number {
  if (!one) return 0
  if (other) return PAIRED.indexOf(one.kind)
  return ORDER.indexOf(one.kind) + (one.at ? killInstants.indexOf(one.at) / killInstants.length : 0)
}

/** The application is restarted after the first repetition, so that the others test what it has stored. */
const afterRestart = ({ events, perturbations }: Schedule): Schedule => ({
  events,
  perturbations: [...perturbations, ...events.slice(0, 1).map((event) => ({ kind: 'restart' as const, event }))],
})

/** All positions of one kind of disturbance of an event that has `rest` events after it. */
function disturbances(kind: PerturbationKind, event: number, rest: number): Perturbation[] {
  if (kind === 'kill') return killInstants.map((at) => ({ kind, event, at }))
  if (kind === 'together') return rest > 0 ? [{ kind, event }] : []
  if (!('after' in kinds[kind].shape)) return [{ kind, event }]
  // At the end, where all others overtake it, next to its place and further; an attempt that fails returns late or soon.
  const places = kind === 'replay' || kind === 'delay' ? [rest, 1, 2, 3] : [rest, 1]
  return [...new Set(places)].filter((after) => after > 0 && after <= rest).map((after) => ({ kind, event, after }))
}

const pairsOf = (list: readonly Perturbation[]): [Perturbation, Perturbation][] =>
  list.flatMap((one, i) => list.slice(i + 1).map((other): [Perturbation, Perturbation] => [one, other]))

const MAX_RANDOM = 3
const MAX_AFTER = 4

/** Two or three disturbances of any events. */
function drawSchedule(
  seed: string,
  n: number,
  events: readonly number[],
  among: readonly PerturbationKind[],
): Schedule {
  const draw = (what: string, below: number) => Math.floor(seededNumber(seed, `${n} ${what}`) * below)
  const possible = kindNames.filter((kind) => among.includes(kind))
  const count = events.length === 0 || possible.length === 0 ? 0 : 2 + draw('count', MAX_RANDOM - 1)
  const perturbations = Array.from({ length: count }, (_, i): Perturbation => {
    const kind = possible[draw(`${i} kind`, possible.length)]!
    const event = events[draw(`${i} event`, events.length)]!
    if (kind === 'kill') return { kind, event, at: killInstants[draw(`${i} at`, killInstants.length)]! }
    return 'after' in kinds[kind].shape ? { kind, event, after: 1 + draw(`${i} after`, MAX_AFTER) } : { kind, event }
  })
  return { events, perturbations }
}
