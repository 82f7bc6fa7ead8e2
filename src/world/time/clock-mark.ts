import { END_OF_TIME } from '../../words/instant-text.ts'
import { setting } from '../setting.ts'
import type { World } from '../world.ts'
import { type Clock, isRunning } from './clock.ts'

/** The mark is written this far ahead (machine ms), so that most sends cost no write. */
const AHEAD_MS = 150
/** A transaction that starts this close to the mark may end after it. */
const RENEW_WITHIN_MS = 50

/** The latest instant that may have been stamped or shown. */
const mark = setting<number>('clock mark', (written) => written ?? Number.NEGATIVE_INFINITY)

/**
 * Keeps a running clock from being earlier than anything it has stamped or shown, even if the machine's clock was set
 * back while no process ran.
 */
export class ClockMark {
  readonly #world: World
  readonly #clock: Clock
  /** The mark as committed, or as this transaction will commit it. */
  #at = Number.NEGATIVE_INFINITY

  constructor(world: World, clock: Clock) {
    this.#world = world
    this.#clock = clock
  }

  /** On opening, moves a clock that is behind to the mark. */
  catchUp() {
    this.#at = mark.of(this.#world)
    if (isRunning(this.#clock.pace) && this.#clock.now() < this.#at) this.#clock.continueFrom(this.#at)
  }

  /** Runs before the work of each transaction. */
  raise() {
    const { pace } = this.#clock
    if (!isRunning(pace)) return
    const factor = pace.mode === 'scaled' ? pace.factor : 1
    const now = this.#clock.now()
    if (now + RENEW_WITHIN_MS * factor > this.#at) this.put(Math.min(Math.ceil(now + AHEAD_MS * factor), END_OF_TIME))
  }

  /** The clock has shown a time beyond the mark. */
  get isBehind(): boolean {
    return isRunning(this.#clock.pace) && this.#clock.latest > this.#at
  }

  /** Sets the mark when the clock is set or the world is closed. */
  put(at: number) {
    mark.set(this.#world, at)
    this.#at = at
  }

  rolledBack() {
    this.#at = Number.NEGATIVE_INFINITY
  }
}
