import { z } from 'zod'
import { Duration, durationMs } from '../../words/duration.ts'
import { section } from '../../world/noun.ts'
import { setting } from '../../world/setting.ts'
import type { World } from '../../world/world.ts'
import type { ConsentSeed } from '../contacts/consent.contract.ts'
import { type ConsentRow, consentStore } from './store.ts'

/** Adds a record without events or messages, as part of the initial state. */
export const loadConsent = (world: World, contactId: string, seed: z.output<typeof ConsentSeed>) =>
  void world.store(consentStore).insert(rowOf(world, contactId, seed))

export const loadNewConsent = (world: World, contactId: string, seed: z.output<typeof ConsentSeed>) =>
  world.store(consentStore).insertNew(rowOf(world, contactId, seed))

function rowOf(world: World, contactId: string, seed: z.output<typeof ConsentSeed>): ConsentRow {
  const { channel_type, message_type, status, source, proof_text = null } = seed
  const now = world.now()
  const enforced = seed.enforced_doi ?? status === 'PENDING'
  return {
    id: seed.id ?? world.ids.next('cr_'),
    contact_id: contactId,
    channel_type,
    message_type,
    status,
    source,
    proof_text,
    enforced_doi: enforced ? 1 : 0,
    doi_status: enforced ? (status === 'PENDING' ? 'DOI_SEND' : 'DOI_ACCEPTED') : null,
    doi_channel: enforced ? (seed.doi_channel ?? channel_type) : null,
    doi_token: null,
    doi_sent_at: status === 'PENDING' ? now : null,
    granted_at: status === 'PENDING' ? null : now,
    revoked_at: status === 'REVOKED' ? now : null,
    created_at: now,
    ip_hash: null,
  }
}

/** Dumps consent records without confirmation links. One query for all: one for each contact takes ten times as long. */
export function dumpConsent(world: World): Map<string, z.input<typeof ConsentSeed>[]> {
  const byContact = Map.groupBy(world.store(consentStore).all(), ({ contact_id }) => contact_id)
  return new Map([...byContact].map(([contactId, rows]) => [contactId, rows.map(dump)]))
}

const dump = ({
  id,
  channel_type,
  message_type,
  status,
  source,
  proof_text,
  enforced_doi,
  doi_channel,
}: ConsentRow) => ({
  id,
  channel_type,
  message_type,
  status,
  source,
  proof_text: proof_text ?? undefined,
  enforced_doi: (enforced_doi === 1) === (status === 'PENDING') ? undefined : enforced_doi === 1,
  doi_channel: doi_channel === null || doi_channel === channel_type ? undefined : doi_channel,
})

const ConsentTerms = z.strictObject({
  doi_expires_after: Duration.optional().describe(
    'Validity of the confirmation of double opt-in (default: unlimited).',
  ),
})

const terms = setting<z.output<typeof ConsentTerms>>('consent terms', (written) => written ?? {})

export function isExpired(world: World, { doi_sent_at }: ConsentRow): boolean {
  const { doi_expires_after } = terms.of(world)
  return (
    doi_expires_after !== undefined &&
    doi_sent_at !== null &&
    world.now() >= doi_sent_at + durationMs(doi_expires_after)
  )
}

/** Section `consent` of a world file. */
export const consentSection = section(
  'consent',
  ConsentTerms.describe('Settings of double opt-in.'),
  terms.set,
  terms.of,
)
