import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './make-folder.ts'
import { replaceOwnFile } from './own-files.ts'

export { PRIVATE_FILE } from './own-files.ts'

export const makePrivateFolder = (folder: string) => makeFolder(folder, 0o700)

/** The names in a folder; none if it cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Makes a data folder. Its databases, secrets and tokens have no place in a repository. */
export function makeDataFolder(folder: string) {
  makePrivateFolder(folder)
  // A shell may have created a log already. A folder with files of the user is no place for a file about all of them.
  const isNew = namesIn(folder).every((name) => name.endsWith('.log'))
  if (isNew) replaceOwnFile(join(folder, '.gitignore'), '*\n', { isFleeting: true })
}
