import { z } from 'zod'
import { markChosen } from '../../words/choice.ts'
import { AgentId, CampaignId, ChannelId, ContactId, MessageId } from '../../words/ids.ts'
import type { ProblemCode } from '../../words/problem.ts'
import { CampaignStatus, ChannelType, ConsentType, ContactStatus } from '../../words/vocabulary.ts'
import { AgentStatus } from '../agents/contract.ts'
import { Balance } from '../billing/contract.ts'
import { ConsentStatus } from '../contacts/consent.contract.ts'
import { MessageStatus } from '../messages/contract.ts'

interface OwnFields {
  fields: z.ZodRawShape
  example: Record<string, unknown>
}

const ofAgent = (agent_status: AgentStatus): OwnFields => ({
  fields: markChosen({
    agent_id: AgentId.describe('The agent.'),
    agent_status: AgentStatus.describe('Where the agent stands.'),
  }),
  example: { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005', agent_status },
})

const ofChannel = (n: number): OwnFields => ({
  fields: markChosen({ channel_id: ChannelId.describe('The channel.') }),
  example: { channel_id: `ch_00000000-0000-4000-8000-00000000000${n}` },
})

const ofRecipient: OwnFields = {
  fields: markChosen({ to: z.string().describe('The recipient.') }),
  example: { to: '+491713920050' },
}

/** Without newsletter_enabled consent is missing for any recipient. */
const ofConsent = (isMissing: boolean): OwnFields => {
  const fields = {
    to: z.string().describe('The recipient.'),
    contact_id: ContactId.nullable().describe('The contact; null where none has the address.'),
    channel_type: ChannelType.describe('For which channel consent is wanted.'),
    message_type: ConsentType.describe('For which messages.'),
  }
  return {
    fields: markChosen(isMissing ? z.object(fields).partial().shape : fields),
    example: {
      to: '+491713920042',
      contact_id: 'c_00000000-0000-4000-8000-000000000042',
      channel_type: 'RCS',
      message_type: 'MESSAGE',
    },
  }
}

const agentField = { agent_id: AgentId.describe('The agent.') }
const anAgent = { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005' }

const campaignFields = {
  campaign_id: CampaignId.describe('The campaign.'),
  campaign_status: CampaignStatus.describe('Where the campaign stands.'),
}
const aCampaign = (campaign_status: CampaignStatus) => ({
  campaign_id: '00000000-0000-4000-8000-000000000101',
  campaign_status,
})

const byTrigger = (campaign_trigger: string): OwnFields => ({
  fields: markChosen({
    campaign_id: campaignFields.campaign_id,
    campaign_trigger: z.string().describe('What starts the campaign: API, SCHEDULED, EVENT or MANUAL.'),
  }),
  example: { campaign_id: '00000000-0000-4000-8000-000000000102', campaign_trigger },
})

/** Additional envelope fields by code. */
export const problemFields: Partial<Record<ProblemCode, OwnFields>> = {
  insufficient_balance: {
    fields: {
      required_amount: z.number().describe('What the call would hold, EUR.'),
      balance: Balance.describe('What there is.').meta({ choice: true }),
      topup_url: z.string().describe('Where a person can top up.'),
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
  agent_not_approved: ofAgent('PENDING_REVIEW'),
  agent_not_launched: ofAgent('APPROVED'),
  agent_not_editable: ofAgent('APPROVED'),
  agent_not_submittable: ofAgent('APPROVED'),
  agent_state_conflict: ofAgent('DRAFT'),
  channel_inactive: ofChannel(3),
  domain_not_verified: ofChannel(2),
  message_type_not_allowed: {
    fields: markChosen({
      agent_id: AgentId.optional().describe('The agent, on RCS.'),
      agent_status: AgentStatus.optional().describe('Where the agent stands.'),
      channel_id: ChannelId.optional().describe('The channel, on email and SMS.'),
    }),
    example: { agent_id: 'ag_live_00000000-0000-4000-8000-000000000002', agent_status: 'APPROVED' },
  },
  recipient_suppressed: {
    fields: markChosen({
      to: z.string().describe('The recipient.'),
      contact_id: ContactId.describe('The contact.'),
      contact_status: ContactStatus.describe('Why sends are suppressed.'),
    }),
    example: {
      to: '+491713920040',
      contact_id: 'c_00000000-0000-4000-8000-000000000040',
      contact_status: 'BLOCKED',
    },
  },
  missing_consent: ofConsent(true),
  consent_pending: ofConsent(false),
  consent_revoked: ofConsent(false),
  no_active_session: ofRecipient,
  message_not_revocable: {
    fields: markChosen({ message_status: MessageStatus.describe('Where the message stands.') }),
    example: { message_status: 'delivered' },
  },
  message_state_conflict: {
    fields: markChosen({
      message_id: MessageId.describe('The message.'),
      message_status: MessageStatus.describe('Where the message stands.'),
    }),
    example: { message_id: 'msg_00000000-0000-4000-8000-000000000001', message_status: 'queued' },
  },
  newsletter_not_enabled: { fields: markChosen(agentField), example: anAgent },
  agent_profile_incomplete: { fields: markChosen(agentField), example: anAgent },
  consent_not_pending: {
    fields: markChosen({ status: ConsentStatus.describe('Where the record stands.') }),
    example: { status: 'GRANTED' },
  },
  invalid_code: {
    fields: markChosen({
      tries_left: z.int().min(0).optional().describe('How often another code may be tried, where one was sent.'),
    }),
    example: { tries_left: 4 },
  },
  limit_exceeded: {
    fields: markChosen({
      balance: Balance.optional().describe('Of a top-up: what there is.'),
      max_balance: z.number().optional().describe('Of a top-up: what the balance may come to, EUR.'),
    }),
    example: {},
  },
  campaign_already_running: {
    fields: markChosen({
      ...campaignFields,
      run_id: z.string().nullable().describe('The run that is open; null where it has none yet.'),
    }),
    example: { ...aCampaign('RUNNING'), run_id: 'run_00000000-0000-4000-8000-000000000001' },
  },
  campaign_not_pausable: { fields: markChosen(campaignFields), example: aCampaign('COMPLETED') },
  campaign_not_resumable: { fields: markChosen(campaignFields), example: aCampaign('RUNNING') },
  campaign_not_api_triggered: byTrigger('SCHEDULED'),
  campaign_not_manually_triggered: byTrigger('API'),
  campaign_not_event_triggered: byTrigger('API'),
  trigger_precondition_failed: {
    fields: {
      event: z.string().describe('What was to happen.'),
      subject: z.string().nullable().describe('What it was to happen to.'),
      state: z.string().nullable().describe('Where that stands.'),
      needs: z
        .array(z.string())
        .describe('From where it is possible; empty where its state is not what stands against it.'),
    },
    example: {
      event: 'message.read',
      subject: 'msg_00000000-0000-4000-8000-000000000001',
      state: 'failed',
      needs: ['delivered'],
    },
  },
  internal_error: {
    fields: markChosen({ request_id: z.string().optional().describe('As X-Request-Id, to be told with the bug.') }),
    example: { request_id: 'req_00000000-0000-4000-8000-000000000001' },
  },
  device_not_rcs_capable: {
    fields: markChosen({ to: z.string().describe('The phone.') }),
    example: { to: '+491713920010' },
  },
}

/** Example values of those fields, for refusals without a real case. */
export const exampleFieldsOf = (code: ProblemCode): Record<string, unknown> => problemFields[code]?.example ?? {}
