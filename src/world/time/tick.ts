import { after } from '../machine-time.ts'

/** The machine's timer that wakes the driver when the next row falls due. */
export class Tick {
  readonly #callback: () => void
  #cancel: (() => void) | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #clock: unknown

  constructor(callback: () => void) {
    this.#callback = callback
  }

  /** True when it is set already for a row that is due at this instant of a clock in this state. */
  isSetFor(dueAt: number, clock: unknown): boolean {
    return this.#cancel !== undefined && dueAt === this.#dueAt && clock === this.#clock
  }

  /** Waits, in ms of the machine. */
  set(waitMs: number, dueAt = Number.POSITIVE_INFINITY, clock?: unknown) {
    this.cancel()
    this.#dueAt = dueAt
    this.#clock = clock
    this.#cancel = after(waitMs, () => {
      this.#cancel = undefined
      this.#callback()
    })
  }

  cancel() {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
