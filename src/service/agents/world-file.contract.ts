import { z } from 'zod'
import { AgentId } from '../../words/ids.ts'
import { DelayRange } from '../../words/range.ts'
import { text } from '../../words/text.ts'
import { AgentStatus, BillingCategory, LaunchStatus, optionalBrand, TEST_AGENT_ID, UseCase } from './contract.ts'

/** An entry of the section `agents` of a world file. */
export const AgentEntry = z.strictObject({
  agent_id: AgentId.refine((id) => id !== TEST_AGENT_ID, { error: 'is the id of the shared Test Agent' }),
  status: AgentStatus.default('APPROVED').describe(
    'Status of the agent. PENDING_REVIEW waits until the control plane decides the review.',
  ),
  billing_category: BillingCategory.default('CONVERSATIONAL'),
  use_case: UseCase,
  newsletter_enabled: z.boolean().default(false),
  ...optionalBrand,
  rejection_reason: text(500, 1).optional().describe('Reason for the rejection of a REJECTED agent.'),
  launched_on: z
    .array(z.string())
    .optional()
    .describe('Names of carriers (default: all carriers for an APPROVED or SUSPENDED agent).'),
  launches: z
    .record(z.string(), z.strictObject({ status: LaunchStatus, rejection_reason: text(500, 1).optional() }))
    .optional()
    .describe('Launch status by carrier, instead of launched_on. A PENDING launch is decided after the start.'),
})
export type AgentEntry = z.output<typeof AgentEntry>

/** Section `review` of a world file: the outcome of reviews. */
export const ReviewTerms = z.strictObject({
  outcome: z.enum(['approved', 'rejected']).default('approved'),
  reason: text(500, 1).default('The brand could not be verified.').describe('rejection_reason of rejected agents.'),
  delay: DelayRange.prefault('2s').describe('Delay from submission to the outcome.'),
  launch_gap: DelayRange.prefault('1s').describe('Delay from approval to the first launch, and between launches.'),
  launch: z
    .record(z.string(), z.strictObject({ outcome: z.enum(['launched', 'rejected']), reason: text(500, 1).optional() }))
    .default({})
    .describe('Launch decision by carrier (default: launched).'),
  profile: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('Whether the review needs a complete brand profile.'),
})
export type ReviewTerms = z.output<typeof ReviewTerms>
