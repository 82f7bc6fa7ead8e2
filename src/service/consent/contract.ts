import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { isGiven, isRequired, when, withConditions } from '../../words/field-conditions.ts'
import { ConsentId, ContactId, ContactRef } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import { ConsentFields, ConsentListItem, type ConsentStatus, WholeConsentRecord } from '../contacts/consent.contract.ts'

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

interface DoiClaims {
  status: z.infer<typeof ConsentStatus>
  enforced_doi: boolean
  doi_channel?: z.infer<typeof ChannelType> | undefined
}

/** Combinations that §4.1 does not have (choices, "Contradictory consent"): condition, fault, field. */
const contradictions: readonly [claim: (record: DoiClaims) => boolean, field: string, code: string, message: string][] =
  [
    [
      (r) => r.status === 'PENDING' && !r.enforced_doi,
      'enforced_doi',
      'conflict',
      'must be true when status is PENDING',
    ],
    [
      (r) => r.status === 'GRANTED' && r.enforced_doi,
      'status',
      'conflict',
      'must be PENDING when enforced_doi is true',
    ],
    [(r) => r.enforced_doi && !r.doi_channel, 'doi_channel', 'required', 'is required when enforced_doi is true'],
    [(r) => !r.enforced_doi && !!r.doi_channel, 'doi_channel', 'conflict', 'is only for enforced_doi true'],
  ]

const ConsentRequest = withConditions(
  z
    .strictObject({
      channel_type,
      message_type,
      status: z.enum(['GRANTED', 'PENDING']).describe('GRANTED, or PENDING to start double opt-in.'),
      source,
      proof_text: proof_text.optional(),
      enforced_doi: enforced_doi.default(false),
      doi_channel: doi_channel.optional(),
    })
    .superRefine((body, context) => {
      for (const [holds, field, code, message] of contradictions)
        if (holds(body)) context.addIssue({ code: 'custom', path: [field], message, params: { code } })
    }),
  when(
    isGiven('enforced_doi', true),
    { properties: { status: { const: 'PENDING' } }, required: ['doi_channel'] },
    { properties: { status: { const: 'GRANTED' } }, not: isRequired('doi_channel') },
  ),
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
  problems: ['not_found'],
})

export const recordConsent = operation({
  id: 'consent.record',
  section: '4.1',
  summary: 'Grant or request consent',
  details: 'With double opt-in, the record is PENDING until the contact confirms.',
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
  problems: ['not_found', 'no_verified_address'],
})

export const revokeConsent = operation({
  id: 'consent.revoke',
  section: '4.1',
  summary: 'Revoke consent',
  details: 'The record is kept with status REVOKED.',
  call: 'DELETE /v1/contacts/{id}/consent/{record_id}',
  params: recordParams,
  output: RevokedRecord,
  problems: ['not_found'],
})
