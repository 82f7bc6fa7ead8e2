/** Calls those who follow the event log whenever it has grown, once the transaction in which it grew is committed. */
export class Followers {
  readonly #listeners = new Set<() => void>()
  readonly #isTransactionOpen: () => boolean
  #isNotified = false

  constructor(isTransactionOpen: () => boolean) {
    this.#isTransactionOpen = isTransactionOpen
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  /** The returned function ends it. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The log has grown. */
  notify() {
    this.#isNotified = true
    if (!this.#isTransactionOpen()) this.committed()
  }

  committed() {
    if (!this.#isNotified) return
    this.#isNotified = false
    this.callAll()
  }

  callAll() {
    for (const listener of this.#listeners) listener()
  }
}
