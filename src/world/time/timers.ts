import type { World } from '../world.ts'
import { Lane, type Timer, timerStore } from './timer-store.ts'

/** Work for later: rows of the timer table, scheduled and cancelled in the transaction of whoever does it. */
export class Timers {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Schedules local work, which is done in the transaction that deletes its row. Returns the id of the row. */
  schedule(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#insert(Lane.local, kind, subject, dueAt, payload)
  }

  /** Schedules network work, whose row is deleted when the answer is in. */
  scheduleNetwork(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#insert(Lane.network, kind, subject, dueAt, payload)
  }

  /** The row, as long as its work is not done. */
  get(id: number): Timer | undefined {
    return this.#world.store(timerStore).get(id)
  }

  /** True when there was such a row. */
  cancel(id: number): boolean {
    return this.#world.store(timerStore).remove(id)
  }

  /** Cancels all work of these kinds. */
  cancelAll(kinds: readonly string[]) {
    this.#world.store(timerStore).removeKinds(kinds)
  }

  #insert(lane: number, kind: string, subject: string, dueAt: number, payload: string | null): number {
    const { nouns, driver } = this.#world
    const known = lane === Lane.local ? nouns.localWork : nouns.networkWork
    if (!known[kind]) throw new Error(`no work is known as ${kind}`)
    // No row is due before now, so the row whose work is being done is always the first of all.
    const due_at = Math.max(dueAt, this.#world.now())
    const id = this.#world.store(timerStore).insert({ due_at, kind, subject, payload }, lane)
    driver.scheduled(lane, due_at, kind, id)
    return id
  }
}
