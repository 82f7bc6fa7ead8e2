import { z } from 'zod'
import { markChosen } from '../../words/choice.ts'
import { exampleOf } from '../../words/field-example.ts'
import { AgentId, CampaignId, ChannelId, ConsentId, ContactId, MessageId, Timestamp } from '../../words/ids.ts'
import type { ProblemCode } from '../../words/problem.ts'
import {
  Balance,
  CampaignStatus,
  ChannelType,
  ConsentStatus,
  ConsentType,
  ContactStatus,
} from '../../words/vocabulary.ts'
import { AgentStatus } from '../agents/contract.ts'
import { MessageStatus } from '../messages/contract.ts'

/** A field of refusals. Its example, given here or that of its id, is part of the example of a refusal. */
const field = <S extends z.ZodType>(schema: S, description: string, example: unknown = schema.meta()?.example): S =>
  schema.meta({ description, example })

const DRAFT = 'ag_draft_00000000-0000-4000-8000-000000000005'
const agent_id = field(AgentId, 'Id of the agent.', DRAFT)
const ofAgent = (status: AgentStatus) =>
  markChosen({ agent_id, agent_status: field(AgentStatus, 'Status of the agent.', status) })

const ofChannel = (n: number) =>
  markChosen({ channel_id: field(ChannelId, 'Id of the channel.', `ch_00000000-0000-4000-8000-00000000000${n}`) })

const to = (phone: string) => field(z.string(), 'Recipient.', phone)
const contact_id = (description: string, n: number) =>
  field(ContactId.nullable(), description, `c_00000000-0000-4000-8000-0000000000${n}`)

/** A cluster and a fault know when to try again, a full disk does not. */
const mayEnd = markChosen({
  retry_after: z.int().optional().describe('Seconds to wait before the next attempt, if known.'),
})

const ofConsent = (status: ConsentStatus | null) =>
  markChosen({
    to: to('+491713920042'),
    contact_id: contact_id('Contact with the address, or null.', 42),
    channel_type: field(ChannelType, 'Channel type of the missing consent.', 'RCS'),
    message_type: field(ConsentType, 'Message type of the missing consent.', 'MESSAGE'),
    consent_status: field(ConsentStatus.nullable(), 'Status of that consent, or null without a record.', status),
    revoked_at: Timestamp.optional().describe('Time of the revocation, if the record is REVOKED.'),
  })

/** Without newsletter_enabled consent is missing for any recipient. */
const allOptional = (fields: Record<string, z.ZodType>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, one]) => {
      const { description, example } = one.meta() ?? {}
      return [name, one.optional().meta({ description, example, choice: true })]
    }),
  )

/** What a phone without a message to answer lacks. */
const lackOnPhone = z
  .object({
    to: z.string().describe('Phone number.'),
    contact_id: ContactId.nullable().describe('Contact with the phone, or null.'),
    channel_type: ChannelType.describe('Channel type of the consent that a message to it needs.'),
    message_type: ConsentType.describe('Message type of that consent.'),
    consent_status: ConsentStatus.nullable().describe('Status of that consent, or null without a record.'),
    unconfirmed: z.array(ConsentId).describe('Consent records whose confirmation was sent to the phone.'),
  })
  .partial().shape

const campaign_id = (n: number) => field(CampaignId, 'Id of the campaign.', `00000000-0000-4000-8000-000000000${n}`)
const ofCampaign = (status: CampaignStatus, more: z.ZodRawShape = {}) =>
  markChosen({
    campaign_id: campaign_id(101),
    campaign_status: field(CampaignStatus, 'Status of the campaign.', status),
    ...(more as Record<string, z.ZodType>),
  })
const byTrigger = (trigger: string) =>
  markChosen({
    campaign_id: campaign_id(102),
    campaign_trigger: field(z.string(), 'Trigger of the campaign: API, SCHEDULED, EVENT or MANUAL.', trigger),
  })

const message_status = (status: string) => field(MessageStatus, 'Status of the message.', status)

