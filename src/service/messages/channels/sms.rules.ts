import type { ConsentType } from '../../../words/vocabulary.ts'
import { isPhoneSuppressed, type RecipientFacts, type Refusal, refuseByConsent } from './rules.ts'

export interface SmsSendFacts {
  messageType: ConsentType
  channel: { isActive: boolean; messageTypes: readonly string[] }
  recipient: RecipientFacts
}

/** As for an RCS `MESSAGE`: every SMS needs consent. */
export function refuseSms({ channel, messageType, recipient }: SmsSendFacts): Refusal | undefined {
  if (!channel.isActive) return 'channel_inactive'
  if (!channel.messageTypes.includes(messageType)) return 'message_type_not_allowed'
  return isPhoneSuppressed(recipient) ? 'recipient_suppressed' : refuseByConsent(recipient.consent)
}
