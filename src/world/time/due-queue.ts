import { Heap } from './heap.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** Above its limit, which is at least this, the queue is rebuilt to drop entries of deleted rows. */
const MIN_ENTRIES = 10_000

/**
 * Local work by due time, in memory. An index of the table would cost each send a write in the middle of a page: a
 * stream of sends is a fifth faster without (`npm run bench send`). The table is authoritative: entries of deleted or
 * changed rows are skipped, so the queue is notified of new rows and rollbacks only.
 */
export class DueQueue {
  readonly #timers: ReturnType<typeof timerStore>
  readonly #entries = new Heap()
  #isRead = false
  /** The read happened in a transaction that may be rolled back. */
  #wasReadUncommitted = false
  /** Entries removed since the last commit. */
  #removed: { dueAt: number; id: number }[] = []
  /** Above this, most entries may be of deleted rows. */
  #limit = MIN_ENTRIES

  constructor(timers: ReturnType<typeof timerStore>) {
    this.#timers = timers
  }

  /** A lower bound of the first due time, ms; exact after {@link peek}. */
  get earliest(): number {
    return this.#isRead ? (this.#entries.dueAt ?? Number.POSITIVE_INFINITY) : 0
  }

  peek(): Timer | undefined {
    this.#read()
    for (let { id, dueAt } = this.#entries; id !== undefined; { id, dueAt } = this.#entries) {
      const row = this.#timers.getLocal(id)
      if (row?.due_at === dueAt) return row
      this.#removeFirst()
    }
    return undefined
  }

  /** Deletes the peeked row, in the transaction of its work. */
  remove({ id }: Timer) {
    this.#removeFirst()
    this.#timers.remove(id)
  }

  add(dueAt: number, id: number) {
    if (this.#isRead) this.#entries.push(dueAt, id)
  }

  committed() {
    if (this.#removed.length > 0) this.#removed = []
    this.#wasReadUncommitted = false
    if (this.#entries.size > this.#limit) this.#isRead = false
  }

  /** Restores entries, because deleted rows may exist again. */
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
