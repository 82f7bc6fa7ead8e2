import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const HALF = '.db.new'

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
export function sweepHalves(folder: string) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.endsWith(HALF)) rmSync(join(folder, name), { force: true })
}
