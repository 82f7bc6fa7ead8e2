import { addressesOfEvent } from '../../service/contacts/addresses.ts'
import type { OutgoingEvent } from '../../service/webhooks/fault-on.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import { getOrAdd } from '../../words/get-or-add.ts'
import type { Operation } from '../../words/operation.ts'
import type { World } from '../../world/world.ts'
import { isRouteOf } from './route-names.ts'
import { applies, isExhausted } from './rules.ts'
import { type ActiveFault, faultStore } from './store.ts'

export function faultsOnCall(
  world: World,
  operation: Pick<Operation, 'id' | 'method' | 'path'>,
): readonly ActiveFault[] {
  const { onCalls, byOperation } = world.store(faultStore).active()
  if (onCalls.length === 0) return onCalls
  return getOrAdd(byOperation, operation.id, () =>
    onCalls.filter(({ fault }) => fault.routes!.some((name) => isRouteOf(name, operation))),
  )
}

export function faultsOnEvent(
  world: World,
  { event, body }: OutgoingEvent,
  endpointId: string,
): readonly ActiveFault[] {
  const { onWebhooks } = world.store(faultStore).active()
  if (onWebhooks.length === 0) return onWebhooks
  const matching = onWebhooks.filter(
    ({ fault }) => isSubscribed(fault.events!, event) && (fault.endpoint_id ?? endpointId) === endpointId,
  )
  if (matching.every(isForAnyAddress)) return matching
  const { addresses } = addressesOfEvent(world, body)
  return matching.filter((active) => isAbout(active, addresses))
}

export const isForAnyAddress = ({ fault }: ActiveFault): boolean => fault.to === undefined

/** `addresses` are in lower case. */
export const isAbout = ({ fault }: ActiveFault, addresses: readonly string[]): boolean =>
  fault.to === undefined || addresses.includes(fault.to.toLowerCase())

/**
 * Counts a fault inside a transaction. Returns how often it was counted, or undefined if it does not apply this
 * time.
 */
export function consultFault(
  world: World,
  { id, fault }: ActiveFault,
  isMeant: () => boolean = () => true,
): number | undefined {
  const store = world.store(faultStore)
  const { seen, hits } = store.see(id)
  // Keyed by the fault and its own count, so that other calls do not shift its luck.
  if (!applies(fault, { seen, hits }, () => world.random('fault', id, String(seen))) || !isMeant()) return undefined
  store.hit(id, { isLast: isExhausted(fault, { hits: hits + 1 }) })
  return seen
}
