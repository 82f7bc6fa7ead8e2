import { z } from 'zod'
import { type EventData, type EventName, eventNames } from '../../service/events/catalogue.ts'
import { envelopeFields } from '../../service/events/envelope.contract.ts'
import { EventFilter, EventNamePattern } from '../../service/events/patterns.ts'
import { testWebhook } from '../../service/webhooks/contract.ts'
import { delivery } from '../../service/webhooks/states.ts'
import type { About } from '../../words/about.ts'
import { Address } from '../../words/address.ts'
import { Duration } from '../../words/duration.ts'
import { Heartbeat } from '../../words/heartbeat.ts'
import { EventId, Timestamp, WebhookId } from '../../words/ids.ts'
import { Instant } from '../../words/instant.ts'
import { LogId, logQuery, logRange, Seq } from '../../words/log-page.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { Since } from '../../words/since.ts'
import { LeaseId } from '../leases/contract.ts'

export const about: About = {
  name: 'events',
  group: 'Webhooks',
  summary: 'Tail, list, show and replay events, deliveries and cursors',
}

/** The event log: read, follow, replay. Only a sandbox shows it. */

const position = logQuery('events')
const EventLogRange = {
  ...logRange('events'),
  begins_after: Seq.describe('Position after which the log begins; a restored snapshot contains earlier events.'),
}
const Subject = z
  .string()
  .max(200)
  .refine((text) => !Address.safeParse(text).success, {
    error: 'must be the id of a record, not an address. The ids of messages to an address: sandbox messages list --to',
    params: { code: 'invalid_format' },
  })
  .describe('Id of the message, contact or other record of the events.')
const EventFilterField = EventFilter.describe('Event names or families, separated by commas.')
const Lease = LeaseId.describe('Id of the lease of the events. The lease may have been released.').optional()
const filters = {
  not: EventFilter.optional().describe('Event names or families to exclude, separated by commas.'),
  subject: Subject.optional(),
  lease: Lease,
}

/** An event of the log; `data` has the fields of its name in the catalogue. */
export type LoggedEvent = {
  [Name in EventName]: { seq: number; id: string; event: Name; timestamp: string; data: EventData<Name> }
}[EventName]

const kinds = eventNames.map((name) => z.strictObject({ seq: Seq, ...envelopeFields(name) }))
const LoggedEvent = z
  .discriminatedUnion('event', kinds as [(typeof kinds)[0]])
  .meta({ id: 'LoggedEvent', description: 'An event of the log.' }) as unknown as z.ZodType<LoggedEvent>

const eventParams = {
  id: z
    .union([EventId, z.string().regex(/^[0-9]{1,15}$/)])
    .describe('Id of the event, or its position in the log.')
    .meta({ example: '1' }),
}
const CursorName = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 of letters, digits, _, . and -')
  .meta({ example: 'listen' })
const cursorParams = { name: CursorName.describe('Name of the cursor.') }
const Holder = z.string().min(1).max(100).describe('Id of the reader. The same reader id may reopen its own cursor.')

export const listEvents = operation({
  id: 'events.list',
  summary: 'List events',
  call: 'GET /_sandbox/events',
  access: 'namespace',
  query: z.strictObject({
    ...position,
    since: Since.optional(),
    order: z
      .enum(['oldest', 'newest'])
      .optional()
      .describe(
        'Order of the events (default: oldest first; in commands newest first without --after, --since and --from).',
      ),
    event: EventFilterField.optional(),
    ...filters,
    count: z.enum(['true', 'false']).optional().describe('Count all matching events, also those of other pages.'),
    from: Instant.optional().describe("Earliest time of the events on the world's clock, ISO 8601 UTC."),
    to: Instant.optional().describe("Latest time of the events on the world's clock, ISO 8601 UTC."),
  }),
  output: z.strictObject({
    events: z.array(LoggedEvent).describe('Events in the requested order.'),
    has_more: z.boolean().describe('Whether more events follow.'),
    total: z.int().optional().describe('Total number of matching events; only with count=true.'),
    ...EventLogRange,
  }),
  problems: ['not_found'],
})

