/** A cache with more entries is cleared. */
const MAX_ENTRIES = 1_000

/**
 * Caches values that a store reads often and writes rarely. The store invalidates it; a rollback clears it. Missing values
 * (undefined) are not cached, because callers can ask for any number of them. A stream of sends is almost three times
 * as fast with it: `npm run bench send` (docs/decisions/speed-mechanisms.md).
 */
export class Cache<T, K = void> {
  readonly #read: (key: K) => T
  readonly #caches: Caches
  readonly #values = new Map<K, T>()

  constructor(caches: Caches, read: (key: K) => T) {
    this.#caches = caches
    this.#read = read
  }

  get(key: K): T {
    const cached = this.#values.get(key)
    if (cached !== undefined) return cached
    const value = this.#read(key)
    if (value !== undefined) this.#add(value, key)
    return value
  }

  /** Sets the value that was just written. */
  set(value: T, key: K) {
    this.#add(value, key)
    this.#caches.changed()
  }

  /** Marks the cached data as written. */
  invalidate() {
    this.#values.clear()
    this.#caches.changed()
  }

  drop() {
    this.#values.clear()
  }

  #add(value: T, key: K) {
    if (this.#values.size >= MAX_ENTRIES) this.#values.clear()
    this.#values.set(key, value)
  }
}

export class Caches {
  readonly #all: { drop(): void }[] = []
  /** Cached data was written and is not committed, so a rollback must clear all caches. */
  #isChanged = false

  make<T, K = void>(read: (key: K) => T): Cache<T, K> {
    const cache = new Cache(this, read)
    this.#all.push(cache)
    return cache
  }

  changed() {
    this.#isChanged = true
  }

  /** The transaction was committed or rolled back whole. */
  transactionEnded() {
    this.#isChanged = false
  }

  /** Keeps the flag, because only a savepoint was rolled back. */
  rolledBack() {
    if (this.#isChanged) for (const cache of this.#all) cache.drop()
  }
}
