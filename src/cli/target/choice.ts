import { execSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULT_API_KEY, isSandboxKey } from '../../words/api-key.ts'
import { DEFAULT_BASE_URL } from '../../words/default-url.ts'
import { lazily } from '../../words/lazy.ts'
import { redactCommand } from '../../words/redact.ts'
import { Interrupted, misconfigured, usage } from '../process/exit.ts'
import { homeFolder } from '../process/home-folder.ts'
import type { Io } from '../process/io.ts'
import { baseUrlFrom } from './base-url.ts'
import { type FolderClaim, OWNER_FILE, ownerIn } from './folder-claim.ts'
import { keyInKeychain } from './keychain.ts'
import { type Profile, type Profiles, readProfiles, requireProfile } from './profiles.ts'
import { runningSandboxes } from './running.ts'

/** The data folder of a sandbox, in the folder in which it was started. */
export const DEFAULT_DATA = '.sandbox'

type Environment = Pick<Io, 'env' | 'cwd'>

export interface TargetFlags {
  baseUrl?: string | undefined
  apiKey?: string | undefined
  profile?: string | undefined
}

/** The service and key in use, and where each was configured. */
export interface Choice {
  baseUrl: string
  /** `--base-url`, `SANDBOX_BASE_URL`, `profile staging (SANDBOX_PROFILE)` … */
  baseUrlFrom: string
  /** No flag, variable or profile named it: it is the sandbox of this folder, or the default. */
  isGuess: boolean
  apiKey: string
  apiKeyFrom: string
  /** The profile that gave the base URL. */
  profile?: { name: string } & Profile
  /** The address was found in the data folder of the working folder, and is proven before a key is sent. */
  claim?: FolderClaim | undefined
  /** The folder whose sandbox was killed, so that the default is used. */
  killedIn?: string | undefined
  /** The current profile, if a flag, variable or sandbox folder takes precedence over it. */
  overriddenProfile?: string | undefined
}

/** A place that may configure the base URL and the key. */
interface ChoiceSource {
  from: string
  baseUrl?: string | undefined
  apiKey?: (() => string) | undefined
  profile?: Choice['profile']
  /** The key belongs to this base URL and is sent to no other. */
  isBound?: boolean
  isGuess?: boolean
  claim?: FolderClaim
  killedIn?: string | undefined
}

/** Precedence: flags, environment, the sandbox of this folder, the current profile, the default. */
export function chooseService(io: Environment, flags: TargetFlags): Choice {
  const sources = [...sourcesOf(io, flags)]
  const place = sources.find(({ baseUrl }) => baseUrl !== undefined)!
  const key = sources.find(({ apiKey, isBound }, i) => apiKey && (!isBound || sources[i] === place))!
  if (place.profile && key.from === 'default')
    throw misconfigured(`Profile ${place.profile.name} has no key.`, 'Pass one with SANDBOX_API_KEY or --api-key.')
  const apiKey = key.apiKey!()
  if (place.isGuess && !isSandboxKey(apiKey)) throw strayKey(key)
  const { current } = place.profile || place.from.startsWith('--') ? {} : readProfiles(io)
  return {
    baseUrl: baseUrlFrom(place.from, place.baseUrl ?? ''),
    baseUrlFrom: place.from,
    isGuess: place.isGuess ?? false,
    apiKey,
    apiKeyFrom: keyName(key.from),
    ...(place.profile ? { profile: place.profile } : {}),
    claim: place.claim,
    killedIn: place.killedIn,
    overriddenProfile: current,
  }
}

/** A key of a real service goes only to the address that its owner named. */
const strayKey = ({ from }: ChoiceSource) =>
  misconfigured(
    `The key of ${keyName(from)} is not a key of a sandbox, and nothing names the service that it belongs to. Nothing was sent.`,
    'Name the service with --base-url, SANDBOX_BASE_URL or --profile, or remove the key.',
  )

const keyName = (from: string) => from.replace('--base-url', '--api-key').replace('SANDBOX_BASE_URL', 'SANDBOX_API_KEY')

