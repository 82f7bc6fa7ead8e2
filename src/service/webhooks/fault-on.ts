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

/** The faults of one attempt to deliver an event, written down until it is made. */
export interface DeliveryFault {
  /** The fault that decides; the first that makes it wait, where none does more; null where all let it pass. */
  id: string | null
  /** On the world's clock. */
  delayMs: number
  effect: DeliveryEffect | null
}

/** The faults that are possible: an attempt that somebody waits for cannot be late, and one pair swaps at a time. */
export interface Possible {
  delay: boolean
  reorder: boolean
}

/** An event on its way: its name, and the JSON that is sent. */
export interface Sent {
  event: string
  body: string
}

/** Somebody who makes deliveries go wrong. */
export interface DeliveryFaults {
  /** Whether there is any fault on these deliveries at all. */
  concern(world: World, event: Sent, endpointId: string): boolean
  /** Asks them for one attempt, and counts that. */
  meet(world: World, event: Sent, endpointId: string, possible: Possible): DeliveryFault
}

export const deliveryFaults = hook<DeliveryFaults>('faults on deliveries')

/** Finds those who make these deliveries go wrong; undefined for most. */
const faultsOn = (world: World, event: Sent, endpointId: string): DeliveryFaults | undefined =>
  deliveryFaults.of(world).find((faults) => faults.concern(world, event, endpointId))

/** Decided once for each attempt and written down, so that one that a stop cut off is made in the same way. */
export function faultOn(world: World, row: DeliveryRow, event: Sent): DeliveryFault | undefined {
  const { seq, endpoint_id, subject, fault } = row
  if (fault !== null) return JSON.parse(fault) as DeliveryFault
  const faults = faultsOn(world, event, endpoint_id)
  if (!faults) return undefined
  const store = world.store(deliveryStore)
  return world.transaction(() => {
    const reorder = store.head(endpoint_id, subject)?.status !== 'held'
    const met = faults.meet(world, event, endpoint_id, { delay: true, reorder })
    store.meet(seq, JSON.stringify(met))
    return met
  })
}

const TEST: Sent = { event: 'webhook.test', body: '{}' }

/** The caller waits for a test event, so it is neither late nor lets another one pass. */
export function faultOnTest(world: World, endpointId: string): DeliveryFault | undefined {
  const faults = faultsOn(world, TEST, endpointId)
  return faults && world.transaction(() => faults.meet(world, TEST, endpointId, { delay: false, reorder: false }))
}
