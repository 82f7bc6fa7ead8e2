import { type Command, Option } from 'commander'
import { countOf, repeated } from '../../generate/flags.ts'
import { SIGNATURE } from '../../nouns/webhooks/signature.ts'
import { parserOf } from '../../process/parser-of.ts'
import { type Run, setAction } from '../../session/session.ts'
import { intervalOption } from '../../session/watching.ts'
import { durationOption } from '../../target/globals.ts'
import { portOf } from '../start/port.ts'
import { eventsOption, notOption, whereOption } from './filters.ts'
import { headerOption, routeOf } from './routes.ts'
import { type ListenFlags, listen } from './run.ts'

export function add(program: Command, run: Run) {
  const command = program
    .command('listen')
    .description('Forward events to your server (service retries: webhooks create)')
    .option(
      '--forward-to <[events=]url>',
      'URL, host:port/path or port/path; events= selects its events (repeatable)',
      repeated(routeOf),
    )
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--secret <secret>', "signing secret (env: SANDBOX_WEBHOOK_SECRET) (default: the sandbox's own)")
    .option('--print-secret', 'print the signing secret and exit')
    .option('--write-env <path>', 'write the secret to this file as SANDBOX_WEBHOOK_SECRET')
    .addOption(new Option('--env-file <path>', 'same as --write-env').hideHelp().conflicts('writeEnv'))
    .option('--audit', 'report calls that break the rules of consent and retries')

    .optionsGroup('Position and retries:')
    .option('--cursor <name>', 'name that keeps the position for the next run')
    .option('--since <start|2h|event>', 'begin at the start, 2h ago, or after an event (default: now, or the cursor)')
    .addOption(
      new Option('--order <order>', 'order kept: of the whole log, of each message, or none')
        .choices(['log', 'message', 'none'])
        .default('log'),
    )
    .option('--retries <number>', 'retries without a 2xx; then the event is parked', countOf, 5)
    .addOption(durationOption('--timeout <duration>', 'time for an answer; 0 means no limit', '5s'))
    .addOption(headerOption())

    .optionsGroup('At a real service:')
    .option('--public-url <url>', 'register this tunnel and forward what arrives there', publicUrlOf)
    .option('--port <port>', 'with --public-url: local end of the tunnel', portOf, TUNNEL_PORT)
    .option('--prune', 'remove endpoints of killed listeners')
    .option('--poll', 'make events from its message log, without a tunnel')
    .addOption(intervalOption('with --poll: time between two requests', '2s'))
    .addHelpText('after', NOTES)
  setAction(
    command,
    run,
    {
      group: 'watching',
      effect: 'writes',
      needs: 'service',
      hasOwnRetries: true,
      typedAs: { event: '--forward-to', url: '--public-url' },
    },
    (session, _, { envFile, ...flags }: ListenFlags & { envFile?: string }) =>
      listen(session, { writeEnv: envFile, ...flags }),
  )
}

/** The local end of a tunnel without --port. */
const TUNNEL_PORT = 7271

const publicUrlOf = parserOf(
  (text) => (/^https?:\/\//.test(text) && URL.parse(text)) || undefined,
  'It must be the http or https address of a tunnel, such as https://abc.example.dev/hook.',
)

const NOTES = `
${SIGNATURE}
After a restart no event is lost; the last ones can arrive twice, with the same X-Service-Event-Id. Retries after 1 min to 24 h, as the
service makes them, go to endpoints: "sandbox webhooks create". More: docs/listen.md.

Examples:
  $ sandbox listen --forward-to http://localhost:3000/hook
  $ sandbox listen --forward-to 3000/hook --events "message.*" --cursor dev --since 2h
  $ sandbox listen --base-url https://api.example.com --public-url https://abc.example.dev --forward-to 3000/hook
  $ sandbox listen --base-url https://api.example.com --poll --forward-to 3000/hook --secret "my own"`
