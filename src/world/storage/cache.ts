/** How many entries one cache holds; with one more it begins again. */
const MAX_ENTRIES = 1_000

/**
 * What a store reads often and writes hardly ever. The store that owns it says when it has changed; after a rollback it
 * is read anew. A value that does not exist (undefined) is not cached, because callers can name any number of such things.
 * A stream of sends is almost three times as fast with it: `npm run bench send` (docs/decisions/speed-mechanisms.md).
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
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const value = this.#read(key)
    if (value !== undefined) this.#add(value, key)
    return value
  }

  /** This is what was just written. */
  set(value: T, key: K) {
    this.#add(value, key)
    this.#caches.changed()
  }

  /** Something of it was written. */
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

/** The caches of one database. */
export class Caches {
  readonly #all: { drop(): void }[] = []
  /** Something cached was written and is not committed: after a rollback no cache can be trusted. */
  #isChanged = false

  make<T, K = void>(read: (key: K) => T): Cache<T, K> {
    const cache = new Cache(this, read)
    this.#all.push(cache)
    return cache
  }

  changed() {
    this.#isChanged = true
  }

  /** What was written is committed, or rolled back whole. */
  transactionEnded() {
    this.#isChanged = false
  }

  /** The flag stays: with a savepoint only a part of the transaction was rolled back. */
  rolledBack() {
    if (this.#isChanged) for (const cache of this.#all) cache.drop()
  }
}
