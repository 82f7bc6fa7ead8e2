import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineNow } from '../machine-time.ts'
import { FolderInUse, lockFolder } from './lock.ts'
import { namesIn } from './private.ts'

const PREFIX = 'messaging-sandbox-asleep-'
/** A younger folder may not be locked yet, machine ms. */
const YOUNG_MS = 1_000

export interface TemporaryFolder {
  path: string
  remove(): void
}

/** Folders of emulators that are not stopped yet. */
const folders = new Set<TemporaryFolder>()

/** Creates a private folder that is locked while the process lives and deleted at its end. */
export function temporaryFolder(): TemporaryFolder {
  // mkdtemp uses mode 0700.
  const path = mkdtempSync(join(tmpdir(), PREFIX))
  const lock = lockFolder(path)
  const folder = {
    path,
    remove() {
      folders.delete(folder)
      if (folders.size === 0) process.off('exit', removeAll)
      lock.release()
      rmSync(path, { recursive: true, force: true })
    },
  }
  if (folders.size === 0) process.once('exit', removeAll)
  folders.add(folder)
  return folder
}

function removeAll() {
  for (const folder of folders) folder.remove()
}

/** Deletes folders of killed processes, except those in use or of other users. */
export function sweepTemporaryFolders(): void {
  for (const name of namesIn(tmpdir())) if (name.startsWith(PREFIX)) sweep(join(tmpdir(), name))
}

function sweep(path: string) {
  try {
    // Others can put a link to a folder of this user there.
    const stats = lstatSync(path)
    const { mtimeMs, uid } = stats
    const isOurs = stats.isDirectory() && (process.getuid === undefined || uid === process.getuid())
    if (!isOurs || machineNow() - mtimeMs < YOUNG_MS) return
    // Does not wait, because every start checks all folders.
    lockFolder(path, { waitMs: 0 }).release()
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    // In use, or being deleted by another process.
    if (!(error instanceof FolderInUse) && !('syscall' in (error as object))) throw error
  }
}
