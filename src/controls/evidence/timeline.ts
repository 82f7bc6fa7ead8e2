import { redactBody, redactSecrets } from '../../words/redact.ts'
import { effectOf } from '../faults/rules.ts'
import type { Gathered } from './gather.ts'
import type { Fact, Item } from './item.ts'
import { isAnswerLost } from './lost-answer.ts'

export type GatheredRequest = Gathered['requests'][number]
type Reason = Gathered['explanations'][number]['steps'][number]['because'][number]

/** An item before its position among the requests is known. */
export interface TimelineEntry extends Omit<Item, 'machine_at' | 'is_estimated'> {
  /** Ids by which the request that caused it can be known. */
  subjects: readonly string[]
  /** Position in the request log, of a request. */
  seq?: number
}

const fact = (label: string, text: unknown): Fact[] =>
  text === null || text === undefined || text === '' ? [] : [{ label, text: redactSecrets(String(text)) }]

const body = (label: string, text: string | null | undefined): Fact[] =>
  text ? [{ label, text: redactBody(text) }] : []

const json = (value: unknown) => JSON.stringify(value, null, 1)

/** Everything that was gathered, an entry for each thing that happened. */
export const entriesOf = (gathered: Gathered): TimelineEntry[] => [
  ...gathered.requests.map((request) => requestEntry(request, gathered.faults)),
  ...gathered.explanations.flatMap(stepEntries),
  // The opening balance is not a part of what happened.
  ...gathered.transactions
    .filter(({ type }) => type !== 'opening')
    .toReversed()
    .map(moneyEntry),
  ...gathered.events.map(eventEntry),
  ...gathered.deliveries.toReversed().flatMap((delivery) => attemptEntries(delivery, gathered)),
]

type Faults = Gathered['faults']

/** A fault by its effect, and by its id, which the control plane knows it by. */
function faultFact(id: string | null, faults: Faults): Fact[] {
  const input = id === null ? undefined : faults.get(id)
  return fact('fault', input ? `${effectOf(input)} (${id})` : id)
}

function requestEntry(request: GatheredRequest, faults: Faults): TimelineEntry {
  const { seq, at, method, path, status, error, duration_ms, request_id, idempotency_key, replayed, fault } = request
  const isLost = isAnswerLost(request, faults)
  const refusal = [status ?? 'no answer', error].filter(Boolean).join(' ') + (isLost ? ', answer lost' : '')
  return {
    kind: 'request',
    ...{ seq, at },
    title: `${method} ${path} → ${refusal}`,
    tone: status !== null && status < 400 && !isLost ? 'good' : 'bad',
    message_id: messageIn(request),
    facts: [
      ...refusalFacts(request),
      ...fact('idempotency key', idempotency_key),
      ...(replayed ? fact('replayed', 'an earlier answer was repeated') : []),
      ...faultFact(fault, faults),
      ...fact('request id', request_id),
      ...fact('took', `${duration_ms} ms`),
    ],
    bodies: [...body('request', request.request?.body), ...body('response', request.response?.body)],
    subjects: [],
  }
}

const MESSAGE_ID = /\bmsg_[0-9a-f-]{36}\b/
const messageIn = ({ path, response }: GatheredRequest): string | null =>
  (MESSAGE_ID.exec(path) ?? MESSAGE_ID.exec(response?.body?.slice(0, 200) ?? ''))?.[0] ?? null

/** Refusals of validation, consent and other checks (interface §7). */
function refusalFacts({ status, response }: GatheredRequest): Fact[] {
  if (status === null || status < 400 || !response?.body) return []
  try {
    const { message, details } = JSON.parse(response.body) as {
      message?: string
      details?: { field: string; message: string }[]
    }
    return [
      ...fact('refused', message),
      ...(Array.isArray(details) ? details.flatMap(({ field, message }) => fact(field, message)) : []),
    ]
  } catch {
    return []
  }
}

function stepEntries({ message_id, to, steps, near_misses, next }: Gathered['explanations'][number]): TimelineEntry[] {
  const entry = (at: string, what: string, because: readonly Reason[], more: Fact[] = []): TimelineEntry => ({
    kind: 'step',
    at,
    title: `${what}: message to ${to}`,
    tone: WENT_WRONG.has(what) ? 'bad' : 'neutral',
    message_id,
    facts: [...because.flatMap(({ about, says }) => fact(about, says)), ...more],
    bodies: [],
    subjects: [message_id],
  })
  const misses = near_misses.flatMap(({ rule_id, name, says }) => fact(`rule ${name ?? rule_id} came close`, says))
  return [
    ...steps.map(({ at, what, because }) => entry(at, what, because, what === 'planned' ? misses : [])),
    ...(next ? [entry(next.at, `due, not yet ${next.what}`, next.because)] : []),
  ]
}

const WENT_WRONG = new Set(['failed', 'expired', 'bounced', 'complained', 'held_up'])

const moneyEntry = ({
  id,
  type,
  amount,
  free_after,
  reserved_after,
  message_id,
  created_at,
}: Gathered['transactions'][number]): TimelineEntry => ({
  kind: 'money',
  at: created_at,
  title: `${type} ${amount} EUR`,
  tone: 'neutral',
  message_id,
  facts: [...fact('free afterwards', `${free_after} EUR`), ...fact('reserved afterwards', `${reserved_after} EUR`)],
  bodies: [],
  subjects: message_id ? [message_id] : [id],
})

/** Records by which to find the request that caused an event, the most specific first. */
const SUBJECTS = ['message_id', 'contact_id', 'campaign_id', 'agent_id', 'channel_id']

function eventEntry({ id, event, timestamp, data }: Gathered['events'][number]): TimelineEntry {
  const fields = data as Readonly<Record<string, unknown>>
  const subject = SUBJECTS.map((field) => fields[field]).find((value) => typeof value === 'string')
  return {
    kind: 'event',
    at: timestamp,
    title: event,
    tone: 'neutral',
    message_id: typeof fields.message_id === 'string' ? fields.message_id : null,
    facts: fact('event id', id),
    bodies: body('data', json(data)),
    subjects: typeof subject === 'string' ? [subject] : [],
  }
}

function attemptEntries(
  { event, event_id, subject, endpoint_id, status, attempts }: Gathered['deliveries'][number],
  { endpointUrls, faults }: Gathered,
): TimelineEntry[] {
  const url = endpointUrls.get(endpoint_id)
  return attempts.map(({ number, at, status_code, duration_ms, error, response, fault }) => ({
    kind: 'webhook',
    at,
    title: `${event}, attempt ${number} → ${status_code ?? 'no answer'}${url ? ` from ${url}` : ''}`,
    tone: error === null ? 'good' : 'bad',
    message_id: subject.startsWith('msg_') ? subject : null,
    facts: [
      ...fact('error', error),
      ...fact('the handler answered', response),
      ...faultFact(fault, faults),
      ...fact('delivery', `${status}, to endpoint ${endpoint_id}`),
      ...fact('event id', event_id),
      ...fact('took', `${duration_ms} ms`),
    ],
    bodies: [],
    subjects: [subject],
  }))
}
