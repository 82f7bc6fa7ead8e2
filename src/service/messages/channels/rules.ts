import type { ChannelType, ConsentType, ContactStatus, MessageType } from '../../../words/vocabulary.ts'
import type { AgentStatus, UseCase } from '../../agents/contract.ts'
import { messageTypesOf } from '../../agents/rules.ts'
import type { recipientRefusals, senderRefusals } from '../contract.ts'

/** The facts about a recipient that permit or refuse a send. */
export interface RecipientFacts {
  /** A contact currently has the address. */
  isKnown: boolean
  status: ContactStatus
  /** The status of the record that this send needs; undefined without one. */
  consent: 'GRANTED' | 'PENDING' | 'REVOKED' | undefined
}

export interface RcsFacts {
  messageType: MessageType
  agent: { status: AgentStatus; use_case: UseCase; newsletter_enabled: boolean; isLaunched: boolean }
  channel: Pick<ChannelFacts['channel'], 'active' | 'message_types'>
  recipient: RecipientFacts
  hasOpenSession: boolean
  isRcsCapable: boolean
}

/** The facts of a send over email or SMS. */
export interface ChannelFacts {
  messageType: ConsentType
  channel: { active: boolean; domain_verified: boolean; message_types: readonly string[] }
  recipient: RecipientFacts
}

export type SendRefusal = (typeof senderRefusals | typeof recipientRefusals)[number]

/**
 * Interface §4.2, in the documented order: what the agent may do, then what the recipient permits, then what the
 * device can. Money comes after all of this, so a refusal never leaves a hold behind.
 */
export function refuseRcs({
  messageType,
  agent,
  channel,
  recipient,
  hasOpenSession,
  isRcsCapable,
}: RcsFacts): SendRefusal | undefined {
  if (agent.status !== 'APPROVED') return 'agent_not_approved'
  if (!agent.isLaunched) return 'agent_not_launched'
  if (!messageTypesOf[agent.use_case].includes(messageType)) return 'message_type_not_allowed'
  if (!channel.active) return 'channel_inactive'
  if (!channel.message_types.includes(consentTypeOf(messageType))) return 'message_type_not_allowed'
  if (isPhoneSuppressed(recipient)) return 'recipient_suppressed'
  if (messageType === 'NEWSLETTER' && (!agent.newsletter_enabled || recipient.consent !== 'GRANTED'))
    return 'missing_consent'
  const refusal = refuseByConsent('RCS', messageType, recipient)
  if (refusal) return refusal
  // An open session does not make a number without a contact reachable (choices, "Unknown recipient").
  if (!recipient.isKnown) return 'missing_consent'
  if (messageType === 'CONVERSATION' && !hasOpenSession) return 'no_active_session'
  return isRcsCapable ? undefined : 'device_not_rcs_capable'
}

/** Checks the rights of the channel before the consent of the recipient. */
export function refuseEmail({ channel, messageType, recipient }: ChannelFacts): SendRefusal | undefined {
  if (!channel.active) return 'channel_inactive'
  if (!channel.domain_verified) return 'domain_not_verified'
  if (!channel.message_types.includes(messageType)) return 'message_type_not_allowed'
  if (recipient.status !== 'ACTIVE') return 'recipient_suppressed'
  return refuseByConsent('EMAIL', messageType, recipient)
}

export function refuseSms({ channel, messageType, recipient }: ChannelFacts): SendRefusal | undefined {
  if (!channel.active) return 'channel_inactive'
  if (!channel.message_types.includes(messageType)) return 'message_type_not_allowed'
  return isPhoneSuppressed(recipient) ? 'recipient_suppressed' : refuseByConsent('SMS', messageType, recipient)
}

/** Returns whether a contact suppresses sends to its phone. BOUNCED is about its email address only. */
const isPhoneSuppressed = ({ status }: RecipientFacts): boolean => status === 'BLOCKED' || status === 'UNSUBSCRIBED'

/** Names the consent that a send needs; a CONVERSATION needs that of MESSAGE (choices, "Consent that a send needs"). */
export const consentTypeOf = (messageType: MessageType): ConsentType =>
  messageType === 'NEWSLETTER' ? 'NEWSLETTER' : 'MESSAGE'

/**
 * Returns whether the record must be GRANTED. An action-based email (§4.2, rule 6) and a message within a session need no
 * record, but one that is REVOKED blocks them too (§2.2).
 */
export const needsGrant = (channel: ChannelType, messageType: MessageType): boolean =>
  messageType !== 'CONVERSATION' && (channel !== 'EMAIL' || messageType === 'NEWSLETTER')

function refuseByConsent(
  channel: ChannelType,
  messageType: MessageType,
  { consent }: RecipientFacts,
): SendRefusal | undefined {
  if (consent === 'REVOKED') return 'consent_revoked'
  if (consent === 'GRANTED' || !needsGrant(channel, messageType)) return undefined
  return consent === 'PENDING' ? 'consent_pending' : 'missing_consent'
}
