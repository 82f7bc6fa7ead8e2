import { requireEvent } from '../../service/events/log.ts'
import { sendOnce, signedRequestOf, urlOf } from '../../service/webhooks/by-hand.ts'
import {
  attemptsOf,
  awaitedDelivery,
  countDeliveries,
  deliverAgain,
  deliveriesOf,
  deliveryById,
  type ListedDelivery,
  laterDelivery,
  recipientsOf,
} from '../../service/webhooks/deliveries.ts'
import { moreHeadersOf } from '../../service/webhooks/listeners.ts'
import { brokenField } from '../../words/broken-fields.ts'
import { pageOf, windowOf } from '../../words/page.ts'
import { existing } from '../../words/problem.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { isoTime, isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { listDeliveries, replayEvent, sendEditedEvent, showDelivery, showEvent } from './contract.ts'

export const deliveries: Action<typeof listDeliveries> = (world, { query }) => {
  const { endpoint_id, event_id, status, event: events, subject } = query
  const window = windowOf(world, 'deliveries', query)
  const event_seq = event_id === undefined ? undefined : requireEvent(world, event_id).seq
  const filter = { endpoint_id, event_seq, status, events, subject }
  const { items, ...page } = pageOf(deliveriesOf(world, filter, window), window)
  return { data: items.map((row) => deliveryAnswer(world, row)), ...page, total: countDeliveries(world, filter) }
}

export const delivery: Action<typeof showDelivery> = (world, { params }) => {
  const row = existing(deliveryById(world, params.id), 'delivery', params.id)
  return { delivery: deliveryAnswer(world, row), request: signedRequestOf(world, row) }
}

export const sendEdited: AsyncAction<typeof sendEditedEvent> = async (world, { params, body, caller }) => {
  const event = requireEvent(world, params.id)
  const made = await sendOnce(world, { ...event, body: body.body }, body.endpoint_id, caller.signal)
  const { status_code, duration_ms, error, response } = made
  return { delivered: error === null, status_code, duration_ms, error, response }
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
  if (endpoint_id !== undefined && !recipients.includes(endpoint_id))
    throw brokenField('endpoint_id', 'not_subscribed', `${endpoint_id} is no endpoint subscribed to ${event.event}`)
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

export const deliveryAnswer = (world: World, row: ListedDelivery) => ({
  id: row.id,
  event_id: row.event_id,
  event: row.event,
  subject: row.subject,
  endpoint_id: row.endpoint_id,
  url: urlOf(world, row.endpoint_id),
  status: row.status,
  attempts: attemptsOf(world, row).map((made) => ({ ...made, at: isoTime(made.at) })),
  next_attempt_at: nextAttemptAt(row),
  ...awaitedBy(world, row),
  created_at: isoTime(row.created_at),
  ended_at: isoTimeOrNull(row.ended_at),
  ...replayOf(world, row),
})

const nextAttemptAt = ({ status, next_at }: ListedDelivery) =>
  status === 'pending' || status === 'held' ? isoTimeOrNull(next_at) : null

function awaitedBy(world: World, row: ListedDelivery) {
  const first = awaitedDelivery(world, row)
  return (
    first && {
      waits_for: { event_id: first.event_id, event: first.event, next_attempt_at: nextAttemptAt(first) },
    }
  )
}

function replayOf(world: World, row: ListedDelivery) {
  const later = laterDelivery(world, row)
  return later && { replay: { id: later.id, status: later.status } }
}
