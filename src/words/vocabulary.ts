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

/** Values that several nouns share (interface §2). */

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

/** Consent states (interface §3.1). */
export const ConsentStatus = z
  .enum(['GRANTED', 'REVOKED', 'PENDING'])
  .meta({ id: 'ConsentStatus', description: 'Status of the consent. Only GRANTED permits sends.' })
export type ConsentStatus = z.infer<typeof ConsentStatus>

export const DoiStatus = z
  .enum(['DOI_SEND', 'DOI_ACCEPTED'])
  .meta({ id: 'DoiStatus', description: 'Status of double opt-in: requested or confirmed.' })
export type DoiStatus = z.infer<typeof DoiStatus>

export const Balance = z
  .strictObject({
    free: z.number().describe('Free balance, immediately spendable, EUR.'),
    reserved: z.number().describe('Balance held for messages in progress, EUR.'),
    total: z.number().describe('Total balance: free + reserved, EUR.'),
  })
  .meta({
    id: 'Balance',
    description: 'Balance of the account.',
    example: { free: 999.95, reserved: 0.05, total: 1000 },
  })

const count = (what: string) => z.int().min(0).describe(what)

export const RunCounts = z
  .strictObject({
    total: count('Contacts of the run.'),
    pending: count('Number of contacts that have not started.'),
    in_progress: count('Number of contacts in progress.'),
    completed: count('Number of contacts that reached the end of the flow.'),
    failed: count(
      'Number of contacts whose send was refused for a reason other than eligibility, or whose last message did not arrive.',
    ),
    ineligible: count(
      'Number of contacts that a SEND node found ineligible: no consent, no capable device, or a channel that is not approved.',
    ),
  })
  .meta({ id: 'RunCounts', description: 'Number of contacts of the run by state.' })
export type RunCounts = z.infer<typeof RunCounts>

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
