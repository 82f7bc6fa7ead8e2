import { putInInbox } from '../../network/inbox/actions.ts'
import { linkToken } from '../../words/link.ts'
import type { World } from '../../world/world.ts'
import type { ContactRow } from '../contacts/actions.ts'
import { emit } from '../webhooks/actions.ts'
import { addressOn } from './rules.ts'
import type { ConsentEffect } from './states.ts'
import { type ConsentRow, consentStore } from './store.ts'

export interface Change {
  before: ConsentRow | undefined
  /** The record as it is becoming: effects write to it before it is stored. */
  row: ConsentRow
  contact: ContactRow
  baseUrl: string
}

/** What each effect of the state table does. */
export const effects: Readonly<Record<ConsentEffect, (world: World, change: Change) => void>> = {
  'stamp granted': (world, { row }) => {
    row.granted_at = world.now()
  },
  'stamp revoked': (world, { row }) => {
    row.revoked_at = world.now()
  },
  'lift revocation': (_, { row }) => {
    row.revoked_at = null
  },
  'start doi': (world, { row }) => {
    row.doi_status = 'DOI_SEND'
    row.doi_token = world.newSecret('doi_', 32)
    row.doi_sent_at = world.now()
    row.granted_at = null
  },
  'accept doi': (_, { row }) => {
    row.doi_status = 'DOI_ACCEPTED'
  },
  'drop doi': (_, { row }) => {
    row.doi_status = null
    row.doi_token = null
    row.doi_sent_at = null
  },
  insert(world, { row }) {
    world.forget(CONSENT)
    world.store(consentStore).insert(row)
  },
  update: (world, { before, row }) => {
    world.forget(CONSENT)
    if (!world.store(consentStore).update(row, before!.status)) throw new Error(`${row.id} has left ${before!.status}`)
  },
  'send confirmation': sendConfirmation,
  'emit created': (world, change) => emit(world, 'consent.created', change.row.id, eventOf(world, change)),
  'emit updated': (world, change) => emit(world, 'consent.updated', change.row.id, eventOf(world, change)),
}

function sendConfirmation(world: World, { row, contact, baseUrl }: Change) {
  const what = `${row.message_type} messages over ${row.channel_type}`
  putInInbox(world, {
    address: addressOn(contact, row.doi_channel!)!,
    channel_type: row.doi_channel!,
    kind: 'DOI_CONFIRMATION',
    subject: row.doi_channel === 'EMAIL' ? 'Please confirm your subscription' : null,
    text: `Please confirm that you want to receive ${what}. If you did not ask for this, do nothing.`,
    link: `${baseUrl}/_sandbox/doi/${linkToken(world.namespace, row.doi_token!)}`,
  })
}

const eventOf = (world: World, { before, row }: Change) => ({
  contact_id: row.contact_id,
  consent_record_id: row.id,
  channel_type: row.channel_type,
  message_type: row.message_type,
  previous_status: before?.status ?? null,
  status: row.status,
  source: row.source,
  enforced_doi: row.enforced_doi === 1,
  doi_status: row.doi_status,
  updated_at: world.timestamp(),
})

/** The name under which the status of records is kept at hand: every send asks. Who writes a record forgets it. */
export const CONSENT = 'consent'
