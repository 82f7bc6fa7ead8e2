import { z } from 'zod'
import { chosen } from '../../words/choice.ts'
import { AgentId, ChannelId, ContactId } from '../../words/ids.ts'
import type { ProblemCode } from '../../words/problem.ts'
import { ContactStatus } from '../../words/vocabulary.ts'
import { AgentStatus } from '../agents/contract.ts'
import { Balance } from '../billing/contract.ts'

interface OwnFields {
  fields: z.ZodRawShape
  example: Record<string, unknown>
}

const ofAgent = (agent_status: AgentStatus): OwnFields => ({
  fields: chosen({
    agent_id: AgentId.describe('The agent.'),
    agent_status: AgentStatus.describe('Where the agent stands.'),
  }),
  example: { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005', agent_status },
})

const ofChannel = (n: number): OwnFields => ({
  fields: chosen({ channel_id: ChannelId.describe('The channel.') }),
  example: { channel_id: `ch_00000000-0000-4000-8000-00000000000${n}` },
})

/** Fields that certain codes always have beside the envelope. */
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
    fields: chosen({
      agent_id: AgentId.optional().describe('The agent, on RCS.'),
      agent_status: AgentStatus.optional().describe('Where the agent stands.'),
      channel_id: ChannelId.optional().describe('The channel, on email and SMS.'),
    }),
    example: { agent_id: 'ag_live_00000000-0000-4000-8000-000000000002', agent_status: 'APPROVED' },
  },
  recipient_suppressed: {
    fields: chosen({
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
  device_not_rcs_capable: {
    fields: chosen({ to: z.string().describe('The phone.') }),
    example: { to: '+491713920010' },
  },
}

/** Those fields with some value, for a refusal that no case stands behind. */
export const exampleFieldsOf = (code: ProblemCode): Record<string, unknown> => problemFields[code]?.example ?? {}
