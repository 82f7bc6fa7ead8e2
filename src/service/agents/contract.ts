import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { requireChange } from '../../words/change.ts'
import { markChosen } from '../../words/choice.ts'
import { Email } from '../../words/email.ts'
import { AgentId, Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Phone } from '../../words/phone.ts'
import { AGENT_STATUSES, LAUNCH_STATUSES } from '../../words/statuses.ts'
import { text, WebUrl } from '../../words/text.ts'

export const about: About = { name: 'agents', group: 'Account', summary: 'Create, edit and submit RCS agents' }

/** Interface §2.7. */
export const UseCase = z.enum(['OTP', 'TRANSACTIONAL', 'PROMOTIONAL', 'MULTI_USE']).meta({
  id: 'UseCase',
  description: 'Purpose of an agent. It decides the permitted message_type and traffic_type.',
})
export type UseCase = z.infer<typeof UseCase>

export const BillingCategory = z
  .enum(['CONVERSATIONAL', 'NON_CONVERSATIONAL'])
  .meta({ id: 'BillingCategory', description: 'Billing model of an agent: by session or by message.' })
export type BillingCategory = z.infer<typeof BillingCategory>

export const AgentStatus = z
  .enum(AGENT_STATUSES)
  .meta({ id: 'AgentStatus', choice: 'values', description: 'Status of an agent. Only an APPROVED agent can send.' })
export type AgentStatus = z.infer<typeof AgentStatus>

export const LaunchStatus = z
  .enum(LAUNCH_STATUSES)
  .meta({ id: 'LaunchStatus', choice: 'values', description: 'Launch status of an agent on a carrier.' })
export type LaunchStatus = z.infer<typeof LaunchStatus>

/** The shared Test Agent (interface §4.3). It belongs to no account, so agent routes do not find it. */
export const TEST_AGENT_ID = 'ag_live_7e57a9e4-0000-4000-8000-000000000000'

const Region = z.literal('EUROPE').describe('Region of the agent; EUROPE is the only one. Fixed at creation.')
const Category = BillingCategory.describe('Billing model: CONVERSATIONAL by session, NON_CONVERSATIONAL by message.')
const Use = UseCase.describe(
  'Purpose of the agent: decides the permitted message_type and traffic_type. Fixed after submission.',
)
const Newsletter = z.boolean().describe('Permission to send NEWSLETTER. Fixed at creation.')

