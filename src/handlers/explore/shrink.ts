import type { Finding, Played } from './play.ts'
import type { Schedule } from './schedule.ts'

/** Plays a schedule against the application, anew. */
export type Try = (schedule: Schedule) => Promise<Played>

export interface Failing {
  schedule: Schedule
  played: Played
}

const sameFault = (a: Finding, b: Finding) => a.code === b.code && a.where === b.where

/** Fails at the same place: another fault would be another story. */
const failsAs = (played: Played, finding: Finding) => played.findings.some((other) => sameFault(other, finding))

/** The smallest schedule that still fails: fewer things befall it, fewer events are told, and less far apart. */
export async function shrink(failing: Failing, tryOut: Try): Promise<Failing> {
  const finding = failing.played.findings[0]!
  for (let found: Failing | undefined = failing; found; ) {
    failing = found
    found = undefined
    for (const schedule of smaller(failing.schedule)) {
      const played = await tryOut(schedule)
      if (!failsAs(played, finding) || !(await isFair(schedule, tryOut))) continue
      found = { schedule, played }
      break
    }
  }
  return failing
}

/** With events left out the application has to be right as long as nothing befalls it, else it is the omission that it fails at. */
async function isFair({ events, perturbations }: Schedule, tryOut: Try): Promise<boolean> {
  if (perturbations.length === 0) return true
  const { findings } = await tryOut({ events, perturbations: [] })
  return findings.length === 0
}

function* smaller({ events, perturbations }: Schedule): Generator<Schedule> {
  for (const i of perturbations.keys()) yield { events, perturbations: perturbations.toSpliced(i, 1) }
  for (const event of events)
    if (events.length > 1)
      yield {
        events: events.filter((other) => other !== event),
        perturbations: perturbations.filter((perturbation) => perturbation.event !== event),
      }
  for (const [i, perturbation] of perturbations.entries())
    if ((perturbation.after ?? 1) > 1)
      yield { events, perturbations: perturbations.with(i, { ...perturbation, after: 1 }) }
}
