import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.db'
const HALF = `${ENDING}.new`

/** Where the database of this name lies in the folder. */
export const databaseFile = (folder: string, name: string): string => join(folder, name + ENDING)

/** The names of the databases that lie in the folder; none where there is no folder. */
export function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING))
  return files.map((file) => file.slice(0, -ENDING.length))
}

/** Lays a database there whole or not at all. What `write` could not finish goes again: on a full disk it would take the rest. */
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

/** Removes what a process that was killed had half written. Nobody else may be writing in the folder. */
export function removePartialFiles(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(HALF)) rmSync(join(folder, name), { force: true })
}