/** The brand profile: appearance and contacts of the sender. */
export const brand = {
  display_name: text(100, 1).describe('Name of the sender.'),
  description: text(500, 1).describe('Description of the brand.'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0B5FFF')
    .meta({ example: '#0B5FFF' })
    .describe('Colour of the brand.'),
  logo_url: WebUrl.describe('URL of the logo.'),
  banner_url: WebUrl.describe('URL of the banner.'),
  phone: Phone.describe('Phone number for users.'),
  email: Email.describe('Email address for users.'),
  website: WebUrl.meta({ example: 'https://example.com' }).describe('Website for users.'),
  privacy_policy_url: WebUrl.meta({ example: 'https://example.com/privacy' }).describe('URL of the privacy policy.'),
  terms_of_service_url: WebUrl.meta({ example: 'https://example.com/terms' }).describe('URL of the terms of service.'),
}
export type BrandField = keyof typeof brand
export type BrandProfile = Partial<Record<BrandField, string>>

const each = <T>(make: (field: z.ZodType<string, string>) => T) =>
  Object.fromEntries(Object.entries(brand).map(([name, field]) => [name, make(field)])) as Record<BrandField, T>

export const optionalBrand = markChosen(each((field) => field.optional()))

/** The agent record; unset fields are null. */
export const AgentRecord = z
  .strictObject({
    agent_id: AgentId.describe('Id of the agent. The prefix records how it was created, not its status.'),
    status: AgentStatus.describe('Status of the agent.'),
    region: Region,
    billing_category: Category,
    use_case: Use,
    newsletter_enabled: Newsletter,
    ...markChosen(each((field) => field.nullable())),
    ...markChosen({
      created_at: Timestamp.describe('Time of creation.'),
      submitted_at: Timestamp.nullable().describe('Time of the last submission.'),
      approved_at: Timestamp.nullable().describe('Time of the approval.'),
      rejected_at: Timestamp.nullable().describe('Time of the rejection.'),
      rejection_reason: z.string().nullable().describe('Reason for the rejection.'),
    }),
  })
  .meta({ id: 'Agent', description: 'An RCS agent: the verified sender of a brand. Unset fields are null.' })

export const NewAgent = z
  .strictObject({
    region: Region,
    billing_category: Category,
    use_case: Use,
    newsletter_enabled: Newsletter.default(false),
    ...optionalBrand,
  })
  .meta({
    example: { region: 'EUROPE', billing_category: 'CONVERSATIONAL', use_case: 'MULTI_USE', display_name: 'Ada Books' },
  })

export const agentParams = { id: AgentId.describe('Id of the agent.') }
/** The example is a draft, which can be edited and submitted. */
const draftParams = { id: agentParams.id.meta({ example: 'ag_draft_00000000-0000-4000-8000-000000000005' }) }

export const createAgent = operation({
  id: 'agents.create',
  section: '4.3',
  summary: 'Create an RCS agent as a draft',
  call: 'POST /v1/rcs/agents',
  body: NewAgent,
  output: AgentRecord,
  status: 201,
})

export const getAgent = operation({
  id: 'agents.get',
  section: '4.3',
  summary: 'Show an agent and its status',
  call: 'GET /v1/rcs/agents/{id}',
  params: draftParams,
  output: AgentRecord,
})

const fixed = z
  .never({ error: 'is fixed at creation and cannot be changed' })
  .optional()
  .describe('Immutable field: fixed at creation and refused here.')

export const updateAgent = operation({
  id: 'agents.update',
  section: '4.3',
  summary: 'Change the brand profile or use_case of an agent',
  details: 'The agent must be DRAFT or REJECTED. Its use_case can change only while it is DRAFT.',
  call: 'PATCH /v1/rcs/agents/{id}',
  params: draftParams,
  body: requireChange(
    z.strictObject({
      use_case: Use.optional(),
      ...each((field) => field.nullable().optional()),
      region: fixed,
      billing_category: fixed,
      newsletter_enabled: fixed,
    }),
  ).meta({ example: { description: 'Books by post' } }),
  output: AgentRecord,
  problems: ['agent_not_editable'],
  choice: true,
})

export const submitAgent = operation({
  id: 'agents.submit',
  section: '4.3',
  summary: 'Submit an agent for review',
  call: 'POST /v1/rcs/agents/{id}/submit',
  params: draftParams,
  body: z
    .strictObject({
      newsletter_enabled: z.boolean().optional().describe('Must equal the value set at creation.'),
    })
    .meta({ example: { newsletter_enabled: false } }),
  bodyOptional: true,
  output: z.strictObject({
    agent_id: AgentId,
    status: z.literal('PENDING_REVIEW').describe('Status of the agent: in review.'),
    submitted_at: Timestamp.describe('Time of the submission.'),
    estimated_review_days: z.int().describe('Maximum number of days until the review is decided.'),
    newsletter_enabled: z.boolean().describe('The value set at creation.'),
  }),
  problems: ['agent_not_submittable', 'newsletter_not_enabled', 'agent_profile_incomplete'],
  choice: true,
})

export const launchAgent = operation({
  id: 'agents.launch',
  section: '4.3',
  summary: 'Show the launch status of an agent on each carrier',
  call: 'GET /v1/rcs/agents/{id}/launch',
  params: draftParams,
  output: z.strictObject({
    agent_id: AgentId,
    agent_status: AgentStatus.describe('Status of the agent.'),
    carriers: z
      .array(
        z.strictObject({
          carrier: z.string().describe('Name of the carrier.'),
          status: LaunchStatus.describe('Launch status on the carrier.'),
          launched_at: Timestamp.nullable().describe('Time of the launch.'),
          rejection_reason: z.string().nullable().describe('Reason for the rejection by the carrier.'),
        }),
      )
      .describe('Carriers in the order of launch; empty before approval.'),
  }),
  choice: true,
})
