import { homedir } from 'node:os'
import { join } from 'node:path'

/** The user's folder for what programs can do without; undefined for a user whom the system does not know, as in many containers. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { platform } = process
  const given = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME
  if (given && platform !== 'darwin') return join(given, 'messaging-sandbox')
  const inHome = platform === 'win32' ? 'AppData/Local' : platform === 'darwin' ? 'Library/Caches' : '.cache'
  try {
    return join(homedir(), inHome, 'messaging-sandbox')
  } catch {
    return undefined
  }
}
