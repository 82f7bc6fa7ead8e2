import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What lies in a data folder holds secrets of webhooks: only its user reads it, whatever the umask says. */
export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * Makes a folder and those above it; one that was there before stays as its owner has it. The `recursive` of Node tries
 * for ever where a system denies the folder by ENOENT, as /proc does.
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
 * Makes an empty file where there is none, for a program that would make it readable for others. One that exists is not even
 * opened: closing any handle of it would end the locks that this process holds on it (POSIX, close(2)).
 */
export function createPrivate(file: string) {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Databases that an earlier release has left readable for others. */
export function makeDatabasesPrivate(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (/\.(db(-wal|-shm)?|lock)$/.test(name)) makePrivate(join(folder, name))
}

function makePrivate(file: string) {
  try {
    chmodSync(file, PRIVATE_FILE)
  } catch (error) {
    // The files of somebody else may be used, and not changed.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
