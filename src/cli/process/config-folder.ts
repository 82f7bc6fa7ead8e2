import { isAbsolute, join } from 'node:path'
import type { Io } from './io.ts'

/** The configuration folder of this user, by the custom of the system; undefined without a home in the environment. */
export function configFolder({ env }: Pick<Io, 'env'>) {
  const parent = parentOf(env)
  return parent && join(parent, 'messaging-sandbox')
}

function parentOf({ XDG_CONFIG_HOME, APPDATA, USERPROFILE, HOME }: Io['env']) {
  const { platform } = process
  if (platform === 'win32') return APPDATA || (USERPROFILE && join(USERPROFILE, 'AppData', 'Roaming'))
  // The XDG specification demands that relative paths are ignored.
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME
  return HOME && join(HOME, ...(platform === 'darwin' ? ['Library', 'Application Support'] : ['.config']))
}
