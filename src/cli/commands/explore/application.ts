import { type Application, type Environment, parsed } from '../../../handlers/explore/application.ts'
import { exchange } from '../../../http/exchange.ts'
import { isListening } from '../../../http/is-listening.ts'
import type { ConnectionSettings } from '../../../http/request.ts'
import { poll } from '../../../waiting/until.ts'
import { EXIT, Fault } from '../../process/exit.ts'
import type { Session } from '../../session/session.ts'
import { handlerUrlOf } from '../../target/handler.ts'
import type { ExploreFlags } from './flags.ts'
import { type Background, runLine, startLine, startWatchdog, type Watchdog } from './shell.ts'

/** Time for an application to start: it may read all that it has stored. */
const START_MS = 60_000
const LOOK_EVERY_MS = 20

/** A URL, or a port with a path, is called; everything else is run as a command. */
export const isUrl = (text: string) => /^(https?:\/\/|localhost[:/]|127\.\d|\[::1\]|\d+\/)\S*$/.test(text)

/** Builds the application from the flags, with a function that ends it. */
export function applicationOf(
  { io }: Session,
  flags: ExploreFlags,
  network: ConnectionSettings | undefined,
): Application & { stop(): Promise<void> } {
  const { handler, truth, reset, restart, rotate, start } = flags
  const environment: Record<string, string> = {}
  const watchdog = start === undefined ? undefined : startWatchdog()
  let service: Background | undefined
  let unready: ReadonlySet<number | undefined> = UNREADY
  const envNow = () => ({ ...io.env, ...environment })
  const runHere = (line: string, newSecret?: string) => {
    const env = { ...envNow(), ...(newSecret !== undefined && { SANDBOX_WEBHOOK_SECRET: newSecret }) }
    return runLine(line, { cwd: io.cwd, env, signal: io.signal })
  }
  const lever = (text: string) =>
    isUrl(text) ? handlerUrlOf(text) : async (newSecret?: string) => void (await runHere(text, newSecret))

  const startAgain = async () => {
    await service?.stop()
    service = startLine(start!, io.cwd, envNow(), watchdog as Watchdog)
    const probe = isUrl(truth) ? handlerUrlOf(truth) : undefined
    const isReady = await ready({ handler, probe, unready, service, line: start!, network, signal: io.signal })
    // By this answer it says nothing about itself, so later starts do not wait.
    if (!isReady) unready = new Set()
  }
  const levers =
    start === undefined
      ? {}
      : {
          async start({ baseUrl, apiKey, secret }: Environment) {
            Object.assign(environment, {
              SANDBOX_BASE_URL: baseUrl,
              SANDBOX_API_KEY: apiKey,
              SANDBOX_WEBHOOK_SECRET: secret,
            })
            await requireFreePort(handler)
            await startAgain()
          },
          kill: async () => service?.stop(),
          ended() {
            const ending = service?.ending()
            return ending && [ending, service!.stderr()].filter(Boolean).join('; stderr: ')
          },
          stderr: () => service?.stderr() ?? '',
        }
  return {
    handler,
    truth: isUrl(truth) ? handlerUrlOf(truth) : async () => parsed(await runHere(truth), truth),
    reset: reset === undefined ? undefined : lever(reset),
    restart: restart === undefined ? (start === undefined ? undefined : startAgain) : lever(restart),
    rotate: rotate === undefined ? undefined : lever(rotate),
    ...levers,
    async stop() {
      await service?.stop()
      watchdog?.end()
    },
  }
}

const portOf = ({ port, protocol }: URL) => Number(port || (protocol === 'https:' ? 443 : 80))

/** Refuses to start an application whose port another process has: that one would be explored instead. */
async function requireFreePort(url: URL) {
  const hosts = /^(localhost|.*\.localhost)$/.test(url.hostname)
    ? ['127.0.0.1', '::1']
    : [url.hostname.replace(/^\[|\]$/g, '')]
  for (const host of hosts)
    if (await isListening(host, portOf(url)))
      throw new Fault(`Port ${portOf(url)} is already in use, so --start would explore another process.`, {
        code: 'port_in_use',
        exit: EXIT.configuration,
        hint: 'Stop that process, or give the application and --handler another port.',
      })
}

interface Starting {
  handler: URL
  /** The truth probe. */
  probe: URL | undefined
  unready: ReadonlySet<number | undefined>
  service: Background
  line: string
  network: ConnectionSettings | undefined
  signal: AbortSignal
}

/** What an application, or a proxy before it, answers until it is ready. */
const UNREADY: ReadonlySet<number> = new Set([502, 503, 504])

/** Waits until the application answers. Returns false if it does, but says all the time that it is not ready. */
async function ready({ handler, probe, unready, service, line, network, signal }: Starting): Promise<boolean> {
  const statusOf = (url: URL) =>
    exchange({ method: 'GET', url, headers: {}, timeoutMs: START_MS, network, signal }).then(
      ({ status }) => status,
      () => undefined,
    )
  let status: number | undefined
  const isReady = await poll({ everyMs: LOOK_EVERY_MS, timeoutMs: START_MS, signal }, async () => {
    if (service.ending() !== undefined) throw notStarted(line, `has ended`, service)
    status = await statusOf(handler)
    if (status === undefined || unready.has(status)) return undefined
    return probe && unready.has(await statusOf(probe)) ? undefined : true
  })
  if (status === undefined) throw notStarted(line, `does not listen at ${handler.href}`, service)
  return isReady === true
}

function notStarted(line: string, what: string, service: Background) {
  const ending = service.ending()
  return new Fault(`The command "${line}" ${what}${ending ? ` with ${ending}` : ''}.`, {
    code: 'not_started',
    exit: EXIT.unreachable,
    hint: (ending && service.stderr()) || undefined,
  })
}
