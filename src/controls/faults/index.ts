import { z } from 'zod'
import { loadEach } from '../../world/file/entries.ts'
import { type Noun, section } from '../../world/noun.ts'
import { clearAll, faultsOf, place } from './actions.ts'
import { MOST_FAULTS } from './contract.ts'
import { KnownFault } from './known.ts'
import { tables } from './store.ts'

/** What goes wrong between the service and its callers and receivers, because somebody wants to see it go wrong. */
export const faults: Noun = {
  tables,
  resets: { faults: (world) => void clearAll(world) },
  sections: [
    section(
      'faults',
      z
        .array(KnownFault)
        .max(MOST_FAULTS)
        .describe('Faults that are there from the start, in the order in which they are asked.'),
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
