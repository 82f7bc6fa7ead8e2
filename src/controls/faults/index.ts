import { z } from 'zod'
import { deliveryFaults } from '../../service/webhooks/fault-on.ts'
import { loadEach } from '../../world/file/entries.ts'
import { hooked } from '../../world/hook.ts'
import { type Noun, route, section } from '../../world/noun.ts'
import { add, clear, clearAll, faultsOf, list, place, remove, show } from './actions.ts'
import { addFault, clearFaults, FaultInput, listFaults, MAX_FAULTS, removeFault, showFault } from './contract.ts'
import { faultsOnDeliveries } from './deliveries.ts'
import { tables } from './store.ts'

/** Faults that users inject between the service and its callers and receivers. */
export const noun: Noun = {
  tables,
  routes: [
    route(addFault, add),
    route(listFaults, list),
    route(showFault, show),
    route(removeFault, remove),
    route(clearFaults, clear),
  ],
  hooks: [hooked(deliveryFaults, faultsOnDeliveries)],
  resets: { faults: (world) => void clearAll(world) },
  sections: [
    section(
      'faults',
      z.array(FaultInput).max(MAX_FAULTS).describe('Initial faults, in the order in which they apply.'),
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