export const waitForEvent = operation({
  id: 'events.wait',
  summary: 'Wait for an event, past or future',
  details:
    'Answers with the first matching event. A refusal names the nearest event and the next scheduled work. A frozen clock ends the wait after the work scheduled for now.',
  call: 'POST /_sandbox/events/wait',
  access: 'namespace',
  body: z
    .strictObject({
      event: EventNamePattern.describe('Name or family of the event.'),
      data: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Expected values of fields in the data of the event; an object is compared field by field.'),
      within: Duration.optional().describe(
        "Longest time to wait, on the world's clock, or with an auto clock on the machine's (default: 30s).",
      ),
      after: z.int().min(0).optional().describe('Position in the log after which the event happens (default: 0).'),
      lease: Lease,
    })
    .meta({
      example: {
        event: 'message.delivered',
        data: { message_id: 'msg_00000000-0000-4000-8000-000000000001' },
        within: '30s',
      },
    }),
  output: LoggedEvent,
  problems: ['not_found', 'not_arrived'],
})

export const streamEvents = operation({
  id: 'events.stream',
  summary: 'Follow the event log as server-sent events',
  details:
    'The stream continues after Last-Event-ID, after, since or cursor; without them it starts with the next event.',
  call: 'GET /_sandbox/events/stream',
  access: 'namespace',
  query: z.strictObject({
    after: position.after,
    since: Since.optional(),
    events: EventFilterField.optional(),
    ...filters,
    heartbeat: Heartbeat.optional(),
    log: LogId.optional(),
    cursor: CursorName.optional().describe(
      'Name of the cursor to continue from; a new one is created. The open stream holds the cursor exclusively.',
    ),
    holder: Holder.optional(),
  }),
  output: z.string(),
  media: 'text/event-stream',
  problems: ['not_found', 'cursor_in_use'],
  isUnrecorded: true,
})

const Cursor = z.strictObject({
  name: z.string().describe('Name of the cursor.'),
  seq: Seq.nullable().describe('Position of the last event read, or null for a new cursor.'),
  ...EventLogRange,
})

export const showCursor = operation({
  id: 'events.cursor',
  summary: 'Show the position of a named event cursor',
  call: 'GET /_sandbox/events/cursors/{name}',
  access: 'namespace',
  params: cursorParams,
  output: Cursor,
  isUnrecorded: true,
})

export const moveCursor = operation({
  id: 'events.moveCursor',
  summary: 'Save the position of a named event cursor',
  call: 'PUT /_sandbox/events/cursors/{name}',
  access: 'namespace',
  params: cursorParams,
  body: z.strictObject({ seq: Seq.meta({ example: 0 }), log: LogId.optional(), holder: Holder.optional() }),
  examples: [{ seq: 0 }],
  output: Cursor,
  problems: ['cursor_in_use'],
  isUnrecorded: true,
})

export const showSecret = operation({
  id: 'events.secret',
  summary: 'Show the signing secret of sandbox listen',
  details: 'The secret is derived from the seed of the world.',
  call: 'GET /_sandbox/events/secret',
  access: 'namespace',
  output: z.strictObject({
    secret: z.string().describe('Signing secret: whsec_ and 32 characters. The whole text is the key.'),
  }),
})

const Attempt = z.strictObject({
  number: z.int().min(1).describe('Number of the attempt, from 1.'),
  at: Timestamp.describe('Time of the attempt.'),
  status_code: z.int().nullable().describe('HTTP status of the answer, or null without an answer.'),
  duration_ms: z
    .int()
    .describe("Duration on the machine's clock; 0 with a frozen clock, so that repeated runs give equal answers."),
  error: z.string().nullable().describe('Reason of the failure, or null after a 2xx answer.'),
  response: z.string().nullable().describe('Start of the body of the answer.'),
  fault: z.string().nullable().describe('Id of the fault that changed the attempt: flt_…'),
})

const Delivery = z
  .strictObject({
    id: z.string().describe('Id of the delivery.'),
    event_id: EventId.describe('Id of the event.'),
    event: z.enum(eventNames).describe('Name of the event.'),
    subject: z.string().describe('Record of the event. Events of one record keep their order.'),
    endpoint_id: WebhookId.describe('Id of the endpoint.'),
    url: z.string().nullable().describe('Current URL of the endpoint, without passwords; null if it was removed.'),
    status: z
      .enum(delivery.states)
      .describe(
        'Status of the delivery: waiting for an earlier event of the record, in progress, held by a fault, or ended.',
      ),
    attempts: z.array(Attempt).describe('Attempts so far, oldest first.'),
    next_attempt_at: Timestamp.nullable().describe('Time of the next attempt, or null.'),
    waits_for: z
      .strictObject({
        event_id: EventId.describe('Id of that event.'),
        event: z.enum(eventNames).describe('Its name.'),
        next_attempt_at: Timestamp.nullable().describe('Time of the next attempt to deliver it, or null.'),
      })
      .optional()
      .describe('Earlier event of the record that is not delivered to the endpoint yet; only while waiting.'),
    created_at: Timestamp.describe('Time at which the delivery was created.'),
    ended_at: Timestamp.nullable().describe('Time at which the delivery succeeded, finally failed or was cancelled.'),
    replay: z
      .strictObject({
        id: z.string().describe('Id of that delivery.'),
        status: z.enum(delivery.states).describe('Its status.'),
      })
      .optional()
      .describe('Newest later delivery of the event to the endpoint, if it was replayed.'),
  })
  .meta({ id: 'Delivery', description: 'Delivery of an event to an endpoint.' })

