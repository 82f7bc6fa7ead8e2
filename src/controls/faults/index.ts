import { z } from 'zod'
import { deliveryFaults } from '../../service/webhooks/fault-on.ts'
import { loadEach } from '../../world/file/entries.ts'
import { hooked } from '../../world/hook.ts'
import { type Noun, routesOf, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { clearAll, faultsOf, place } from './actions.ts'
import * as contract from './contract.ts'
import { faultsOnDeliveries } from './deliveries.ts'
import { tables } from './store.ts'

/** Faults that users inject between the service and its callers and receivers. */
export const noun: Noun = {
  tables,
  routes: routesOf(contract, actions),
  hooks: [hooked(deliveryFaults, faultsOnDeliveries)],
  resets: { faults: (world) => void clearAll(world) },
  sections: [
    section(
      'faults',
      z
        .array(contract.FaultInput)
        .max(contract.MAX_FAULTS)
        .describe('Initial faults, in the order in which they apply.'),
      (world, list) => {
        loadEach('faults', list, (fault) => void place(world, fault))
      },
      (world) => {
        const all = faultsOf(world).map(({ fault }) => fault)
        return all.length > 0 ? all : undefined
      },
    ),
  ],
}
