import { z } from 'zod'
import { DelayRange } from '../words/range.ts'
import { FailureReason } from '../words/vocabulary.ts'

/** What becomes of a message. What is absent is for the next layer to say, at last for the carrier or the mail server. */
export const Behaviour = z.strictObject({
  outcome: z.enum(['delivered', 'failed', 'never_delivered', 'bounced']).optional(),
  failure_reason: FailureReason.optional(),
  bounce_type: z.enum(['hard', 'soft']).optional(),
  delivery_delay: DelayRange.optional(),
  read: z.boolean().optional(),
  opened: z.boolean().optional(),
  clicked: z.boolean().optional(),
  complained: z.boolean().optional(),
  replies: z.string().optional().describe('Text that comes back once the message is read.'),
  taps: z.int().min(0).optional().describe('Index of the suggestion that is tapped once the message is read.'),
})
export type Behaviour = z.infer<typeof Behaviour>

/** Who says what, the strongest first (choices, "Outcome precedence"). */
export interface Layer {
  /** `magic recipient`, `handset`, a rule's id. */
  readonly from: string
  readonly sets: Behaviour
}

/** The first layer that says something of one of these. */
export const strongest = (layers: readonly Layer[], ...fields: (keyof Behaviour)[]): Layer | undefined =>
  layers.find(({ sets }) => fields.some((field) => sets[field] !== undefined))
