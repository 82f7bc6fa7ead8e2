import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.db'
const HALF = `${ENDING}.new`

/** The file of the database of this name. */
export const databaseFile = (folder: string, name: string): string => join(folder, name + ENDING)

/** The names of the databases in a folder; none where there is no folder. */
export function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING))
  return files.map((file) => file.slice(0, -ENDING.length))
}

/** Replaces a file whole or not at all. What `write` could not finish is deleted, since on a full disk it would take the rest. */
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

/** Deletes what a killed process had half written. Nobody else may be writing in the folder. */
export function removePartialFiles(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(HALF)) rmSync(join(folder, name), { force: true })
}
