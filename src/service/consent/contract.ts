import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { isEqual, isGiven, rule, when, withRules } from '../../words/field-conditions.ts'
import { ConsentId, ContactId, ContactRef } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ConsentFields, ConsentListItem, WholeConsentRecord } from '../contacts/consent.contract.ts'

export const about: About = {
  name: 'consent',
  group: 'Contacts & consent',
  summary: 'List, grant, request, revoke and confirm consent',
}

export const ConsentRecord = WholeConsentRecord.omit({ proof_text: true }).meta({
  id: 'ConsentRecord',
  description: 'Consent of a contact for one channel type and message type.',
})
const RevokedRecord = WholeConsentRecord.pick({
  id: true,
  contact_id: true,
  channel_type: true,
  message_type: true,
  status: true,
  enforced_doi: true,
  doi_status: true,
  doi_channel: true,
  revoked_at: true,
})

const { channel_type, message_type, source, proof_text, enforced_doi, doi_channel } = ConsentFields

const enforced = isEqual('enforced_doi', true)
const pending = isEqual('status', 'PENDING')

/** Combinations that §4.1 does not have (choices, "Contradictory consent"). */
const doiRules = [
  rule(when(pending, enforced), {
    field: 'enforced_doi',
    code: 'conflict',
    message: 'must be true when status is PENDING',
  }),
  rule(when(enforced, pending), {
    field: 'status',
    code: 'conflict',
    message: 'must be PENDING when enforced_doi is true',
  }),
  rule(when(enforced, isGiven('doi_channel')), {
    field: 'doi_channel',
    code: 'required',
    message: 'is required when enforced_doi is true',
  }),
  rule(when(isGiven('doi_channel'), enforced), {
    field: 'doi_channel',
    code: 'conflict',
    message: 'is only for enforced_doi true',
  }),
]

const ConsentRequest = withRules(
  z.strictObject({
    channel_type,
    message_type,
    status: z.enum(['GRANTED', 'PENDING']).describe('GRANTED, or PENDING to start double opt-in.'),
    source,
    proof_text: proof_text.optional(),
    enforced_doi: enforced_doi.default(false),
    doi_channel: doi_channel.optional(),
  }),
  ...doiRules,
).meta({
  id: 'ConsentRequest',
  description: 'Consent to record: GRANTED immediately, or PENDING until double opt-in is confirmed.',
  example: { channel_type: 'RCS', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'signup form' },
})

export const recordParams = { id: ContactRef, record_id: ConsentId.describe('Id of the consent record.') }

export const listConsent = operation({
  id: 'consent.list',
  section: '4.1',
  summary: 'List the consent records of a contact',
  call: 'GET /v1/contacts/{id}/consent',
  params: { id: ContactRef },
  output: z.strictObject({
    contact_id: ContactId,
    consent_records: z.array(ConsentListItem).describe('Consent records of all channels and message types.'),
  }),
})

export const recordConsent = operation({
  id: 'consent.record',
  section: '4.1',
  summary: 'Grant or request consent',
  details: 'A record with double opt-in is PENDING until the contact confirms.',
  call: 'POST /v1/contacts/{id}/consent',
  params: { id: ContactRef },
  body: ConsentRequest,
  examples: [
    {
      channel_type: 'EMAIL',
      message_type: 'NEWSLETTER',
      status: 'PENDING',
      enforced_doi: true,
      doi_channel: 'RCS',
      source: 'form',
    },
  ],
  output: ConsentRecord,
  status: [201, 200],
  problems: ['no_verified_address'],
})

export const revokeConsent = operation({
  id: 'consent.revoke',
  section: '4.1',
  summary: 'Revoke consent',
  details: 'The record is kept with status REVOKED.',
  call: 'DELETE /v1/contacts/{id}/consent/{record_id}',
  params: recordParams,
  output: RevokedRecord,
})
