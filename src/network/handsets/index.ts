import { z } from 'zod'
import { listSection, type Noun } from '../../world/noun.ts'
import { checkSettings, handsets } from './actions.ts'
import { HandsetEntry, HandsetFields } from './contract.ts'

/** Simulated phones with custom settings, and the behaviour of their users. */
export const noun: Noun = {
  tables: handsets.tables,
  sections: [
    listSection(
      'handsets',
      z.array(HandsetEntry).describe('Phones with custom settings: carrier, capabilities and behaviour of the user.'),
      (world, { phone, ...settings }) => {
        checkSettings(world, settings)
        handsets.load(world, phone, settings)
      },
      (world) => [...handsets.of(world)].map(([phone, settings]) => ({ phone, ...z.encode(HandsetFields, settings) })),
    ),
  ],
}
