import { type Command, Option } from 'commander'
import { EVENTS_STREAM, type LogEvent } from '../../../relay/stream.ts'
import { type Envelope, subjectOf } from '../../commands/listen/tell.ts'
import { usage } from '../../exit.ts'
import { countOf } from '../../flags.ts'
import { follow } from '../../follow.ts'
import type { Paint } from '../../paint.ts'
import { printable } from '../../render.ts'
import { does, type Run, type Session } from '../../session.ts'

interface TailFlags {
  event?: string[]
  subject?: string
  message?: string
  after?: number
  sinceStart?: boolean
  limit?: number
}

export function addTail(group: Command, run: Run) {
  const command = group
    .command('tail')
    .description('Follow the event log: one line for each event as it happens')
    .option('--event <names>', 'only these: names or families such as message.* (repeatable)', listed)
    .option('--subject <id>', 'only events of this message, contact or other record')
    .addOption(new Option('--message <id>', 'only events of this message').conflicts('subject'))
    .option('--after <seq>', 'begin after this position of the log; else now', countOf)
    .addOption(new Option('--since-start', 'begin with the oldest event that is kept').conflicts('after'))
    .option('--limit <number>', 'end after so many events', countOf)
    .addHelpText('after', AFTER)
  does(command, run, (session, _, options) => tail(session, options as TailFlags))
}

const AFTER = `
Goes on where it was when the emulator or the connection comes back, and says on stderr what was dropped meanwhile.
Ends with 0, by Ctrl-C as by --limit.

GET /_sandbox/events/stream

Examples:
  $ sandbox events tail --event "message.*" --event email.bounced
  $ sandbox events tail --message msg_… --since-start
  $ sandbox events tail --limit 1 --event message.delivered`

const listed = (text: string, before: string[] = []) => [...before, text]

async function tail(session: Session, flags: TailFlags) {
  const { output } = session
  if (flags.limit === 0) throw usage('--limit must be at least 1.')
  return follow(session, {
    what: 'events',
    path: EVENTS_STREAM,
    query: { events: flags.event?.join(','), subject: flags.message ?? flags.subject },
    after: flags.sinceStart ? 0 : flags.after,
    limit: flags.limit,
    each(item) {
      const envelope = JSON.parse(item.body) as Envelope
      output.data({ seq: item.seq, ...envelope }, (paint) => lineOf(item, envelope, paint))
    },
  })
}

const lineOf = ({ seq }: LogEvent, envelope: Envelope, paint: Paint) =>
  [
    paint.dim(String(seq).padStart(6)),
    paint.dim(envelope.timestamp.slice(11, 23)),
    paint.bold(envelope.event.padEnd(20)),
    printable(subjectOf(envelope)),
    paint.dim(envelope.id),
  ].join('  ')
