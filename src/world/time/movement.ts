import type { metaStore } from '../storage/meta.ts'
import type { Clock } from './clock.ts'

/**
 * Decides what moves the clock: a running clock moves by itself, while in an advance and on an auto clock due work
 * moves it from row to row.
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

  /** An advance is running or queued. */
  get isAdvancing(): boolean {
    return this.#advances > 0
  }

  /** The clock jumps from row to row (auto). */
  get isJumping(): boolean {
    return this.#clock.mode === 'auto' && !this.isAdvancing
  }

  get isByWork(): boolean {
    return this.#clock.mode === 'auto' || this.isAdvancing
  }

  /** An auto clock waits for requests; an advance does not, because the request may wait for the advance. */
  get isHeldByRequest(): boolean {
    return this.#requests > 0 && !this.isAdvancing
  }

  async duringAdvance<T>(work: () => Promise<T>): Promise<T> {
    this.#advances++
    return work().finally(() => this.#advances--)
  }

  async duringRequest<T>(work: () => Promise<T>): Promise<T> {
    this.#requests++
    return work().finally(() => this.#requests--)
  }

  /** Writes the instant of work in its transaction, so that after a kill no finished work is in the future. */
  persist(at: number) {
    if (this.isByWork && at >= this.#clock.now()) this.#meta.set('clock', this.#clock.stateAt(at))
  }

  to(at: number) {
    if (!this.isByWork) return
    const instant = Math.max(at, this.#clock.now())
    if (this.isAdvancing) this.#clock.hold(instant)
    else this.#clock.set(instant)
  }
}
