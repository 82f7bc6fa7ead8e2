import { sign } from '../../http/signature.ts'
import { webhookHeaders } from '../../http/webhook-headers.ts'
import { existing, problem } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import { type EventRow, eventAt } from '../events/log.ts'
import { withoutSecrets } from './address.ts'
import { attempt } from './attempt.ts'
import { attemptsOf, type ListedDelivery } from './deliveries.ts'
import type { AttemptRow } from './delivery.store.ts'
import type { DeliveryFault } from './fault-on.ts'
import { moreHeadersOf } from './listeners.ts'
import { type EndpointRow, endpointStore } from './store.ts'

/** One attempt outside the queue, without retries, because the caller waits for the answer. */
export const attemptNow = (
  world: World,
  event: EventRow,
  endpoint: EndpointRow,
  signal: AbortSignal,
  fault?: DeliveryFault,
): Promise<AttemptRow> =>
  attempt(world, event, endpoint, 1, signal, fault).catch((error) => {
    throw signal.aborted ? problem('shutting_down') : error
  })

/** Sends an event to an endpoint, and records nothing. */
export function sendOnce(world: World, event: EventRow, endpointId: string, signal: AbortSignal): Promise<AttemptRow> {
  const endpoint = existing(world.store(endpointStore).get(endpointId), 'webhook endpoint', endpointId)
  return attemptNow(world, event, endpoint, signal)
}

/** The current URL of an endpoint, without passwords; null if it was removed. */
export function urlOf(world: World, endpointId: string): string | null {
  const endpoint = world.store(endpointStore).get(endpointId)
  return endpoint ? withoutSecrets(endpoint.url) : null
}

/** The request of a delivery as its last attempt sent it; null if the endpoint was removed. */
export function signedRequestOf(world: World, row: ListedDelivery) {
  const endpoint = world.store(endpointStore).get(row.endpoint_id)
  if (!endpoint) return null
  const event = eventAt(world, row.event_seq)
  const number = Math.max(1, attemptsOf(world, row).length)
  return {
    url: withoutSecrets(endpoint.url),
    headers: { ...webhookHeaders(event.id, sign(endpoint.secret, event.body), number), ...moreHeadersOf(world, event) },
    body: event.body,
  }
}
