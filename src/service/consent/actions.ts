import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import { transition } from '../../words/transition.ts'
import type { ChannelType, ConsentStatus, ConsentType } from '../../words/vocabulary.ts'
import type { Action, Caller } from '../../world/noun.ts'
import { isoTimeOrNull } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { type ContactRow, requireContact } from '../contacts/actions.ts'
import { toAnswer, toListItem, toRevokedAnswer } from './answer.ts'
import type { listConsent, recordConsent, revokeConsent } from './contract.ts'
import { type Change, moves } from './effects.ts'
import { addressOn } from './rules.ts'
import { type ConsentTrigger, consent } from './states.ts'
import { type ConsentRow, consentStore } from './store.ts'
import { isExpired } from './world-file.ts'

/** Finds the status of consent for a channel and message type; undefined if there is no record. */
export const consentStatusOf = (
  world: World,
  contactId: string,
  channelType: ChannelType,
  messageType: ConsentType,
): ConsentStatus | undefined => world.store(consentStore).statusOf(contactId, channelType, messageType)

/** When the record was revoked; null for any other status and without a record. */
export const consentRevokedAt = (
  world: World,
  contactId: string,
  channelType: ChannelType,
  messageType: ConsentType,
): string | null =>
  isoTimeOrNull(world.store(consentStore).about(contactId, channelType, messageType)?.revoked_at ?? null)

/** The consent records of a contact as in lists, oldest first. */
export const consentRecordsOf = (world: World, contactId: string) =>
  world.store(consentStore).ofContact(contactId).map(toListItem)

export const list: Action<typeof listConsent> = (world, { params }) => {
  const { id } = requireContact(world, params.id)
  return { contact_id: id, consent_records: consentRecordsOf(world, id) }
}

export const record: Action<typeof recordConsent> = (world, { params, body, caller }) => {
  const contact = requireContact(world, params.id)
  const before = world.store(consentStore).about(contact.id, body.channel_type, body.message_type)
  if (body.doi_channel && !addressOn(contact, body.doi_channel)) throw noAddress(contact, body.doi_channel)
  const row = {
    ...(before ?? blank(world, contact, body)),
    source: body.source,
    // An update without proof_text keeps the proof, whatever the status.
    proof_text: body.proof_text ?? before?.proof_text ?? null,
    enforced_doi: body.enforced_doi ? (1 as const) : (0 as const),
    doi_channel: body.doi_channel ?? null,
  }
  const trigger = body.status === 'PENDING' ? 'request' : 'grant'
  const recorded = moveRecord(world, row, trigger, { previous: before?.status ?? null, contact, caller })
  return new Reply(toAnswer(recorded!), { status: before ? 200 : 201 })
}

export const revoke: Action<typeof revokeConsent> = (world, { params, caller }) => {
  const contact = requireContact(world, params.id)
  return toRevokedAnswer(revoked(world, requireRecord(world, contact, params.record_id), contact, caller))
}

/** Revokes consent without a request, because of the contact's own action. Without a record nothing happens. */
export function withdraw(world: World, contact: ContactRow, channelType: ChannelType, messageType: ConsentType) {
  const before = world.store(consentStore).about(contact.id, channelType, messageType)
  if (before) revoked(world, before, contact, undefined)
}

/** The step exists in every state of a record. */
const revoked = (world: World, before: ConsentRow, contact: ContactRow, caller: Caller | undefined): ConsentRow =>
  moveRecord(world, before, 'revoke', { previous: before.status, contact, caller })!

export type { ConsentRow }

export const consentRecordById = (world: World, id: string): ConsentRow | undefined =>
  world.store(consentStore).byId(id)

/** The record of a confirmation token. */
export const consentRecordByToken = (world: World, token: string): ConsentRow | undefined =>
  world.store(consentStore).byToken(token)

/** Records that await confirmation. */
export const pendingConsentOf = (world: World, contactId: string): ConsentRow[] =>
  world
    .store(consentStore)
    .ofContact(contactId)
    .filter(({ status }) => status === 'PENDING')

/** Confirms double opt-in. */
export function confirmRecord(
  world: World,
  before: ConsentRow,
  contact: ContactRow,
  caller: Caller | undefined,
): ConsentRow {
  requireConfirmable(world, before)
  return moveRecord(world, before, 'confirm', { previous: before.status, contact, caller })!
}

export function requireConfirmable(world: World, row: ConsentRow) {
  if (row.status === 'PENDING' && isExpired(world, row)) throw problem('doi_expired', undefined)
  if (!consent.next(row.status, 'confirm')) throw notPending(row.status)
}

/** Moves a record; a new one starts in `NONE`. */
const moveRecord = (world: World, row: ConsentRow, trigger: ConsentTrigger, change: Omit<Change, 'world'>) =>
  transition(consent, { ...row, status: change.previous ?? 'NONE' }, trigger, moves, { world, ...change })

const notPending = (status: ConsentStatus) =>
  problem(
    'consent_not_pending',
    status === 'REVOKED'
      ? 'Consent was withdrawn after the confirmation was sent, so the link is no longer valid.'
      : 'The record is not waiting for confirmation: it is GRANTED already.',
    { status },
  )

export function requireRecord(world: World, contact: ContactRow, recordId: string): ConsentRow {
  const row = world.store(consentStore).get(recordId, contact.id)
  if (row) return row
  throw problem('not_found', `Contact ${contact.id} has no consent record ${recordId}.`)
}

const blank = (world: World, contact: ContactRow, about: { channel_type: ChannelType; message_type: ConsentType }) => ({
  id: world.ids.next('cr_'),
  contact_id: contact.id,
  channel_type: about.channel_type,
  message_type: about.message_type,
  status: 'GRANTED' as const,
  doi_status: null,
  doi_token: null,
  doi_sent_at: null,
  granted_at: null,
  revoked_at: null,
  created_at: world.now(),
  ip_hash: null,
})

const noAddress = (contact: ContactRow, channel: ChannelType) => {
  const field = channel === 'EMAIL' ? 'email' : 'phone'
  return problem(
    'no_verified_address',
    `Contact ${contact.id} has no ${field} for a confirmation over ${channel}. Add one, or choose another doi_channel.`,
    {
      details: [{ field: 'doi_channel', code: 'no_address', message: `the contact has no ${field}` }],
    },
  )
}
