import { type Command, InvalidArgumentError, Option } from 'commander'
import { currentHolder } from '../../relay/cursor.ts'
import { relay } from '../../relay/relay.ts'
import type { ForwardRoute } from '../../relay/route.ts'
import { countOf, repeated } from '../generate/flags.ts'
import { EXIT, type ExitCode, usage } from '../process/exit.ts'
import { type Run, type Session, setAction } from '../session/session.ts'
import { requireEventLog, secretFor } from '../session/target.ts'
import { intervalOption } from '../session/watching.ts'
import { durationOption } from '../target/globals.ts'
import { writeEnvFile } from './listen/env-file.ts'
import { eventsOption, filtersOf, notOption, whereOption, withKnownFields } from './listen/filters.ts'
import { createKeys, KEYS } from './listen/keys.ts'
import type { PollFlags } from './listen/poll.ts'
import type { ReceiveFlags } from './listen/receive.ts'
import { headerOption, routeOf, routesTo } from './listen/routes.ts'
import { createTeller } from './listen/tell.ts'

interface ListenFlags extends PollFlags, Omit<ReceiveFlags, 'publicUrl'> {
  publicUrl?: URL
  poll?: boolean
  printSecret?: boolean
  audit?: boolean
}

export function add(program: Command, run: Run) {
  const command = program
    .command('listen')
    .helpGroup('Webhooks:')
    .description('Follow the events, and forward each as a signed webhook to servers of yours')
    .option(
      '--forward-to <[events=]url>',
      'where to POST: a URL, host:port/path or port/path; with names before it, only those events (repeatable)',
      repeated(routeOf),
    )
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option(
      '--cursor <name>',
      'keep the position under this name, and go on from there next time; in the emulator, and with --poll on this machine',
    )
    .option(
      '--since <start|2h|event>',
      'where to begin: the start, how long ago, or after an event; else now. A cursor that is there goes on where it stands',
    )
    .addOption(
      new Option(
        '--order <order>',
        'log: one after the other; message: those of one message or other record; none: all side by side',
      )
        .choices(['log', 'message', 'none'])
        .default('log'),
    )
    .option(
      '--retries <number>',
      'how often to try again when your server answers no 2xx; then the event is parked',
      countOf,
      5,
    )
    .addOption(
      durationOption(
        '--timeout <duration>',
        'how long your server may take to answer; 0 waits without end, as for a debugger',
        '5s',
      ),
    )
    .addOption(headerOption())
    .option('--audit', 'say where your application breaks the rules of consent and of retrying (docs/handlers.md)')
    .option('--secret <secret>', "key of the signature; else SANDBOX_WEBHOOK_SECRET, else the emulator's own")
    .option('--print-secret', 'print the secret alone, and exit')
    .option('--write-env <path>', 'write the secret into this file as SANDBOX_WEBHOOK_SECRET, readable by you alone')
    .addOption(new Option('--env-file <path>', 'the same, where Node lets it through').hideHelp().conflicts('writeEnv'))
    .option(
      '--public-url <url>',
      'of a service: register this address of a tunnel as an endpoint, and forward what the service posts to it',
      publicUrlOf,
    )
    .option('--port <port>', 'with --public-url: where on this machine the tunnel ends', countOf, DEFAULT_PORT)
    .option(
      '--prune',
      'of a service: remove the endpoints that killed listeners have left, and exit without --public-url',
    )
    .option(
      '--poll',
      'of a service without a public URL: look at its message log, and make the events that can be seen there',
    )
    .addOption(intervalOption('with --poll: time between two looks', '2s'))
    .addHelpText('after', AFTER)
  setAction(
    command,
    run,
    (session, _, { envFile, ...flags }: ListenFlags & { envFile?: string }) =>
      listen(session, { writeEnv: envFile, ...flags }),
    { hasOwnRetries: true },
  )
}

/** The local end of a tunnel unless --port says otherwise. */
const DEFAULT_PORT = 7271

function publicUrlOf(text: string): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text)
  throw new InvalidArgumentError(
    'It must be the http or https address of a tunnel, such as https://abc.example.dev/hook.',
  )
}

