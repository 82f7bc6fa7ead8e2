import { z } from 'zod'
import { AgentStatus } from '../service/agents/contract.ts'
import { Balance } from '../service/billing/contract.ts'
import { ContactStatus } from '../service/contacts/contract.ts'
import { AgentId, ChannelId, ContactId } from '../words/ids.ts'
import { type ProblemCode, problems } from '../words/problem.ts'
import type { JsonSchema, Schemas } from './schema.ts'

/** The error envelope of interface §7; a route may add fields of its own. */
const Problem = z
  .looseObject({
    error: z.string().describe('The code: stable, to branch on.'),
    message: z.string().describe('For people; not to branch on.'),
    details: z
      .array(
        z.strictObject({
          field: z.string().describe('Path of the field: content.suggestions[3].reply.text.'),
          code: z.string().describe('What rule it breaks.'),
          message: z.string().describe('What it must be, for people.'),
        }),
      )
      .describe('Which fields are meant; empty where none is.'),
  })
  .meta({ id: 'Problem' })

interface Extra {
  fields: z.ZodRawShape
  example: Record<string, unknown>
}

const ofAgent = (agent_status: AgentStatus): Extra => ({
  fields: {
    agent_id: AgentId.describe('The agent.'),
    agent_status: AgentStatus.describe('Where the agent stands.'),
  },
  example: { agent_id: 'ag_draft_00000000-0000-4000-8000-000000000005', agent_status },
})

const ofChannel = (n: number): Extra => ({
  fields: { channel_id: ChannelId.describe('The channel.') },
  example: { channel_id: `ch_00000000-0000-4000-8000-00000000000${n}` },
})

/** Fields that certain codes always have beside the envelope. */
const EXTRAS: Partial<Record<ProblemCode, Extra>> = {
  insufficient_balance: {
    fields: {
      required_amount: z.number().describe('What the call would hold, EUR.'),
      balance: Balance,
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
    fields: {
      agent_id: AgentId.optional().describe('The agent, on RCS.'),
      agent_status: AgentStatus.optional().describe('Where the agent stands.'),
      channel_id: ChannelId.optional().describe('The channel, on email and SMS.'),
    },
    example: { agent_id: 'ag_live_00000000-0000-4000-8000-000000000002', agent_status: 'APPROVED' },
  },
  recipient_suppressed: {
    fields: {
      to: z.string().describe('The recipient.'),
      contact_id: ContactId.describe('The contact.'),
      contact_status: ContactStatus.describe('Why sends are suppressed.'),
    },
    example: {
      to: '+491713920040',
      contact_id: 'c_00000000-0000-4000-8000-000000000040',
      contact_status: 'BLOCKED',
    },
  },
  device_not_rcs_capable: { fields: { to: z.string().describe('The phone.') }, example: { to: '+491713920010' } },
}

/** Those fields with some value, for a refusal that no case stands behind. */
export const extrasOf = (code: ProblemCode): Record<string, unknown> => EXTRAS[code]?.example ?? {}

/** What is answered with one status: the envelope, with the codes that are possible here. */
export function problemContent(codes: readonly ProblemCode[], schemas: Schemas): JsonSchema {
  return {
    schema: anyOf(variants(codes).map((variant) => schemaOf(variant, schemas))),
    examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
  }
}

/** Codes that say the same fields share a schema. */
function variants(codes: readonly ProblemCode[]): ProblemCode[][] {
  const plain = codes.filter((code) => !EXTRAS[code])
  return [...(plain.length > 0 ? [plain] : []), ...codes.filter((code) => EXTRAS[code]).map((code) => [code])]
}

const anyOf = (schemas: JsonSchema[]): JsonSchema => (schemas.length === 1 ? schemas[0]! : { anyOf: schemas })

function schemaOf(codes: readonly ProblemCode[], schemas: Schemas): JsonSchema {
  const own = z.looseObject({ error: z.enum(codes), ...EXTRAS[codes[0]!]?.fields })
  return { allOf: [schemas.of(Problem), schemas.of(own)] }
}

const exampleOf = (code: ProblemCode) => ({
  error: code,
  message: `${problems[code].meaning} ${problems[code].remedy}`,
  details: [],
  ...EXTRAS[code]?.example,
})

/** What a person reads of a status: each code with its meaning and remedy. */
export const problemText = (codes: readonly ProblemCode[]): string =>
  codes.map((code) => `- \`${code}\`: ${problems[code].meaning} ${problems[code].remedy}`).join('\n')