function* sourcesOf(io: Environment, { baseUrl, apiKey, profile }: TargetFlags): Generator<ChoiceSource> {
  const { env } = io
  if (baseUrl !== undefined && profile !== undefined) throw usage('Pass --base-url or --profile, not both.')
  yield { from: '--base-url', baseUrl, apiKey: keyIfSet(apiKey) }
  const read = lazily(() => readProfiles(io))
  if (profile !== undefined) yield profileSource(io, read(), profile, '--profile')
  yield { from: 'SANDBOX_BASE_URL', baseUrl: env.SANDBOX_BASE_URL || undefined, apiKey: keyIfSet(env.SANDBOX_API_KEY) }
  let killedIn: string | undefined
  const isDecided = baseUrl !== undefined || profile !== undefined || Boolean(env.SANDBOX_BASE_URL)
  if (!isDecided) {
    if (env.SANDBOX_PROFILE) yield profileSource(io, read(), env.SANDBOX_PROFILE, 'SANDBOX_PROFILE')
    killedIn = yield* sandboxesAround(io)
    const { current } = read()
    if (current !== undefined) yield profileSource(io, read(), current, 'sandbox profile use')
  }
  yield { from: 'default', isGuess: true, killedIn, baseUrl: DEFAULT_BASE_URL, apiKey: () => DEFAULT_API_KEY }
}

/** The sandboxes of this folder and of those above it. Returns the nearest folder whose sandbox was killed. */
function* sandboxesAround(io: Environment): Generator<ChoiceSource, string | undefined> {
  const running = lazily(() => runningSandboxes(io))
  let killedIn: string | undefined
  for (const folder of ownFolders(io)) {
    const here = folder === io.cwd ? 'this folder' : folder
    const { claim, wasKilled } = ownerIn(join(folder, DEFAULT_DATA, OWNER_FILE))
    if (wasKilled) killedIn ??= folder
    if (claim) yield { from: `the sandbox of ${here} (.sandbox/owner.json)`, baseUrl: claim.url, isGuess: true, claim }
    else {
      const [started, another] = running().filter(({ cwd }) => cwd === folder)
      if (started && !another)
        yield { from: `the sandbox that was started in ${here}`, baseUrl: started.url, isGuess: true }
    }
  }
  return killedIn
}

/** Others may create files there. */
const WRITABLE_BY_ALL = 0o002

/**
 * The working folder, and those above it as far as they belong to this user. The home folder is not above any other,
 * because a sandbox there would be that of every project.
 */
function* ownFolders({ cwd, env }: Environment): Generator<string> {
  const home = env.HOME || homeFolder()
  yield cwd
  for (let folder = cwd; folder !== home; ) {
    folder = dirname(folder)
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (folder === home || folder === dirname(folder) || stats?.uid !== process.getuid?.()) return
    if (!stats || stats.mode & WRITABLE_BY_ALL) return
    yield folder
  }
}

/** As shells report SIGHUP, SIGINT and SIGTERM. */
const INTERRUPTED_CODES = [129, 130, 143]

const keyIfSet = (text: string | undefined) => (text ? () => text : undefined)

function profileSource(io: Environment, profiles: Profiles, name: string, origin: string): ChoiceSource {
  const profile = requireProfile(profiles, name, origin)
  return {
    from: `profile ${name} (${origin})`,
    baseUrl: profile.base_url,
    apiKey: keyOf(io, name, profile),
    profile: { name, ...profile },
    isBound: true,
  }
}

function keyOf(
  { env, cwd }: Environment,
  name: string,
  { api_key, api_key_in, api_key_command }: Profile,
): ChoiceSource['apiKey'] {
  if (api_key_in === 'keychain') return () => keyInKeychain(name)
  if (api_key_command === undefined) return keyIfSet(api_key)
  return () => {
    // It may hold the token of a vault.
    const shown = () => redactCommand(api_key_command.split(' '))
    try {
      const output = execSync(api_key_command, { cwd, env: { ...env }, stdio: ['inherit', 'pipe', 'inherit'] })
      const key = output.toString().trim()
      if (/^\S+$/.test(key)) return key
    } catch (error) {
      // A signal to the process group reaches the command too, and this process sees its own only later.
      const { signal, status } = error as { signal: NodeJS.Signals | null; status: number | null }
      const code = status ?? 128 + constants.signals[signal!]
      if (INTERRUPTED_CODES.includes(code)) throw new Interrupted()
      throw misconfigured(
        `The command that prints the key of profile ${name} ended with ${code}: ${shown()}`,
        'Run it yourself to see why, or pass the key in SANDBOX_API_KEY.',
      )
    }
    throw misconfigured(`The command of profile ${name} must print its key, and nothing else: ${shown()}`)
  }
}
