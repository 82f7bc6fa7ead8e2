import { z } from 'zod'
import { AgentId } from '../../words/ids.ts'
import { DelayRange } from '../../words/range.ts'
import { text } from '../../words/text.ts'
import { AgentStatus, BillingCategory, LaunchStatus, optionalBrand, TEST_AGENT_ID, UseCase } from './contract.ts'

/** An entry of the section `agents` of a world file. */
export const AgentEntry = z.strictObject({
  agent_id: AgentId.refine((id) => id !== TEST_AGENT_ID, { error: 'is the id of the shared Test Agent' }),
  status: AgentStatus.default('APPROVED').describe('PENDING_REVIEW waits until the control plane decides the review.'),
  billing_category: BillingCategory.default('CONVERSATIONAL'),
  use_case: UseCase,
  newsletter_enabled: z.boolean().default(false),
  ...optionalBrand,
  rejection_reason: text(500, 1).optional().describe('Of a REJECTED agent.'),
  launched_on: z
    .array(z.string())
    .optional()
    .describe('Names of carriers; all of them for an APPROVED or SUSPENDED agent unless given.'),
  launches: z
    .record(z.string(), z.strictObject({ status: LaunchStatus, rejection_reason: text(500, 1).optional() }))
    .optional()
    .describe('Where the launch stands, by carrier, instead of launched_on. A PENDING one is decided after the start.'),
})
export type AgentEntry = z.output<typeof AgentEntry>

/** Section `review` of a world file: the outcome of reviews. */
export const ReviewTerms = z.strictObject({
  outcome: z.enum(['approved', 'rejected']).default('approved'),
  reason: text(500, 1)
    .default('The brand could not be verified.')
    .describe('rejection_reason of the agents that are rejected.'),
  delay: DelayRange.prefault('2s').describe('From submission to the outcome.'),
  launch_gap: DelayRange.prefault('1s').describe('From the approval to the first launch, and from each to the next.'),
  launch: z
    .record(z.string(), z.strictObject({ outcome: z.enum(['launched', 'rejected']), reason: text(500, 1).optional() }))
    .default({})
    .describe('What a carrier decides, by its name; it launches unless said otherwise.'),
  profile: z.enum(['optional', 'required']).default('optional').describe('Whether a brand profile must be complete.'),
})
export type ReviewTerms = z.output<typeof ReviewTerms>
