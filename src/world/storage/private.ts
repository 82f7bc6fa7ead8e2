import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What lies in a data folder holds secrets of webhooks: only its user reads it, whatever the umask says. */
export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** A folder that was there before stays as its owner has it. */
export const makePrivateFolder = (folder: string) => void mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })

/** Makes an empty file, for a program that would make it readable for others. */
export const touchPrivate = (file: string) => closeSync(openSync(file, 'a', PRIVATE_FILE))

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