const AFTER = `
The position moves on when every target has answered 2xx, so that nothing is lost when any side is restarted or killed;
after a break the last events can come twice (same X-Service-Event-Id). While nobody listens at a URL, its events wait.
An event that fails all its tries is parked: the position moves on, and the line of the event says how to replay it.
A cursor belongs to one listen at a time; a second one waits until the first has ended.
Stopped by Ctrl-C it prints its position and exits with 0.

Examples:
  $ sandbox listen --forward-to http://localhost:3000/hook
  $ sandbox listen --forward-to 3000/hook --events "message.*" --cursor dev
  $ sandbox listen --forward-to "message.*=3000/messages" --forward-to "consent.*=3000/consent"
  $ sandbox listen --forward-to 3000/hook --where data.failure_reason=REJECTED_SPAM --since 2h
  $ SECRET=$(sandbox listen --print-secret)
  $ sandbox listen --base-url https://api.example.com --public-url https://abc.example.dev --forward-to 3000/hook
  $ sandbox listen --base-url https://api.example.com --poll --forward-to 3000/hook --secret "of my own"`

async function listen(session: Session, flags: ListenFlags): Promise<ExitCode> {
  if (flags.publicUrl || flags.prune || flags.poll) return ofService(session, flags)
  const { io, output, endpoint } = session
  await requireEventLog(session)
  const secret = await secretFor(session, flags.secret)
  if (flags.writeEnv !== undefined) writeEnvFile(io.cwd, flags.writeEnv, secret)
  if (flags.printSecret) {
    // Printed bare for use in `$(…)`.
    output.raw(`${secret}\n`)
    return EXIT.ok
  }
  const routes: ForwardRoute[] = routesTo(flags.forwardTo ?? [], {
    secret,
    timeoutMs: flags.timeout,
    headers: flags.header ?? {},
    network: endpoint.network,
  })
  const keys = output.canAsk ? io.keys : undefined
  const teller = createTeller(output, { ...flags, baseUrl: endpoint.baseUrl, routes, keys: keys && KEYS })
  const left = new AbortController()
  let release = () => {}
  const signal = AbortSignal.any([io.signal, left.signal])
  const audit = flags.audit ? (await import('./listen/audit.ts')).auditUntil(session, signal) : undefined
  audit?.catch(() => left.abort())
  const { cursor } = await relay({
    ...endpoint,
    routes,
    query: await filtersOf(session, flags, routes),
    where: await withKnownFields(flags.where),
    order: flags.order,
    cursor: flags.cursor === undefined ? undefined : { name: flags.cursor, holder: currentHolder() },
    since: flags.since,
    retries: flags.retries,
    signal,
    on: teller,
    begun(dispatcher, failed) {
      const quit = () => left.abort()
      const echo = (text: string) => void io.stderr.write(text)
      release = keys?.(createKeys({ output, teller, dispatcher, echo, quit, failed })) ?? release
    },
  }).finally(() => release())
  await audit
  if (io.signal.reason !== 'EPIPE') teller.stopped(cursor)
  return EXIT.ok
}

/** Only a sandbox has a log to follow. Another service posts to an endpoint (--public-url) or is polled. */
async function ofService(session: Session, flags: ListenFlags): Promise<ExitCode> {
  const { publicUrl } = flags
  if (flags.poll && (publicUrl || flags.prune)) throw usage('Give --poll or --public-url, not both.')
  const ofLog = (['printSecret', 'audit', ...(flags.poll ? [] : (['cursor', 'since'] as const))] as const).find(
    (name) => flags[name] !== undefined,
  )
  if (ofLog) throw usage(`${flagOf(ofLog)} is for the event log of a sandbox, which a service does not have.`)
  if (flags.poll) return (await import('./listen/poll.ts')).poll(session, flags)
  const { prune, receive } = await import('./listen/receive.ts')
  if (publicUrl) return receive(session, { ...flags, publicUrl })
  await prune(session, undefined)
  return EXIT.ok
}

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
