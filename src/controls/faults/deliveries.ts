import type { DeliveryFault, DeliveryFaults, Possible, Sent } from '../../service/webhooks/fault-on.ts'
import { durationMs, MINUTE } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import { armedForEvent, ask } from './active.ts'
import type { FaultInput } from './contract.ts'

const EFFECTS = ['drop', 'duplicate', 'reorder', 'bad_signature', 'lost_acknowledgement', 'odd_spelling'] as const

/** An event waits so long for the one behind it, in ms. */
const PATIENCE_MS = MINUTE

/** The faults of a world, as its deliveries meet them. */
export const faultsOnDeliveries: DeliveryFaults = {
  concern: (world, event, endpointId) => armedForEvent(world, event, endpointId).length > 0,
  meet,
}

/** Asks the faults on an event, as on a call: all that make it wait, up to the first that does more. */
function meet(world: World, event: Sent, endpointId: string, possible: Possible): DeliveryFault {
  const met: DeliveryFault = { id: null, delayMs: 0, effect: null }
  for (const armed of armedForEvent(world, event, endpointId)) {
    const { id, fault } = armed
    if (!isPossible(fault, possible) || ask(world, armed) === undefined) continue
    met.id ??= id
    met.delayMs += delayOf(fault)
    met.effect = EFFECTS.find((effect) => fault[effect]) ?? null
    if (!met.effect) continue
    met.id = id
    break
  }
  return met
}

const isPossible = ({ delay, reorder }: FaultInput, possible: Possible): boolean =>
  reorder ? possible.reorder : delay === undefined || possible.delay

const delayOf = ({ delay, reorder }: FaultInput): number =>
  delay === undefined ? (reorder ? PATIENCE_MS : 0) : durationMs(delay)
