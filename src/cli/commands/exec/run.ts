import { createClient } from '../../../client/client.ts'
import { relay } from '../../../relay/relay.ts'
import { DEFAULT_API_KEY } from '../../../words/api-key.ts'
import type { Pace } from '../../../words/pace.ts'
import { redactCommand } from '../../../words/redact.ts'
import { reportFailure } from '../../failure/failure.ts'
import { startOwnEmulator } from '../../own-emulator/start.ts'
import { type ExitCode, usage } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { filtersOf } from '../listen/filters.ts'
import { routesTo, type TargetFlag } from '../listen/routes.ts'
import { failureReports } from './bundle.ts'
import { runCommand } from './child.ts'
import { countLosses } from './losses.ts'

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

export async function exec({ io, output }: Session, [command]: [string[]], options: ExecOptions): Promise<ExitCode> {
  if (command[0] === undefined) throw usage('Missing command.', 'For example: sandbox exec -- npm test')
  if (command[0] === '')
    throw usage('The command is empty.', 'If it comes from a shell variable, check that the variable is set.')
  const { saveOnFailure } = options
  const reports = saveOnFailure === undefined ? undefined : failureReports(io, output, saveOnFailure)
  const emulator = await startOwnEmulator(options, io, output)
  const left = new AbortController()
  try {
    const endpoint = { baseUrl: emulator.url, apiKey: DEFAULT_API_KEY }
    const client = createClient({ ...endpoint, isObserver: true })
    // An application that runs outside of the command has the secret of its environment.
    const secret = io.env.SANDBOX_WEBHOOK_SECRET || (await client.events.secret()).secret
    const routes = routesTo(options.forwardTo ?? [], { secret, timeoutMs: TIMEOUT_MS, headers: {} })
    const query = await filtersOf({ io, endpoint: { ...endpoint, isObserver: true } }, {}, routes)
    const { listener: on, report } = countLosses()
    const relaying =
      routes.length > 0 ? relay({ ...endpoint, routes, query, since: 'start', signal: left.signal, on }) : undefined
    const code = await runCommand(io, command, {
      SANDBOX_BASE_URL: emulator.url,
      SANDBOX_API_KEY: DEFAULT_API_KEY,
      SANDBOX_WEBHOOK_SECRET: secret,
      ...pastProxies(io.env),
    })
    // The application that received them may have ended with the command.
    left.abort()
    const relayed = await relaying
    if (relayed) await report(client, relayed.cursor, output)
    // The exit code stays that of the command.
    if (code !== 0)
      await reports
        ?.save(emulator.url, { title: redactCommand(command), error: `The command ended with ${code}.` })
        .catch((error: unknown) => reportFailure(error, output, code))
    return code
  } finally {
    left.abort()
    await emulator.stop()
  }
}

/** A proxy does not reach this machine, and most HTTP clients exclude only what NO_PROXY lists. */
function pastProxies(env: Session['io']['env']): Record<string, string> {
  const listed = env.NO_PROXY ?? env.no_proxy ?? ''
  const hasProxy = Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name))
  if (!hasProxy || listed.trim() === '*') return {}
  const hosts = [listed, 'localhost', '127.0.0.1'].filter(Boolean).join(',')
  return { NO_PROXY: hosts, no_proxy: hosts }
}
