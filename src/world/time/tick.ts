import { machineMs, whenPassed } from '../machine-time.ts'

/** The machine timer that wakes the driver for the next due row. */
export class Tick {
  readonly #callback: () => void
  #cancel: (() => void) | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #clock: unknown
  /** The machine time of the timer, ms. */
  #at = Number.POSITIVE_INFINITY

  constructor(callback: () => void) {
    this.#callback = callback
  }

  /** Returns whether the timer is already set for this due time and clock state. */
  isSetFor(dueAt: number, clock: unknown): boolean {
    return this.#cancel !== undefined && dueAt === this.#dueAt && clock === this.#clock
  }

  /** The timer should have called back already, but the process is busy. */
  get isLate(): boolean {
    return this.#cancel !== undefined && machineMs() >= this.#at
  }

  /** Sets the timer, machine ms. */
  set(waitMs: number, dueAt = Number.POSITIVE_INFINITY, clock?: unknown) {
    this.cancel()
    this.#dueAt = dueAt
    this.#clock = clock
    this.#at = machineMs() + waitMs
    this.#cancel = whenPassed(waitMs, () => {
      this.#cancel = undefined
      this.#callback()
    })
  }

  cancel() {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
