import { isSubscribed } from '../../service/events/patterns.ts'
import type { Operation } from '../../words/operation.ts'
import type { World } from '../../world/world.ts'
import type { FaultInput } from './contract.ts'
import { standsFor } from './known.ts'
import { isExhausted, strikes } from './rules.ts'
import { faultStore } from './store.ts'

/** A fault that may still strike. */
export interface ArmedFault {
  id: string
  fault: FaultInput
}

interface Armed {
  /** In the order in which they are asked. */
  onCalls: readonly ArmedFault[]
  /** Those that meet an operation, by its id, from its first call on. */
  byOperation: Map<string, readonly ArmedFault[]>
  onWebhooks: readonly ArmedFault[]
}

/** The name under which they are kept at hand; who changes one forgets it. */
export const FAULTS = 'faults'

/** Asked with every call, so a world without faults pays a look at an empty list. */
const armedIn = (world: World): Armed => world.recall(FAULTS, () => arm(world))

function arm(world: World): Armed {
  const faults = world
    .store(faultStore)
    .all()
    .filter((row) => !isExhausted(row.fault, row))
  return {
    onCalls: faults.filter(({ fault }) => fault.routes !== undefined),
    byOperation: new Map(),
    onWebhooks: faults.filter(({ fault }) => fault.events !== undefined),
  }
}

export function armedFor(world: World, operation: Pick<Operation, 'id' | 'method' | 'path'>): readonly ArmedFault[] {
  const { onCalls, byOperation } = armedIn(world)
  if (onCalls.length === 0) return onCalls
  const known = byOperation.get(operation.id)
  if (known) return known
  const meant = onCalls.filter(({ fault }) => fault.routes!.some((name) => standsFor(name, operation)))
  byOperation.set(operation.id, meant)
  return meant
}

export function armedForEvent(world: World, event: string, endpointId: string): readonly ArmedFault[] {
  const { onWebhooks } = armedIn(world)
  if (onWebhooks.length === 0) return onWebhooks
  return onWebhooks.filter(
    ({ fault }) => isSubscribed(fault.events!, event) && (fault.endpoint_id ?? endpointId) === endpointId,
  )
}

/** Asks a fault, inside a transaction, and counts it: how often it was asked by now, or undefined where it lets pass. */
export function ask(world: World, { id, fault }: ArmedFault, isMeant: () => boolean = () => true): number | undefined {
  const store = world.store(faultStore)
  const { seen, hits } = store.see(id)
  // Keyed by the fault and its own count, so that one more call elsewhere does not shift the luck of this one.
  if (!strikes(fault, { seen, hits }, () => world.random('fault', id, String(seen))) || !isMeant()) return undefined
  store.hit(id)
  if (isExhausted(fault, { hits: hits + 1 })) world.forget(FAULTS)
  return seen
}
