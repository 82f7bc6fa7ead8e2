import type { WorldSummary } from './host.ts'
import { after } from './machine-time.ts'
import type { OpenWorld } from './open-world.ts'
import type { Clock } from './time/clock.ts'
import type { World } from './world.ts'

/** When a world cannot be opened for what is due in it, it is tried again after so long, in ms of the machine. */
const RETRY_MS = 1_000

/** A world whose database is closed: where it stood then, and when it is opened again for what is due in it. */
export class Evicted {
  readonly #world: World
  readonly #clock: Clock
  readonly #summary: WorldSummary
  readonly #idleMs: number
  #cancel = () => {}

  /** Takes down where the world stands. */
  constructor(world: World, opened: OpenWorld) {
    this.#world = world
    this.#clock = opened.clock
    this.#summary = opened.summary()
    this.#idleMs = opened.driver.idleMs()
  }

  summary(): WorldSummary {
    return { ...this.#summary, now: this.#clock.now() }
  }

  /** Opens the world when its next row falls due. */
  scheduleOpening(ms = this.#idleMs) {
    if (ms !== Number.POSITIVE_INFINITY) this.#cancel = after(ms, () => this.#openOrRetry())
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
