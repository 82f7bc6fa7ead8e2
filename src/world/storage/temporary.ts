import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { machineNow } from '../machine-time.ts'
import { FolderInUse, lockFolder } from './lock.ts'

const PREFIX = 'messaging-sandbox-asleep-'
/** A folder that is younger may not be locked yet, in ms of the machine. */
const YOUNG_MS = 60_000

export interface TemporaryFolder {
  path: string
  remove(): void
}

/** Makes a folder that only this user can read, and locks it as long as the process lives. */
export function temporaryFolder(): TemporaryFolder {
  // mkdtemp makes it with mode 0700.
  const path = mkdtempSync(join(tmpdir(), PREFIX))
  const lock = lockFolder(path)
  return {
    path,
    remove() {
      lock.release()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Deletes the folders of processes that were killed, but none that is in use or belongs to somebody else. */
export async function sweepTemporaryFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) if (name.startsWith(PREFIX)) sweep(join(tmpdir(), name))
}

function sweep(path: string) {
  try {
    const { mtimeMs, uid } = statSync(path)
    const isOurs = process.getuid === undefined || uid === process.getuid()
    if (!isOurs || machineNow() - mtimeMs < YOUNG_MS) return
    // Every start looks at these folders, so it waits for none that is in use.
    lockFolder(path, { waitMs: 0 }).release()
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    // It is in use, or somebody else deletes it at this moment.
    if (!(error instanceof FolderInUse) && !('syscall' in (error as object))) throw error
  }
}