/** Additional envelope fields by code. */
export const problemFields: Partial<Record<ProblemCode, z.ZodRawShape>> = {
  insufficient_balance: {
    required_amount: field(z.number(), 'Hold that the call needs, EUR.', 0.08),
    ...markChosen({ balance: field(Balance, 'Current balance.', { free: 0.05, reserved: 0, total: 0.05 }) }),
    topup_url: field(z.string(), 'URL of a page to top up.', 'https://dashboard.example.com/billing/topup'),
  },
  rate_limit_exceeded: { retry_after: field(z.int(), 'Seconds until the window resets.', 12) },
  storage_unavailable: mayEnd,
  service_unavailable: mayEnd,
  agent_not_approved: ofAgent('PENDING_REVIEW'),
  agent_not_launched: ofAgent('APPROVED'),
  agent_not_editable: ofAgent('APPROVED'),
  agent_not_submittable: ofAgent('APPROVED'),
  agent_state_conflict: ofAgent('DRAFT'),
  channel_inactive: ofChannel(3),
  domain_not_verified: ofChannel(2),
  message_type_not_allowed: markChosen({
    agent_id: field(AgentId.optional(), 'Agent of the send (RCS).', 'ag_live_00000000-0000-4000-8000-000000000002'),
    agent_status: field(AgentStatus.optional(), 'Status of the agent.', 'APPROVED'),
    channel_id: ChannelId.optional().describe('Channel of the send (email and SMS).'),
  }),
  recipient_suppressed: markChosen({
    to: to('+491713920040'),
    contact_id: field(ContactId, 'Id of the contact.', 'c_00000000-0000-4000-8000-000000000040'),
    contact_status: field(ContactStatus, 'Status of the contact, which suppresses sends.', 'BLOCKED'),
  }),
  missing_consent: allOptional(ofConsent(null)),
  consent_pending: ofConsent('PENDING'),
  consent_revoked: ofConsent('REVOKED'),
  no_active_session: markChosen({ to: to('+491713920050') }),
  message_not_revocable: markChosen({ message_status: message_status('delivered') }),
  message_state_conflict: markChosen({
    message_id: field(MessageId, 'Id of the message.'),
    message_status: message_status('queued'),
  }),
  newsletter_not_enabled: markChosen({ agent_id }),
  agent_profile_incomplete: markChosen({ agent_id }),
  consent_not_pending: markChosen({ status: field(ConsentStatus, 'Status of the record.', 'GRANTED') }),
  invalid_code: markChosen({
    tries_left: field(z.int().min(0).optional(), 'Number of attempts left, if a code was sent.', 4),
  }),
  limit_exceeded: markChosen({
    balance: Balance.optional().describe('Current balance.'),
    max_balance: z.number().optional().describe('Maximum balance, EUR.'),
  }),
  campaign_already_running: ofCampaign('RUNNING', {
    run_id: field(z.string().nullable(), 'Open run, or null.', 'run_00000000-0000-4000-8000-000000000001'),
  }),
  campaign_not_pausable: ofCampaign('COMPLETED'),
  campaign_not_resumable: ofCampaign('RUNNING'),
  campaign_not_api_triggered: byTrigger('SCHEDULED'),
  campaign_not_manually_triggered: byTrigger('API'),
  campaign_not_event_triggered: byTrigger('API'),
  nothing_to_answer: lackOnPhone,
  trigger_precondition_failed: {
    event: field(z.string(), 'Event that was triggered.', 'message.read'),
    subject: field(z.string().nullable(), 'Kind of the resource.', 'msg_00000000-0000-4000-8000-000000000001'),
    state: field(z.string().nullable(), 'Current status of the resource.', 'failed'),
    needs: field(z.array(z.string()), 'Statuses that allow the event; empty if the status is not the obstacle.', [
      'delivered',
    ]),
    ...lackOnPhone,
  },
  not_arrived: {
    nearest: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe('Nearest event and its difference; only while waiting for an event.'),
    next_due_at: Timestamp.nullable()
      .optional()
      .describe('Time of the next scheduled work; only while waiting for an event.'),
  },
  internal_error: markChosen({
    request_id: field(
      z.string().optional(),
      'Value of X-Request-Id, for a bug report.',
      'req_00000000-0000-4000-8000-000000000001',
    ),
  }),
  device_not_rcs_capable: markChosen({ to: field(z.string(), 'Phone number.', '+491713920010') }),
}

/** The only path whose refusals with a code have its fields. */
export const ONLY_AT: Partial<Record<ProblemCode, string>> = { limit_exceeded: '/v1/billing/topup' }

/** Example values of those fields, for refusals without a real case. */
export const exampleFieldsOf = (code: ProblemCode): Record<string, unknown> =>
  exampleOf((problemFields[code] ?? {}) as Record<string, z.ZodType>)
