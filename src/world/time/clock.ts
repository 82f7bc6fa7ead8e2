import { END_OF_TIME } from '../../words/instant-text.ts'
import type { Pace } from '../../words/pace.ts'
import type { ClockMode } from '../../words/vocabulary.ts'
import { machineNow, SteadyClock, steadyNow } from '../machine-time.ts'

/** A stored clock. A running clock follows the machine's, even while no process runs; others keep their time. */
export type ClockState =
  | { mode: 'real'; offsetMs: number }
  | { mode: 'scaled'; factor: number; at: number; machineAt: number }
  | { mode: 'frozen' | 'auto'; at: number }

/** The due time of missing work, and the wait for a frozen clock. */
export const NEVER = Number.POSITIVE_INFINITY

/** Checks a clock state read from a database. */
export function isClockState(stored: unknown): stored is ClockState {
  const { mode, offsetMs, factor, at, machineAt } = (stored ?? {}) as Record<string, unknown>
  if (mode === 'real') return isInTime(offsetMs)
  if (mode === 'scaled') return Number(factor) > 0 && isInTime(at) && isInTime(machineAt)
  return (mode === 'frozen' || mode === 'auto') && isInTime(at)
}

const isInTime = (ms: unknown) => typeof ms === 'number' && Math.abs(ms) <= END_OF_TIME

/** The world's time, in ms since 1970. It never runs backwards. */
export class Clock {
  #machine: () => number
  #state: ClockState
  /** During due work the time is the work's own instant. */
  #held: number | undefined
  /** The latest time shown. */
  #latest = Number.NEGATIVE_INFINITY

  constructor(state: ClockState, machine: () => number = steadyNow) {
    this.#state = state
    this.#machine = machine
  }

  get state(): ClockState {
    return this.#state
  }

  get mode(): ClockMode {
    return this.#state.mode
  }

  get pace(): Pace {
    return this.#state.mode === 'scaled' ? { mode: 'scaled', factor: this.#state.factor } : { mode: this.#state.mode }
  }

  /** The latest time that this clock has shown. */
  get latest(): number {
    return this.#latest
  }

  /** How far a real clock is ahead of the machine's, ms. */
  get aheadMs(): number | undefined {
    return this.#state.mode === 'real' ? this.now() - machineNow() : undefined
  }

  now(): number {
    if (this.#held !== undefined) return this.#held
    this.#latest = Math.max(this.#latest, readingOf(this.#state, this.#machine))
    return this.#latest
  }

  /** A running clock continues from an instant that it has shown in an earlier process, until the machine has caught up. */
  continueFrom(at: number) {
    const steady = new SteadyClock()
    steady.continueFrom(machineInstantOf(this.#state, at))
    this.#machine = () => steady.now()
    this.#latest = at
  }

  /** Machine ms until this clock shows an instant; Infinity if it never does. */
  machineMsUntil(at: number): number {
    const ms = at - this.now()
    if (ms <= 0) return 0
    if (this.#state.mode === 'real') return ms
    return this.#state.mode === 'scaled' ? ms / this.#state.factor : NEVER
  }

  /** Holds the clock at an instant until it is set. */
  hold(at: number) {
    this.#held = at
  }

  /** Runs work at one instant. A clock set by the work stays as set. */
  during<T>(at: number, work: () => T): T {
    const before = this.#held
    this.#held = at
    try {
      return work()
    } finally {
      if (this.#held === at) this.#held = before
    }
  }

  /** Sets the clock; a running one continues from there. */
  set(at: number, pace: Pace = this.pace) {
    this.#state = this.stateAt(at, pace)
    this.#held = undefined
    this.#latest = at
  }

  /** The state after setting the clock to an instant now. */
  stateAt(at: number, pace: Pace = this.pace): ClockState {
    return clockStateAt(at, pace, this.#machine())
  }
}

/** The state of a clock that shows `at` at a machine instant. */
export function clockStateAt(at: number, pace: Pace, machineAt = steadyNow()): ClockState {
  if (pace.mode === 'real') return { mode: 'real', offsetMs: at - machineAt }
  return pace.mode === 'scaled' ? { ...pace, at, machineAt } : { mode: pace.mode, at }
}

function readingOf(state: ClockState, machine: () => number): number {
  if (state.mode === 'real') return Math.min(machine() + state.offsetMs, END_OF_TIME)
  if (state.mode !== 'scaled') return state.at
  const passed = Math.max(0, machine() - state.machineAt)
  return Math.min(state.at + Math.floor(passed * state.factor), Math.max(END_OF_TIME, state.at))
}

/** The machine's time when a running clock shows an instant. */
function machineInstantOf(state: ClockState, at: number): number {
  if (state.mode === 'real') return at - state.offsetMs
  return state.mode === 'scaled' ? state.machineAt + Math.ceil((at - state.at) / state.factor) : steadyNow()
}

/** The default start of a frozen or auto clock, so that runs repeat. */
export const FROZEN_START = '2026-01-01T00:00:00.000Z'

export const isRunning = ({ mode }: Pace): boolean => mode === 'real' || mode === 'scaled'

/** ISO 8601 UTC with milliseconds, like every timestamp of the service. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms
    lastText = new Date(ms).toISOString()
  }
  return lastText
}

// Cached, because one send stamps the same instant several times.
let lastMs = Number.NaN
let lastText = ''

/** The form of dates in headers, in whole seconds. */
export const httpTime = (ms: number): string => new Date(ms).toUTCString()

export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

export const parseIsoTime = (text: string): number => Date.parse(text)

/** The billing month of an instant, UTC: `2026-11`. */
export const monthOf = (ms: number): string => isoTime(ms).slice(0, 7)

/** The first instant of a month such as `2026-11`, UTC. */
export const monthStartAt = (month: string): number => parseIsoTime(`${month}-01T00:00:00.000Z`)

/** The first instant after a month. */
export function monthEndAt(month: string): number {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Date.UTC(year, number)
}

/** For libraries that take a Date. */
export const dateOf = (ms: number): Date => new Date(ms)
