import type { Timer, timerStore } from './timers.ts'

/**
 * Work of the lane `inside` in the order it is due, read ahead: always the first rows of the table, or none. What is done
 * is removed from the table together, which costs a quarter of removing each row; so nothing may be added before it.
 */
export class Queue {
  readonly #timers: ReturnType<typeof timerStore>
  #rows: readonly Timer[] = []
  #next = 0
  /** Up to where the rows may be trusted. */
  #end = 0
  #done: Timer | undefined

  constructor(timers: ReturnType<typeof timerStore>) {
    this.#timers = timers
  }

  peek(): Timer | undefined {
    if (this.#next === this.#end) this.#read()
    return this.#rows[this.#next]
  }

  /** The row that was looked at is being done. */
  take() {
    this.#done = this.#rows[this.#next++]
  }

  /** Removes what was done from the table, at the latest in the transaction that does it. */
  sweep() {
    if (!this.#done) return
    this.#timers.removeInsideThrough(this.#done)
    this.#done = undefined
  }

  /** A row was added that is due at this instant. What was read ahead and is due later is not next any more. */
  makeRoom(dueAt: number) {
    while (this.#end > this.#next && this.#rows[this.#end - 1]!.due_at > dueAt) this.#end--
  }

  /** A row was removed by somebody else. */
  drop(id: number) {
    for (let i = this.#next; i < this.#end; i++) if (this.#rows[i]!.id === id) this.clear()
  }

  /** Any number of rows were removed. */
  clear() {
    this.#end = this.#next
  }

  /** What was done since the last sweep was undone. */
  undo() {
    this.clear()
    this.#done = undefined
  }

  #read() {
    this.sweep()
    this.#rows = this.#timers.nextInside()
    this.#next = 0
    this.#end = this.#rows.length
  }
}
