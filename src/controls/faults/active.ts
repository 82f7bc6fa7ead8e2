import { toldOf } from '../../service/contacts/addresses.ts'
import type { Sent } from '../../service/webhooks/fault-on.ts'
import { isSubscribed } from '../../words/event-patterns.ts'
import type { Operation } from '../../words/operation.ts'
import type { World } from '../../world/world.ts'
import { standsFor } from './known.ts'
import { isExhausted, strikes } from './rules.ts'
import { type ArmedFault, faultStore } from './store.ts'

export type { ArmedFault }

export function armedFor(world: World, operation: Pick<Operation, 'id' | 'method' | 'path'>): readonly ArmedFault[] {
  const { onCalls, byOperation } = world.store(faultStore).armed()
  if (onCalls.length === 0) return onCalls
  const known = byOperation.get(operation.id)
  if (known) return known
  const meant = onCalls.filter(({ fault }) => fault.routes!.some((name) => standsFor(name, operation)))
  byOperation.set(operation.id, meant)
  return meant
}

export function armedForEvent(world: World, { event, body }: Sent, endpointId: string): readonly ArmedFault[] {
  const { onWebhooks } = world.store(faultStore).armed()
  if (onWebhooks.length === 0) return onWebhooks
  const meant = onWebhooks.filter(
    ({ fault }) => isSubscribed(fault.events!, event) && (fault.endpoint_id ?? endpointId) === endpointId,
  )
  if (meant.every(isForAll)) return meant
  const { addresses } = toldOf(world, body)
  return meant.filter((armed) => isAbout(armed, addresses))
}

export const isForAll = ({ fault }: ArmedFault): boolean => fault.to === undefined

/** Addresses are in lower case. */
export const isAbout = ({ fault }: ArmedFault, addresses: readonly string[]): boolean =>
  fault.to === undefined || addresses.includes(fault.to.toLowerCase())

/** Asks a fault, inside a transaction, and counts it: how often it was asked by now, or undefined where it lets pass. */
export function ask(world: World, { id, fault }: ArmedFault, isMeant: () => boolean = () => true): number | undefined {
  const store = world.store(faultStore)
  const { seen, hits } = store.see(id)
  // Keyed by the fault and its own count, so that one more call elsewhere does not shift the luck of this one.
  if (!strikes(fault, { seen, hits }, () => world.random('fault', id, String(seen))) || !isMeant()) return undefined
  store.hit(id, { isLast: isExhausted(fault, { hits: hits + 1 }) })
  return seen
}
