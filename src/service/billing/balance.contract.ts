import { z } from 'zod'
import { markChosen } from '../../words/choice.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { isWholeTenThousandth, MAX_EUROS } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { Balance, ChannelType } from '../../words/vocabulary.ts'

/** Billing classifications; the interface names the first two (§2.5). */
export const Classification = z.enum(['basic_message', 'single_message', 'conversation', 'mau']).meta({
  id: 'Classification',
  choice: 'values',
  description: 'Billing classification of a message; the last two are choices.',
})
export type Classification = z.infer<typeof Classification>

/** An amount in EUR with at most 4 decimals. */
export const Euros = z
  .number()
  .refine((euros) => Math.abs(euros) <= MAX_EUROS, {
    error: `must be at most ${MAX_EUROS}`,
    params: { code: 'too_big' },
    abort: true,
  })
  // Without multipleOf: validators divide binary fractions, and refuse valid amounts.
  .refine(isWholeTenThousandth, 'must have at most 4 decimals')

export const Tier = z.strictObject({
  channel: ChannelType.meta({ description: 'Channel of the tier.', example: 'RCS' }),
  current: z
    .string()
    .regex(/^tier_[0-9]+$/)
    .describe('Current tier, by volume_used: tier_1, tier_2 or tier_3.')
    .meta({ example: 'tier_1' }),
  volume_used: z
    .int()
    .min(0)
    .describe('Number of messages sent this calendar month (UTC), the current send included.')
    .meta({ example: 1 }),
})

/** The `billing` object of a send response (interface §2.5). */
export const SendBilling = z.strictObject({
  channel: ChannelType.meta({ description: 'Channel of the message.', example: 'RCS' }),
  message_type: Classification,
  hold_amount: z.number().describe('Amount reserved until the message is final, EUR.').meta({ example: 0.05 }),
  message_price: z.number().describe('Unit price for this classification and tier, EUR.').meta({ example: 0.05 }),
  balance: Balance.describe('Balance after the hold.'),
  tier: Tier.describe('Tier of the price.'),
  ...markChosen({
    in_session: z.boolean().optional().describe('Whether the session fee is already paid (conversation sends).'),
    mau_charged: z
      .boolean()
      .optional()
      .describe('Whether this send pays the subscriber for the month (newsletter sends).'),
  }),
})

export const MOVEMENTS = ['opening', 'topup', 'hold', 'charge', 'release', 'adjustment'] as const

export const showBalance = operation({
  id: 'billing.balance',
  section: '4.6',
  summary: 'Show the balance',
  call: 'GET /v1/billing/balance',
  output: Balance,
  choice: true,
})

export const showTier = operation({
  id: 'billing.tier',
  section: '4.6',
  summary: 'Show the tier of each channel',
  call: 'GET /v1/billing/tier',
  output: z.strictObject({
    month: z.string().describe('Calendar month, UTC: 2026-11.'),
    tiers: z
      .array(
        Tier.extend({
          discount_percent: z.number().describe('Discount on the price of each message.'),
          next_tier: z.string().nullable().describe('Next tier, or null in the last tier.'),
          next_tier_at: z.int().nullable().describe('Volume at which the next tier starts.'),
        }),
      )
      .describe('Tier of each channel.'),
  }),
  choice: true,
})

export const listTransactions = operation({
  id: 'billing.transactions',
  section: '4.6',
  summary: 'List billing transactions, newest first',
  call: 'GET /v1/billing/transactions',
  query: z.strictObject(PageQuery),
  output: z.strictObject({
    data: z
      .array(
        z.strictObject({
          id: z.string().describe('Id of the transaction.'),
          type: z.enum(MOVEMENTS).describe('Kind of transaction.'),
          amount: z.number().describe('Amount, EUR; negative for an adjustment that lowers the balance.'),
          free_after: z.number().describe('Free balance after the transaction, EUR.'),
          reserved_after: z.number().describe('Reserved balance after the transaction, EUR.'),
          message_id: MessageId.nullable().describe('Message of the transaction, or null.'),
          created_at: Timestamp.describe('Time of the transaction.'),
        }),
      )
      .describe('Transactions, newest first.'),
    ...PageFields,
  }),
  choice: true,
})
