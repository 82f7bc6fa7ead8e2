import { z } from 'zod'
import { loadEach } from '../world/entries.ts'
import { type Noun, section } from '../world/noun.ts'
import * as actions from './actions.ts'
import { HandsetEntry, HandsetFields } from './contract.ts'
import { handsetsOf, loadHandset } from './settings.ts'
import { tables } from './store.ts'

/** Simulated phones, as far as they are other than ordinary, and what their users do. */
export const handsets: Noun = {
  tables,
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
