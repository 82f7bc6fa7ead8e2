import { createHmac } from 'node:crypto'
import { putInInbox } from '../../network/inbox/actions.ts'
import { linkToken } from '../../words/link.ts'
import type { Moves } from '../../words/transition.ts'
import type { ConsentStatus } from '../../words/vocabulary.ts'
import type { Caller } from '../../world/noun.ts'
import type { World } from '../../world/world.ts'
import type { ContactRow } from '../contacts/actions.ts'
import { emit } from '../events/log.ts'
import { addressOn } from './rules.ts'
import type { ConsentEffect } from './states.ts'
import { type ConsentRow, consentStore } from './store.ts'

/** Facts of a step besides the record. */
export interface Change {
  world: World
  /** The previous status; null for a new record. */
  previous: ConsentStatus | null
  contact: ContactRow
  /** The request; undefined for complaints and controls. */
  caller: Caller | undefined
}

export const moves: Moves<ConsentEffect, ConsentRow, Change> = {
  write(row, { from, effects }, { world, caller }) {
    // Revoking again changes nothing.
    if (effects.length === 0) return true
    const store = world.store(consentStore)
    row.ip_hash = caller ? store.ipHash(caller.ip, (ip) => hashOf(world, ip)) : null
    return from === 'NONE' ? store.insert(row) : store.update(row, from)
  },
  effects: {
    'stamp granted': { sets: (_, { world }) => ({ granted_at: world.now() }) },
    'stamp revoked': { sets: (_, { world }) => ({ revoked_at: world.now() }) },
    'lift revocation': { sets: () => ({ revoked_at: null }) },
    'start doi': {
      sets: (_, { world }) => ({
        doi_status: 'DOI_SEND',
        doi_token: world.ids.secret('doi_', 32),
        doi_sent_at: world.now(),
        granted_at: null,
      }),
    },
    'accept doi': { sets: () => ({ doi_status: 'DOI_ACCEPTED' }) },
    'drop doi': { sets: () => ({ doi_status: null, doi_token: null, doi_sent_at: null }) },
    'send confirmation': sendConfirmation,
    'emit created': (row, change) => emit(change.world, 'consent.created', row.id, eventOf(row, change)),
    'emit updated': (row, change) => emit(change.world, 'consent.updated', row.id, eventOf(row, change)),
  },
}

const hashOf = (world: World, ip: string) =>
  createHmac('sha256', world.ids.fixedSecret('salt of ip_hash', 43)).update(ip).digest('hex')

function sendConfirmation(row: ConsentRow, { world, contact, caller }: Change) {
  const what = `${row.message_type} messages over ${row.channel_type}`
  putInInbox(world, {
    address: addressOn(contact, row.doi_channel!)!,
    channel_type: row.doi_channel!,
    kind: 'DOI_CONFIRMATION',
    subject: row.doi_channel === 'EMAIL' ? 'Please confirm your subscription' : null,
    text: `Please confirm that you want to receive ${what}. If you did not ask for this, do nothing.`,
    link: `${caller?.baseUrl ?? ''}/_sandbox/doi/${linkToken(world.namespace, row.doi_token!)}`,
  })
}

const eventOf = (row: ConsentRow, { world, previous }: Change) => ({
  contact_id: row.contact_id,
  consent_record_id: row.id,
  channel_type: row.channel_type,
  message_type: row.message_type,
  previous_status: previous,
  status: row.status,
  source: row.source,
  enforced_doi: row.enforced_doi === 1,
  doi_status: row.doi_status,
  updated_at: world.timestamp(),
})
