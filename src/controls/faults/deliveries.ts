import type { DeliveryFault, DeliveryFaults, OutgoingEvent, PossibleFaults } from '../../service/webhooks/fault-on.ts'
import { durationMs, MINUTE } from '../../words/duration.ts'
import type { World } from '../../world/world.ts'
import { consultFault, faultsOnEvent } from './active.ts'
import type { FaultInput } from './contract.ts'

const EFFECTS = ['drop', 'duplicate', 'reorder', 'bad_signature', 'lost_acknowledgement', 'odd_spelling'] as const

/** A reordered event waits this long for the next one. */
const REORDER_WAIT_MS = MINUTE

export const faultsOnDeliveries: DeliveryFaults = {
  isAffected: (world, event, endpointId) => faultsOnEvent(world, event, endpointId).length > 0,
  jointFault: jointEffect,
}

/** Applies faults to a delivery as to a call: all that delay it, up to the first with another effect. */
function jointEffect(world: World, event: OutgoingEvent, endpointId: string, possible: PossibleFaults): DeliveryFault {
  const result: DeliveryFault = { id: null, delayMs: 0, effect: null }
  for (const active of faultsOnEvent(world, event, endpointId)) {
    const { id, fault } = active
    if (!isPossible(fault, possible) || consultFault(world, active) === undefined) continue
    result.id ??= id
    result.delayMs += delayOf(fault)
    result.effect = EFFECTS.find((effect) => fault[effect]) ?? null
    if (!result.effect) continue
    result.id = id
    break
  }
  return result
}

const isPossible = ({ delay, reorder }: FaultInput, possible: PossibleFaults): boolean =>
  reorder ? possible.reorder : delay === undefined || possible.delay

const delayOf = ({ delay, reorder }: FaultInput): number =>
  delay === undefined ? (reorder ? REORDER_WAIT_MS : 0) : durationMs(delay)
