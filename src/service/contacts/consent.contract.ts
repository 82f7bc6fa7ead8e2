import { z } from 'zod'
import { isEqual, isGiven, neverAll, not, rule, when, withRules } from '../../words/field-conditions.ts'
import { ConsentId, ContactId, Timestamp } from '../../words/ids.ts'
import { nonBlankText, text } from '../../words/text.ts'
import { ChannelType, ConsentStatus, ConsentType, DoiStatus } from '../../words/vocabulary.ts'

/** Consent as part of a contact; its own operations are in consent/. */

const MAX_PROOF_CHARACTERS = 5_000

/** All fields of §2.2, from which each route selects. */
const record = {
  id: ConsentId,
  contact_id: ContactId,
  channel_type: ChannelType,
  message_type: ConsentType,
  status: ConsentStatus.describe('Status of the consent. Only GRANTED permits sends.'),
  source: z.string().describe('Origin of the consent.'),
  proof_text: z.string().nullable().describe('Description of the consent event.'),
  enforced_doi: z.boolean().describe('Whether double opt-in confirmation is required.'),
  doi_status: DoiStatus.nullable().describe('null if enforced_doi is false.'),
  doi_channel: ChannelType.nullable().describe('null if enforced_doi is false.'),
  granted_at: Timestamp.nullable().describe('Time of the grant; null while PENDING.'),
  revoked_at: Timestamp.nullable().describe('Time of the revocation; null while active.'),
  created_at: Timestamp.describe('Time of the first record.'),
}

export const WholeConsentRecord = z.strictObject(record)

export const ConsentListItem = WholeConsentRecord.omit({ contact_id: true }).meta({
  id: 'ListedConsentRecord',
  description: 'A consent record of a contact.',
})

export const ConsentFields = {
  channel_type: ChannelType.describe('Channel type of the consent.'),
  message_type: ConsentType.describe(
    'Message type of the consent: MESSAGE (action-based) or NEWSLETTER (subscription).',
  ),
  source: nonBlankText().describe('Origin of the consent, for audit.'),
  proof_text: text(MAX_PROOF_CHARACTERS).describe('Description of the consent event, at most 5,000 characters.'),
  enforced_doi: z.boolean().describe('Whether double opt-in confirmation is required.'),
  doi_channel: ChannelType.describe('Channel that delivers the confirmation. The contact needs an address for it.'),
}

const { channel_type, message_type, source, proof_text, enforced_doi, doi_channel } = ConsentFields

/** Consent in a world file. PENDING means double opt-in, whose channel defaults to the record's own. */
export const ConsentSeed = withRules(
  z.strictObject({
    id: ConsentId.optional().describe('Id of the record (default: generated).'),
    channel_type,
    message_type,
    status: ConsentStatus,
    source: source.default('world file'),
    proof_text: proof_text.optional(),
    enforced_doi: enforced_doi.optional(),
    doi_channel: doi_channel.optional(),
  }),
  rule(neverAll(isEqual('status', 'PENDING'), isEqual('enforced_doi', false)), {
    field: 'enforced_doi',
    message: 'must be true when status is PENDING',
  }),
  rule(when(isGiven('doi_channel'), when(not(isEqual('status', 'PENDING')), isEqual('enforced_doi', true))), {
    field: 'doi_channel',
    message: 'is only for enforced_doi true',
  }),
)
