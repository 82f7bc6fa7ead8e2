import { z } from 'zod'
import { chosen } from '../../words/choice.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { isWholeTenThousandth } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

/** Billing classifications; the interface names the first two (§2.5). */
export const Classification = z.enum(['basic_message', 'single_message', 'conversation', 'mau'])
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
  .meta({ id: 'Balance' })

export const Tier = z.strictObject({
  channel: ChannelType,
  current: z.string().describe('tier_1, tier_2 or tier_3.'),
  volume_used: z.int().describe('Messages sent this calendar month (UTC).'),
})

/** The `billing` object of a send response (interface §2.5). */
export const SendBilling = z.strictObject({
  channel: ChannelType,
  message_type: Classification,
  hold_amount: z.number().describe('Reserved until delivery resolves, EUR.'),
  message_price: z.number().describe('Unit price for this classification and tier, EUR.'),
  balance: Balance,
  tier: Tier,
  ...chosen({
    in_session: z.boolean().optional().describe('On conversation sends: the session fee is already paid.'),
    mau_charged: z.boolean().optional().describe('On newsletter sends: this one pays the subscriber for the month.'),
  }),
})

export const MOVEMENTS = ['opening', 'topup', 'hold', 'charge', 'release', 'adjustment'] as const

export const showBalance = operation({
  id: 'billing.balance',
  section: '4.6',
  summary: 'Show the balance',
  method: 'get',
  path: '/v1/billing/balance',
  output: Balance,
  status: 200,
  band: 'billing',
  choice: true,
})

export const showTier = operation({
  id: 'billing.tier',
  section: '4.6',
  summary: 'Show the tier of each channel',
  method: 'get',
  path: '/v1/billing/tier',
  output: z.strictObject({
    month: z.string().describe('Calendar month, UTC: 2026-11.'),
    tiers: z.array(
      Tier.extend({
        discount_percent: z.number(),
        next_tier: z.string().nullable(),
        next_tier_at: z.int().nullable().describe('Volume from which the next tier holds.'),
      }),
    ),
  }),
  status: 200,
  band: 'billing',
  choice: true,
})

export const listTransactions = operation({
  id: 'billing.transactions',
  section: '4.6',
  summary: 'List every movement of money, newest first',
  method: 'get',
  path: '/v1/billing/transactions',
  query: z.strictObject(PageQuery),
  output: z.strictObject({
    data: z.array(
      z.strictObject({
        id: z.string(),
        type: z.enum(MOVEMENTS),
        amount: z.number().describe('EUR.'),
        free_after: z.number(),
        reserved_after: z.number(),
        message_id: MessageId.nullable(),
        created_at: Timestamp,
      }),
    ),
    ...PageFields,
  }),
  status: 200,
  band: 'billing',
  choice: true,
})
