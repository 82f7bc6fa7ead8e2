import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A data folder holds webhook secrets, so only its user may read it, whatever the umask. */
export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * Creates a folder with its parents; existing ones keep their mode. Node's `recursive` loops for ever where a system
 * denies a folder with ENOENT, as /proc does.
 */
export function makePrivateFolder(folder: string) {
  const above = dirname(folder)
  if (above !== folder && !existsSync(above)) makePrivateFolder(above)
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER })
  } catch (error) {
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Creates an empty file where none exists, before a program would create it readable for others. An existing file is
 * not opened: closing it would release this process's locks on it (POSIX, close(2)).
 */
export function createPrivate(file: string) {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes databases private that an earlier release left readable. */
export function makeDatabasesPrivate(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (/\.(db(-wal|-shm)?|lock)$/.test(name)) makePrivate(join(folder, name))
}

function makePrivate(file: string) {
  try {
    chmodSync(file, PRIVATE_FILE)
  } catch (error) {
    // Files of other users are used unchanged.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
