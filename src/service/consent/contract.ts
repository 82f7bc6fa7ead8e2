import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { ConsentId, ContactId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { filledText, text } from '../../words/text.ts'
import { isGiven, isRequired, when, withConditions } from '../../words/together.ts'
import { ChannelType, ConsentType } from '../../words/vocabulary.ts'

export const about: About = {
  name: 'consent',
  group: 'Contacts & consent',
  summary: 'List, grant, request, revoke and confirm consent',
}

export const ConsentStatus = z
  .enum(['GRANTED', 'REVOKED', 'PENDING'])
  .meta({ id: 'ConsentStatus', description: 'Only GRANTED permits sends.' })
const DoiStatus = z
  .enum(['DOI_SEND', 'DOI_ACCEPTED'])
  .meta({ id: 'DoiStatus', description: 'Whether double opt-in was asked for or confirmed.' })

export const MOST_PROOF_CHARACTERS = 5_000

/** Every field of §2.2; each route carries its own selection. */
const record = {
  id: ConsentId,
  contact_id: ContactId,
  channel_type: ChannelType,
  message_type: ConsentType,
  status: ConsentStatus.describe('Only GRANTED permits sends.'),
  source: z.string().describe('Where the consent came from.'),
  proof_text: z.string().nullable().describe('What the contact agreed to and how.'),
  enforced_doi: z.boolean().describe('Whether double opt-in must be confirmed first.'),
  doi_status: DoiStatus.nullable().describe('null when enforced_doi is false.'),
  doi_channel: ChannelType.nullable().describe('null when enforced_doi is false.'),
  granted_at: Timestamp.nullable().describe('null while PENDING.'),
  revoked_at: Timestamp.nullable().describe('null while active.'),
  created_at: Timestamp.describe('When it was first recorded.'),
}

const Full = z.strictObject(record)

export const ConsentListItem = Full.omit({ contact_id: true }).meta({
  id: 'ListedConsentRecord',
  description: 'A consent record in the list of its contact.',
})
const ConsentRecord = Full.omit({ proof_text: true }).meta({
  id: 'ConsentRecord',
  description: 'Consent of a contact for one channel type and message type.',
})
const RevokedRecord = Full.pick({
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

export const ConsentFields = {
  channel_type: ChannelType.describe('EMAIL, RCS or SMS.'),
  message_type: ConsentType.describe('MESSAGE (action-based) or NEWSLETTER (subscription).'),
  source: filledText().describe('Where the consent came from, for audit.'),
  proof_text: text(MOST_PROOF_CHARACTERS).describe('What the contact agreed to and how; at most 5,000 characters.'),
  enforced_doi: z.boolean().describe('Whether double opt-in must be confirmed first.'),
  doi_channel: ChannelType.describe('Channel that delivers the confirmation; the contact must have an address on it.'),
}

const { channel_type, message_type, source, proof_text, enforced_doi, doi_channel } = ConsentFields

interface DoiClaims {
  status: z.infer<typeof ConsentStatus>
  enforced_doi: boolean
  doi_channel?: z.infer<typeof ChannelType> | undefined
}

/** The combinations that §4.1 does not know (choices, "Consent"). Each entry: what is wrong, with which field. */
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
  description: 'Consent to record: GRANTED at once, or PENDING until double opt-in is confirmed.',
  example: { channel_type: 'RCS', message_type: 'NEWSLETTER', status: 'GRANTED', source: 'signup form' },
})

export const listConsent = operation({
  id: 'consent.list',
  section: '4.1',
  summary: 'List all consent records of a contact',
  method: 'get',
  path: '/v1/contacts/{id}/consent',
  output: z.strictObject({
    contact_id: ContactId,
    consent_records: z.array(ConsentListItem).describe('Of all channels and message types.'),
  }),
  status: 200,
  problems: ['not_found'],
})

export const recordConsent = operation({
  id: 'consent.record',
  section: '4.1',
  summary: 'Record consent: granted at once, or pending until double opt-in is confirmed',
  method: 'post',
  path: '/v1/contacts/{id}/consent',
  body: ConsentRequest,
  output: ConsentRecord,
  status: [201, 200],
  problems: ['not_found', 'no_verified_address'],
})

export const revokeConsent = operation({
  id: 'consent.revoke',
  section: '4.1',
  summary: 'Revoke consent; the record is kept',
  method: 'delete',
  path: '/v1/contacts/{id}/consent/{record_id}',
  output: RevokedRecord,
  status: 200,
  problems: ['not_found'],
})

export const confirmConsent = operation({
  id: 'consent.confirm',
  section: 'control',
  summary: 'Confirm double opt-in, as the contact does by opening the link',
  method: 'post',
  path: '/_sandbox/contacts/{id}/consent/{record_id}/confirm',
  output: ConsentRecord,
  status: 200,
  problems: ['not_found', 'consent_not_pending', 'doi_expired'],
  choice: true,
})

/** Consent of a contact in a world file. PENDING means double opt-in; its channel is the record's own unless given. */
export const ConsentSeed = z
  .strictObject({
    id: ConsentId.optional().describe('A new one unless given.'),
    channel_type,
    message_type,
    status: ConsentStatus,
    source: source.default('world file'),
    proof_text: proof_text.optional(),
    enforced_doi: enforced_doi.optional(),
    doi_channel: doi_channel.optional(),
  })
  .superRefine((seed, context) => {
    const enforced = seed.enforced_doi ?? seed.status === 'PENDING'
    if (seed.status === 'PENDING' && !enforced)
      context.addIssue({ code: 'custom', path: ['enforced_doi'], message: 'must be true when status is PENDING' })
    if (seed.doi_channel && !enforced)
      context.addIssue({ code: 'custom', path: ['doi_channel'], message: 'is only for enforced_doi true' })
  })
