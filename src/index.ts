import { type Client, createClient } from './client/client.ts'
import { loadWorldFile } from './fixtures.ts'
import { type Emulator, startEmulator } from './server/emulator.ts'
import type { ClockMode } from './words/vocabulary.ts'

export { type ClientOptions, Refusal } from './client/call.ts'
export { type Client, createClient } from './client/client.ts'
export { Unreachable } from './client/transport.ts'

export interface SandboxOptions {
  /** `frozen` (the default) stands until it is advanced; `real` runs with the machine. */
  clock?: ClockMode
  /** Where a frozen clock starts, ISO 8601 UTC; else 2026-01-01T00:00:00.000Z. */
  now?: string
  /** A world that comes with the package (`default`), or the path of a world file. */
  world?: string
  /** Everything that happens by chance follows from it. */
  seed?: string
  /** Port to listen on; a free one unless given. */
  port?: number
  /** Folder to keep the data in; in memory unless given. */
  data?: string
  /** Count requests against the rate limits; off unless asked for. */
  rateLimits?: boolean
  /** Requests per key and minute in each band, instead of the usual ones. */
  limits?: { send?: number; read?: number; agents?: number; billing?: number; other?: number }
  /** Key of the world to speak to, `sk_sandbox_default` unless given. */
  apiKey?: string
  /** Holds every answer against its contract and fails where one breaks it. */
  checkAnswers?: boolean
  /** Called with bugs of the sandbox; they go to stderr unless given. */
  onFault?: (error: unknown, doing: string) => void
}

export interface Sandbox extends AsyncDisposable {
  /** `http://localhost:<port>` */
  readonly url: string
  readonly apiKey: string
  /** Typed client of the interface and of the control plane. */
  readonly client: Client
  readonly clock: {
    /** Moves time by a duration such as `60s` or `24h`; resolves when all that fell due has happened. */
    advance(by: string): Promise<Awaited<ReturnType<Client['clock']['advance']>>>
  }
  /** A client of another world of the same process: the key `sk_sandbox_<namespace>`. */
  as(namespace: string): Client
  stop(): Promise<void>
}

/** An emulator of the whole service in this process: in memory, on a free port, on a frozen clock. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const apiKey = options.apiKey ?? 'sk_sandbox_default'
  const emulator = await startEmulator({
    world: await loadWorldFile(options.world ?? 'default'),
    folder: options.data,
    port: options.port ?? 0,
    clock: options.clock ?? 'frozen',
    now: options.now,
    seed: options.seed,
    rateLimits: options.rateLimits ?? false,
    limits: options.limits,
    checkAnswers: options.checkAnswers,
    onFault: options.onFault ?? reportFault,
  })
  return sandboxOf(emulator, apiKey)
}

function sandboxOf(emulator: Emulator, apiKey: string): Sandbox {
  const clientOf = (key: string) => createClient({ baseUrl: emulator.url, apiKey: key })
  const client = clientOf(apiKey)
  return {
    url: emulator.url,
    apiKey,
    client,
    clock: { advance: (by) => client.clock.advance({ by }) },
    as: (namespace) => clientOf(`sk_sandbox_${namespace}`),
    stop: () => emulator.stop(),
    [Symbol.asyncDispose]: () => emulator.stop(),
  }
}

function reportFault(error: unknown, doing: string) {
  process.stderr.write(
    `messaging-sandbox: a bug while ${doing}\n${error instanceof Error ? error.stack : String(error)}\n`,
  )
}
