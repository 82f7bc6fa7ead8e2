import { createRequire } from 'node:module'
import type { Entry } from '@napi-rs/keyring'
import { misconfigured } from '../process/exit.ts'

const PACKAGE = '@napi-rs/keyring'
const SERVICE = 'messaging-sandbox'

/** Reads the key of a profile from the keychain of the system. */
export function keyInKeychain(profile: string): string {
  const key = inKeychain(profile, (entry) => entry.getPassword())
  if (key) return key
  throw misconfigured(
    `The keychain has no key of profile ${profile}.`,
    `Add it again: sandbox profile add ${profile} --force --keychain …`,
  )
}

export const putIntoKeychain = (profile: string, key: string) => inKeychain(profile, (entry) => entry.setPassword(key))

export const dropFromKeychain = (profile: string) => inKeychain(profile, (entry) => entry.deletePassword())

function inKeychain<T>(profile: string, use: (entry: Entry) => T): T {
  const { Entry: KeyringEntry } = keyring()
  try {
    // Without a secret service the library would fall back to the kernel's keyring, which a restart of the machine empties.
    return use(new KeyringEntry(SERVICE, profile, { linux: { store: 'secret-service' } }))
  } catch (error) {
    throw misconfigured(
      `The keychain cannot be used: ${(error as Error).message}.`,
      'Containers and build servers have no keychain of a desktop. A file or SANDBOX_API_KEY works everywhere.',
    )
  }
}

/** The package is not a part of the sandbox: it is native, and few need it (docs/decisions/keys-of-profiles.md). */
function keyring(): { Entry: typeof Entry } {
  try {
    return createRequire(import.meta.url)(PACKAGE)
  } catch {
    throw misconfigured(
      `The keychain needs the package ${PACKAGE}, which is not installed next to the sandbox.`,
      `npm install ${PACKAGE}. Without it, and in the single binary, a command can print the key: --api-key-command`,
    )
  }
}
