import type { ClockMode } from '../words/vocabulary.ts'
import { machineNow } from './machine-time.ts'

/** What is kept of a clock: a real one runs beside the machine's, a frozen one stands. */
export type ClockState = { mode: 'real'; offsetMs: number } | { mode: 'frozen'; at: number }

/** The world's time, in ms since 1970. It never runs backwards. */
export class Clock {
  #state: ClockState
  /** While work of an instant is done, that instant is the time for everybody. */
  #held: number | undefined

  constructor(state: ClockState) {
    this.#state = state
  }

  get state(): ClockState {
    return this.#state
  }

  get mode(): ClockMode {
    return this.#state.mode
  }

  now(): number {
    return this.#held ?? readingOf(this.#state)
  }

  /** From now on it is this instant, until the clock is put. */
  hold(at: number) {
    this.#held = at
  }

  /** What is done together is done at one instant. A clock that is put meanwhile stays where it was put. */
  during<T>(at: number, work: () => T): T {
    const before = this.#held
    this.#held = at
    try {
      return work()
    } finally {
      if (this.#held === at) this.#held = before
    }
  }

  /** Puts the clock to an instant; a real one runs on from there. */
  set(at: number, mode: ClockMode = this.mode) {
    this.#state = mode === 'frozen' ? { mode, at } : { mode, offsetMs: at - machineNow() }
    this.#held = undefined
  }
}

const readingOf = (state: ClockState) => (state.mode === 'frozen' ? state.at : machineNow() + state.offsetMs)

/** ISO 8601 UTC with milliseconds, the form of every timestamp the service stamps. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}

// One send stamps the same instant several times.
let lastMs = Number.NaN
let lastText = ''

export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

export const parseIsoTime = (text: string): number => Date.parse(text)

/** `2026-11`, the billing month an instant lies in (UTC). */
export const monthOf = (ms: number): string => isoTime(ms).slice(0, 7)

/** First instant of a month such as `2026-11`, UTC. */
export const monthStartAt = (month: string): number => parseIsoTime(`${month}-01T00:00:00.000Z`)

/** First instant after a month. */
export function monthEndAt(month: string): number {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Date.UTC(year, number)
}

/** For libraries that ask for the machine's form of an instant. */
export const dateOf = (ms: number): Date => new Date(ms)
