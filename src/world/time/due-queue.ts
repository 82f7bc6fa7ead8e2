import { Heap } from './heap.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** So many places there may be at least before they are read anew, which takes away those whose rows are gone. */
const LEAST_ENTRIES = 10_000

/**
 * Work of the lane `inside` in the order it is due. The order is kept in memory, because an index would cost every send
 * the writing of a page somewhere in its middle; the table is what holds. A place whose row is gone, or is another one,
 * is passed over, so only what is added must be told, and what was done and is undone.
 */
export class DueQueue {
  readonly #timers: ReturnType<typeof timerStore>
  readonly #entries = new Heap()
  /** The places are those of the table. */
  #isRead = false
  /** They were read from a table that may yet be rolled back. */
  #wasReadUncommitted = false
  /** Places that were left since the last commit. */
  #removed: { dueAt: number; id: number }[] = []
  /** With more places than this most may be of rows that are gone. */
  #limit = LEAST_ENTRIES

  constructor(timers: ReturnType<typeof timerStore>) {
    this.#timers = timers
  }

  /** No row is due before this instant, ms; may be too early until {@link peek} has looked, never too late. */
  get earliest(): number {
    return this.#isRead ? (this.#entries.dueAt ?? Number.POSITIVE_INFINITY) : 0
  }

  /** The row that is due first, if any. */
  peek(): Timer | undefined {
    this.#read()
    for (let { id, dueAt } = this.#entries; id !== undefined; { id, dueAt } = this.#entries) {
      const row = this.#timers.getInside(id)
      if (row?.due_at === dueAt) return row
      this.#removeFirst()
    }
    return undefined
  }

  /** The row that was looked at is being done, and is removed in the transaction that does it. */
  remove({ id }: Timer) {
    this.#removeFirst()
    this.#timers.remove(id)
  }

  /** A row was added. */
  add(dueAt: number, id: number) {
    if (this.#isRead) this.#entries.push(dueAt, id)
  }

  committed() {
    if (this.#removed.length > 0) this.#removed = []
    this.#wasReadUncommitted = false
    if (this.#entries.size > this.#limit) this.#isRead = false
  }

  /** What was done since the last commit may be undone: those rows may be there again. */
  rolledBack() {
    if (this.#wasReadUncommitted) this.#isRead = false
    for (const { dueAt, id } of this.#removed) this.add(dueAt, id)
    this.#removed = []
  }

  #removeFirst() {
    this.#removed.push({ dueAt: this.#entries.dueAt!, id: this.#entries.id! })
    this.#entries.pop()
  }

  #read() {
    if (this.#isRead) return
    this.#entries.clear()
    for (const { due_at, id } of this.#timers.inside()) this.#entries.push(due_at, id)
    this.#isRead = true
    this.#wasReadUncommitted = true
    this.#limit = LEAST_ENTRIES + 2 * this.#entries.size
  }
}
