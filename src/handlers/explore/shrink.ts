import { isSlowCall, type Perturbation, type Schedule } from '../../scenarios/deliveries.ts'
import { endingOf } from './ending.ts'
import { type Finding, isSameFinding } from './finding.ts'
import { RELOADED } from './flow.ts'
import type { PlayResult } from './parts.ts'
import { isLongHistory, OTHERS, othersIn } from './plan.ts'

/** Plays schedules together, for different people; undefined for those that could not be played. */
export type PlaySchedules = (schedules: readonly Schedule[]) => Promise<readonly (PlayResult | undefined)[]>

export interface FailingSchedule {
  schedule: Schedule
  played: PlayResult
  /** Everything fails after it, so it was not made smaller. */
  isStuck?: boolean
  /** How often it fails, if it may be a race. */
  repeated?: { failed: number; of: number }
}

/** Requires the same fault at the same place. */
export const failsAs = (played: PlayResult | undefined, finding: Finding | undefined): boolean =>
  finding !== undefined && (played?.findings.some((other) => isSameFinding(other, finding)) ?? false)

/**
 * The last event that ends something, or says that there is money again. Without it, the service refuses what an application that
 * calls it may still expect, because each flow has ended before its events are delivered.
 */
export const lastEndingIn = ({ deliveries }: PlayResult): number =>
  Math.max(-1, ...deliveries.filter(({ name, body }) => name === RELOADED || endingOf(body)).map(({ event }) => event))

/**
 * Ever smaller schedules that still fail: one person or two instead of many, fewer disturbances, nearer ones, and at last the flow
 * only up to the failure, or to the event `last`. No event before that is left out, because an application that gets it
 * may rely on it. Candidates are played `together`, up to that number.
 */
export async function* shrink(
  failing: FailingSchedule,
  play: PlaySchedules,
  last = -1,
  together = 1,
): AsyncGenerator<FailingSchedule> {
  const finding = failing.played.findings[0]!
  // Candidates recur.
  const tried = new Map<string, PlayResult | undefined>()
  const playedOf = (schedule: Schedule) => tried.get(keyOf(schedule))
  const fails = (schedule: Schedule) => failsAs(playedOf(schedule), finding)
  const isPassed = (schedule: Schedule) => tried.has(keyOf(schedule)) && !fails(schedule)
  const playAll = async (schedules: readonly Schedule[]) => {
    const left = [...new Map(schedules.map((one) => [keyOf(one), one]))].filter(([key]) => !tried.has(key))
    for (const some of together === 1 ? left.map((one) => [one]) : left.length > 0 ? [left] : []) {
      const played = await play(some.map(([, one]) => one))
      for (const [i, [key]] of some.entries()) tried.set(key, played[i])
    }
  }
  const next = async (): Promise<FailingSchedule | undefined> => {
    for (const group of groupsOf(smaller(failing.schedule, last, isPassed), together)) {
      await playAll(together === 1 ? group : group.flatMap((one) => [undisturbed(one), one]))
      for (const schedule of group.filter(fails).toSorted(bySize)) {
        // Undisturbed, and for one person, the schedule must pass, or they are not what fails.
        await playAll([undisturbed(schedule)])
        if (isUndisturbed(schedule) || !fails(undisturbed(schedule))) return { schedule, played: playedOf(schedule)! }
      }
    }
  }
  for (let found = await next(); found; found = await next()) {
    failing = found
    yield found
  }
}

const keyOf = (schedule: Schedule) => JSON.stringify(schedule)

const undisturbed = ({ events }: Schedule): Schedule => ({ events, perturbations: [] })

export const isUndisturbed = ({ perturbations, twice, crowd }: Schedule): boolean =>
  perturbations.length === 0 && !twice && !crowd

const bySize = (a: Schedule, b: Schedule) =>
  Number(a.twice ?? a.crowd ?? false) - Number(b.twice ?? b.crowd ?? false) ||
  a.perturbations.length - b.perturbations.length ||
  a.events.length - b.events.length

