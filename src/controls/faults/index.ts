import { z } from 'zod'
import { urlOf } from '../../service/webhooks/by-hand.ts'
import { deliveryFaults } from '../../service/webhooks/fault-on.ts'
import { hooked } from '../../world/hook.ts'
import { listSection, type Noun, routesOf } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import * as actions from './actions.ts'
import { clearAll, faultsOf, place } from './actions.ts'
import * as contract from './contract.ts'
import { faultsOnDeliveries } from './deliveries.ts'
import { tables } from './store.ts'

/** A world file can name only endpoints that exist; a deleted one gets no deliveries. */
const isForDeleted = (world: World, { endpoint_id }: contract.FaultInput) =>
  endpoint_id !== undefined && urlOf(world, endpoint_id) === null

/** Faults that users inject between the service and its callers and receivers. */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions),
  hooks: [hooked(deliveryFaults, faultsOnDeliveries)],
  resets: { faults: (world) => void clearAll(world) },
  sections: [
    listSection(
      'faults',
      z
        .array(contract.FaultInput)
        .max(contract.MAX_FAULTS)
        .describe('Initial faults, in the order in which they apply.'),
      (world, fault) => void place(world, fault),
      (world) => {
        const all = faultsOf(world).flatMap(({ fault }) => (isForDeleted(world, fault) ? [] : fault))
        return all.length > 0 ? all : undefined
      },
    ),
  ],
}
