import { z } from 'zod'
import { seedConsent } from '../consent/seed.ts'
import { problem } from '../words/problem.ts'
import { section } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import { ContactSeed } from './contract.ts'
import { blankContact, withFields } from './rules.ts'
import { contactStore } from './store.ts'

/** Contacts of a world file. They were there before the world began, so no event tells of them. */
export const contactSection = section('contacts', z.array(ContactSeed), (world, seeds) => {
  for (const [index, seed] of seeds.entries())
    try {
      load(world, seed)
    } catch (error) {
      throw isDoubled(error) ? doubled(index, error.message) : error
    }
})

function load(world: World, { id, consent, ...given }: z.output<typeof ContactSeed>) {
  const row = withFields(blankContact(id ?? world.newId('c_'), world.now()), given)
  world.store(contactStore).insert(row)
  for (const seed of consent) seedConsent(world, row.id, seed)
}

const isDoubled = (error: unknown): error is Error =>
  error instanceof Error && /^UNIQUE constraint failed/.test(error.message)

/** `UNIQUE constraint failed: contacts.email` is a fault of the file, not of the program. */
function doubled(index: number, message: string) {
  const column = /\.(\w+)$/.exec(message)?.[1] ?? 'id'
  const what = message.includes('consent_records.')
    ? 'consent: two records for one channel_type and message_type'
    : `${column}: another contact has it too`
  return problem('validation_error', `contacts[${index}].${what}.`)
}
