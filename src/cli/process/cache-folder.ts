import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { homeFolder } from './home-folder.ts'

/**
 * The user's folder for files that can be made again; undefined without a home folder. A relative path would depend on
 * the working folder, so it is ignored (XDG specification).
 */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { platform } = process
  const configured = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME
  if (configured && isAbsolute(configured) && platform !== 'darwin') return join(configured, 'messaging-sandbox')
  const inHome = platform === 'win32' ? 'AppData/Local' : platform === 'darwin' ? 'Library/Caches' : '.cache'
  const home = homeFolder()
  return home && isAbsolute(home) ? join(home, inHome, 'messaging-sandbox') : undefined
}

/**
 * A folder for files that a process leaves to later ones: in the cache folder or, if that takes no files, among temporary files,
 * because users of containers often have no home. Undefined if that one belongs to another user.
 */
export function sharedFolder(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const caches = cacheFolder(env)
  if (caches !== undefined && takesFiles(join(caches, name))) return join(caches, name)
  const folder = join(tmpdir(), `messaging-sandbox-${process.getuid?.() ?? 'user'}`, name)
  return isOfAnother(folder) ? undefined : folder
}

/** Whether files can be written into the folder, which may have to be created. */
function takesFiles(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && takesFiles(dirname(folder))
  }
}

/** Everybody can create any name among temporary files. */
function isOfAnother(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return stats !== undefined && (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid))
}
