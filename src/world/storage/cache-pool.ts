import type Sqlite from 'better-sqlite3'

/** The limit of all page caches together. */
const TOTAL_KIB = 32_000
const MAX_KIB = 4_000
const MIN_KIB = 125

const members = new Set<Sqlite.Database>()
let shareKib = MAX_KIB

/**
 * Divides a fixed amount of memory among the page caches of all open databases of the process, which halves the memory of
 * 100 busy namespaces: `npm run bench namespaces` (docs/decisions/speed-mechanisms.md).
 */
export function joinCachePool(db: Sqlite.Database) {
  // A damaged database throws here, and is no member.
  limit(db)
  members.add(db)
  share()
}

export function leaveCachePool(db: Sqlite.Database) {
  members.delete(db)
  share()
}

/** Shares change by factors of two, so that most openings leave other databases alone. */
function share() {
  let kib = MAX_KIB
  while (kib > MIN_KIB && kib * members.size > TOTAL_KIB) kib /= 2
  if (kib === shareKib) return
  shareKib = kib
  for (const db of members) limit(db)
}

const limit = (db: Sqlite.Database) => void db.pragma(`cache_size = -${shareKib}`)
