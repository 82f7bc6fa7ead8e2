import { z } from 'zod'
import { markChosen } from '../../words/choice.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { isWholeTenThousandth } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

/** Billing classifications; the interface names the first two (§2.5). */
export const Classification = z.enum(['basic_message', 'single_message', 'conversation', 'mau']).meta({
  id: 'Classification',
  choice: 'values',
  description: 'What a message is billed as; the last two are choices.',
})
export type Classification = z.infer<typeof Classification>

/** EUR outside, at most 4 decimals. */
export const Euros = z
  .number()
  .refine(isWholeTenThousandth, 'must have at most 4 decimals')
  .meta({ multipleOf: 0.0001 })

export const Balance = z
  .strictObject({
    free: z.number().describe('Immediately spendable, EUR.'),
    reserved: z.number().describe('Held across all messages in flight, EUR.'),
    total: z.number().describe('free + reserved, EUR.'),
  })
  .meta({
    id: 'Balance',
    description: 'The money of the account.',
    example: { free: 999.95, reserved: 0.05, total: 1000 },
  })

export const Tier = z.strictObject({
  channel: ChannelType.describe('The channel it holds for.'),
  current: z
    .string()
    .regex(/^tier_[0-9]+$/)
    .describe('tier_1, tier_2 or tier_3, by volume_used.')
    .meta({ example: 'tier_1' }),
  volume_used: z.int().min(0).describe('Messages sent this calendar month (UTC); of a send, itself included.'),
})

/** The `billing` object of a send response (interface §2.5). */
export const SendBilling = z.strictObject({
  channel: ChannelType.describe('What it goes over.'),
  message_type: Classification,
  hold_amount: z.number().describe('Reserved until delivery resolves, EUR.').meta({ example: 0.05 }),
  message_price: z.number().describe('Unit price for this classification and tier, EUR.').meta({ example: 0.05 }),
  balance: Balance.describe('After the hold.'),
  tier: Tier.describe('The tier it is priced by.'),
  ...markChosen({
    in_session: z.boolean().optional().describe('On conversation sends: the session fee is already paid.'),
    mau_charged: z.boolean().optional().describe('On newsletter sends: this one pays the subscriber for the month.'),
  }),
})

export const MOVEMENTS = ['opening', 'topup', 'hold', 'charge', 'release', 'adjustment'] as const

export const showBalance = operation({
  id: 'billing.balance',
  section: '4.6',
  summary: 'Show the balance',
  call: 'GET /v1/billing/balance',
  output: Balance,
  band: 'billing',
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
          discount_percent: z.number().describe('Off the price of each message.'),
          next_tier: z.string().nullable().describe('The tier that comes next; null in the last.'),
          next_tier_at: z.int().nullable().describe('Volume from which the next tier holds.'),
        }),
      )
      .describe('One for each channel.'),
  }),
  band: 'billing',
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
          id: z.string().describe('Names the movement.'),
          type: z.enum(MOVEMENTS).describe('What kind of movement it is.'),
          amount: z.number().describe('How much, EUR.'),
          free_after: z.number().describe('Spendable after it, EUR.'),
          reserved_after: z.number().describe('Held after it, EUR.'),
          message_id: MessageId.nullable().describe('The message that it is for.'),
          created_at: Timestamp.describe('When it was made.'),
        }),
      )
      .describe('Newest first.'),
    ...PageFields,
  }),
  band: 'billing',
  choice: true,
})
