import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setAsideAs } from './damage.ts'
import { removeFile } from './own-files.ts'

const ENDING = '.db'
const HALF = `${ENDING}.new`

export const databaseFile = (folder: string, name: string): string => join(folder, name + ENDING)

/** The names of databases in a folder; empty if the folder does not exist. */
export function databasesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith(ENDING))
  return files.map((file) => file.slice(0, -ENDING.length))
}

/** Deletes partial files of a killed process. No other process may be writing in the folder. */
export function removePartialFiles(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name.endsWith(HALF)) removeFile(join(folder, name))
    if (name.endsWith(setAsideAs(ENDING))) removeLinked(join(folder, name))
  }
}

/** Deletes the second name of a damaged database whose replacement did not complete. */
export function removeLinked(file: string) {
  for (const name of [file, `${file}-wal`])
    if ((lstatSync(name, { throwIfNoEntry: false })?.nlink ?? 1) > 1) removeFile(name)
}
