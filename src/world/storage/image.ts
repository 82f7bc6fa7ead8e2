import { closeSync, openSync, writeSync } from 'node:fs'
import { type Database, openDatabase } from './database.ts'
import { metaStore } from './meta.ts'

/** The bytes of the file header that say whether the file has a write-ahead log. */
const JOURNAL_BYTES = [18, 19]
const WITHOUT_LOG = 1
const WITH_LOG = 2

/** A copy of a database as the bytes of a file. The copy has no write-ahead log, so its header must not say that it has. */
export function imageOf(db: Database): Buffer {
  return withoutLog(db.serialize())
}

/** Has the bytes of a database say that no log lies beside it. */
export function withoutLog(image: Buffer): Buffer {
  for (const at of JOURNAL_BYTES) image[at] = WITHOUT_LOG
  return image
}

/** Says in the header of a file that it has a write-ahead log. Changing an open database over to a log costs 10 ms. */
export function declareLog(file: string) {
  const fd = openSync(file, 'r+')
  try {
    for (const at of JOURNAL_BYTES) writeSync(fd, Buffer.of(WITH_LOG), 0, 1, at)
  } finally {
    closeSync(fd)
  }
}

/** The moment in which a copy of a world was made, and the namespace that it was made of. */
export interface SavedMoment {
  namespace: string
  /** On the world's clock, ms. */
  at: number
}

export function savedMomentStore(db: Database) {
  const meta = metaStore(db)
  return {
    read: () => meta.get<SavedMoment>('settled'),
    write: (moment: SavedMoment) => meta.set('settled', moment),
  }
}

/** Reads the bytes of a database. */
export function withImage<T>(image: Buffer, look: (db: Database) => T): T {
  const db = openDatabase({ memory: true, image })
  try {
    return look(db)
  } finally {
    db.close()
  }
}
