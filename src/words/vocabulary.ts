import { z } from 'zod'
import { CLOCK_MODES } from './pace.ts'
import {
  CAMPAIGN_STATUSES,
  CONSENT_TYPES,
  CONTACT_STATUSES,
  FAILURE_REASONS,
  MESSAGE_TYPES,
  TRAFFIC_TYPES,
} from './statuses.ts'

/** Enumerations that several nouns share (interface §2). */

export const ChannelType = z.enum(['EMAIL', 'RCS', 'SMS']).meta({ id: 'ChannelType', description: 'Channel type.' })
export type ChannelType = z.infer<typeof ChannelType>

/** Message types of consent records. */
export const ConsentType = z
  .enum(CONSENT_TYPES)
  .meta({ id: 'ConsentType', description: 'MESSAGE (action-based) or NEWSLETTER (subscription).' })
export type ConsentType = z.infer<typeof ConsentType>

export const MessageType = z.enum(MESSAGE_TYPES).meta({
  id: 'MessageType',
  description:
    'MESSAGE is a one-shot send, CONVERSATION a follow-up within a session, NEWSLETTER an opted-in bulk send.',
})
export type MessageType = z.infer<typeof MessageType>

export const TrafficType = z
  .enum(TRAFFIC_TYPES)
  .meta({ id: 'TrafficType', description: 'Purpose of a message, for the carriers.' })
export type TrafficType = z.infer<typeof TrafficType>

export const ContactStatus = z.enum(CONTACT_STATUSES).meta({
  id: 'ContactStatus',
  choice: 'values',
  description: 'Status of a contact. UNSUBSCRIBED, BOUNCED (email only) and BLOCKED suppress sends.',
})
export type ContactStatus = z.infer<typeof ContactStatus>

/** Campaign states (interface §3.4). */
export const CampaignStatus = z
  .enum(CAMPAIGN_STATUSES)
  .meta({ id: 'CampaignStatus', description: 'Status of a campaign.' })
export type CampaignStatus = z.infer<typeof CampaignStatus>

/**
 * The modes of a clock: `real` follows the machine's, `frozen` moves only when advanced, `auto` jumps to the next due work
 * as soon as nothing is in progress, `scaled` runs faster or slower than the machine's.
 */
export const ClockMode = z.enum(CLOCK_MODES)
export type ClockMode = z.infer<typeof ClockMode>

/** Failure reasons (interface §6). */
export const FailureReason = z
  .enum(FAILURE_REASONS)
  .meta({ id: 'FailureReason', description: 'Reason of a failed message.' })
export type FailureReason = z.infer<typeof FailureReason>

/** The scope of a reset: the whole world, or a part of it. */
export const Scope = z
  .enum(['all', 'messages', 'events', 'faults', 'rules', 'balance'])
  .describe(
    'Part to reset: all, messages (with conversations, campaign runs and inboxes), events (with deliveries), faults, rules or balance.',
  )
export type Scope = z.infer<typeof Scope>
