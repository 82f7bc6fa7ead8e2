import type { ProblemCode } from '../../words/problem.ts'
import type { ConsentType, MessageType } from '../../words/vocabulary.ts'
import type { AgentStatus, UseCase } from '../agents/contract.ts'
import { messageTypesOf } from '../agents/rules.ts'

export interface RcsSendFacts {
  messageType: MessageType
  agent: { status: AgentStatus; useCase: UseCase; isLaunched: boolean; newsletterEnabled: boolean }
  recipient: RecipientFacts
  hasOpenSession: boolean
  isRcsCapable: boolean
}

export interface EmailSendFacts {
  messageType: ConsentType
  channel: { isActive: boolean; isDomainVerified: boolean; allows: boolean }
  recipient: RecipientFacts
}

export interface SmsSendFacts {
  channel: { isActive: boolean; allows: boolean }
  recipient: RecipientFacts
}

export interface RecipientFacts {
  isKnown: boolean
  status: 'ACTIVE' | 'UNSUBSCRIBED' | 'BOUNCED' | 'BLOCKED'
  /** Of the record this send needs; undefined without one. */
  consent: 'GRANTED' | 'PENDING' | 'REVOKED' | undefined
}

export type Refusal = Extract<
  ProblemCode,
  | 'agent_not_approved'
  | 'agent_not_launched'
  | 'message_type_not_allowed'
  | 'channel_inactive'
  | 'domain_not_verified'
  | 'recipient_suppressed'
  | 'missing_consent'
  | 'consent_pending'
  | 'consent_revoked'
  | 'no_active_session'
  | 'device_not_rcs_capable'
>

/**
 * Interface §4.2, in the documented order: what the agent may do, then what the recipient permits, then what the
 * device can. Money comes after all of this, so a refusal never leaves a hold behind.
 */
export function refuseRcs(facts: RcsSendFacts): Refusal | undefined {
  const { agent, messageType, recipient } = facts
  if (agent.status !== 'APPROVED') return 'agent_not_approved'
  if (!agent.isLaunched) return 'agent_not_launched'
  if (!messageTypesOf[agent.useCase].includes(messageType)) return 'message_type_not_allowed'
  if (recipient.status === 'BLOCKED' || recipient.status === 'UNSUBSCRIBED') return 'recipient_suppressed'
  return refuseByConsent(facts) ?? (facts.isRcsCapable ? undefined : 'device_not_rcs_capable')
}

/** Which consent each message_type needs (choices, "Which send needs which record"). */
function refuseByConsent({ messageType, agent, recipient, hasOpenSession }: RcsSendFacts): Refusal | undefined {
  if (messageType === 'NEWSLETTER')
    return agent.newsletterEnabled && recipient.consent === 'GRANTED' ? undefined : 'missing_consent'
  if (messageType === 'MESSAGE') return refusalOf(recipient.consent)
  if (recipient.consent === 'REVOKED') return 'consent_revoked'
  return hasOpenSession ? undefined : 'no_active_session'
}

export function refuseEmail({ channel, messageType, recipient }: EmailSendFacts): Refusal | undefined {
  if (!channel.isActive) return 'channel_inactive'
  if (!channel.isDomainVerified) return 'domain_not_verified'
  if (!channel.allows) return 'message_type_not_allowed'
  if (recipient.status !== 'ACTIVE') return 'recipient_suppressed'
  return messageType === 'NEWSLETTER' ? refusalOf(recipient.consent) : undefined
}

/** As for an RCS `MESSAGE`: every SMS needs consent. A bounced email address says nothing of the phone. */
export function refuseSms({ channel, recipient }: SmsSendFacts): Refusal | undefined {
  if (!channel.isActive) return 'channel_inactive'
  if (!channel.allows) return 'message_type_not_allowed'
  if (recipient.status === 'BLOCKED' || recipient.status === 'UNSUBSCRIBED') return 'recipient_suppressed'
  return refusalOf(recipient.consent)
}

function refusalOf(consent: RecipientFacts['consent']): Refusal | undefined {
  if (consent === 'GRANTED') return undefined
  if (consent === 'PENDING') return 'consent_pending'
  return consent === 'REVOKED' ? 'consent_revoked' : 'missing_consent'
}
