import { exchange } from '../../../http/exchange.ts'
import { isListening } from '../../../http/is-listening.ts'
import type { ConnectionSettings } from '../../../http/request.ts'
import { poll } from '../../../waiting/until.ts'
import { problem } from '../../../words/problem.ts'
import { type Command, type Environment, isAddress, isCommand, parsed, useLever } from '../application.ts'
import type { ExploreOptions } from '../options.ts'
import { CommandFailed } from './failed.ts'
import { type Background, runCommand, startCommand, startWatchdog } from './shell.ts'

/** Time for an application to start: it may read all that it has stored. */
const START_MS = 60_000
/** Time limit of one answer when it starts again. What hangs then would use up the search. */
const ANSWER_MS = 10_000
const LOOK_EVERY_MS = 20

/** Turns the commands of an application into functions, with one that ends what they have started. */
export function runnable(
  { truth, start, reset, restart, rotate, ...options }: ExploreOptions,
  signal: AbortSignal = new AbortController().signal,
): ExploreOptions<never> & { stop(): Promise<void> } {
  const credentials: Record<string, string> = {}
  const withEnvironment = ({ command, cwd, env = process.env }: Command, more = {}): Command => ({
    ...{ command, cwd },
    env: { ...env, ...credentials, ...more },
  })
  const run = (command: Command, more = {}) => runCommand(withEnvironment(command, more), signal)
  const lever = <T>(of: T | Command | undefined) => (isCommand(of) ? async () => void (await run(of)) : of)
  const application: ExploreOptions<never> = {
    ...{ ...options, reset: lever(reset), restart: lever(restart) },
    truth: isCommand(truth) ? async () => parsed(await run(truth), truth.command) : truth,
    start: isCommand(start) ? undefined : start,
    rotate: isCommand(rotate) ? (secret: string) => run(rotate, { SANDBOX_WEBHOOK_SECRET: secret }) : rotate,
  }
  if (!isCommand(start)) return { ...application, stop: async () => {} }

  const { handler, network } = options
  if (typeof handler === 'function')
    throw problem('validation_error', 'An application that a command starts needs the URL of its handler.')
  const url = new URL(handler)
  const { restart: own } = application
  const watchdog = startWatchdog()
  const probe = isAddress(truth) ? new URL(truth) : undefined
  let service: Background | undefined
  let unready: ReadonlySet<number | undefined> = UNREADY
  const startAgain = async () => {
    const answerMs = service ? ANSWER_MS : START_MS
    await service?.stop()
    service = startCommand(withEnvironment(start), watchdog)
    const isReady = await ready({
      handler: url,
      probe,
      answerMs,
      unready,
      service,
      line: start.command,
      network,
      signal,
    })
    // By this answer it says nothing about itself, so later starts do not wait.
    if (!isReady) unready = new Set()
  }
  return {
    ...application,
    // A lever of the application needs a process that runs.
    restart: async () => (own && service?.isRunning() ? useLever(own) : startAgain()),
    async start({ baseUrl, apiKey, secret }: Environment) {
      Object.assign(credentials, { SANDBOX_BASE_URL: baseUrl, SANDBOX_API_KEY: apiKey, SANDBOX_WEBHOOK_SECRET: secret })
      await requireFreePort(url)
      await startAgain()
    },
    kill: async () => service?.stop(),
    // Windows has no such signal, and a restart of its own is all that an application needs.
    terminate: own || process.platform === 'win32' ? undefined : async () => service?.terminate(),
    ended() {
      const ending = service?.ending()
      return ending && [ending, service!.stderr()].filter(Boolean).join('; stderr: ')
    },
    stderr: () => service?.stderr() ?? '',
    async stop() {
      await service?.stop()
      watchdog.end()
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
      throw new CommandFailed(
        'port_in_use',
        `Port ${portOf(url)} is already in use, so another process would be explored instead of the one that is started.`,
        'Stop that process, or give the application and its handler another port.',
      )
}

interface Starting {
  handler: URL
  /** The truth probe. */
  probe: URL | undefined
  answerMs: number
  unready: ReadonlySet<number | undefined>
  service: Background
  line: string
  network: ConnectionSettings | undefined
  signal: AbortSignal
}

/** What an application, or a proxy before it, answers until it is ready. */
const UNREADY: ReadonlySet<number> = new Set([502, 503, 504])

/** Waits until the application answers. Returns false if it does, but says all the time that it is not ready. */
async function ready({
  handler,
  probe,
  answerMs,
  unready,
  service,
  line,
  network,
  signal,
}: Starting): Promise<boolean> {
  const statusOf = (url: URL) =>
    exchange({ method: 'GET', url, headers: {}, timeoutMs: answerMs, network, signal }).then(
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
  const how = `The command "${line}" ${what}${ending ? ` with ${ending}` : ''}.`
  return new CommandFailed('not_started', how, ending && service.stderr())
}
