import type { z } from 'zod'
import { hook } from '../../world/hook.ts'
import type { World } from '../../world/world.ts'
import type { ConsentListItem, ConsentSeed } from './consent.contract.ts'

/** Consent, as far as it is shown and loaded with its contact. */
export interface ConsentOfContact {
  recordsOf(world: World, contactId: string): z.input<typeof ConsentListItem>[]
  load(world: World, contactId: string, seed: z.output<typeof ConsentSeed>): void
  dump(world: World, contactId: string): z.input<typeof ConsentSeed>[]
}

/** Consent is given by contacts, so it stands above them and brings itself. */
export const consentOfContact = hook<ConsentOfContact>('consent of a contact')
