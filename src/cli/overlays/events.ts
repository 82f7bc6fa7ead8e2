import type { Overlay } from '../overlay.ts'
import type { Paint } from '../paint.ts'
import { printable, record, render } from '../render.ts'

interface Listed {
  events: { seq: number }[]
  has_more: boolean
  first_seq: number
  dropped: number
}

interface Shown {
  seq: number
  id: string
  event: string
  timestamp: string
  subject: string
  data: Record<string, unknown>
  deliveries: Delivery[]
}

interface Delivery {
  id: string
  endpoint_id: string
  status: string
  next_attempt_at: string | null
  attempts: Attempt[]
}

interface Attempt {
  number: number
  at: string
  status_code: number | null
  duration_ms: number
  error: string | null
  fault: string | null
}

interface Delivered extends Delivery {
  event: string
  event_id: string
}

interface Page {
  data: Delivered[]
  next_cursor: string | null
}

const attemptLine = ({ number, at, status_code, duration_ms, error, fault }: Attempt, paint: Paint) =>
  [
    `  ${number}  ${paint.dim(at)}  ${status_code ?? 'no answer'}  ${paint.dim(`${duration_ms} ms`)}`,
    ...(error ? [paint.red(printable(error))] : []),
    ...(fault ? [paint.dim(`fault ${fault}`)] : []),
  ].join('  ')

const deliveryLines = ({ endpoint_id, status, next_attempt_at, attempts }: Delivery, paint: Paint) => [
  `to ${endpoint_id}  ${paint.bold(status)}${next_attempt_at ? paint.dim(`, next attempt ${next_attempt_at}`) : ''}`,
  ...attempts.map((attempt) => attemptLine(attempt, paint)),
]

const COLUMNS = ['seq', 'event', 'timestamp', 'id']

export const events: Record<string, Overlay> = {
  'events.list': {
    examples: ['sandbox events list --event "message.*" --limit 20', 'sandbox events list --subject msg_… --after 120'],
    forPeople:
      ({ events: listed, has_more, first_seq, dropped }: Listed) =>
      (paint) =>
        [
          ...(dropped > 0
            ? [paint.dim(`${dropped} older events were dropped; the log is whole from ${first_seq} on`)]
            : []),
          render({ events: listed }, COLUMNS)(paint),
          ...(has_more ? [paint.dim(`more: --after ${listed.at(-1)!.seq}`)] : []),
        ].join('\n'),
  },
  'events.show': {
    args: { id: { describe: 'id of the event, or its position in the log' } },
    examples: ['sandbox events show evt_…', 'sandbox events show 42'],
    forPeople:
      ({ seq, id, event, timestamp, data, deliveries }: Shown) =>
      (paint) =>
        [
          `${paint.bold(event)}  ${id}  ${paint.dim(`${timestamp} · event ${seq}`)}`,
          record(data, paint),
          '',
          ...(deliveries.length === 0 ? [paint.dim('no deliveries: no endpoint was subscribed to it')] : []),
          ...deliveries.flatMap((delivery) => deliveryLines(delivery, paint)),
        ].join('\n'),
  },
  'events.deliveries': {
    examples: ['sandbox events deliveries --status failed', 'sandbox events deliveries --event-id evt_…'],
    forPeople:
      ({ data, next_cursor }: Page) =>
      (paint) =>
        [
          ...(data.length === 0 ? [paint.dim('no deliveries: no endpoint was subscribed to what happened')] : []),
          ...data.flatMap((one) => [`${paint.bold(one.event)}  ${one.event_id}`, ...deliveryLines(one, paint)]),
          ...(next_cursor ? [paint.dim(`more: --cursor ${next_cursor}`)] : []),
        ].join('\n'),
  },
  // By hand, for it can forward to a URL as well.
  'events.replay': { skip: true },
  // By hand too: sandbox trigger.
  'events.trigger': { skip: true },
}
