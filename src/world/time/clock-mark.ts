import { setting } from '../setting.ts'
import type { World } from '../world.ts'
import { type Clock, END_OF_TIME, isRunning } from './clock.ts'

/** The mark is written so far ahead, in ms of the machine, so that it costs a write now and then and not with each send. */
const AHEAD_MS = 150
/** A transaction that begins so short before the mark may end after it. */
const RENEW_WITHIN_MS = 50

/** No instant after this one was written down. */
const mark = setting<number>('clock mark', (written) => written ?? Number.NEGATIVE_INFINITY)

/**
 * Sees to it that a clock which runs with the machine's is never found earlier than anything that it has stamped: the
 * machine's may have been put back while no process looked.
 */
export class ClockMark {
  readonly #world: World
  readonly #clock: Clock
  /** Of what is committed, or will be with this transaction. */
  #at = Number.NEGATIVE_INFINITY

  constructor(world: World, clock: Clock) {
    this.#world = world
    this.#clock = clock
  }

  /** After the world was opened: where the clock has fallen behind, it goes on from the mark. */
  catchUp() {
    this.#at = mark.of(this.#world)
    if (isRunning(this.#clock.pace) && this.#clock.now() < this.#at) this.#world.setClock(this.#at)
  }

  /** In each transaction, before its work. */
  raise() {
    const { pace } = this.#clock
    if (!isRunning(pace)) return
    const factor = pace.mode === 'scaled' ? pace.factor : 1
    const now = this.#clock.now()
    if (now + RENEW_WITHIN_MS * factor > this.#at) this.put(Math.min(Math.ceil(now + AHEAD_MS * factor), END_OF_TIME))
  }

  /** The clock is put to an instant, or the world is left in order at it. */
  put(at: number) {
    mark.set(this.#world, at)
    this.#at = at
  }

  rolledBack() {
    this.#at = Number.NEGATIVE_INFINITY
  }
}
