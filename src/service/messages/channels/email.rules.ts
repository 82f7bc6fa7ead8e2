import type { ConsentType } from '../../../words/vocabulary.ts'
import { type RecipientFacts, type Refusal, refuseByConsent } from './rules.ts'

export interface EmailSendFacts {
  messageType: ConsentType
  channel: { isActive: boolean; isDomainVerified: boolean; messageTypes: readonly string[] }
  recipient: RecipientFacts
}

/**
 * What the channel may do comes before what the recipient permits. An action-based email needs no consent (§4.2, rule 6), but
 * a record that is REVOKED blocks it as any other send (§2.2).
 */
export function refuseEmail({ channel, messageType, recipient }: EmailSendFacts): Refusal | undefined {
  if (!channel.isActive) return 'channel_inactive'
  if (!channel.isDomainVerified) return 'domain_not_verified'
  if (!channel.messageTypes.includes(messageType)) return 'message_type_not_allowed'
  if (recipient.status !== 'ACTIVE') return 'recipient_suppressed'
  if (messageType === 'NEWSLETTER') return refuseByConsent(recipient.consent)
  return recipient.consent === 'REVOKED' ? 'consent_revoked' : undefined
}
