import type { WorldSummary } from '../host.ts'
import { whenPassed } from '../machine-time.ts'
import type { Clock } from '../time/clock.ts'
import type { World } from '../world.ts'
import type { OpenWorld } from './open-world.ts'

/** Pause before another attempt to open a world for its due work, machine ms. */
const RETRY_MS = 1_000

/** A world whose database is closed. It keeps the clock and reopens the world for its next due work. */
export class EvictedWorld {
  readonly #world: World
  readonly #clock: Clock
  readonly #summary: WorldSummary
  readonly #idleMs: number
  #cancel = () => {}

  /** Records the state of the clock. */
  constructor(world: World, opened: OpenWorld) {
    this.#world = world
    this.#clock = opened.clock
    this.#summary = opened.summary()
    this.#idleMs = opened.driver.idleMs()
  }

  get dueInMs(): number {
    return this.#idleMs
  }

  summary(): WorldSummary {
    return { ...this.#summary, now: this.#clock.now() }
  }

  /** Schedules the reopening for the next due row. */
  scheduleOpening(ms = this.#idleMs) {
    if (ms !== Number.POSITIVE_INFINITY) this.#cancel = whenPassed(ms, () => this.#openOrRetry())
  }

  cancelOpening() {
    this.#cancel()
  }

  #openOrRetry() {
    try {
      void this.#world.lifecycle.opened
    } catch (error) {
      this.#world.onFault(error, `opening the namespace ${this.#world.namespace}`)
      if (!this.#world.lifecycle.isDamaged) this.scheduleOpening(RETRY_MS)
    }
  }
}
