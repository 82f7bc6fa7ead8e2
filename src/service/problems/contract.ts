import { z } from 'zod'
import { markChosen } from '../../words/choice.ts'
import { AgentId, CampaignId, ChannelId, ConsentId, ContactId, MessageId, Timestamp } from '../../words/ids.ts'
import type { ProblemCode } from '../../words/problem.ts'
import { CampaignStatus, ChannelType, ConsentType, ContactStatus } from '../../words/vocabulary.ts'
import { AgentStatus } from '../agents/contract.ts'
import { Balance } from '../billing/contract.ts'
import { ConsentStatus } from '../contacts/consent.contract.ts'
import { MessageStatus } from '../messages/contract.ts'

interface OwnFields {
  fields: z.ZodRawShape
  /** The only path whose refusals have the fields (default: all paths). */
  path?: string
  example: Record<string, unknown>
}

const ofAgent = (agent_status: AgentStatus): OwnFields => ({
  fields: markChosen({
    agent_id: AgentId.describe('Id of the agent.'),
    agent_status: AgentStatus.describe('Status of the agent.'),
  }),
  example: { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005', agent_status },
})

const ofChannel = (n: number): OwnFields => ({
  fields: markChosen({ channel_id: ChannelId.describe('Id of the channel.') }),
  example: { channel_id: `ch_00000000-0000-4000-8000-00000000000${n}` },
})

const ofRecipient: OwnFields = {
  fields: markChosen({ to: z.string().describe('Recipient.') }),
  example: { to: '+491713920050' },
}

/** A cluster and a fault know when to try again, a full disk does not. */
const mayEnd: OwnFields = {
  fields: markChosen({
    retry_after: z.int().optional().describe('Seconds to wait before the next attempt, if known.'),
  }),
  example: {},
}

/** Without newsletter_enabled consent is missing for any recipient. */
const ofConsent = (consent_status: 'PENDING' | 'REVOKED' | null): OwnFields => {
  const fields = {
    to: z.string().describe('Recipient.'),
    contact_id: ContactId.nullable().describe('Contact with the address, or null.'),
    channel_type: ChannelType.describe('Channel type of the missing consent.'),
    message_type: ConsentType.describe('Message type of the missing consent.'),
    consent_status: ConsentStatus.nullable().describe('Status of that consent, or null without a record.'),
    revoked_at: Timestamp.optional().describe('Time of the revocation, if the record is REVOKED.'),
  }
  return {
    fields: markChosen(consent_status === null ? z.object(fields).partial().shape : fields),
    example: {
      to: '+491713920042',
      contact_id: 'c_00000000-0000-4000-8000-000000000042',
      channel_type: 'RCS',
      message_type: 'MESSAGE',
      consent_status,
    },
  }
}

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

const agentField = { agent_id: AgentId.describe('Id of the agent.') }
const anAgent = { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005' }

const campaignFields = {
  campaign_id: CampaignId.describe('Id of the campaign.'),
  campaign_status: CampaignStatus.describe('Status of the campaign.'),
}
const aCampaign = (campaign_status: CampaignStatus) => ({
  campaign_id: '00000000-0000-4000-8000-000000000101',
  campaign_status,
})

const byTrigger = (campaign_trigger: string): OwnFields => ({
  fields: markChosen({
    campaign_id: campaignFields.campaign_id,
    campaign_trigger: z.string().describe('Trigger of the campaign: API, SCHEDULED, EVENT or MANUAL.'),
  }),
  example: { campaign_id: '00000000-0000-4000-8000-000000000102', campaign_trigger },
})

/** Additional envelope fields by code. */
export const problemFields: Partial<Record<ProblemCode, OwnFields>> = {
  insufficient_balance: {
    fields: {
      required_amount: z.number().describe('Hold that the call needs, EUR.'),
      balance: Balance.describe('Current balance.').meta({ choice: true }),
      topup_url: z.string().describe('URL of a page to top up.'),
    },
    example: {
      required_amount: 0.08,
      balance: { free: 0.05, reserved: 0, total: 0.05 },
      topup_url: 'https://dashboard.example.com/billing/topup',
    },
  },
  rate_limit_exceeded: {
    fields: { retry_after: z.int().describe('Seconds until the window resets.') },
    example: { retry_after: 12 },
  },
  storage_unavailable: mayEnd,
  service_unavailable: mayEnd,
  agent_not_approved: ofAgent('PENDING_REVIEW'),
  agent_not_launched: ofAgent('APPROVED'),
  agent_not_editable: ofAgent('APPROVED'),
  agent_not_submittable: ofAgent('APPROVED'),
  agent_state_conflict: ofAgent('DRAFT'),
  channel_inactive: ofChannel(3),
  domain_not_verified: ofChannel(2),
  message_type_not_allowed: {
    fields: markChosen({
      agent_id: AgentId.optional().describe('Agent of the send (RCS).'),
      agent_status: AgentStatus.optional().describe('Status of the agent.'),
      channel_id: ChannelId.optional().describe('Channel of the send (email and SMS).'),
    }),
    example: { agent_id: 'ag_live_00000000-0000-4000-8000-000000000002', agent_status: 'APPROVED' },
  },
  recipient_suppressed: {
    fields: markChosen({
      to: z.string().describe('Recipient.'),
      contact_id: ContactId.describe('Id of the contact.'),
      contact_status: ContactStatus.describe('Status of the contact, which suppresses sends.'),
    }),
    example: {
      to: '+491713920040',
      contact_id: 'c_00000000-0000-4000-8000-000000000040',
      contact_status: 'BLOCKED',
    },
  },
  missing_consent: ofConsent(null),
  consent_pending: ofConsent('PENDING'),
  consent_revoked: ofConsent('REVOKED'),
  no_active_session: ofRecipient,
  message_not_revocable: {
    fields: markChosen({ message_status: MessageStatus.describe('Status of the message.') }),
    example: { message_status: 'delivered' },
  },
  message_state_conflict: {
    fields: markChosen({
      message_id: MessageId.describe('Id of the message.'),
      message_status: MessageStatus.describe('Status of the message.'),
    }),
    example: { message_id: 'msg_00000000-0000-4000-8000-000000000001', message_status: 'queued' },
  },
  newsletter_not_enabled: { fields: markChosen(agentField), example: anAgent },
  agent_profile_incomplete: { fields: markChosen(agentField), example: anAgent },
  consent_not_pending: {
    fields: markChosen({ status: ConsentStatus.describe('Status of the record.') }),
    example: { status: 'GRANTED' },
  },
  invalid_code: {
    fields: markChosen({
      tries_left: z.int().min(0).optional().describe('Number of attempts left, if a code was sent.'),
    }),
    example: { tries_left: 4 },
  },
  limit_exceeded: {
    path: '/v1/billing/topup',
    fields: markChosen({
      balance: Balance.optional().describe('Current balance.'),
      max_balance: z.number().optional().describe('Maximum balance, EUR.'),
    }),
    example: {},
  },
  campaign_already_running: {
    fields: markChosen({
      ...campaignFields,
      run_id: z.string().nullable().describe('Open run, or null.'),
    }),
    example: { ...aCampaign('RUNNING'), run_id: 'run_00000000-0000-4000-8000-000000000001' },
  },
  campaign_not_pausable: { fields: markChosen(campaignFields), example: aCampaign('COMPLETED') },
  campaign_not_resumable: { fields: markChosen(campaignFields), example: aCampaign('RUNNING') },
  campaign_not_api_triggered: byTrigger('SCHEDULED'),
  campaign_not_manually_triggered: byTrigger('API'),
  campaign_not_event_triggered: byTrigger('API'),
  nothing_to_answer: { fields: lackOnPhone, example: {} },
  trigger_precondition_failed: {
    fields: {
      event: z.string().describe('Event that was triggered.'),
      subject: z.string().nullable().describe('Kind of the resource.'),
      state: z.string().nullable().describe('Current status of the resource.'),
      needs: z.array(z.string()).describe('Statuses that allow the event; empty if the status is not the obstacle.'),
      ...lackOnPhone,
    },
    example: {
      event: 'message.read',
      subject: 'msg_00000000-0000-4000-8000-000000000001',
      state: 'failed',
      needs: ['delivered'],
    },
  },
  not_arrived: {
    fields: {
      nearest: z
        .record(z.string(), z.unknown())
        .nullable()
        .optional()
        .describe('Nearest event and its difference; only while waiting for an event.'),
      next_due_at: Timestamp.nullable()
        .optional()
        .describe('Time of the next scheduled work; only while waiting for an event.'),
    },
    example: {},
  },
  internal_error: {
    fields: markChosen({ request_id: z.string().optional().describe('Value of X-Request-Id, for a bug report.') }),
    example: { request_id: 'req_00000000-0000-4000-8000-000000000001' },
  },
  device_not_rcs_capable: {
    fields: markChosen({ to: z.string().describe('Phone number.') }),
    example: { to: '+491713920010' },
  },
}

/** Example values of those fields, for refusals without a real case. */
export const exampleFieldsOf = (code: ProblemCode): Record<string, unknown> => problemFields[code]?.example ?? {}
