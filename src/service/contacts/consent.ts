import type { z } from 'zod'
import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import type { ConsentListItem, ConsentSeed } from './consent.contract.ts'

/** Consent as part of a contact. */
export interface ConsentOfContact {
  recordsOf(world: World, contactId: string): z.input<typeof ConsentListItem>[]
  load(world: World, contactId: string, seed: z.output<typeof ConsentSeed>): void
  /** Adds a record that is known to be new, together with others. */
  loadNew(world: World, contactId: string, seed: z.output<typeof ConsentSeed>): void
  /** By contact. */
  dump(world: World): ReadonlyMap<string, z.input<typeof ConsentSeed>[]>
}

/** The consent noun is above contacts and contributes here. */
export const consentOfContact = hook<ConsentOfContact>()
