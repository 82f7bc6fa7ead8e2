import type { z } from 'zod'
import { pageOf, windowOf } from '../../words/page.ts'
import { existing } from '../../words/problem.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { EventSubscription } from '../events/catalogue.ts'
import { append } from '../events/log.ts'
import { withoutSecrets } from './address.ts'
import { attemptNow } from './by-hand.ts'
import type * as contract from './contract.ts'
import { cancelDeliveries, cancelUnsubscribed, recordDelivery } from './deliveries.ts'
import { faultOnTest } from './fault-on.ts'
import { type EndpointRow, endpointStore } from './store.ts'
import { noteSubscriptions } from './waiting-events.ts'

export const create: Action<typeof contract.createWebhook> = (world, { body }) => {
  const row = addEndpoint(world, body)
  return { ...toAnswer(row), secret: row.secret }
}

export function addEndpoint(
  world: World,
  { id = world.ids.next(''), url, events, secret, description }: z.output<typeof contract.EndpointSeed>,
): EndpointRow {
  const now = world.now()
  world.store(endpointStore).insert({
    id,
    url,
    events: JSON.stringify(events),
    secret: secret ?? newSecret(world),
    description: description ?? null,
    created_at: now,
    updated_at: now,
  })
  noteSubscriptions(world)
  return requireEndpoint(world, id)
}

/** Dumps endpoints as section `webhooks`. */
export const dumpEndpoints = (world: World, withSecrets: boolean): z.input<typeof contract.EndpointSeed>[] =>
  world
    .store(endpointStore)
    .whole()
    .map(({ id, url, events, secret, description }) => ({
      id,
      url: withSecrets ? url : withoutSecrets(url),
      events: JSON.parse(events),
      description: description ?? undefined,
      secret: withSecrets ? secret : undefined,
    }))

export const list: Action<typeof contract.listWebhooks> = (world, { query }) => {
  const window = windowOf(world, 'webhooks', query)
  const { items, ...page } = pageOf(world.store(endpointStore).page(window), window)
  return { data: items.map(toAnswer), ...page }
}

export const update: Action<typeof contract.updateWebhook> = (world, { params, body }) => {
  const { events, rotate_secret, ...change } = body
  const secret = rotate_secret ? newSecret(world) : change.secret
  const row: EndpointRow = {
    ...requireEndpoint(world, params.id),
    ...change,
    ...(events && { events: JSON.stringify(events) }),
    ...(secret && { secret }),
    updated_at: world.now(),
  }
  world.store(endpointStore).update(row)
  noteSubscriptions(world)
  if (events) cancelUnsubscribed(world, row.id)
  return { ...toAnswer(row), ...(secret && { secret }) }
}

const remove: Action<typeof contract.deleteWebhook> = (world, { params }) => {
  const { id } = requireEndpoint(world, params.id)
  cancelDeliveries(world, id)
  world.store(endpointStore).remove(id)
}

/** Bypasses queue and retries, because the caller waits for the answer. */
export const test: AsyncAction<typeof contract.testWebhook> = async (world, { params, caller }) => {
  const endpoint = requireEndpoint(world, params.id)
  const event = world.transaction(() =>
    append(world, 'webhook.test', endpoint.id, { endpoint_id: endpoint.id, text: 'This is a test event.' }),
  )
  const made = await attemptNow(world, event, endpoint, caller.signal, faultOnTest(world, endpoint.id))
  world.transaction(() => recordDelivery(world, event, endpoint, made))
  const { status_code, duration_ms, error } = made
  return { delivered: error === null, status_code, duration_ms, error }
}

const newSecret = (world: World) => world.ids.secret('whsec_', 32)

export const requireEndpoint = (world: World, id: string): EndpointRow =>
  existing(world.store(endpointStore).get(id), 'webhook endpoint', id)

/** Without the secret, which is shown at creation only. */
const toAnswer = ({ id, url, events, description, created_at, updated_at }: EndpointRow) => ({
  id,
  url,
  events: JSON.parse(events) as EventSubscription[],
  description,
  status: 'ACTIVE' as const,
  created_at: isoTime(created_at),
  updated_at: isoTime(updated_at),
})

export { remove as delete }
