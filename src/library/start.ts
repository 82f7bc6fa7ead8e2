import { Unreachable } from '../http/exchange.ts'
import { fetchApi } from '../http/fetch-api.ts'
import type { TargetList } from '../http/target-list.ts'
import { startEmulator } from '../server/emulator.ts'
import { loadWorldFile } from '../server/world-source.ts'
import { DEFAULT_API_KEY } from '../words/api-key.ts'
import { DEFAULT_BASE_URL } from '../words/default-url.ts'
import { definedFields } from '../words/fields.ts'
import { redactSecrets } from '../words/redact.ts'
import { type Fetch, whole } from './fetch.ts'
import type { ConnectOptions, Sandbox, SandboxOptions } from './sandbox.ts'
import { EMULATOR, inProcess, paceFrom, sandboxOf } from './sandbox-of.ts'

/** Starts an emulator in this process: in memory, on a free port, with a frozen clock by default. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkNode()
  // Loaded on call only: options are checked by schemas.
  const { checkOptions } = await import('./options.ts')
  checkOptions(options)
  return startSandbox(options)
}

/** The same without checks, with options that only this package uses. */
export async function startSandbox(
  options: SandboxOptions,
  more: { allowWebhookTargets?: TargetList } = {},
): Promise<Sandbox> {
  const { world = 'default', data: folder, apiKey = DEFAULT_API_KEY, clock = 'frozen', ...others } = options
  const emulator = await startEmulator({
    ...{ ...others, ...more },
    world: await loadWorldFile(world),
    folder,
    port: options.port ?? 0,
    clock: paceFrom(clock),
    rateLimits: options.rateLimits ?? false,
    limits: definedFields(options.limits ?? {}),
    // A test that forgets to stop it must not keep its runner alive.
    staysInBackground: true,
    onFault: options.onFault ?? reportFault,
  }).catch(async (error: Error) => {
    throw error.name === 'PortInUse' ? await portInUse(options.port!) : error
  })
  const sandbox = sandboxOf(emulator, inProcess(emulator), apiKey, { isShared: folder !== undefined })
  return Object.defineProperty(sandbox, EMULATOR, { value: emulator })
}

/**
 * Connects to a running emulator, which several workers of a test suite can share. `stop()` and `await using` leave it
 * running.
 */
export async function connectSandbox(options: ConnectOptions = {}): Promise<Sandbox> {
  const {
    url = variable('SANDBOX_BASE_URL') ?? DEFAULT_BASE_URL,
    apiKey = variable('SANDBOX_API_KEY') ?? DEFAULT_API_KEY,
    controlToken = variable('SANDBOX_CONTROL_TOKEN'),
  } = options
  const { checkConnectOptions } = await import('./options.ts')
  checkConnectOptions({ ...options, url, apiKey })
  const reach: Fetch = (input, init) => fetchApi().fetch(whole(input, url), init)
  const sandbox = sandboxOf({ url, stop: async () => {} }, { fetch: reach }, apiKey, { controlToken, isShared: true })
  const isDefault = options.url === undefined && variable('SANDBOX_BASE_URL') === undefined
  await sandbox.clock.now().catch((error: Error) => {
    throw isDefault && error instanceof Unreachable ? new Error(`${error.message}. ${NO_URL}`, { cause: error }) : error
  })
  return sandbox
}

/** An empty variable counts as none: pipelines set it for a secret that they do not have. Files end keys with a line break. */
const variable = (name: string): string | undefined => process.env[name]?.trim() || undefined

const NO_URL =
  'SANDBOX_BASE_URL is not set: run the tests with "sandbox exec -- <command>", or start a sandbox with "sandbox start".'

/** Names who uses the port, as the command line does. */
async function portInUse(port: number): Promise<Error> {
  const { occupantOf } = await import('../client/port-occupant.ts')
  const { sentence } = await occupantOf(port)
  const error = new Error(`${sentence} Leave out the option port, which takes a free one, or stop that process.`)
  return Object.assign(error, { name: 'PortInUse', port })
}

function reportFault(error: unknown, doing: string) {
  const stack = redactSecrets(String((error as Partial<Error> | undefined)?.stack ?? error))
  process.stderr.write(`messaging-sandbox: a bug while ${doing}\n${stack}\n`)
}

/** With an older Node-API better-sqlite3 crashes without a message. */
const MIN_NAPI = 10

/** Refuses an unsuitable Node before it crashes. */
export function checkNode({ napi, node }: { napi?: string | undefined; node: string } = process.versions) {
  if (Number(napi) < MIN_NAPI) throw new Error(`messaging-sandbox needs Node 22.22 or newer; this is Node ${node}.`)
}
