import type { metaStore } from '../storage/meta.ts'
import type { Clock } from './clock.ts'

/**
 * What moves the clock. One that runs moves by itself, and due work follows it. In an advance, and on an auto clock, it is
 * due work that moves the clock from row to row.
 */
export class Movement {
  readonly #clock: Clock
  readonly #meta: ReturnType<typeof metaStore>
  #advances = 0
  #requests = 0

  constructor(clock: Clock, meta: ReturnType<typeof metaStore>) {
    this.#clock = clock
    this.#meta = meta
  }

  /** An advance is under way or waits for the one before. */
  get isAdvancing(): boolean {
    return this.#advances > 0
  }

  /** The clock goes from row to row by itself. */
  get isJumping(): boolean {
    return this.#clock.mode === 'auto' && !this.isAdvancing
  }

  /** Due work moves the clock. */
  get isByWork(): boolean {
    return this.#clock.mode === 'auto' || this.isAdvancing
  }

  /** A clock that jumps waits for a request; an advance does not, because it may be what the request waits for. */
  get isHeldByRequest(): boolean {
    return this.#requests > 0 && !this.isAdvancing
  }

  async duringAdvance<T>(work: () => Promise<T>): Promise<T> {
    this.#advances++
    try {
      return await work()
    } finally {
      this.#advances--
    }
  }

  async duringRequest<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await work()
    } finally {
      this.#requests--
    }
  }

  /** Writes the instant of work in its transaction, so that after a kill nothing that was done lies in the future. */
  persist(at: number) {
    if (this.isByWork && at >= this.#clock.now()) this.#meta.set('clock', this.#clock.stateAt(at))
  }

  /** Moves the clock to work that was done or is started now. */
  to(at: number) {
    if (!this.isByWork) return
    const instant = Math.max(at, this.#clock.now())
    if (this.isAdvancing) this.#clock.hold(instant)
    else this.#clock.set(instant)
  }
}
