import type { MessageType } from '../../../words/vocabulary.ts'
import type { AgentStatus, UseCase } from '../../agents/contract.ts'
import { messageTypesOf } from '../../agents/rules.ts'
import { isPhoneSuppressed, type RecipientFacts, type Refusal, refuseByConsent } from './rules.ts'

export interface RcsSendFacts {
  messageType: MessageType
  agent: { status: AgentStatus; useCase: UseCase; isLaunched: boolean; newsletterEnabled: boolean }
  recipient: RecipientFacts
  hasOpenSession: boolean
  isRcsCapable: boolean
}

/**
 * Interface §4.2, in the documented order: what the agent may do, then what the recipient permits, then what the
 * device can. Money comes after all of this, so a refusal never leaves a hold behind.
 */
export function refuseRcs(facts: RcsSendFacts): Refusal | undefined {
  const { agent, messageType, recipient } = facts
  if (agent.status !== 'APPROVED') return 'agent_not_approved'
  if (!agent.isLaunched) return 'agent_not_launched'
  if (!messageTypesOf[agent.useCase].includes(messageType)) return 'message_type_not_allowed'
  if (isPhoneSuppressed(recipient)) return 'recipient_suppressed'
  return refuseByType(facts) ?? (facts.isRcsCapable ? undefined : 'device_not_rcs_capable')
}

/** Which consent each message_type needs (choices, "Which send needs which record"). */
function refuseByType({ messageType, agent, recipient, hasOpenSession }: RcsSendFacts): Refusal | undefined {
  if (messageType === 'NEWSLETTER')
    return agent.newsletterEnabled && recipient.consent === 'GRANTED' ? undefined : 'missing_consent'
  if (messageType === 'MESSAGE') return refuseByConsent(recipient.consent)
  if (recipient.consent === 'REVOKED') return 'consent_revoked'
  return hasOpenSession ? undefined : 'no_active_session'
}
