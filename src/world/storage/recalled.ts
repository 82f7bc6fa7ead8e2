/** Of each kind of facts about many things. */
const MOST_KEPT = 1_000

/** What was read of a world and is asked for again and again. What a rollback may have made wrong is read anew. */
export class Recalled {
  readonly #values = new Map<string, unknown>()
  /** Something kept was written and is not committed, so a rollback makes all that is kept doubtful. */
  #isChanged = false

  recall<T>(key: string, read: () => T): T {
    const known = this.#values.get(key)
    if (known !== undefined) return known as T
    const value = read()
    // What does not exist is not kept: callers can name any number of such things.
    if (value !== undefined) this.#values.set(key, value)
    return value
  }

  recallOf<T>(key: string, thing: string, read: () => T | undefined): T | undefined {
    const kept = this.recall(key, () => new Map<string, T>())
    const known = kept.get(thing)
    if (known !== undefined) return known
    const value = read()
    if (value === undefined) return undefined
    if (kept.size >= MOST_KEPT) kept.clear()
    kept.set(thing, value)
    return value
  }

  keep(key: string, value: unknown) {
    this.#values.set(key, value)
    this.#isChanged = true
  }

  forget(key: string) {
    this.#values.delete(key)
    this.#isChanged = true
  }

  committed() {
    this.#isChanged = false
  }

  rolledBack() {
    if (this.#isChanged) this.forgetAll()
  }

  forgetAll() {
    this.#values.clear()
    this.#isChanged = false
  }
}
