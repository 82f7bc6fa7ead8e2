import { z } from 'zod'
import { DelayRange } from '../../words/range.ts'
import { FailureReason } from '../../words/vocabulary.ts'

/** Decides the outcome of a message. The next source decides absent fields, at last the carrier or the mail server. */
export const Behaviour = z.strictObject({
  outcome: z
    .enum(['delivered', 'failed', 'never_delivered', 'bounced'])
    .optional()
    .describe('Outcome. Only email bounces; only RCS and SMS fail.'),
  failure_reason: FailureReason.optional().describe('Failure reason, with the outcome failed.'),
  bounce_type: z.enum(['hard', 'soft']).optional().describe('Kind of bounce, with the outcome bounced.'),
  delivery_delay: DelayRange.optional().describe('Delay from dispatched to delivered or bounced.'),
  read: z.boolean().optional().describe('Whether the message is read (RCS).'),
  read_receipts: z
    .boolean()
    .optional()
    .describe('Whether the device sends read receipts (RCS). Without them a message stays delivered.'),
  read_delay: DelayRange.optional().describe('Delay from delivered to read.'),
  opened: z.boolean().optional().describe('Whether the message is opened (email).'),
  open_delay: DelayRange.optional().describe('Delay from delivered to opened.'),
  clicked: z.boolean().optional().describe('Whether the first link is clicked (email).'),
  click_delay: DelayRange.optional().describe('Delay from opened to clicked.'),
  complained: z.boolean().optional().describe('Whether the message is marked as spam (email).'),
  unsubscribed: z.boolean().optional().describe('Whether the recipient unsubscribes (email).'),
  replies: z.string().optional().describe('Text of the reply after reading.'),
  taps: z.int().min(0).optional().describe('Index of the suggestion to tap after reading.'),
  reply_delay: DelayRange.optional().describe('Delay from read to the reply or tap.'),
})
export type Behaviour = z.infer<typeof Behaviour>

/** One of those who decide over a message, and its decisions (docs/network.md). */
export interface Layer {
  /** `magic recipient`, `handset`, `mailbox`, a rule's id. */
  readonly from: string
  readonly sets: Behaviour
}

/** Finds the strongest layer that sets one of these fields. */
export const strongest = <L extends Layer>(layers: readonly L[], ...fields: (keyof Behaviour)[]): L | undefined =>
  layers.find(({ sets }) => fields.some((field) => sets[field] !== undefined))
