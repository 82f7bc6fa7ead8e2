import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suggest } from '../../words/suggest.ts'
import { makePrivateFolder } from '../../world/storage/private.ts'
import { configFolder } from '../process/config-folder.ts'
import { misconfigured } from '../process/exit.ts'
import { withLock } from '../process/file-lock.ts'
import { writeWhole } from '../process/files.ts'
import type { Io } from '../process/io.ts'

/** An entry of the profile file. */
export interface Profile {
  base_url: string
  api_key?: string
  /** The key lies in the keychain of the system, under the name of the profile. */
  api_key_in?: 'keychain'
  /** A shell command that prints the key, for example from a keychain. */
  api_key_command?: string
  /** PEM file of additional certificate authorities. */
  ca_file?: string
  /** Paths that differ from the interface, by operation id. */
  paths?: Record<string, string>
}

export interface Profiles {
  /** The profile in use without --profile or SANDBOX_PROFILE. */
  current?: string
  profiles: Record<string, Profile>
}

type From = Pick<Io, 'env'>

export const profileFile = (io: From): string | undefined => {
  const folder = configFolder(io)
  return folder && join(folder, 'profiles.json')
}

export function readProfiles(io: From): Profiles {
  const file = profileFile(io)
  const text = file && textIn(file)
  if (!text) return { profiles: {} }
  try {
    const { current, profiles } = JSON.parse(text) as Profiles
    for (const { base_url } of Object.values(profiles)) new URL(base_url)
    return { ...(current === undefined ? {} : { current }), profiles }
  } catch (error) {
    throw misconfigured(
      `${file} is not a valid file of profiles: ${(error as Error).message}.`,
      'Correct it, or remove it and add the profiles again.',
    )
  }
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || (code === 'EACCES' && !isOpen(dirname(file)))) return undefined
    throw misconfigured(
      `The profiles cannot be read: ${message}.`,
      'Change its owner or mode, or set XDG_CONFIG_HOME to another folder.',
    )
  }
}

/** In a container with another user, HOME may be a folder of root, so this user has no profiles. */
function isOpen(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Changes the file while no other process does. It has mode 600, because it holds keys. */
export async function changeProfiles(io: Io, change: (profiles: Profiles) => Profiles): Promise<Profiles> {
  const file = profileFile(io)
  if (!file)
    throw misconfigured('There is no folder for profiles.', 'Set HOME, or XDG_CONFIG_HOME to an absolute path.')
  try {
    makePrivateFolder(dirname(file))
    return await withLock(io, file, async () => {
      const changed = change(readProfiles(io))
      await writeWhole(io, file, `${JSON.stringify(changed, null, 2)}\n`, { force: true })
      return changed
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw misconfigured(`The profiles cannot be written: ${(error as Error).message}.`)
  }
}

export function requireProfile({ profiles }: Profiles, name: string, origin: string): Profile {
  if (Object.hasOwn(profiles, name)) return profiles[name]!
  const names = Object.keys(profiles)
  const hint =
    names.length > 0 ? `Profiles: ${names.join(', ')}.` : 'No profile exists. Add one: sandbox profile add <name>'
  throw misconfigured(`${origin}: unknown profile "${name}"${suggest(name, names) || '.'}`, hint)
}
