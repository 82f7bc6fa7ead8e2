import { type ConsentRow, confirmRecord, consentRecordById, pendingConsentOf } from '../../service/consent/actions.ts'
import { consent } from '../../service/consent/states.ts'
import { type ContactRow, contactByRef } from '../../service/contacts/actions.ts'
import { existing } from '../../words/problem.ts'
import type { World } from '../../world/world.ts'
import type { TriggerRequest } from './contract.ts'
import {
  asTriggerRefusal,
  noStep,
  oneStep,
  preconditionFailed,
  type TriggerAction,
  type TriggerActions,
  type TriggerSubject,
} from './precondition.ts'

const HINT = 'Start double opt-in with sandbox consent request.'

const confirmed: TriggerAction = (world, request) => {
  const { row, contact } = requireRecordOf(world, request)
  const subject: TriggerSubject = { event: request.event, field: 'consent_record_id', id: row.id, state: row.status }
  if (!consent.next(row.status, 'confirm')) throw noStep(consent, 'confirm', subject, HINT)
  const after = asTriggerRefusal(subject, () => confirmRecord(world, row, contact, undefined))
  return oneStep(row.id, 'confirm', row.status, after.status)
}

function requireRecordOf(world: World, request: TriggerRequest): { row: ConsentRow; contact: ContactRow } {
  if (request.contact_id !== undefined) return requirePending(world, request, request.contact_id)
  const id = request.consent_record_id!
  const row = existing(consentRecordById(world, id), 'consent record', id)
  return { row, contact: contactByRef(world, row.contact_id)! }
}

/** Finds the record that waits for confirmation. The caller chooses among several. */
function requirePending(world: World, { event }: TriggerRequest, ref: string) {
  const contact = existing(contactByRef(world, ref), 'contact', ref)
  const pending = pendingConsentOf(world, contact.id)
  const subject: TriggerSubject = { event, field: 'contact_id', id: contact.id, state: null }
  if (pending.length === 0)
    throw preconditionFailed(subject, {
      code: 'none_pending',
      message: `No consent record of ${contact.id} is PENDING. ${HINT}`,
    })
  if (pending.length > 1) {
    const all = pending.map((row) => `${row.id} (${row.channel_type}, ${row.message_type})`).join(', ')
    throw preconditionFailed(subject, {
      code: 'several_pending',
      message: `Several records are PENDING. Pass consent_record_id: ${contact.id} has ${all}.`,
    })
  }
  return { row: pending[0]!, contact }
}

export const consentTriggers: TriggerActions<'consent'> = { 'consent.confirmed': confirmed }
