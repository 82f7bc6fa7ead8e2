import { z } from 'zod'
import { type EventData, type EventName, eventNames } from '../../service/events/catalogue.ts'
import { envelopeFields } from '../../service/events/envelope.contract.ts'
import { EventFilter } from '../../service/events/patterns.ts'
import { delivery } from '../../service/webhooks/states.ts'
import type { About } from '../../words/about.ts'
import { Heartbeat } from '../../words/heartbeat.ts'
import { EventId, Timestamp, WebhookId } from '../../words/ids.ts'
import { Instant } from '../../words/instant.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery, wholeNumber } from '../../words/page.ts'
import { Since } from '../../words/since.ts'
import { LeaseId } from '../leases/contract.ts'

export const about: About = {
  name: 'events',
  group: 'Webhooks',
  summary: 'Tail, list, show and replay events, deliveries and cursors',
}

/** The event log: read, follow, replay. Only a sandbox shows it. */

const Seq = z.int().min(0).describe('Position in the log; rises by at least one with every event.')
const LogId = z
  .string()
  .describe('Differs when the log was begun anew: positions of another log mean nothing in this one.')
const FirstSeq = Seq.describe(
  'From here on no event is missing: what came before was dropped when the log reached its bounds.',
)
const DroppedCount = z.int().min(0).describe('How many events were dropped so far, oldest first.')
const EventLogRange = {
  first_seq: FirstSeq,
  last_seq: Seq.describe('Position of the newest event of the whole log.'),
  dropped: DroppedCount,
  log_id: LogId,
}
const Subject = z.string().max(200).describe('Only events of this message, contact or other record.')
const After = wholeNumber(0, Number.MAX_SAFE_INTEGER).describe('Only events after this position.')
const Before = wholeNumber(1, Number.MAX_SAFE_INTEGER).describe('Only events before this position.')
const EventFilterField = EventFilter.describe('Names or families, separated by commas.')

/** An event of the log; `data` has the fields of its name in the catalogue. */
export type LoggedEvent = {
  [Name in EventName]: { seq: number; id: string; event: Name; timestamp: string; data: EventData<Name> }
}[EventName]

const kinds = eventNames.map((name) => z.strictObject({ seq: Seq, ...envelopeFields(name) }))
const LoggedEvent = z.discriminatedUnion('event', kinds as [(typeof kinds)[0]]) as unknown as z.ZodType<LoggedEvent>

const eventParams = {
  id: z
    .union([EventId, z.string().regex(/^[0-9]{1,15}$/)])
    .describe('Id of the event, or its place in the log.')
    .meta({ example: '1' }),
}
const CursorName = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 of letters, digits, _, . and -')
  .meta({ example: 'listen' })
const cursorParams = { name: CursorName.describe('Name of the reader.') }
const Log = z
  .string()
  .max(200)
  .describe('Which log the position is of, as the hello of a stream says: in another one it means nothing.')
const Holder = z
  .string()
  .min(1)
  .max(100)
  .describe('Who reads with the cursor. Whoever comes again under the same name takes it over from itself.')

export const listEvents = operation({
  id: 'events.list',
  summary: 'List events, oldest or newest first',
  call: 'GET /_sandbox/events',
  query: z.strictObject({
    after: After.optional(),
    since: Since.optional(),
    before: Before.optional(),
    order: z.enum(['oldest', 'newest']).optional().describe('Which come first, else the oldest.'),
    limit: wholeNumber(1, 1000).optional().describe('Most events of one answer: 1 to 1,000, else 50.'),
    event: EventFilterField.optional(),
    not: EventFilter.optional().describe('Names or families that are left out, separated by commas.'),
    subject: Subject.optional(),
    lease: LeaseId.optional().describe('Only events that concern this lease, which may have been released.'),
    from: Instant.optional().describe("Not before this time on the world's clock, ISO 8601 UTC."),
    to: Instant.optional().describe("Not after this time on the world's clock, ISO 8601 UTC."),
  }),
  output: z.strictObject({
    events: z.array(LoggedEvent).describe('In the order that was asked for.'),
    has_more: z.boolean().describe('More follow after the last one listed.'),
    ...EventLogRange,
  }),
  problems: ['not_found'],
})

export const streamEvents = operation({
  id: 'events.stream',
  summary: 'Follow the event log as server-sent events',
  details:
    'The stream continues after Last-Event-ID, after, since or cursor; without them it starts with the next event.',
  call: 'GET /_sandbox/events/stream',
  query: z.strictObject({
    after: After.optional(),
    since: Since.optional(),
    events: EventFilterField.optional(),
    not: EventFilter.optional().describe('Names or families that are left out, separated by commas.'),
    subject: Subject.optional(),
    lease: LeaseId.optional().describe('Only events that concern this lease, which may have been released.'),
    heartbeat: Heartbeat.optional(),
    log: Log.optional(),
    cursor: CursorName.optional().describe(
      'Begin where this named reader stands, and make it where it is new. While the stream is open it is this one alone that has the cursor.',
    ),
    holder: Holder.optional(),
  }),
  output: z.string(),
  media: 'text/event-stream',
  problems: ['not_found', 'cursor_in_use'],
  isUnrecorded: true,
})

