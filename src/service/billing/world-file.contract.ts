import { z } from 'zod'
import { Euros } from './balance.contract.ts'

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
  from: z.int().min(0).describe('Number of messages in a calendar month at which the tier starts.'),
  discount_percent: z.number().min(0).max(100).default(0),
})

/** The terms of the account. */
export const BillingTerms = z.strictObject({
  balance: Euros.min(0).default(1_000).describe('Initial free balance, EUR.'),
  topup_url: z.url().default('https://dashboard.example.com/billing/topup').describe('topup_url of every 402.'),
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
      max_balance: Euros.positive().default(5_000).describe('Maximum balance after a top-up, EUR.'),
    })
    .prefault({}),
  payment: z
    .enum(['accepted', 'declined'])
    .default('accepted')
    .describe('Outcome of the simulated payment of an automatic top-up.'),
  vat_percent: z
    .number()
    .min(0)
    .max(100)
    .default(19)
    .describe('Rate of value added tax on invoices; prices exclude it.'),
})
export type BillingTerms = z.infer<typeof BillingTerms>

/** Section `billing` of a world file: the terms, and the thresholds of the account. */
export const BillingEntry = BillingTerms.extend({
  alerts: z
    .strictObject({ threshold: Euros.positive().describe('Free balance that triggers billing.balance_low, EUR.') })
    .optional()
    .describe('Low-balance alert, as in PUT /v1/billing/alerts.'),
  auto_reload: z
    .strictObject({
      threshold: Euros.positive().describe('Free balance that triggers the top-up, EUR.'),
      amount: Euros.positive().describe('Amount to add, EUR.'),
    })
    .optional()
    .describe('Automatic top-up, as in PUT /v1/billing/auto-reload.'),
})
