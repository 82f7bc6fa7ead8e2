import { isSubscribed } from '../../service/events/patterns.ts'
import type { World } from '../../world/world.ts'
import type { FaultInput } from './contract.ts'
import { operationsNamed } from './known.ts'
import { isExhausted, strikes } from './rules.ts'
import { faultStore } from './store.ts'

/** A fault that may still strike. */
export interface ArmedFault {
  id: string
  fault: FaultInput
}

interface Armed {
  /** By the id of the operation, in the order in which they are asked. */
  onCalls: ReadonlyMap<string, readonly ArmedFault[]>
  onWebhooks: readonly ArmedFault[]
}

/** The name under which they are kept at hand; who changes one forgets it. */
export const FAULTS = 'faults'

/** Asked with every call, so a world without faults pays a look into an empty map. */
const armedIn = (world: World): Armed => world.recall(FAULTS, () => arm(world))

function arm(world: World): Armed {
  const faults = world
    .store(faultStore)
    .all()
    .filter((row) => !isExhausted(row.fault, row))
  const onCalls = new Map<string, ArmedFault[]>()
  for (const { id, fault } of faults)
    for (const operation of new Set((fault.routes ?? []).flatMap(operationsNamed)))
      onCalls.set(operation.id, [...(onCalls.get(operation.id) ?? []), { id, fault }])
  return { onCalls, onWebhooks: faults.filter(({ fault }) => fault.events !== undefined) }
}

export const armedFor = (world: World, operationId: string) => armedIn(world).onCalls.get(operationId)

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
  if (!strikes(fault, { seen, hits }, () => world.share('fault', id, String(seen))) || !isMeant()) return undefined
  store.hit(id)
  if (isExhausted(fault, { hits: hits + 1 })) world.forget(FAULTS)
  return seen
}
