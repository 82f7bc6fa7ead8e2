import { type Database, openDatabase } from './database.ts'
import { metaStore } from './meta.ts'

/** Header bytes that show whether the file has a write-ahead log. */
const JOURNAL_BYTES = [18, 19]
const WITHOUT_LOG = 1
const WITH_LOG = 2

/** Copies a database as the bytes of a file. The header is changed, because the copy has no write-ahead log. */
export function imageOf(db: Database): Buffer {
  return withoutLog(db.serialize())
}

/** Changes the header to that of a file without a write-ahead log. */
export function withoutLog(image: Buffer): Buffer {
  for (const at of JOURNAL_BYTES) image[at] = WITHOUT_LOG
  return image
}

/** Changes the header to that of a file with a write-ahead log. Switching an open database takes 10 ms. */
export function withLog(image: Buffer): Buffer {
  for (const at of JOURNAL_BYTES) image[at] = WITH_LOG
  return image
}

/** Instant and namespace of a saved copy. */
export interface SavedMoment {
  namespace: string
  /** World time, ms. */
  at: number
}

export function savedMomentStore(db: Database) {
  const meta = metaStore(db)
  return {
    read: () => meta.get<SavedMoment>('settled'),
    write: (moment: SavedMoment) => meta.set('settled', moment),
  }
}

/** Opens an image for reading. */
export function withImage<T>(image: Buffer, look: (db: Database) => T): T {
  const db = openDatabase({ memory: true, image })
  try {
    return look(db)
  } finally {
    db.close()
  }
}