export const listDeliveries = operation({
  id: 'events.deliveries',
  summary: 'List webhook deliveries and their attempts, newest first',
  call: 'GET /_sandbox/webhooks/deliveries',
  access: 'namespace',
  query: z.strictObject({
    ...PageQuery,
    endpoint_id: WebhookId.optional().describe('Id of the endpoint.'),
    event_id: EventId.optional().describe('Id of the event.'),
    status: z.enum(delivery.states).optional().describe('Current status.'),
    event: EventFilterField.optional(),
    subject: Subject.optional().describe('Only deliveries of events of this message, contact or other record.'),
  }),
  output: z.strictObject({
    data: z.array(Delivery).describe('Deliveries, newest first.'),
    ...PageFields,
    total: z.int().describe('Number of matching deliveries.'),
  }),
  problems: ['not_found'],
})

const deliveryParams = {
  id: z
    .string()
    .min(1)
    .max(100)
    .describe('Id of the delivery.')
    .meta({ example: 'dlv_00000000-0000-4000-8000-000000000001' }),
}

export const showDelivery = operation({
  id: 'events.delivery',
  summary: 'Show a delivery with its attempts and its signed request',
  call: 'GET /_sandbox/webhooks/deliveries/{id}',
  access: 'namespace',
  params: deliveryParams,
  output: z.strictObject({
    delivery: Delivery,
    request: z
      .strictObject({
        url: z.string().describe('URL of the endpoint, without passwords.'),
        headers: z
          .record(z.string(), z.string())
          .describe('Headers of the last attempt, or of the first one if it is still to come.'),
        body: z.string().describe('Exact bytes that are signed and sent.'),
      })
      .nullable()
      .describe("The request, signed with the endpoint's current secret; null if the endpoint was removed."),
  }),
})

export const sendEditedEvent = operation({
  id: 'events.sendEdited',
  summary: 'Send an edited copy of an event to an endpoint, once',
  call: 'POST /_sandbox/events/{id}/edited',
  access: 'namespace',
  params: eventParams,
  body: z
    .strictObject({
      endpoint_id: WebhookId.describe('The endpoint that receives it.'),
      body: z.string().min(1).max(100_000).describe('Exact bytes to sign and send instead of the event.'),
    })
    .meta({ example: { endpoint_id: '00000000-0000-4000-8000-000000000001', body: '{"event":"message.read"}' } }),
  output: testWebhook.output.extend({ response: Attempt.shape.response }),
})

export const showEvent = operation({
  id: 'events.show',
  summary: 'Show an event, its exact bytes and its deliveries',
  call: 'GET /_sandbox/events/{id}',
  access: 'namespace',
  params: eventParams,
  output: z.strictObject({
    seq: Seq,
    id: EventId,
    event: z.enum(eventNames).describe('Name of the event in the catalogue.'),
    timestamp: Timestamp.describe('Time of the event.'),
    subject: z.string().describe('Record of the event. Events of one record keep their order.'),
    data: z.record(z.string(), z.unknown()).describe('Data of the event, as the catalogue defines it.'),
    body: z.string().describe('Exact bytes that are signed and sent.'),
    headers: z
      .record(z.string(), z.string())
      .describe('Additional headers of its webhooks: X-Sandbox-Lease if the event concerns a lease.'),
    deliveries: z.array(Delivery).describe('Deliveries with their attempts, newest first; at most 200.'),
  }),
})

export const replayEvent = operation({
  id: 'events.replay',
  summary: 'Deliver an event again to its current endpoints',
  details: 'Id and bytes stay the same; the endpoints are those that subscribe to the event now.',
  call: 'POST /_sandbox/events/{id}/replay',
  access: 'namespace',
  params: eventParams,
  body: z.strictObject({
    endpoint_id: WebhookId.optional().describe(
      'Id of the only endpoint to deliver to (default: all subscribed endpoints).',
    ),
  }),
  bodyOptional: true,
  output: z.strictObject({
    event_id: EventId,
    seq: Seq,
    deliveries: z.array(Delivery).describe('Deliveries started by this call.'),
  }),
})
