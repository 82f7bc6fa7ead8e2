import { z } from 'zod'
import { isEqual, isGiven, rule, when, withRules } from '../../words/field-conditions.ts'
import { IdempotencyText, Timestamp } from '../../words/ids.ts'
import { fromEuros } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { Balance, ChannelType } from '../../words/vocabulary.ts'
import { Classification, Euros } from './balance.contract.ts'

/** Calendar month, UTC. */
export const Month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .meta({ example: '2026-11', description: 'Calendar month, UTC.' })

const Currency = z.literal('EUR').describe('Currency of the amounts; EUR is the only one.')

const Amounts = {
  messages: z.int().describe('Number of messages accepted in the month, free ones included.'),
  held_amount: z.number().describe('Amount reserved for the messages, EUR.'),
  charged_amount: z.number().describe('Amount charged in the month, EUR, regardless of the time of the send.'),
  released_amount: z.number().describe('Amount released in the month, EUR, regardless of the time of the send.'),
}

export const showUsage = operation({
  id: 'billing.usage',
  section: '4.6',
  summary: 'Show the cost of a month by channel and classification',
  call: 'GET /v1/billing/usage',
  query: z.strictObject({ month: Month.optional().describe('Calendar month, UTC (default: the current month).') }),
  output: z.strictObject({
    month: Month,
    currency: Currency,
    usage: z
      .array(z.strictObject({ channel: ChannelType, message_type: Classification, ...Amounts }))
      .describe('Usage by channel and classification.'),
    total: z.strictObject(Amounts).describe('Total usage.'),
  }),
  choice: true,
})

/** An amount that can be paid: a positive number of whole cents. */
const Payment = z
  .number()
  .positive()
  .max(1_000_000)
  .refine(
    (euros) => fromEuros(euros) % 100 === 0 && fromEuros(euros) / 10_000 === euros,
    'must have at most 2 decimals',
  )
  .meta({ example: 50 })

export const topUpBalance = operation({
  id: 'billing.topup',
  section: '4.6',
  summary: 'Add money to the balance',
  call: 'POST /v1/billing/topup',
  body: z
    .strictObject({
      amount: Payment.describe('Amount in EUR, whole cents; at least 10 unless the world file sets another minimum.'),
      currency: Currency.default('EUR'),
      idempotency_key: IdempotencyText.optional().describe(
        'Idempotency key, alternative to the Idempotency-Key header. A repeated key within 24 hours repeats the answer, not the payment.',
      ),
    })
    .meta({ id: 'TopupRequest', description: 'Money to add.', example: { amount: 50, currency: 'EUR' } }),
  output: z.strictObject({
    transaction_id: z.string().describe('Id of the transaction.'),
    amount: z.number().describe('Amount added, EUR.'),
    currency: Currency,
    balance: Balance.describe('Balance after the top-up.'),
    created_at: Timestamp.describe('Time of the top-up.'),
  }),
  status: 201,
  problems: ['limit_exceeded'],
  idempotency: 'text',
  choice: true,
})

/** Requires a field while its setting is enabled. */
const whenEnabled = (field: string) =>
  rule(when(isEqual('enabled', true), isGiven(field)), { field, code: 'required', message: 'is required when enabled' })

const Threshold = Euros.positive().max(1_000_000)

export const setAutoReload = operation({
  id: 'billing.setAutoReload',
  section: '4.6',
  summary: 'Set automatic top-up below a balance threshold',
  call: 'PUT /v1/billing/auto-reload',
  body: withRules(
    z.strictObject({
      enabled: z.boolean().describe('Whether automatic top-up is enabled; false drops the other values.'),
      threshold: Threshold.optional().describe(
        'Free balance that triggers the top-up, EUR, at most 4 decimals; once each time the balance falls below it.',
      ),
      amount: Payment.optional().describe('Amount to add, EUR, whole cents; at least the minimum of a top-up.'),
    }),
    whenEnabled('threshold'),
    whenEnabled('amount'),
  ).meta({
    id: 'AutoReload',
    description: 'Settings of automatic top-up.',
    example: { enabled: true, threshold: 20, amount: 100 },
  }),
  output: z.strictObject({
    enabled: z.boolean().describe('Whether automatic top-up is enabled.'),
    threshold: z.number().nullable().describe('Free balance that triggers the top-up, EUR.'),
    amount: z.number().nullable().describe('Amount to add, EUR.'),
  }),
  choice: true,
})

export const setAlerts = operation({
  id: 'billing.setAlerts',
  section: '4.6',
  summary: 'Set the low-balance alert',
  call: 'PUT /v1/billing/alerts',
  body: withRules(
    z.strictObject({
      enabled: z.boolean().describe('Whether billing.balance_low is emitted; false drops the threshold.'),
      threshold: Threshold.optional().describe(
        'Free balance that triggers the alert, EUR, at most 4 decimals; once each time the balance falls below it.',
      ),
    }),
    whenEnabled('threshold'),
  ).meta({
    id: 'Alerts',
    description: 'Settings of the low-balance alert.',
    example: { enabled: true, threshold: 50 },
  }),
  output: z.strictObject({
    enabled: z.boolean().describe('Whether billing.balance_low is emitted.'),
    threshold: z.number().nullable().describe('Free balance that triggers the alert, EUR.'),
  }),
  choice: true,
})