const Cursor = z.strictObject({
  name: z.string().describe('Of the reader.'),
  seq: Seq.nullable().describe('The last position that was dealt with; null when the cursor is new.'),
  ...EventLogRange,
})

export const showCursor = operation({
  id: 'events.cursor',
  summary: 'Show the position of a named event cursor',
  call: 'GET /_sandbox/events/cursors/{name}',
  params: cursorParams,
  output: Cursor,
  isUnrecorded: true,
})

export const moveCursor = operation({
  id: 'events.moveCursor',
  summary: 'Save the position of a named event cursor',
  call: 'PUT /_sandbox/events/cursors/{name}',
  params: cursorParams,
  body: z.strictObject({ seq: Seq.meta({ example: 0 }), log: Log.optional(), holder: Holder.optional() }),
  examples: [{ seq: 0 }],
  output: Cursor,
  problems: ['cursor_in_use'],
  isUnrecorded: true,
})

export const showSecret = operation({
  id: 'events.secret',
  summary: 'Show the signing secret of the relay',
  details: 'The secret is derived from the seed of the world.',
  call: 'GET /_sandbox/events/secret',
  output: z.strictObject({ secret: z.string().describe('Key of the signature, whole: whsec_ and 32 characters.') }),
})

const Attempt = z.strictObject({
  number: z.int().min(1).describe('Which attempt it was, from 1.'),
  at: Timestamp.describe('When it was made.'),
  status_code: z.int().nullable().describe('null when no answer came.'),
  duration_ms: z
    .int()
    .describe("On the machine's clock; 0 where the world's clock stands, so that equal runs answer alike."),
  error: z.string().nullable().describe('Why it failed; null where the receiver answered 2xx.'),
  response: z.string().nullable().describe('The beginning of what the receiver answered.'),
  fault: z.string().nullable().describe('The fault that it met: flt_…'),
})

const Delivery = z
  .strictObject({
    id: z.string().describe('Id of the delivery.'),
    event_id: EventId.describe('The event that is delivered.'),
    event: z.enum(eventNames).describe('Its name.'),
    subject: z.string().describe('The record that it tells of; events of one record keep their order.'),
    endpoint_id: WebhookId.describe('The endpoint it goes to.'),
    status: z
      .enum(delivery.states)
      .describe('Where it stands: waiting for an earlier one of the record, under way, held by a fault, or ended.'),
    attempts: z.array(Attempt).describe('What was tried so far, oldest first.'),
    next_attempt_at: Timestamp.nullable().describe('When the next attempt is due; null where none is.'),
    created_at: Timestamp.describe('When the event was to be delivered.'),
    ended_at: Timestamp.nullable().describe('When it was delivered, failed for good or was cancelled.'),
  })
  .meta({ id: 'Delivery', description: 'An event on its way to an endpoint.' })

export const listDeliveries = operation({
  id: 'events.deliveries',
  summary: 'List webhook deliveries and their attempts, newest first',
  call: 'GET /_sandbox/webhooks/deliveries',
  query: z.strictObject({
    ...PageQuery,
    endpoint_id: WebhookId.optional().describe('To this endpoint.'),
    event_id: EventId.optional().describe('Of this event.'),
    status: z.enum(delivery.states).optional().describe('In this status now.'),
  }),
  output: z.strictObject({ data: z.array(Delivery).describe('Newest first.'), ...PageFields }),
  problems: ['not_found'],
})

export const showEvent = operation({
  id: 'events.show',
  summary: 'Show an event, its exact bytes and its deliveries',
  call: 'GET /_sandbox/events/{id}',
  params: eventParams,
  output: z.strictObject({
    seq: Seq,
    id: EventId,
    event: z.enum(eventNames).describe('Its name in the catalogue.'),
    timestamp: Timestamp.describe('When it happened.'),
    subject: z.string().describe('The record whose events keep their order.'),
    data: z.record(z.string(), z.unknown()).describe('As the catalogue has it for this event.'),
    body: z.string().describe('Exactly what is signed and sent, byte for byte.'),
    headers: z
      .record(z.string(), z.string())
      .describe('What its webhooks carry beyond the usual headers: X-Sandbox-Lease where it concerns a lease.'),
    deliveries: z.array(Delivery).describe('To endpoints, with every attempt, newest first; at most 200.'),
  }),
  problems: ['not_found'],
})

export const replayEvent = operation({
  id: 'events.replay',
  summary: 'Deliver an event again to its current endpoints',
  details: 'Id and bytes stay the same; the endpoints are those that subscribe to the event now.',
  call: 'POST /_sandbox/events/{id}/replay',
  params: eventParams,
  body: z.strictObject({ endpoint_id: WebhookId.optional().describe('To this endpoint only.') }),
  bodyOptional: true,
  output: z.strictObject({
    event_id: EventId,
    seq: Seq,
    deliveries: z.array(Delivery).describe('Those that were begun by this call.'),
  }),
  problems: ['not_found'],
})
