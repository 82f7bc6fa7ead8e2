import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { problem } from '../../words/problem.ts'
import { machineMs } from '../machine-time.ts'
import { joinCachePool } from './cache-pool.ts'
import { Connection, type OpenedFile } from './connection.ts'
import { LOCK_FILE } from './own-files.ts'
import { causeOf } from './storage-fault.ts'

/** The part of a connection that stores and transactions use. */
export type Database = Readonly<Omit<Connection, 'compile' | 'enqueue' | 'flush'>>

export type Source =
  | { memory: true; image?: Buffer }
  | {
      file: string
      /** The file is deleted with the process, so durability does not matter. */
      isFleeting?: boolean
      /** Wait for a lock of another program, in ms; 100 by default. */
      waitMs?: number
      /**
       * The file is a replica: it need not survive a power failure, and its write-ahead log is kept until its follower
       * has read it.
       */
      isReplica?: boolean
    }

// 2 KiB pages: a send dirties about eight of them, and the log carries whole pages.
const PAGE_BYTES = 2048
/**
 * Pages in the write-ahead log before a checkpoint, 2 MiB. Requests wait for a checkpoint: 3 ms for this, 12 ms for four
 * times as much, in which the sum of all waits is the same.
 */
const CHECKPOINT_PAGES = 1_000
/** Short, because waiting blocks the whole server. */
const LOCK_WAIT_MS = 100

function isForbidden(file: string): boolean {
  if (!existsSync(file)) return false
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
    return false
  } catch {
    return true
  }
}

const forbidden = (file: string) =>
  problem(
    'storage_unavailable',
    `${file} cannot be opened, because this user is not allowed to read and write it. Change its permissions.`,
    { file },
  )

export function openDatabase(source: Source): Database {
  // SQLite reports neither the file nor the reason, and a file that cannot be written only later.
  const forbiddenFile = 'file' in source && ['', '-wal', '-shm'].map((end) => source.file + end).find(isForbidden)
  if (forbiddenFile) throw forbidden(forbiddenFile)
  const db =
    'file' in source
      ? new Sqlite(source.file, { timeout: source.waitMs ?? LOCK_WAIT_MS })
      : new Sqlite(source.image ?? ':memory:')
  try {
    configure(db, source)
  } catch (error) {
    // Closing frees a file, after which a lack of files would not be seen.
    const cause = causeOf(error)
    // An open connection shares its index of the write-ahead log with later ones, also of a new log.
    db.close()
    throw cause
  }
  return new Connection(db, 'file' in source ? openedFile(source) : undefined)
}

function configure(db: Sqlite.Database, source: Source) {
  db.pragma(`page_size = ${PAGE_BYTES}`)
  if ('file' in source && source.isFleeting) {
    db.pragma('locking_mode = EXCLUSIVE')
    db.pragma('journal_mode = MEMORY')
    db.pragma('synchronous = OFF')
  } else if ('file' in source) {
    db.pragma('journal_mode = WAL')
    // Commits survive a killed process; a power failure may lose the last moments.
    db.pragma(`synchronous = ${source.isReplica ? 'OFF' : 'NORMAL'}`)
    db.pragma(`wal_autocheckpoint = ${source.isReplica ? 0 : CHECKPOINT_PAGES}`)
    db.pragma('journal_size_limit = 67108864')
  }
  db.pragma('temp_store = MEMORY')
  joinCachePool(db)
}

/** Another process needs longer to start, and a look for each transaction would slow them down. Machine ms. */
const LOOK_MS = 10

function openedFile({ file: path, isFleeting = false }: { file: string; isFleeting?: boolean }): OpenedFile {
  const opened = inodeOf(path)
  // Without the lock, another process may write too; commits to a log without a name are lost if this process is killed.
  const beside = isFleeting ? [] : [join(dirname(path), LOCK_FILE), `${path}-wal`]
  const inodes = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY
  const isMissing = (file: string) => {
    const inode = inodeOf(file)
    // The log does not exist before the first write.
    if (inode !== undefined && !inodes.has(file)) inodes.set(file, inode)
    return inode !== inodes.get(file)
  }
  return {
    path,
    isKept: !isFleeting,
    missing() {
      if (opened === undefined || inodeOf(path) !== opened) return path
      if (machineMs() - lookedAt < LOOK_MS) return undefined
      const missing = beside.find(isMissing)
      if (missing === undefined) lookedAt = machineMs()
      return missing
    },
  }
}

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

export { isStorageFault } from './storage-fault.ts'
