import { LAST_INSTANT } from '../../words/instant-text.ts'
import type { World } from '../world.ts'
import { Lane, type Timer, timerStore } from './timer-store.ts'

/** Schedules and cancels rows of the timer table in the caller's transaction. */
export class Timers {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Schedules local work, which runs in the transaction that deletes its row. Returns the row's id. */
  schedule(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#insert(Lane.local, kind, subject, dueAt, payload)
  }

  /** Schedules network work, whose row is deleted with the answer. Work of one queue does not delay that of others. */
  scheduleNetwork(kind: string, subject: string, dueAt: number, queue: string = kind): number {
    return this.#insert(Lane.network, kind, subject, dueAt, queue)
  }

  /** The row; undefined once its work is done. */
  get(id: number): Timer | undefined {
    return this.#world.store(timerStore).get(id)
  }

  /** Returns whether the row existed. */
  cancel(id: number): boolean {
    return this.#world.store(timerStore).remove(id)
  }

  cancelAll(kinds: readonly string[]) {
    this.#world.store(timerStore).removeKinds(kinds)
  }

  #insert(lane: number, kind: string, subject: string, dueAt: number, payload: string | null): number {
    const { nouns, driver } = this.#world
    const workByKind = lane === Lane.local ? nouns.localWork : nouns.networkWork
    if (!workByKind[kind]) throw new Error(`unknown kind of work: ${kind}`)
    // No row is due before now, so the row being worked on is always first. A delay can lead beyond all timestamps.
    const due_at = Math.min(Math.max(dueAt, this.#world.now()), LAST_INSTANT)
    const id = this.#world.store(timerStore).insert({ due_at, kind, subject, payload }, lane)
    driver.scheduled(lane, due_at, kind, id)
    return id
  }
}
