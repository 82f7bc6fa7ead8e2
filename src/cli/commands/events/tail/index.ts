import { type Command, Option } from 'commander'
import { type Envelope, subjectOf } from '../../../../relay/envelope.ts'
import { EVENTS_STREAM } from '../../../../relay/stream.ts'
import type { Where } from '../../../../words/where.ts'
import { countOf } from '../../../generate/flags.ts'
import type { Paint } from '../../../output/paint.ts'
import { usage } from '../../../process/exit.ts'
import { follow } from '../../../session/follow.ts'
import { knownMessageId, subjectOption } from '../../../session/last-sent.ts'
import { type Run, type Session, setAction } from '../../../session/session.ts'
import { eventsOption, type Filters, notOption, whereOption, withPossible } from '../../listen/filters.ts'

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
    .description('Follow the event log')
    .addOption(eventsOption())
    .addOption(notOption())
    .addOption(whereOption())
    .option('--subject <id>', subjectOption.describe)
    .addOption(new Option('--message <id>', 'only events of this message, or "last"').conflicts('subject'))
    .option(
      '--since <start|2h|event>',
      'first events: from the start, from 2h ago, or after an event (default: from now on)',
    )
    .option('--limit <number>', 'number of events after which to end', countOf)
    .addHelpText('after', NOTES)
  setAction(command, run, { effect: 'reads', needs: 'sandbox' }, tail)
}

const NOTES = `
After a lost connection the command continues at its position and reports dropped events on stderr. The exit code is 0.

GET /_sandbox/events/stream

Examples:
  $ sandbox events tail --events "message.*,email.bounced"
  $ sandbox events tail --message msg_… --since start
  $ sandbox events tail --limit 1 --events message.delivered`

async function tail(session: Session, _: unknown, flags: TailFlags) {
  const { output } = session
  if (flags.limit === 0) throw usage('--limit must be at least 1.')
  const message = flags.message === undefined ? undefined : await knownMessageId(flags.message, session)
  const subject = message ?? (flags.subject && (await subjectOption.read(flags.subject, session)))
  return follow(session, {
    what: 'events',
    path: EVENTS_STREAM,
    query: { events: flags.events?.join(','), not: flags.not?.join(','), subject },
    where: await withPossible(flags.where),
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
