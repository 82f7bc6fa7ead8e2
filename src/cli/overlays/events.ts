import type { Overlay } from '../overlay.ts'
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
}

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
          ...deliveries.flatMap(({ endpoint_id, status, next_attempt_at, attempts }) => [
            `to ${endpoint_id}  ${paint.bold(status)}${next_attempt_at ? paint.dim(`, next attempt ${next_attempt_at}`) : ''}`,
            ...attempts.map(
              ({ number, at, status_code, duration_ms, error }) =>
                `  ${number}  ${paint.dim(at)}  ${status_code ?? 'no answer'}  ${paint.dim(`${duration_ms} ms`)}${error ? `  ${paint.red(printable(error))}` : ''}`,
            ),
          ]),
        ].join('\n'),
  },
  // By hand, for it can forward to a URL as well.
  'events.replay': { skip: true },
  // By hand too: sandbox trigger.
  'events.trigger': { skip: true },
}
