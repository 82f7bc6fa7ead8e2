import { clockInWords, dueInWords, type WorldClock } from '../waiting/until.ts'

/** The reading of a clock, the next due work, and how to move a frozen clock there. */
export function nextInWords(clock: WorldClock, what?: string): string {
  const how = `await sandbox.clock.next(), or advance('${durationTo(clock.now, clock.next_due_at ?? clock.now)}')`
  return `${clockInWords(clock)} ${dueInWords(clock, how, what)}`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
] as const

function durationTo(now: string, then: string): string {
  const ms = Date.parse(then) - Date.parse(now)
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ['s', 1_000]
  return `${Math.max(1, Math.ceil(ms / size))}${unit}`
}
