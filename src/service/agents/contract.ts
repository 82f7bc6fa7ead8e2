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
  description: 'What an agent is for: decides which message_type and traffic_type it may send.',
})
export type UseCase = z.infer<typeof UseCase>

export const BillingCategory = z
  .enum(['CONVERSATIONAL', 'NON_CONVERSATIONAL'])
  .meta({ id: 'BillingCategory', description: 'Whether an agent is billed by session or by message.' })
export type BillingCategory = z.infer<typeof BillingCategory>

export const AgentStatus = z
  .enum(AGENT_STATUSES)
  .meta({ id: 'AgentStatus', choice: 'values', description: 'Where an agent stands; only an APPROVED one sends.' })
export type AgentStatus = z.infer<typeof AgentStatus>

export const LaunchStatus = z
  .enum(LAUNCH_STATUSES)
  .meta({ id: 'LaunchStatus', choice: 'values', description: 'Where the launch of an agent stands on a carrier.' })
export type LaunchStatus = z.infer<typeof LaunchStatus>

/** The shared Test Agent (interface §4.3). It belongs to nobody, so agent routes do not know it. */
export const TEST_AGENT_ID = 'ag_live_7e57a9e4-0000-4000-8000-000000000000'

const Region = z.literal('EUROPE').describe('The only one there is; fixed at creation.')
const Category = BillingCategory.describe('CONVERSATIONAL is billed by session, NON_CONVERSATIONAL by message.')
const Use = UseCase.describe('Decides which message_type and traffic_type it may send; fixed once submitted.')
const Newsletter = z.boolean().describe('May send NEWSLETTER; fixed at creation.')

/** The brand profile: appearance and contacts of the sender. */
export const brand = {
  display_name: text(100, 1).describe('Name of the sender.'),
  description: text(500, 1).describe('What the brand writes about.'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #0B5FFF')
    .meta({ example: '#0B5FFF' })
    .describe('Colour of the brand.'),
  logo_url: WebUrl.describe('Picture beside the name.'),
  banner_url: WebUrl.describe('Picture above the profile.'),
  phone: Phone.describe('Where users can call.'),
  email: Email.describe('Where users can write.'),
  website: WebUrl.describe('Where users can read more.'),
  privacy_policy_url: WebUrl.describe('What becomes of what users say.'),
  terms_of_service_url: WebUrl.describe('On which terms.'),
}
export type BrandField = keyof typeof brand

const each = <T>(make: (field: z.ZodType<string, string>) => T) =>
  Object.fromEntries(Object.entries(brand).map(([name, field]) => [name, make(field)])) as Record<BrandField, T>

export const optionalBrand = markChosen(each((field) => field.optional()))

/** The agent record; unset fields are null. */
export const AgentRecord = z
  .strictObject({
    agent_id: AgentId.describe('Its prefix says how it was created, never how it stands.'),
    status: AgentStatus.describe('Where it stands.'),
    region: Region,
    billing_category: Category,
    use_case: Use,
    newsletter_enabled: Newsletter,
    ...markChosen(each((field) => field.nullable())),
    ...markChosen({
      created_at: Timestamp.describe('When it was created.'),
      submitted_at: Timestamp.nullable().describe('When it was submitted last.'),
      approved_at: Timestamp.nullable().describe('When the review approved it.'),
      rejected_at: Timestamp.nullable().describe('When the review rejected it.'),
      rejection_reason: z.string().nullable().describe('Why the review rejected it.'),
    }),
  })
  .meta({ id: 'Agent', description: "An RCS agent: the brand's verified sender. What is not known is null." })

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
  band: 'agents',
})

export const getAgent = operation({
  id: 'agents.get',
  section: '4.3',
  summary: 'Show an agent and its status',
  call: 'GET /v1/rcs/agents/{id}',
  params: draftParams,
  output: AgentRecord,
  band: 'agents',
  problems: ['not_found'],
})

const fixed = z
  .never({ error: 'is fixed at creation and cannot be changed' })
  .optional()
  .describe('Fixed at creation: refused here.')

export const updateAgent = operation({
  id: 'agents.update',
  section: '4.3',
  summary: 'Change the brand profile or use_case of an agent',
  details: 'Possible while the agent is DRAFT or REJECTED. The use_case can change only while it is DRAFT.',
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
  band: 'agents',
  problems: ['not_found', 'agent_not_editable'],
  choice: true,
})

export const submitAgent = operation({
  id: 'agents.submit',
  section: '4.3',
  summary: 'Submit an agent for review',
  call: 'POST /v1/rcs/agents/{id}/submit',
  params: draftParams,
  body: z.strictObject({
    newsletter_enabled: z.boolean().optional().describe('The value given at creation, repeated; it cannot change.'),
  }),
  bodyOptional: true,
  output: z.strictObject({
    agent_id: AgentId,
    status: z.literal('PENDING_REVIEW').describe('The review is under way.'),
    submitted_at: Timestamp.describe('When it was submitted.'),
    estimated_review_days: z.int().describe('At most so many days until the review is decided.'),
    newsletter_enabled: z.boolean().describe('As at creation.'),
  }),
  band: 'agents',
  problems: ['not_found', 'agent_not_submittable', 'newsletter_not_enabled', 'agent_profile_incomplete'],
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
    agent_status: AgentStatus.describe('Where the agent stands.'),
    carriers: z
      .array(
        z.strictObject({
          carrier: z.string().describe('Name of the carrier.'),
          status: LaunchStatus.describe('Where the launch stands there.'),
          launched_at: Timestamp.nullable().describe('Since when it is live there.'),
          rejection_reason: z.string().nullable().describe('Why the carrier rejected it.'),
        }),
      )
      .describe('In the order in which they launch; empty before approval.'),
  }),
  band: 'agents',
  problems: ['not_found'],
  choice: true,
})
