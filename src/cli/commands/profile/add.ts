import { resolve } from 'node:path'
import { allOperations } from '../../../client/operation-of.ts'
import { pathNames } from '../../../words/operation.ts'
import { redactCommand } from '../../../words/redact.ts'
import { suggest } from '../../../words/suggest.ts'
import { usage } from '../../process/exit.ts'
import { textOf } from '../../process/files.ts'
import type { Session } from '../../session/session.ts'
import { baseUrlFrom } from '../../target/base-url.ts'
import { dropFromKeychain, putIntoKeychain } from '../../target/keychain.ts'
import { masked } from '../../target/keys.ts'
import { certificatesIn } from '../../target/network.ts'
import { changeProfiles, type Profile, type Profiles, profileFile, readProfiles } from '../../target/profiles.ts'

export interface AddFlags {
  baseUrl?: string
  apiKeyFile?: string
  apiKeyCommand?: string
  apiKey: boolean
  keychain?: true
  caFile?: string
  path?: Record<string, string>
  use?: true
  force?: true
}

type Context = Pick<Session, 'io' | 'output'>

export async function addProfile({ io, output }: Session, [name]: [string], flags: AddFlags) {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw usage(
      `Invalid profile name "${name}".`,
      'Use letters and digits; . _ - are possible after the first character.',
    )
  const refuseKnown = ({ profiles }: Profiles) => {
    if (Object.hasOwn(profiles, name) && !flags.force)
      throw usage(`The profile ${name} already exists.`, 'Pass --force to replace it.')
  }
  refuseKnown(readProfiles(io))
  const caFile = flags.caFile === undefined ? undefined : resolve(io.cwd, flags.caFile)
  if (caFile !== undefined) certificatesIn(caFile, flags.caFile!)
  const baseUrl = await addressIn({ io, output }, flags)
  const profile: Profile = {
    base_url: baseUrl,
    ...(await keyIn({ io, output }, name, flags)),
    ...(caFile === undefined ? {} : { ca_file: caFile }),
    ...(flags.path === undefined ? {} : { paths: checkedPaths(flags.path) }),
  }
  const { current } = await changeProfiles(io, (profiles) => {
    // Another process may have added it since.
    refuseKnown(profiles)
    const before = profiles.profiles[name]
    if (before && before.api_key_in !== profile.api_key_in) leaveKeychain(output, name, before)
    return {
      ...profiles,
      ...(flags.use ? { current: name } : {}),
      profiles: { ...profiles.profiles, [name]: profile },
    }
  })
  const result = { name, ...profile, ...shownKey(profile), in_use: current === name, file: profileFile(io) }
  output.data(result, (paint, { name, in_use: isInUse, base_url }) =>
    [
      `${paint.green('✓')} ${paint.bold(name)}  ${base_url}`,
      ...(isInUse ? [] : [`  Use it with --profile ${name}, or always: ${paint.command(`profile use ${name}`)}`]),
    ].join('\n'),
  )
}

export const shownKey = ({ api_key, api_key_command }: Profile): KeyPlace => ({
  ...(api_key === undefined ? {} : { api_key: masked(api_key) }),
  // The command may hold the token of a vault.
  ...(api_key_command === undefined ? {} : { api_key_command: redactCommand(api_key_command.split(' ')) }),
})

async function addressIn({ output }: Context, { baseUrl }: AddFlags): Promise<string> {
  const text = baseUrl ?? (output.canAsk ? await output.ask({ message: 'Address of the service?' }) : undefined)
  if (text === undefined) throw usage('Missing --base-url.', 'Such as --base-url https://api.example.com')
  return baseUrlFrom('--base-url', text)
}

type KeyPlace = Pick<Profile, 'api_key' | 'api_key_in' | 'api_key_command'>

async function keyIn(context: Context, name: string, flags: AddFlags): Promise<KeyPlace> {
  if (!flags.keychain) return keyGiven(context, flags)
  if (flags.apiKeyCommand !== undefined || !flags.apiKey)
    throw usage('--keychain stores a key: pass it with --api-key-file, SANDBOX_API_KEY or at the prompt.')
  const { api_key } = await keyGiven(context, flags)
  putIntoKeychain(name, api_key!)
  return { api_key_in: 'keychain' }
}

/** Deletes the key of a removed profile from the keychain, or reports that it stays there. */
export function leaveKeychain(output: Session['output'], name: string, { api_key_in }: Profile) {
  if (api_key_in !== 'keychain') return
  try {
    dropFromKeychain(name)
  } catch (error) {
    const message = `The key of ${name} stays in the keychain: ${(error as Error).message}`
    output.warn({ warning: 'key_stays', message })
  }
}

async function keyGiven({ io, output }: Context, flags: AddFlags): Promise<KeyPlace> {
  const ways = [flags.apiKeyFile, flags.apiKeyCommand, flags.apiKey ? undefined : ''].filter((way) => way !== undefined)
  if (ways.length > 1) throw usage('Pass one of --api-key-file, --api-key-command and --no-api-key.')
  if (!flags.apiKey) return {}
  if (flags.apiKeyCommand !== undefined) return { api_key_command: flags.apiKeyCommand }
  if (flags.apiKeyFile !== undefined) return { api_key: checkedKey(await textOf(io, flags.apiKeyFile)) }
  if (io.env.SANDBOX_API_KEY) return { api_key: checkedKey(io.env.SANDBOX_API_KEY) }
  if (output.canAsk) return { api_key: checkedKey(await output.ask({ message: 'API key?', isSecret: true })) }
  throw usage(
    'Missing key.',
    'Pass --api-key-file <file> (- for stdin), --api-key-command, SANDBOX_API_KEY or --no-api-key.',
  )
}

function checkedKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw usage(
    key === '' ? 'The key is empty.' : 'The key contains a space or another character that is not allowed in a header.',
  )
}

/** Operations whose paths the interface leaves open (§4.3, §4.6). */
const open = allOperations().filter(({ path }) => /^\/v1\/(billing|test)\//.test(path))

function checkedPaths(paths: Record<string, string>): Record<string, string> {
  const ids = open.map(({ id }) => id)
  for (const [id, path] of Object.entries(paths)) {
    const operation = open.find((one) => one.id === id)
    if (!operation)
      throw usage(
        `--path ${id}: not an operation with an open path${suggest(id, ids) || '.'}`,
        `Allowed: ${ids.join(', ')}.`,
      )
    if (!/^\/[^\s?#]*$/.test(path)) throw usage(`--path ${id}: a path begins with a slash, and has no query.`)
    const names = pathNames(operation.path)
    if (pathNames(path).sort().join() !== names.sort().join())
      throw usage(`--path ${id}: the path needs ${names.map((one) => `{${one}}`).join(', ') || 'nothing in braces'}.`)
  }
  return paths
}
