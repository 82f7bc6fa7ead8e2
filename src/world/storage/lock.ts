import { join } from 'node:path'
import { isDamage } from './damage.ts'
import { type Database, isStorageFault, openDatabase } from './database.ts'
import {
  checkOwnDatabase,
  createOwnFile,
  ForeignFile,
  hasOwnFile,
  LOCK_FILE,
  readOwnFile,
  removeFile,
  replaceOwnFile,
} from './own-files.ts'
import { makeDataFolder } from './private.ts'

export interface Owner {
  pid: number
  url: string | null
}

export class FolderInUse extends Error {
  readonly owner: Owner | undefined

  constructor(folder: string, owner: Owner | undefined) {
    const who = owner ? `process ${owner.pid}${owner.url ? ` at ${owner.url}` : ''}` : 'another process'
    super(`The data folder ${folder} is in use by ${who}. Stop it, or start with another --data folder or --memory.`)
    this.name = 'FolderInUse'
    this.owner = owner
  }
}

/** Without --shared, secret keys of teams would be names of new namespaces, and their short keys would open the worlds. */
export class FolderIsShared extends Error {
  constructor(folder: string) {
    super(
      `The data folder ${folder} is that of a shared sandbox. Start with --shared, or with another --data folder or --memory.`,
    )
    this.name = 'FolderIsShared'
  }
}

/** The namespaces and credentials of a shared sandbox. No namespace can have this name: its file ends in .db. */
export const REGISTRY_FILE = 'tenants.sqlite'

export interface FolderLock {
  /** Records the user of the folder for programs that find it locked. */
  writeOwner(owner: Owner & { readonly secret: string }): void
  release(): void
}

/** Locks a data folder until the process ends in any way. Waits 100 ms by default. */
export function lockFolder(folder: string, options: { waitMs?: number } = {}): FolderLock {
  makeDataFolder(folder)
  const ownerFile = join(folder, 'owner.json')
  const lockFile = join(folder, LOCK_FILE)
  let db: Database | undefined
  try {
    hasOwnFile(ownerFile)
    checkOwnDatabase(lockFile)
    createOwnFile(lockFile)
    // Nothing is ever written to it, so nothing has to reach the disk.
    db = openDatabase({ file: lockFile, isFleeting: true, ...options })
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db?.close()
    if (isStorageFault(error) && error.code.startsWith('SQLITE_BUSY'))
      throw new FolderInUse(folder, readOwner(ownerFile))
    if (isDamage(error)) throw new ForeignFile(lockFile, 'a file with other content')
    throw error
  }
  const held = db
  return {
    writeOwner: (owner) => replaceOwnFile(ownerFile, `${JSON.stringify(owner)}\n`, { isFleeting: true }),
    release() {
      try {
        // Without its lock, the folder may have another owner.
        if (held.isInPlace) removeFile(ownerFile)
      } catch (error) {
        // The file is read only while the folder is locked, so it may stay where nothing can be deleted.
        if (!isStorageFault(error)) throw error
      } finally {
        held.close()
      }
    },
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    const { pid, url } = JSON.parse(String(readOwnFile(file))) as Partial<Owner>
    return Number.isInteger(pid) && (typeof url === 'string' || url === null) ? { pid: pid!, url } : undefined
  } catch {
    return undefined
  }
}
