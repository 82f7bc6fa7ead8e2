import { requireEvent } from '../../service/events/log.ts'
import {
  attemptsOf,
  deliverAgain,
  deliveriesOf,
  type ListedDelivery,
  recipientsOf,
} from '../../service/webhooks/deliveries.ts'
import { moreHeadersOf } from '../../service/webhooks/listeners.ts'
import { pageOf, windowOf } from '../../words/page.ts'
import { problem } from '../../words/problem.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { listDeliveries, replayEvent, showEvent } from './contract.ts'

export const deliveries: Action<typeof listDeliveries> = (world, { query }) => {
  const { endpoint_id, event_id, status } = query
  const window = windowOf('deliveries', query)
  const event_seq = event_id === undefined ? undefined : requireEvent(world, event_id).seq
  const { items, ...page } = pageOf(deliveriesOf(world, { endpoint_id, event_seq, status }, window), window)
  return { data: items.map((row) => deliveryAnswer(world, row)), ...page }
}

const MAX_SHOWN = 200

export const show: Action<typeof showEvent> = (world, { params }) => {
  const event = requireEvent(world, params.id)
  const { seq, body, subject } = event
  const rows = deliveriesOf(world, { event_seq: seq }, { limit: MAX_SHOWN, beyond: null, offset: 0 })
  const deliveries = rows.map((row) => deliveryAnswer(world, row))
  return { seq, subject, ...JSON.parse(body), body, headers: moreHeadersOf(world, event), deliveries }
}

export const replay: Action<typeof replayEvent> = (world, { params, body: { endpoint_id } }) => {
  const event = requireEvent(world, params.id)
  const recipients = recipientsOf(world, event)
  if (endpoint_id !== undefined && !recipients.includes(endpoint_id)) throw notSubscribed(endpoint_id, event)
  const deliveries = recipients
    .filter((id) => endpoint_id === undefined || id === endpoint_id)
    .map((id) => deliverAgain(world, event, id))
  const of = { event_id: event.id, event: event.event }
  return {
    event_id: event.id,
    seq: event.seq,
    deliveries: deliveries.map((row) => deliveryAnswer(world, { ...row, ...of })),
  }
}

const notSubscribed = (id: string, { event }: { event: string }) =>
  problem('validation_error', `No endpoint ${id} is subscribed to ${event}.`, {
    details: [{ field: 'endpoint_id', code: 'not_subscribed', message: `must be an endpoint subscribed to ${event}` }],
  })

export const deliveryAnswer = (world: World, row: ListedDelivery) => ({
  id: row.id,
  event_id: row.event_id,
  event: row.event,
  subject: row.subject,
  endpoint_id: row.endpoint_id,
  status: row.status,
  attempts: attemptsOf(world, row).map((made) => ({ ...made, at: isoTime(made.at) })),
  next_attempt_at: row.status === 'pending' || row.status === 'held' ? isoTimeOrNull(row.next_at) : null,
  created_at: isoTime(row.created_at),
  ended_at: isoTimeOrNull(row.ended_at),
})
