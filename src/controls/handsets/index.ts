import { z } from 'zod'
import { handsetsOf, loadHandset } from '../../network/handsets/actions.ts'
import { tables } from '../../network/handsets/store.ts'
import { loadEach } from '../../world/file/entries.ts'
import { type Noun, section } from '../../world/noun.ts'
import * as actions from './actions.ts'
import { HandsetEntry, HandsetFields } from './contract.ts'
import { routes } from './routes.ts'

/** Simulated phones, as far as they are other than ordinary, and what their users do. */
export const noun: Noun = {
  tables,
  routes,
  sections: [
    section(
      'handsets',
      z
        .array(HandsetEntry)
        .describe('Phones that are other than ordinary: their carrier, what they can, what their users do.'),
      (world, entries) => {
        loadEach('handsets', entries, ({ phone, ...settings }) => {
          actions.check(world, settings)
          loadHandset(world, phone, settings)
        })
      },
      (world) => [...handsetsOf(world)].map(([phone, settings]) => ({ phone, ...z.encode(HandsetFields, settings) })),
    ),
  ],
}
