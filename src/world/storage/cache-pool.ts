import type { Database } from './database.ts'

/** The limit of all page caches together. */
const TOTAL_KIB = 32_000
const MAX_KIB = 4_000
const MIN_KIB = 125

/**
 * Divides a fixed amount of memory among the page caches of all open databases, which halves the memory of 100 busy
 * namespaces: `npm run bench namespaces` (docs/decisions/speed-mechanisms.md).
 */
export class CachePool {
  readonly #open = new Set<Database>()
  #shareKib = MAX_KIB

  add(db: Database) {
    this.#open.add(db)
    if (!this.#share()) limit(db, this.#shareKib)
  }

  remove(db: Database) {
    this.#open.delete(db)
    this.#share()
  }

  /** Shares change by factors of two, so that most openings leave other databases alone. */
  #share(): boolean {
    let kib = MAX_KIB
    while (kib > MIN_KIB && kib * this.#open.size > TOTAL_KIB) kib /= 2
    if (kib === this.#shareKib) return false
    this.#shareKib = kib
    for (const db of this.#open) limit(db, kib)
    return true
  }
}

const limit = (db: Database, kib: number) => void db.pragma(`cache_size = -${kib}`)
