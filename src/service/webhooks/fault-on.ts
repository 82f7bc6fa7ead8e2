import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import { type DeliveryRow, deliveryStore } from './delivery.store.ts'

export type DeliveryEffect =
  | 'drop'
  | 'duplicate'
  | 'reorder'
  | 'bad_signature'
  | 'lost_acknowledgement'
  | 'odd_spelling'

/** The faults on one attempt, stored until it is made. */
export interface DeliveryFault {
  /** The fault with the effect; without one, the first that delays; null without faults. */
  id: string | null
  /** World ms. */
  delayMs: number
  effect: DeliveryEffect | null
}

/** The possible faults: an awaited attempt cannot be delayed, and only one pair is swapped at a time. */
export interface PossibleFaults {
  delay: boolean
  reorder: boolean
}

/** An event with the JSON to send. */
export interface OutgoingEvent {
  event: string
  body: string
}

/** A contribution of faults to deliveries. */
export interface DeliveryFaults {
  /** Returns whether any fault concerns these deliveries. */
  isAffected(world: World, event: OutgoingEvent, endpointId: string): boolean
  /** Decides the faults on one attempt and counts them. */
  jointFault(world: World, event: OutgoingEvent, endpointId: string, possible: PossibleFaults): DeliveryFault
}

export const deliveryFaults = hook<DeliveryFaults>()

/** Contributions that concern these deliveries; mostly undefined. */
const faultsOn = (world: World, event: OutgoingEvent, endpointId: string): DeliveryFaults | undefined =>
  deliveryFaults.of(world).find((faults) => faults.isAffected(world, event, endpointId))

/** Decides once per attempt and stores the result, so that an interrupted attempt is repeated alike. */
export function faultOn(world: World, row: DeliveryRow, event: OutgoingEvent): DeliveryFault | undefined {
  const { seq, endpoint_id, subject, fault } = row
  if (fault !== null) return JSON.parse(fault) as DeliveryFault
  const faults = faultsOn(world, event, endpoint_id)
  if (!faults) return undefined
  const store = world.store(deliveryStore)
  return world.transaction(() => {
    const reorder = store.head(endpoint_id, subject)?.status !== 'held'
    const fault = faults.jointFault(world, event, endpoint_id, { delay: true, reorder })
    store.meet(JSON.stringify(fault), seq)
    return fault
  })
}

const TEST: OutgoingEvent = { event: 'webhook.test', body: '{}' }

/** A test event is awaited, so it is neither delayed nor swapped. */
export function faultOnTest(world: World, endpointId: string): DeliveryFault | undefined {
  const faults = faultsOn(world, TEST, endpointId)
  return faults && world.transaction(() => faults.jointFault(world, TEST, endpointId, { delay: false, reorder: false }))
}
