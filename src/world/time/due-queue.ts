import { Heap } from './heap.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** The queue is read anew when it has grown beyond its limit, which is at least this, to drop entries of deleted rows. */
const MIN_ENTRIES = 10_000

/**
 * The local work in order of due time, in memory. An index of the table would cost every send a write in the middle of a
 * page: a stream of sends is a fifth faster without (`npm run bench send`). The table is the truth: an entry whose row is deleted or
 * changed is skipped, so the queue must be told only of new rows and of rollbacks.
 */
export class DueQueue {
  readonly #timers: ReturnType<typeof timerStore>
  readonly #entries = new Heap()
  /** The entries were read from the table. */
  #isRead = false
  /** They were read in a transaction that may yet be rolled back. */
  #wasReadUncommitted = false
  /** Entries that were removed since the last commit. */
  #removed: { dueAt: number; id: number }[] = []
  /** With more entries than this most may be of deleted rows. */
  #limit = MIN_ENTRIES

  constructor(timers: ReturnType<typeof timerStore>) {
    this.#timers = timers
  }

  /** No row is due before this instant, ms. It may be too early until {@link peek} has looked, never too late. */
  get earliest(): number {
    return this.#isRead ? (this.#entries.dueAt ?? Number.POSITIVE_INFINITY) : 0
  }

  /** The row that is due first, if any. */
  peek(): Timer | undefined {
    this.#read()
    for (let { id, dueAt } = this.#entries; id !== undefined; { id, dueAt } = this.#entries) {
      const row = this.#timers.getLocal(id)
      if (row?.due_at === dueAt) return row
      this.#removeFirst()
    }
    return undefined
  }

  /** Deletes the row that was peeked at, in the transaction that does its work. */
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

  /** Rows that were deleted since the last commit may exist again. */
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
    for (const { due_at, id } of this.#timers.allLocal()) this.#entries.push(due_at, id)
    this.#isRead = true
    this.#wasReadUncommitted = true
    this.#limit = MIN_ENTRIES + 2 * this.#entries.size
  }
}
