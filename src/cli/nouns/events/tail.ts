import { type Command, Option } from 'commander'
import { type Envelope, subjectOf } from '../../../relay/envelope.ts'
import { EVENTS_STREAM } from '../../../relay/stream.ts'
import type { Where } from '../../../words/where.ts'
import { eventsOption, type Filters, notOption, whereOption, withKnownFields } from '../../commands/listen/filters.ts'
import { countOf } from '../../generate/flags.ts'
import type { Paint } from '../../output/paint.ts'
import { usage } from '../../process/exit.ts'
import { follow } from '../../session/follow.ts'
import { type Run, type Session, setAction } from '../../session/session.ts'

interface TailFlags extends Filters {
  where?: Where[]
  subject?: string
  message?: string
  since?: string
  limit?: number
}

export function addTail(group: Command, run: Run) {
  const command = group
    .command('tail')
    .description('Follow the event log: one line for each event as it happens')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', 'only events of this message, contact or other record')
    .addOption(new Option('--message <id>', 'only events of this message').conflicts('subject'))
    .option('--since <start|2h|event>', 'where to begin: the start, how long ago, or after an event; else now')
    .option('--limit <number>', 'end after so many events', countOf)
    .addHelpText('after', AFTER)
  setAction(command, run, (session, _, options: TailFlags) => tail(session, options))
}

const AFTER = `
Goes on where it was when the emulator or the connection comes back, and says on stderr what was dropped meanwhile.
Ends with 0, by Ctrl-C as by --limit.

GET /_sandbox/events/stream

Examples:
  $ sandbox events tail --events "message.*,email.bounced"
  $ sandbox events tail --message msg_… --since start
  $ sandbox events tail --limit 1 --events message.delivered`

async function tail(session: Session, flags: TailFlags) {
  const { output } = session
  if (flags.limit === 0) throw usage('--limit must be at least 1.')
  return follow(session, {
    what: 'events',
    path: EVENTS_STREAM,
    query: { events: flags.events?.join(','), not: flags.not?.join(','), subject: flags.message ?? flags.subject },
    where: await withKnownFields(flags.where),
    since: flags.since,
    limit: flags.limit,
    each(item) {
      const envelope = JSON.parse(item.body) as Envelope
      output.item({ type: 'event', seq: item.seq, ...envelope }, (paint, shown) => lineOf(shown, paint))
    },
  })
}

const lineOf = ({ seq, ...envelope }: Envelope & { seq: number }, paint: Paint) =>
  [
    paint.dim(String(seq).padStart(6)),
    paint.dim(envelope.timestamp.slice(11, 23)),
    paint.bold(envelope.event.padEnd(20)),
    subjectOf(envelope),
    paint.dim(envelope.id),
  ].join('  ')
