import { isoTime } from '../../world/time/clock.ts'

/** Instants of a year at which local dates or clocks change. */
export const instants = ['new year', 'new year in Berlin', 'spring', 'autumn'] as const
export type TurnOfTime = (typeof instants)[number]

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The first day of the epoch was a Thursday. */
const dayOfWeek = (time: number) => (Math.floor(time / DAY) + 4) % 7

/** Clocks in Europe change at this time on the last Sunday of March and of October. */
function clockChange(year: number, month: number): number {
  const last = Date.UTC(year, month, 31, 1)
  return last - dayOfWeek(last) * DAY
}

const inYear: Readonly<Record<TurnOfTime, (year: number) => number>> = {
  'new year': (year) => Date.UTC(year, 0),
  'new year in Berlin': (year) => Date.UTC(year, 0) - HOUR,
  spring: (year) => clockChange(year, 2),
  autumn: (year) => clockChange(year, 9),
}

/** The first such instant after a time. */
export function nextOf(instant: TurnOfTime, time: number): number {
  const year = Number(isoTime(time).slice(0, 4))
  return [year, year + 1, year + 2].map(inYear[instant]).find((at) => at > time)!
}
