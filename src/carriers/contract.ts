import { z } from 'zod'
import { operation } from '../words/operation.ts'
import { DelayRange } from '../words/range.ts'
import { FailureReason } from '../words/vocabulary.ts'
import { Behaviour } from './behaviour.ts'

const Share = z.number().min(0).max(1)
const sum = (shares: readonly number[]) => shares.reduce((total, share) => total + share, 0)

/** How a simulated carrier treats messages. What neither fails nor is lost is delivered. */
export const CarrierProfile = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
    weight: z.number().positive().default(1).describe('Its part of the ordinary phone numbers, against the others.'),
    dispatch_delay: DelayRange.describe('From queued to dispatched.'),
    delivery_delay: DelayRange.describe('From dispatched to delivered.'),
    failure_delay: DelayRange.describe('From dispatched to failed.'),
    read_delay: DelayRange.describe('From delivered to read.'),
    delivered: Share.optional().describe('Share that arrives; what failed and never_delivered leave unless given.'),
    read: Share.default(1).describe('Share of the delivered ones that are read.'),
    failed: z.partialRecord(FailureReason, Share).default({}).describe('Share that fails, by failure_reason.'),
    never_delivered: Share.default(0).describe('Share that is neither delivered nor failed, and ends at its ttl.'),
    outage: z
      .boolean()
      .default(false)
      .describe('Takes no message while it lasts: they stay queued and are tried again.'),
  })
  .refine(({ delivered, failed, never_delivered }) => {
    const rest = sum(Object.values(failed)) + never_delivered
    return delivered === undefined ? rest <= 1 + 1e-9 : Math.abs(rest + delivered - 1) < 1e-9
  }, 'delivered, failed and never_delivered must add up to 1')
export type CarrierProfile = z.infer<typeof CarrierProfile>

/** How the simulated mail server treats email. */
export const MailProfile = z.strictObject({
  dispatch_delay: DelayRange,
  delivery_delay: DelayRange,
  open_delay: DelayRange,
  click_delay: DelayRange,
  bounced: Share.default(0).describe('Share that bounces hard.'),
  opened: Share.default(0).describe('Share of the delivered ones that are opened.'),
  clicked: Share.default(0).describe('Share of the opened ones whose first link is clicked.'),
  complained: Share.default(0).describe('Share of the delivered ones that are marked as spam.'),
})
export type MailProfile = z.infer<typeof MailProfile>

/** A recipient whose outcome is always the same. Where a field is absent, the next layer decides. */
export const MagicRecipient = z.strictObject({
  address: z.string(),
  does: z.string().describe('What happens, for people.'),
  rcs_capable: z.boolean().optional(),
  ...Behaviour.shape,
})
export type MagicRecipient = z.infer<typeof MagicRecipient>

export const updateCarrier = operation({
  id: 'carriers.update',
  section: 'control',
  summary: 'Let an outage of a simulated carrier begin or end',
  method: 'patch',
  path: '/_sandbox/carriers/{name}',
  body: z.strictObject({
    outage: z.boolean().describe('While true the carrier takes no message; campaigns count that as provider errors.'),
  }),
  output: z.strictObject({ name: z.string(), outage: z.boolean() }),
  status: 200,
  problems: ['not_found'],
})
