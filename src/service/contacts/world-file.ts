import { z } from 'zod'
import { nonNullFields } from '../../words/fields.ts'
import { withCommas } from '../../words/number-text.ts'
import { problem } from '../../words/problem.ts'
import { loadEach } from '../../world/file/entries.ts'
import { listSection } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import { consentOfContact } from './consent.ts'
import { ContactSeed } from './contract.ts'
import { blankContact, withFields } from './rules.ts'
import { type ContactRow, contactStore } from './store.ts'

type ContactEntry = z.input<typeof ContactSeed>

/** Contacts of a world file. They exist from the start, so there is no event. */
export const contactSection = listSection(
  'contacts',
  z.array(ContactSeed).describe('Contacts with their consent. They emit no events.'),
  (world, seed) => void placeContact(world, seed),
  (world) => {
    refuseTooMany(world.store(contactStore).count(null))
    const consent = consentOfContact.of(world).map((one) => one.dump(world))
    const rows = world.store(contactStore).list()
    return rows.map((row) => ({ ...dump(row), consent: consent.flatMap((of) => of.get(row.id) ?? []) }))
  },
)

/** While the file is made, others wait: for 100,000 contacts up to nine seconds on a busy machine. */
const MAX_DUMPED = 50_000

function refuseTooMany(count: number) {
  if (count > MAX_DUMPED)
    throw problem(
      'limit_exceeded',
      `A world file can have at most ${withCommas(MAX_DUMPED)} contacts, and this world has ${withCommas(count)}. Save a snapshot, which holds everything: POST /_sandbox/snapshots, or "sandbox snapshots save".`,
    )
}

/** Dumps a contact without instants. */
function dump({ created_at: _, updated_at: __, tags, custom_fields, ...row }: ContactRow): ContactEntry {
  return {
    ...nonNullFields(row),
    tags: JSON.parse(tags),
    custom_fields: JSON.parse(custom_fields),
  }
}

/** Creates a contact without an event; returns its id. */
export function placeContact(world: World, { id, consent, ...input }: z.output<typeof ContactSeed>): string {
  const row = withFields(blankContact(id ?? world.ids.next('c_'), world.now()), input)
  world.store(contactStore).insert(row)
  for (const one of consentOfContact.of(world)) loadEach('consent', consent, (seed) => one.load(world, row.id, seed))
  return row.id
}

/** Creates a contact whose addresses are free and whose consents differ, together with others. */
export function placeNewContact(world: World, { consent, ...input }: z.output<typeof ContactSeed>) {
  const row = withFields(blankContact(world.ids.next('c_'), world.now()), input)
  world.store(contactStore).insertNew(row)
  for (const one of consentOfContact.of(world)) for (const seed of consent) one.loadNew(world, row.id, seed)
}
