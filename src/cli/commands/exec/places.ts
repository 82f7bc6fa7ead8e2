import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../world/storage/make-folder.ts'

/** Throws the error of the system for a folder in which nothing can be created. It is not created yet. */
export function tryFolder(folder: string) {
  let above = folder
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  rmdirSync(mkdtempSync(join(above, '.sandbox-')))
}

type Entries = ReadonlyMap<string, string | undefined>

/** What a folder has before a run, by name. */
export const entriesIn = (folder: string): Entries =>
  new Map(existsSync(folder) ? readdirSync(folder).map((name) => [name, identityOf(join(folder, name))]) : [])

/** Changes when a folder is replaced; undefined if nothing is there. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeMs}`
}

/**
 * Takes a new folder in `folder` for the report of a namespace. The report of an earlier run is replaced; one that
 * appeared since `before` is of a run at the same time, so this one gets a number, which no namespace has: `default.2`.
 * A report has no other files than `files`.
 */
export function claimFolder(folder: string, namespace: string, before: Entries, files: readonly string[]): string {
  makeFolder(folder)
  for (let n = 1; ; n++) {
    const name = n === 1 ? namespace : `${namespace}.${n}`
    const place = join(folder, name)
    if (tryMake(place) || (removeEarlier(place, before.get(name), files) && tryMake(place))) return place
  }
}

function tryMake(place: string): boolean {
  try {
    mkdirSync(place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes the report of an earlier run, and nothing else. Of several runs that do so at once, one replaces it. */
function removeEarlier(place: string, identity: string | undefined, files: readonly string[]): boolean {
  if (identity === undefined || identityOf(place) !== identity || !hasOnly(place, files)) return false
  const aside = `${place}.${process.pid}.old`
  try {
    renameSync(place, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
  const isEarlier = identityOf(aside) === identity
  if (isEarlier) rmSync(aside, { recursive: true })
  else renameSync(aside, place)
  return isEarlier
}

const hasOnly = (place: string, files: readonly string[]) =>
  statSync(place).isDirectory() && readdirSync(place).every((file) => files.includes(file))
