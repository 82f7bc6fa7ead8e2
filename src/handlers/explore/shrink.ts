import type { Schedule } from '../../scenarios/deliveries.ts'
import type { Finding, Played } from './play.ts'

/** Plays a schedule against the application, anew. */
export type Try = (schedule: Schedule) => Promise<Played>

export interface Failing {
  schedule: Schedule
  played: Played
}

const sameFault = (a: Finding, b: Finding) => a.code === b.code && a.where === b.where

/** Fails at the same place: another fault would be another story. */
const failsAs = (played: Played, finding: Finding) => played.findings.some((other) => sameFault(other, finding))

/** Ever smaller schedules that still fail: fewer things befall them, fewer events are told, and less far apart. */
export async function* shrink(failing: Failing, play: Try): AsyncGenerator<Failing> {
  const finding = failing.played.findings[0]!
  const tryOut = remembering(play)
  const next = async (): Promise<Failing | undefined> => {
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

/** With events left out the application has to be right as long as nothing befalls it, else it is the omission that it fails at. */
async function isFair({ events, perturbations }: Schedule, tryOut: Try): Promise<boolean> {
  if (perturbations.length === 0) return true
  const { findings } = await tryOut({ events, perturbations: [] })
  return findings.length === 0
}

/** The boldest first: each that fails costs the time that an application has to believe the truth. */
function* smaller(schedule: Schedule): Generator<Schedule> {
  const { events, perturbations } = schedule
  for (const left of leftOut(schedule)) yield without(schedule, left)
  for (const i of perturbations.keys()) yield { events, perturbations: perturbations.toSpliced(i, 1) }
  for (const [i, perturbation] of perturbations.entries())
    if ((perturbation.after ?? 1) > 1)
      yield { events, perturbations: perturbations.with(i, { ...perturbation, after: 1 }) }
}

/** Which events may be left out: all that nothing befalls, then halves, quarters and so on to single ones. */
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

/** No schedule is played twice: the next one has a smaller one in common with the last. */
function remembering(tryOut: Try): Try {
  const tried = new Map<string, Promise<Played>>()
  return (schedule) => {
    const key = JSON.stringify(schedule)
    const played = tried.get(key) ?? tryOut(schedule)
    tried.set(key, played)
    return played
  }
}
