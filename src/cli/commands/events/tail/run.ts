import { type Envelope, subjectOf } from '../../../../relay/envelope.ts'
import { EVENTS_STREAM } from '../../../../relay/stream.ts'
import type { Where } from '../../../../words/where.ts'
import type { Paint } from '../../../output/paint.ts'
import { usage } from '../../../process/exit.ts'
import { follow } from '../../../session/follow.ts'
import { knownMessageId, messageIdOf } from '../../../session/last-sent.ts'
import type { Session } from '../../../session/session.ts'
import { type Filters, withKnownFields } from '../../listen/filters.ts'

export interface TailFlags extends Filters {
  where?: Where[]
  subject?: string
  message?: string
  since?: string
  limit?: number
}

export async function tail(session: Session, flags: TailFlags) {
  const { output } = session
  if (flags.limit === 0) throw usage('--limit must be at least 1.')
  const message = flags.message === undefined ? undefined : await knownMessageId(flags.message, session)
  const subject = message ?? (flags.subject && (await messageIdOf(flags.subject, session)))
  return follow(session, {
    what: 'events',
    path: EVENTS_STREAM,
    query: { events: flags.events?.join(','), not: flags.not?.join(','), subject },
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
