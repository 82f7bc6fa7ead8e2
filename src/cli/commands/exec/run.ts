import { createClient } from '../../../client/client.ts'
import { type RelayListener, relay } from '../../../relay/relay.ts'
import type { Pace } from '../../../words/pace.ts'
import { reportFailure } from '../../failure/failure.ts'
import { startOwnEmulator } from '../../own-emulator/start.ts'
import { type ExitCode, usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { DEFAULT_API_KEY } from '../../target/keys.ts'
import { routesTo, type TargetFlag } from '../listen/routes.ts'
import { saveBundle } from './bundle.ts'
import { runCommand } from './child.ts'

export interface ExecOptions {
  world: string
  clock?: Pace
  now?: string
  seed?: string
  forwardTo?: TargetFlag[]
  saveOnFailure?: string
}

/** Time that a receiver of --forward-to has to answer. */
const TIMEOUT_MS = 5_000

export async function exec({ io, output }: Session, command: string[], options: ExecOptions): Promise<ExitCode> {
  if (command[0] === undefined) throw usage('Missing command.', 'For example: sandbox exec -- npm test')
  const emulator = await startOwnEmulator({ ...options, cwd: io.cwd }, output)
  const left = new AbortController()
  try {
    const endpoint = { baseUrl: emulator.url, apiKey: DEFAULT_API_KEY }
    const { secret } = await createClient(endpoint).events.secret()
    const routes = routesTo(options.forwardTo ?? [], { secret, timeoutMs: TIMEOUT_MS, headers: {} })
    const relaying =
      routes.length > 0 ? relay({ ...endpoint, routes, since: 'start', signal: left.signal, on: silent }) : undefined
    const code = await runCommand(io, command, {
      SANDBOX_BASE_URL: emulator.url,
      SANDBOX_API_KEY: DEFAULT_API_KEY,
      SANDBOX_WEBHOOK_SECRET: secret,
    })
    // The exit code stays that of the command.
    if (code !== 0 && options.saveOnFailure !== undefined)
      await saveBundle(io, output, emulator.url, options.saveOnFailure, {
        title: command.join(' '),
        error: `The command ended with ${code}.`,
      }).catch((error: unknown) => reportFailure(error, output, code as ExitCode))
    left.abort()
    await relaying
    return code
  } finally {
    left.abort()
    await emulator.stop()
  }
}

const nothing = () => {}

/** Prints nothing: the terminal belongs to the command, and deliveries are in the bundle of a failure. */
export const silent: RelayListener = {
  connected: nothing,
  lost: nothing,
  newLog: nothing,
  waiting: nothing,
  dropped: nothing,
  event: nothing,
  onTargetState: nothing,
}
