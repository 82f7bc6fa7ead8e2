/** Statuses as plain lists, so that the page in a browser and the test runners load no schemas for them. */

export const UNDERWAY_STATUSES = ['queued', 'dispatched'] as const
/** All other statuses. The timeline calls `dispatched` `sent`. */
export const LATER_MESSAGE_STATUSES = [
  'delivered',
  'read',
  'failed',
  'expired',
  'revoked',
  'bounced',
  'opened',
  'clicked',
  'received',
] as const
export const MESSAGE_STATUSES = [...UNDERWAY_STATUSES, ...LATER_MESSAGE_STATUSES] as const
/** An inbound message is received from the beginning, and a sent one never is. */
export const SENT_MESSAGE_STATUSES = MESSAGE_STATUSES.filter((status) => status !== 'received')
/** Final statuses without a delivery. */
export const UNDELIVERED_STATUSES = ['failed', 'expired', 'revoked', 'bounced'] as const

export const MESSAGE_TYPES = ['MESSAGE', 'CONVERSATION', 'NEWSLETTER'] as const
/** Message types of consent records and of emails. */
export const CONSENT_TYPES = ['MESSAGE', 'NEWSLETTER'] as const
export const TRAFFIC_TYPES = [
  'AUTHENTICATION',
  'TRANSACTION',
  'PROMOTION',
  'SERVICEREQUEST',
  'ACKNOWLEDGEMENT',
] as const

/** Interface §6. */
export const FAILURE_REASONS = [
  'UNKNOWN_RCS_USER',
  'CARRIER_NOT_LAUNCHED',
  'MESSAGE_EXPIRED',
  'REJECTED_SPAM',
  'ACCOUNT_SUSPENDED',
] as const

/** Each failure reason in words, for `error_message`. */
export const FAILURES: Readonly<Record<(typeof FAILURE_REASONS)[number], string>> = {
  UNKNOWN_RCS_USER: 'The number is not RCS-capable, or RCS is switched off.',
  CARRIER_NOT_LAUNCHED: "The agent is not live on the recipient's carrier.",
  MESSAGE_EXPIRED: 'The carrier gave up before the message could be delivered.',
  REJECTED_SPAM: 'The carrier rejected the message as spam or as traffic the agent is not approved for.',
  ACCOUNT_SUSPENDED: "The carrier has suspended the sender's account.",
}

export const PAUSED_STATUSES = ['PAUSED', 'PAUSED_ERROR', 'PAUSED_BALANCE'] as const
/** Interface §3.4. */
export const CAMPAIGN_STATUSES = [
  'DRAFT',
  'SCHEDULED',
  'RUNNING',
  ...PAUSED_STATUSES,
  'COMPLETED',
  'COMPLETED_PARTIAL',
] as const

export const AGENT_STATUSES = ['DRAFT', 'PENDING_REVIEW', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const

export const LAUNCH_STATUSES = ['UNLAUNCHED', 'PENDING', 'LAUNCHED', 'REJECTED', 'SUSPENDED'] as const

export const CONTACT_STATUSES = ['ACTIVE', 'UNSUBSCRIBED', 'BOUNCED', 'BLOCKED'] as const

/** The status that a step of the timeline leads to: the timeline says `sent` where the status is `dispatched`. */
export const statusAfter = (step: string): string => (step === 'sent' ? 'dispatched' : step)
