import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { databaseFile, databasesIn, removePartialFiles, replaceFile } from './atomic-file.ts'
import { type Database, openDatabase } from './database.ts'
import { declareLog, imageOf } from './image.ts'
import { makeDatabasesPrivate, makePrivateFolder, PRIVATE_FILE } from './private.ts'
import { migrate, NotAWorld } from './schema.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary.ts'

/** Where the worlds of one process lie while they are not open, by namespace. */
export interface StorageBackend {
  /** The namespaces that were there before. */
  names(): string[]
  open(namespace: string): Database | undefined
  /** Keeps an open world, then closes it. Throws before anything is lost. */
  saveAndClose(namespace: string, db: Database): void
  /** Lays a world there, whole or not at all, in place of what was there. It must not be open. */
  replace(namespace: string, image: Buffer): void
  remove(namespace: string): void
  /** Nothing more is kept. */
  dispose(): void
}

/** A file for each namespace in the data folder. */
export function diskBackend(folder: string): StorageBackend {
  makePrivateFolder(folder)
  removePartialFiles(folder)
  makeDatabasesPrivate(folder)
  const fileOf = (namespace: string) => databaseFile(folder, namespace)
  // What lies beside a file belongs to it only while it is there.
  const removeLog = (file: string) => {
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true })
  }
  return {
    names: () => databasesIn(folder),
    open(namespace) {
      const file = fileOf(namespace)
      if (!existsSync(file)) return undefined
      const db = openWorldFile(file)
      migrate(db, file)
      createLog(db)
      return db
    },
    saveAndClose: (_, db) => db.close(),
    replace(namespace, image) {
      const file = fileOf(namespace)
      replaceFile(file, (beside) => {
        writeFileSync(beside, image, { mode: PRIVATE_FILE })
        declareLog(beside)
        removeLog(file)
      })
    },
    remove(namespace) {
      const file = fileOf(namespace)
      rmSync(file, { force: true })
      removeLog(file)
    },
    dispose() {},
  }
}

/** Worlds that lie in memory whole; further ones, and those that have slept, lie in files. */
const MOST_IN_MEMORY = 32

/**
 * In memory, as long as there are few; many lie in files, in a folder that only this user can read and that goes with
 * the process. A world that falls asleep moves there and stays: to sleep again it is closed, and to wake opened.
 */
export function memoryBackend(): StorageBackend {
  const images = new Map<string, Buffer>()
  const files = new Map<string, string>()
  let folder: TemporaryFolder | undefined
  return {
    names: () => [],
    open(namespace) {
      const file = files.get(namespace)
      if (file !== undefined) return openDatabase({ file, isFleeting: true })
      const image = images.get(namespace)
      return image && openDatabase({ memory: true, image })
    },
    saveAndClose(namespace, db) {
      if (!files.has(namespace)) write(namespace, imageOf(db))
      db.close()
    },
    replace(namespace, image) {
      forget(namespace)
      if (images.size < MOST_IN_MEMORY) images.set(namespace, image)
      else write(namespace, image)
    },
    remove: forget,
    dispose() {
      folder?.remove()
    },
  }

  function write(namespace: string, image: Buffer) {
    folder ??= temporaryFolder()
    const file = databaseFile(folder.path, namespace)
    writeFileSync(file, image, { mode: PRIVATE_FILE })
    files.set(namespace, file)
    images.delete(namespace)
  }

  function forget(namespace: string) {
    const file = files.get(namespace)
    if (file !== undefined) rmSync(file, { force: true })
    files.delete(namespace)
    images.delete(namespace)
  }
}

/**
 * The first write makes the log, and would wait for the disk to have its head. Only a power cut could ask for that. What
 * changes nothing is not written, so something is put there and taken away.
 */
function createLog(db: Database) {
  db.pragma('synchronous = OFF')
  db.exec("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('', ''); DELETE FROM meta WHERE key = ''; COMMIT")
  db.pragma('synchronous = NORMAL')
}

function openWorldFile(file: string): Database {
  try {
    return openDatabase({ file })
  } catch (error) {
    throw /^SQLITE_(NOTADB|CORRUPT)/.test(String((error as { code?: unknown }).code)) ? new NotAWorld(file) : error
  }
}
