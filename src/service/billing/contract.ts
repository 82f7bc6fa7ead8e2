import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { chosen } from '../../words/choice.ts'
import { MessageId, Timestamp } from '../../words/ids.ts'
import { isWholeTenThousandth } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { ChannelType } from '../../words/vocabulary.ts'

export const about: About = { name: 'billing', group: 'Account', summary: 'Show balance, usage and invoices; top up' }

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

export const balance = operation({
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

export const tier = operation({
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

export const transactions = operation({
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

const Prices = z.strictObject({
  rcs: z
    .strictObject({
      basic_message: Euros.min(0).default(0.05),
      single_message: Euros.min(0).default(0.08),
      conversation: Euros.min(0).default(0.12),
      mau: Euros.min(0).default(0.2),
    })
    .prefault({}),
  email: z.strictObject({ basic_message: Euros.min(0).default(0.005) }).prefault({}),
})

const TierTerms = z.strictObject({
  name: z.string().regex(/^tier_\d+$/),
  from: z.int().min(0).describe('Messages of a calendar month from which it holds.'),
  discount_percent: z.number().min(0).max(100).default(0),
})

/** What holds for the account. */
export const BillingTerms = z.strictObject({
  balance: Euros.min(0).default(1_000).describe('Free balance at the start, EUR.'),
  topup_url: z.url().default('https://dashboard.example.com/billing/topup').describe('Named in every 402.'),
  prices: Prices.prefault({}),
  tiers: z
    .array(TierTerms)
    .min(1)
    .default([
      { name: 'tier_1', from: 0, discount_percent: 0 },
      { name: 'tier_2', from: 25_000, discount_percent: 10 },
      { name: 'tier_3', from: 100_000, discount_percent: 20 },
    ])
    .refine((tiers) => tiers[0]?.from === 0 && tiers.every((tier, i) => i === 0 || tier.from > tiers[i - 1]!.from), {
      error: 'must begin at 0 and rise',
    }),
  topup: z
    .strictObject({
      min: Euros.positive().default(10).describe('Smallest top-up, EUR.'),
      max_balance: Euros.positive().default(5_000).describe('What the balance may come to by topping up, EUR.'),
    })
    .prefault({}),
  payment: z
    .enum(['accepted', 'declined'])
    .default('accepted')
    .describe('What becomes of the simulated payment of an auto-reload.'),
  vat_percent: z.number().min(0).max(100).default(19).describe('Stated on invoices; prices are without it.'),
})
export type BillingTerms = z.infer<typeof BillingTerms>

/** Section `billing` of a world file: the terms, and what the account has been told to watch. */
export const BillingEntry = BillingTerms.extend({
  alerts: z
    .strictObject({ threshold: Euros.positive().describe('Free balance below which billing.balance_low is emitted.') })
    .optional()
    .describe('As PUT /v1/billing/alerts.'),
  auto_reload: z
    .strictObject({
      threshold: Euros.positive().describe('Free balance below which a top-up is made.'),
      amount: Euros.positive().describe('How much is topped up, EUR.'),
    })
    .optional()
    .describe('As PUT /v1/billing/auto-reload.'),
})