/** At most one of a group stops the application: the events of others after a stop may hide what it shows. */
function* groupsOf(schedules: Iterable<Schedule>, most: number): Generator<Schedule[]> {
  let group: Schedule[] = []
  for (const schedule of schedules) {
    if (group.length === most || (stopsApplication(schedule) && group.some(stopsApplication))) {
      yield group
      group = []
    }
    group.push(schedule)
    // Later schedules may depend on it.
    if (stopsApplication(schedule) || schedule.crowd) {
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}

const stopsApplication = ({ perturbations }: Schedule) =>
  perturbations.some(({ kind }) => kind === 'restart' || kind === 'kill')

function* smaller(schedule: Schedule, last: number, isPassed: (schedule: Schedule) => boolean): Generator<Schedule> {
  const { events, perturbations, twice, crowd } = schedule
  if (twice || crowd) yield { events, perturbations }
  if (crowd)
    yield perturbations.length > 0 ? { events, perturbations: [], crowd } : { events, perturbations, twice: true }
  // A crowd takes too long for more attempts.
  if (crowd) return
  const people = twice && { twice }
  // A pause in machine time and a long history are too long for repeated attempts.
  if (perturbations.some((one) => one.kind === 'idle' || isSlowCall(one))) return
  if (isLongHistory(othersIn(schedule))) {
    yield { events, perturbations: perturbations.map((one) => (one.others ? { ...one, others: OTHERS } : one)) }
    for (const without of ['delay', 'restart']) {
      const left = perturbations.filter(({ kind }) => kind !== without)
      if (left.length < perturbations.length) yield { events, perturbations: left }
    }
    return
  }
  for (const left of fewer(perturbations)) yield { events, perturbations: left, ...people }
  for (const [i, perturbation] of perturbations.entries())
    for (const simpler of [...withoutForm(perturbation), ...nearer(perturbation)])
      yield { events, perturbations: perturbations.with(i, simpler), ...people }
  const needed = Math.max(
    0,
    events.indexOf(last),
    ...perturbations.map(({ event, after = 0 }) => events.indexOf(event) + after),
  )
  const cut = (length: number): Schedule => ({ events: events.slice(0, length), perturbations, ...people })
  const lengths = Array.from({ length: events.length - needed - 1 }, (_, i) => needed + 1 + i)
  const [least] = lengths
  if (least !== undefined) yield cut(least)
  const passed = lengths.findLast((length) => isPassed(cut(length))) ?? needed + 1
  // Without its last event, it passes.
  for (const length of shorter(passed, events.length)) if (!isPassed(cut(events.length - 1))) yield cut(length)
}

/** First none, then all except a half, a quarter and ever less: of a long list most can go at once. */
function* fewer(perturbations: readonly Perturbation[]): Generator<readonly Perturbation[]> {
  const { length } = perturbations
  if (length > 0) yield []
  for (let size = Math.floor(length / 2); size > 0; size = Math.floor(size / 2))
    for (let i = 0; i < length; i += size) yield perturbations.toSpliced(i, size)
}

/** The usual form of the same kind. */
const withoutForm = ({ form, ...usual }: Perturbation): Perturbation[] =>
  form && usual.kind !== 'connection' ? [usual] : []

const nearer = (perturbation: Perturbation): Perturbation[] => {
  const { after: most = 1 } = perturbation
  const places = [...new Set([1, Math.floor(most / 2)])].filter((after) => after > 0 && after < most)
  return places.map((after) => ({ ...perturbation, after }))
}

/** One less, and the middle between what passes and what fails; of many events, the middle first. */
function shorter(passed: number, length: number): number[] {
  const lengths = [length - 1, Math.floor((passed + length) / 2)].filter((n) => n > passed && n < length)
  return length - passed > FEW_EVENTS ? lengths.toReversed() : lengths
}

const FEW_EVENTS = 8
