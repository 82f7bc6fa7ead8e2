import type { Schedule } from '../../scenarios/deliveries.ts'
import type { Finding, PlayResult } from './play.ts'

/** Plays a schedule against the application, from a fresh start. */
export type PlaySchedule = (schedule: Schedule) => Promise<PlayResult>

export interface FailingSchedule {
  schedule: Schedule
  played: PlayResult
}

const sameFault = (a: Finding, b: Finding) => a.code === b.code && a.where === b.where

/** Requires the same fault at the same place. */
const failsAs = (played: PlayResult, finding: Finding) => played.findings.some((other) => sameFault(other, finding))

/** Ever smaller schedules that still fail: fewer things befall them, fewer events are told, and less far apart. */
export async function* shrink(failing: FailingSchedule, play: PlaySchedule): AsyncGenerator<FailingSchedule> {
  const finding = failing.played.findings[0]!
  const tryOut = remembering(play)
  const next = async (): Promise<FailingSchedule | undefined> => {
    for (const schedule of smaller(failing.schedule)) {
      const played = await tryOut(schedule)
      if (failsAs(played, finding) && (await isFair(schedule, tryOut))) return { schedule, played }
    }
  }
  for (let found = await next(); found; found = await next()) {
    failing = found
    yield found
  }
}

/** Without perturbations the shortened flow must pass; otherwise the omission is what fails. */
async function isFair({ events, perturbations }: Schedule, tryOut: PlaySchedule): Promise<boolean> {
  if (perturbations.length === 0) return true
  const { findings } = await tryOut({ events, perturbations: [] })
  return findings.length === 0
}

/** The largest reductions first, because each failing play takes the time limit of belief. */
function* smaller(schedule: Schedule): Generator<Schedule> {
  const { events, perturbations } = schedule
  for (const left of leftOut(schedule)) yield without(schedule, left)
  for (const i of perturbations.keys()) yield { events, perturbations: perturbations.toSpliced(i, 1) }
  for (const [i, perturbation] of perturbations.entries())
    if ((perturbation.after ?? 1) > 1)
      yield { events, perturbations: perturbations.with(i, { ...perturbation, after: 1 }) }
}

/** Events to omit: all unperturbed ones, then halves, quarters and so on to single ones. */
function* leftOut({ events, perturbations }: Schedule): Generator<readonly number[]> {
  const untouched = events.filter((event) => !perturbations.some((perturbation) => perturbation.event === event))
  if (untouched.length > 0 && untouched.length < events.length) yield untouched
  for (let size = events.length; size > 1; ) {
    size = Math.ceil(size / 2)
    for (let from = 0; from < events.length; from += size) yield events.slice(from, from + size)
  }
}

const without = ({ events, perturbations }: Schedule, left: readonly number[]): Schedule => ({
  events: events.filter((event) => !left.includes(event)),
  perturbations: perturbations.filter(({ event }) => !left.includes(event)),
})

/** Caches plays, because candidates recur. */
function remembering(tryOut: PlaySchedule): PlaySchedule {
  const tried = new Map<string, Promise<PlayResult>>()
  return (schedule) => {
    const key = JSON.stringify(schedule)
    const played = tried.get(key) ?? tryOut(schedule)
    tried.set(key, played)
    return played
  }
}
