import { z } from 'zod'
import { Duration, durationMs } from '../../words/duration.ts'
import { section } from '../../world/noun.ts'
import { metaStore } from '../../world/storage/meta.ts'
import type { World } from '../../world/world.ts'
import type { ConsentRow } from './store.ts'

const ConsentTerms = z.strictObject({
  doi_expires_after: Duration.optional().describe(
    'How long a confirmation of double opt-in holds; for ever unless given.',
  ),
})

const KEY = 'consent terms'

const termsOf = (world: World) => world.store(metaStore).get<z.output<typeof ConsentTerms>>(KEY) ?? {}

/** Says whether the newest confirmation of a pending record is too old. */
export function isExpired(world: World, { doi_sent_at }: ConsentRow): boolean {
  const { doi_expires_after } = termsOf(world)
  return (
    doi_expires_after !== undefined &&
    doi_sent_at !== null &&
    world.now() >= doi_sent_at + durationMs(doi_expires_after)
  )
}

/** Section `consent` of a world file. */
export const consentSection = section(
  'consent',
  ConsentTerms.describe('What holds for double opt-in.'),
  (world, terms) => world.store(metaStore).set(KEY, terms),
  termsOf,
)
