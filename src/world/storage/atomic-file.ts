import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.db'
const HALF = `${ENDING}.new`

export const databaseFile = (folder: string, name: string): string => join(folder, name + ENDING)

/** The names of databases in a folder; none where the folder does not exist. */
export function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING))
  return files.map((file) => file.slice(0, -ENDING.length))
}

/**
 * Writes a file beside the target and renames it. A partial file is deleted, since on a full disk it would use up the
 * rest.
 */
export function replaceFile(file: string, write: (beside: string) => void) {
  const beside = `${file}.new`
  try {
    write(beside)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** Deletes partial files of a killed process. No other process may be writing in the folder. */
export function removePartialFiles(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(HALF)) rmSync(join(folder, name), { force: true })
}
