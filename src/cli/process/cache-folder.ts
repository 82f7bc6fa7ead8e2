import { isAbsolute, join } from 'node:path'
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
