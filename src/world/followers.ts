/** Notifies followers of the event log after the commit of a transaction that appended to it. */
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

  /** Adds a follower; the returned function removes it. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

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
