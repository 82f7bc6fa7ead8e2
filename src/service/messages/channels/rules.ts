import type { ProblemCode } from '../../../words/problem.ts'

/** The facts that a send asks of its recipient. */
export interface RecipientFacts {
  status: 'ACTIVE' | 'UNSUBSCRIBED' | 'BOUNCED' | 'BLOCKED'
  /** The status of the record that this send needs; undefined without one. */
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

/** Says whether a phone must not be sent to. A bounced email address does not suppress the phone. */
export const isPhoneSuppressed = ({ status }: RecipientFacts): boolean =>
  status === 'BLOCKED' || status === 'UNSUBSCRIBED'

/** Only GRANTED permits a send that needs consent (interface §3.1). */
export function refuseByConsent(consent: RecipientFacts['consent']): Refusal | undefined {
  if (consent === 'GRANTED') return undefined
  if (consent === 'PENDING') return 'consent_pending'
  return consent === 'REVOKED' ? 'consent_revoked' : 'missing_consent'
}
