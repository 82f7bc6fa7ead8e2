import { type DeliveryFault, isFaulty, meetDelivery } from '../../controls/faults/deliveries.ts'
import type { World } from '../../world/world.ts'
import { type DeliveryRow, deliveryStore } from './delivery.store.ts'

/** Decided once for each attempt and written down, so that one that a stop cut off is made in the same way. */
export function faultOn(world: World, row: DeliveryRow, event: string): DeliveryFault | undefined {
  const { seq, endpoint_id, subject, fault } = row
  if (fault !== null) return JSON.parse(fault) as DeliveryFault
  if (!isFaulty(world, event, endpoint_id)) return undefined
  const store = world.store(deliveryStore)
  return world.transaction(() => {
    const reorder = store.head(endpoint_id, subject)?.status !== 'held'
    const met = meetDelivery(world, event, endpoint_id, { delay: true, reorder })
    store.meet(seq, JSON.stringify(met))
    return met
  })
}

/** The caller waits for a test event, so it is neither late nor lets another one pass. */
export const faultOnTest = (world: World, endpointId: string): DeliveryFault | undefined =>
  isFaulty(world, 'webhook.test', endpointId)
    ? world.transaction(() => meetDelivery(world, 'webhook.test', endpointId, { delay: false, reorder: false }))
    : undefined
