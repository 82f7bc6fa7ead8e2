import { type Command, InvalidArgumentError, Option } from 'commander'
import { countOf, repeated } from '../../generate/flags.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption } from '../../session/watching.ts'
import { durationOption } from '../../target/globals.ts'
import { eventsOption, notOption, whereOption } from './filters.ts'
import { headerOption, routeOf } from './routes.ts'
import { type ListenFlags, listen } from './run.ts'

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
