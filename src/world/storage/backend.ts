import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs'
import { databaseFile, databasesIn, removePartialFiles, replaceFile } from './atomic-file.ts'
import { damagedFile, isDamage, setAsideAs } from './damage.ts'
import { type Database, openDatabase } from './database.ts'
import { declareLog, imageOf } from './image.ts'
import { makeDatabasesPrivate, makePrivateFolder, PRIVATE_FILE } from './private.ts'
import { migrate } from './schema.ts'
import { type TemporaryFolder, temporaryFolder } from './temporary.ts'

/** Keeps the databases of the worlds of one process, by namespace. */
export interface StorageBackend {
  /** The namespaces that an earlier process left. */
  names(): string[]
  open(namespace: string): Database | undefined
  /** Throws before anything is lost. */
  saveAndClose(namespace: string, db: Database): void
  /** Writes a database whole or not at all. The one that it replaces must not be open. */
  replace(namespace: string, image: Buffer): void
  /** Keeps a damaged file under another name as well. */
  setAside(namespace: string): void
  remove(namespace: string): void
  /** Deletes what belongs to this process only. */
  dispose(): void
}

/** A file for each namespace in the data folder. */
export function diskBackend(folder: string): StorageBackend {
  makePrivateFolder(folder)
  removePartialFiles(folder)
  makeDatabasesPrivate(folder)
  const fileOf = (namespace: string) => databaseFile(folder, namespace)
  // A log that is left beside a new file would be taken for its own.
  const removeLog = (file: string) => {
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true })
  }
  return {
    names: () => databasesIn(folder),
    open(namespace) {
      const file = fileOf(namespace)
      if (!existsSync(file)) return undefined
      return openWorldFile(file)
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
    setAside(namespace) {
      const file = fileOf(namespace)
      for (const ending of ['', '-wal']) {
        rmSync(setAsideAs(file) + ending, { force: true })
        if (existsSync(file + ending)) linkSync(file + ending, setAsideAs(file) + ending)
      }
    },
    remove(namespace) {
      const file = fileOf(namespace)
      rmSync(file, { force: true })
      removeLog(file)
    },
    dispose() {},
  }
}

/** So many worlds are in memory whole; `npm run bench namespaces` shows the memory of 200. */
const MAX_IN_MEMORY = 32

/**
 * Keeps the first worlds in memory. Further ones, and those that were evicted once, are files in a folder that only this user
 * can read and that is deleted with the process: they take half the memory, and evicting one again only closes it.
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
      if (images.size < MAX_IN_MEMORY) images.set(namespace, image)
      else write(namespace, image)
    },
    setAside() {},
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
 * The first write creates the log and waits until the disk has its header, which only a power cut could need: that is 50 ms of
 * a new namespace (`npm run bench namespaces`). A write that changes nothing is not done, so a row is inserted and deleted.
 */
function createLog(db: Database) {
  db.pragma('synchronous = OFF')
  db.exec("BEGIN IMMEDIATE; INSERT INTO meta VALUES ('', ''); DELETE FROM meta WHERE key = ''; COMMIT")
  db.pragma('synchronous = NORMAL')
}

function openWorldFile(file: string): Database {
  let db: Database | undefined
  try {
    db = openDatabase({ file })
    migrate(db, file)
    createLog(db)
    return db
  } catch (error) {
    db?.close()
    throw isDamage(error) ? damagedFile(file) : error
  }
}
