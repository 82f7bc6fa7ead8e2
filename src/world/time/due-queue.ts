import { Heap } from './heap.ts'
import type { Timer, timerStore } from './timers.ts'

/** So many places there may be at least before they are read anew, which takes away those whose rows are gone. */
const LEAST_PLACES = 10_000

/**
 * Work of the lane `inside` in the order it is due. The order is kept in memory, because an index would cost every send
 * the writing of a page somewhere in its middle; the table is what holds. A place whose row is gone, or is another one,
 * is passed over, so only what is added must be told, and what was done and is undone.
 */
export class Queue {
  readonly #timers: ReturnType<typeof timerStore>
  readonly #places = new Heap()
  /** The places are those of the table. */
  #isRead = false
  /** They were read from a table that may yet be rolled back. */
  #isDoubtful = false
  /** Places that were left since the last commit. */
  #left: { dueAt: number; id: number }[] = []
  /** With more places than this most may be of rows that are gone. */
  #most = LEAST_PLACES

  constructor(timers: ReturnType<typeof timerStore>) {
    this.#timers = timers
  }

  /** No row is due before this instant, ms; may be too early until {@link peek} has looked, never too late. */
  get earliest(): number {
    return this.#isRead ? (this.#places.dueAt ?? Number.POSITIVE_INFINITY) : 0
  }

  /** The row that is due first, if any. */
  peek(): Timer | undefined {
    this.#read()
    for (let { id, dueAt } = this.#places; id !== undefined; { id, dueAt } = this.#places) {
      const row = this.#timers.getInside(id)
      if (row?.due_at === dueAt) return row
      this.#leave()
    }
    return undefined
  }

  /** The row that was looked at is being done, and is removed in the transaction that does it. */
  take({ id }: Timer) {
    this.#leave()
    this.#timers.remove(id)
  }

  /** A row was added. */
  add(dueAt: number, id: number) {
    if (this.#isRead) this.#places.push(dueAt, id)
  }

  committed() {
    if (this.#left.length > 0) this.#left = []
    this.#isDoubtful = false
    if (this.#places.size > this.#most) this.#isRead = false
  }

  /** What was done since the last commit may be undone: those rows may be there again. */
  undone() {
    if (this.#isDoubtful) this.#isRead = false
    for (const { dueAt, id } of this.#left) this.add(dueAt, id)
    this.#left = []
  }

  #leave() {
    this.#left.push({ dueAt: this.#places.dueAt!, id: this.#places.id! })
    this.#places.pop()
  }

  #read() {
    if (this.#isRead) return
    this.#places.clear()
    for (const { due_at, id } of this.#timers.inside()) this.#places.push(due_at, id)
    this.#isRead = true
    this.#isDoubtful = true
    this.#most = LEAST_PLACES + 2 * this.#places.size
  }
}
