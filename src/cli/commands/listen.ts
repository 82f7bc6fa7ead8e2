import type { Command } from 'commander'
import { fleetingCursor, namedCursor } from '../../relay/cursor.ts'
import { relay } from '../../relay/relay.ts'
import { EXIT, usage } from '../exit.ts'
import { countOf } from '../flags.ts'
import { durationOption } from '../globals.ts'
import { does, type Run, type Session } from '../session.ts'
import { demandLog, secretFor, targetOf } from '../target.ts'
import { createTeller } from './listen/tell.ts'

interface ListenFlags {
  forwardTo?: URL
  events?: string
  printSecret?: boolean
  secret?: string
  timeout: number
  from?: string
  cursor?: string
  retries: number
}

export function add(program: Command, run: Run) {
  const command = program
    .command('listen')
    .helpGroup('Webhooks:')
    .description('Follow the events, and forward each as a signed webhook to a server of yours')
    .option('--forward-to <url>', 'where to POST each event: a URL, host:port/path or port/path', targetOf)
    .option('--events <names>', 'only these: names or families such as message.*, separated by commas')
    .option('--secret <secret>', "key of the signature; else SANDBOX_WEBHOOK_SECRET, else the emulator's own")
    .option('--print-secret', 'print the secret alone, and exit')
    .addOption(
      durationOption(
        '--timeout <duration>',
        'how long your server may take to answer; 0 waits without end, as for a debugger',
        '5s',
      ),
    )
    .option(
      '--retries <number>',
      'how often to try again when your server answers no 2xx; then the event is skipped',
      countOf,
      5,
    )
    .option('--from <start|seq>', 'where to begin: start of the log, or after a position; else now')
    .option('--cursor <name>', 'keep the position under this name in the emulator, and go on from there next time')
    .addHelpText('after', AFTER)
  does(command, run, (session, _, options) => listen(session, options as unknown as ListenFlags))
}

const AFTER = `
Events come one at a time, in the order of the log. The position moves on when your server has answered 2xx, so that
nothing is lost when either side restarts; after a break the last event can come twice (same X-Service-Event-Id).
While nobody listens at the URL, listen waits; an event that is answered badly is skipped after its retries, and said to be.
Stopped by Ctrl-C it prints its position and exits with 0.

Examples:
  $ sandbox listen --forward-to http://localhost:3000/hook
  $ sandbox listen --forward-to 3000/hook --events "message.*" --cursor dev
  $ SECRET=$(sandbox listen --print-secret)`

async function listen(session: Session, flags: ListenFlags) {
  const { io, output, endpoint } = session
  if (flags.from !== undefined && flags.cursor !== undefined) throw usage('Give --from or --cursor, not both.')
  const from = fromOf(flags.from)
  await demandLog(session)
  const secret = await secretFor(session, flags.secret)
  if (flags.printSecret) {
    // Bare, so that a shell can take it as it is.
    output.raw(`${secret}\n`)
    return EXIT.ok
  }
  const teller = createTeller(output, { baseUrl: endpoint.baseUrl, target: flags.forwardTo })
  const { cursor } = await relay({
    ...endpoint,
    target: flags.forwardTo && { url: flags.forwardTo, secret, timeoutMs: flags.timeout },
    query: { events: flags.events },
    cursor: flags.cursor === undefined ? fleetingCursor(from) : namedCursor(endpoint, flags.cursor),
    retries: flags.retries,
    signal: io.signal,
    on: teller,
  })
  if (io.signal.reason !== 'EPIPE') teller.stopped(cursor)
  return EXIT.ok
}

function fromOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'now') return undefined
  if (text === 'start') return 0
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw usage(`--from must be start, now or a position such as 42, not "${text}".`)
}
