import type { Perturbation, Schedule } from '../../scenarios/deliveries.ts'
import { endingOf } from './ending.ts'
import { type Finding, isSameFault } from './finding.ts'
import type { PlayResult } from './parts.ts'
import { LONG_HISTORY } from './plan.ts'

/** Plays a schedule against the application; undefined if it could not be played. */
export type PlaySchedule = (schedule: Schedule) => Promise<PlayResult | undefined>

export interface FailingSchedule {
  schedule: Schedule
  played: PlayResult
  /** Everything fails after it, so it was not made smaller. */
  isStuck?: boolean
}

/** Requires the same fault at the same place. */
export const failsAs = (played: PlayResult | undefined, finding: Finding): boolean =>
  played?.findings.some((other) => isSameFault(other, finding)) ?? false

/**
 * The last event that ends something. Without it, the service refuses what an application that calls it may still expect,
 * because each flow has ended before its events are delivered.
 */
export const lastEndingIn = ({ deliveries }: PlayResult): number =>
  Math.max(-1, ...deliveries.filter(({ body }) => endingOf(body)).map(({ event }) => event))

/**
 * Ever smaller schedules that still fail: one person instead of two, fewer disturbances, nearer ones, and at last the flow
 * only up to the failure, or to the event `last`. No event before that is left out, because an application that gets it
 * may rely on it.
 */
export async function* shrink(
  failing: FailingSchedule,
  play: PlaySchedule,
  last = -1,
): AsyncGenerator<FailingSchedule> {
  const finding = failing.played.findings[0]!
  const tryOut = remembering(play)
  const next = async (): Promise<FailingSchedule | undefined> => {
    const isNeeded = async (without: Schedule) => !failsAs(await tryOut(without), finding)
    for await (const schedule of smaller(failing.schedule, last, isNeeded)) {
      const played = await tryOut(schedule)
      if (failsAs(played, finding) && (await isFair(schedule, finding, tryOut))) return { schedule, played: played! }
    }
  }
  for (let found = await next(); found; found = await next()) {
    failing = found
    yield found
  }
}

/** Undisturbed, and for one person, the schedule must pass, or they are not what fails. */
async function isFair(
  { events, perturbations, twice, crowd }: Schedule,
  finding: Finding,
  tryOut: PlaySchedule,
): Promise<boolean> {
  const isUndisturbed = perturbations.length === 0 && !twice && !crowd
  return isUndisturbed || !failsAs(await tryOut({ events, perturbations: [] }), finding)
}

async function* smaller(
  { events, perturbations, twice, crowd }: Schedule,
  last: number,
  isLastEventNeeded: (without: Schedule) => Promise<boolean>,
): AsyncGenerator<Schedule> {
  if (twice || crowd) yield { events, perturbations }
  if (crowd && perturbations.length > 0) yield { events, perturbations: [], crowd }
  // A crowd takes too long for more attempts.
  if (crowd) return
  const people = twice && { twice }
  // A pause in machine time and a long history are too long for repeated attempts.
  if (perturbations.some(({ kind, others = 0 }) => kind === 'idle' || others >= LONG_HISTORY)) return
  for (const left of fewer(perturbations)) yield { events, perturbations: left, ...people }
  for (const [i, perturbation] of perturbations.entries())
    for (const after of nearer(perturbation))
      yield { events, perturbations: perturbations.with(i, { ...perturbation, after }), ...people }
  const needed = Math.max(
    0,
    events.indexOf(last),
    ...perturbations.map(({ event, after = 0 }) => events.indexOf(event) + after),
  )
  const cut = (length: number): Schedule => ({ events: events.slice(0, length), perturbations, ...people })
  const lengths = shorter(needed + 1, events.length)
  if (lengths.length === 0 || (await isLastEventNeeded(cut(events.length - 1)))) return
  for (const length of lengths) yield cut(length)
}

/** First none, then all except a half, a quarter and ever less: of a long list most can go at once. */
function* fewer(perturbations: readonly Perturbation[]): Generator<readonly Perturbation[]> {
  const { length } = perturbations
  if (length > 0) yield []
  for (let size = Math.floor(length / 2); size > 0; size = Math.floor(size / 2))
    for (let i = 0; i < length; i += size) yield perturbations.toSpliced(i, size)
}

const nearer = ({ after = 1 }: Perturbation) =>
  [...new Set([1, Math.floor(after / 2)])].filter((n) => n > 0 && n < after)

/** The shortest first, then the middle, then one less. */
const shorter = (least: number, length: number): number[] =>
  [...new Set([least, Math.floor((least + length) / 2), length - 1])].filter((n) => n >= least && n < length)

/** Caches plays, because candidates recur. */
function remembering(tryOut: PlaySchedule): PlaySchedule {
  const tried = new Map<string, ReturnType<PlaySchedule>>()
  return (schedule) => {
    const key = JSON.stringify(schedule)
    const played = tried.get(key) ?? tryOut(schedule)
    tried.set(key, played)
    return played
  }
}
