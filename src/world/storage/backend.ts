import { existsSync, linkSync } from 'node:fs'
import type { Problem } from '../../words/problem.ts'
import type { Fence } from '../fence.ts'
import { databaseFile, databasesIn, removeLinked, removePartialFiles } from './atomic-file.ts'
import { damagedFile, isDamage, setAsideAs } from './damage.ts'
import { type Database, isStorageFault, openDatabase } from './database.ts'
import { imageOf, withLog } from './image.ts'
import { recover } from './journal.ts'
import { checkOwnDatabase, hasOwnFile, removeFile, replaceOwnFile } from './own-files.ts'
import { makePrivateFolder } from './private.ts'
import { migrate, SchemaMismatch } from './schema.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary.ts'

/** Stores world databases by namespace. */
export interface StorageBackend {
  /** Namespaces of an earlier process. */
  names(): string[]
  open(namespace: string): Database | undefined
  /** Opens a copy of an image, which need not survive the process. */
  openCopy?(namespace: string, image: Buffer): Database
  /** If the world cannot be saved, throws and leaves its database open. */
  saveAndClose(namespace: string, db: Database): void
  /** Replaces a database atomically. `close` closes an open one, and is called once nothing but that can fail. */
  replace(namespace: string, image: Buffer, close?: () => void): void
  /** Copies a damaged file under another name, from which data may be recovered. */
  setAside(namespace: string): void
  /** Abandons a world with a damaged file if the data is also in another place; returns why requests are refused then. */
  damaged?(namespace: string): Problem | undefined
  remove(namespace: string): void
  /**
   * Resolves when committed data may be shown; undefined if it may be shown now. Without this method, committed data
   * may always be shown.
   */
  whenDurable?(namespace: string): Promise<void> | undefined
  /** Deletes a removed namespace's data in other places. */
  erase?(namespace: string, fence?: Fence): Promise<void>
  /** How often a namespace was erased. Without this method, the process counts deleted worlds. */
  erasuresOf?(namespace: string): number
  /** Deletes files of this process only. */
  dispose(): void
}

/** A file for each namespace in the data folder. */
export function diskBackend(folder: string): StorageBackend {
  makePrivateFolder(folder)
  removePartialFiles(folder)
  const fileOf = (namespace: string) => databaseFile(folder, namespace)
  // A stale log beside a new file would be applied to it.
  const removeLog = (file: string) => {
    for (const ending of ['-wal', '-shm']) removeFile(file + ending)
  }
  const checkDatabase = (file: string) => {
    // A replacement failed while the file had both names.
    removeLinked(setAsideAs(file))
    checkOwnDatabase(file)
  }
  return {
    names: () => databasesIn(folder),
    open(namespace) {
      const file = fileOf(namespace)
      checkDatabase(file)
      return hasOwnFile(file) ? openWorldFile(file) : undefined
    },
    saveAndClose: (_, db) => db.close(),
    replace(namespace, image, close) {
      const file = fileOf(namespace)
      const beforeRename = () => {
        close?.()
        removeLog(file)
      }
      replaceOwnFile(file, withLog(image), { beforeRename })
    },
    setAside(namespace) {
      const file = fileOf(namespace)
      checkDatabase(file)
      for (const ending of ['', '-wal']) {
        removeFile(setAsideAs(file) + ending)
        if (existsSync(file + ending)) linkSync(file + ending, setAsideAs(file) + ending)
      }
    },
    remove(namespace) {
      const file = fileOf(namespace)
      removeFile(file)
      try {
        removeLog(file)
      } catch (error) {
        // Nothing reads a log without its file, and the next file of this name removes it.
        if (!isStorageFault(error)) throw error
      }
    },
    dispose() {},
  }
}

/** The most worlds held in memory; `npm run bench namespaces` shows the memory of 200. */
const MAX_IN_MEMORY = 32

/**
 * Holds the first worlds in memory. Further worlds, and evicted ones, are files in a private folder that is deleted
 * with the process: they take half the memory, and evicting one again only closes it.
 */
export function memoryBackend(): StorageBackend {
  /** Undefined for a copy that is open: only its database holds it. */
  const images = new Map<string, Buffer | undefined>()
  const files = new Map<string, string>()
  let folder: TemporaryFolder | undefined
  // Counts evicted worlds too: memory that one after another takes and frees stays with the process.
  const hasRoom = (namespace: string) =>
    images.size + files.size - Number(images.has(namespace) || files.has(namespace)) < MAX_IN_MEMORY
  return {
    names: () => [],
    open(namespace) {
      const file = files.get(namespace)
      if (file !== undefined) return openDatabase({ file, isFleeting: true })
      const image = images.get(namespace)
      return image && openDatabase({ memory: true, image })
    },
    openCopy(namespace, image) {
      if (!hasRoom(namespace)) return openDatabase({ file: write(namespace, image), isFleeting: true })
      images.set(namespace, undefined)
      return openDatabase({ memory: true, image })
    },
    saveAndClose(namespace, db) {
      if (!files.has(namespace)) write(namespace, imageOf(db))
      db.close()
    },
    replace(namespace, image, close) {
      if (!hasRoom(namespace)) return void write(namespace, image, close)
      close?.()
      forget(namespace)
      images.set(namespace, image)
    },
    setAside() {},
    remove: forget,
    dispose() {
      folder?.remove()
    },
  }

  function write(namespace: string, image: Buffer, beforeRename?: () => void): string {
    folder ??= temporaryFolder()
    const file = databaseFile(folder.path, namespace)
    replaceOwnFile(file, image, { isFleeting: true, ...(beforeRename && { beforeRename }) })
    files.set(namespace, file)
    images.delete(namespace)
    return file
  }

  function forget(namespace: string) {
    const file = files.get(namespace)
    if (file !== undefined) removeFile(file)
    files.delete(namespace)
    images.delete(namespace)
  }
}

/**
 * Creates the write-ahead log early: the first write waits until the disk has the log's header, which takes 50 ms of a
 * new namespace (`npm run bench namespaces`) and matters only for power cuts. SQLite skips writes without effect, so a
 * row is inserted and deleted.
 */
function createLog(db: Database) {
  db.pragma('synchronous = OFF')
  db.exec("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('', ''); DELETE FROM meta WHERE key = ''; COMMIT")
  db.pragma('synchronous = NORMAL')
}

/** Only the sandbox writes the journal, so a record that cannot be applied is damaged. */
function recoverFile(db: Database, file: string) {
  try {
    recover(db)
  } catch (error) {
    throw isStorageFault(error) ? error : damagedFile(file)
  }
}

/** `onOpened` is called before anything is written. */
export function openWorldFile(file: string, onOpened?: (db: Database) => void): Database {
  let db: Database | undefined
  try {
    db = openDatabase({ file, isReplica: onOpened !== undefined })
    onOpened?.(db)
    migrate(db, file)
    recoverFile(db, file)
    if (!onOpened) createLog(db)
    return db
  } catch (error) {
    db?.close()
    // Each file of a sandbox has a version from its first moment.
    const isEmptied = error instanceof SchemaMismatch && error.version === 0
    throw isEmptied || isDamage(error) ? damagedFile(file) : error
  }
}
