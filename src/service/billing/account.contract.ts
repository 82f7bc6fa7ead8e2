import { z } from 'zod'
import { isGiven, isRequired, when, withConditions } from '../../words/field-conditions.ts'
import { Timestamp } from '../../words/ids.ts'
import { fromEuros } from '../../words/money.ts'
import { operation } from '../../words/operation.ts'
import { ChannelType } from '../../words/vocabulary.ts'
import { Balance, Classification, Euros } from './balance.contract.ts'

/** Calendar month, UTC. */
export const Month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .meta({ example: '2026-11', description: 'Calendar month, UTC.' })

const Currency = z.literal('EUR').describe('EUR.')

const Amounts = {
  messages: z.int().describe('Messages accepted in the month, those that cost nothing included.'),
  held_amount: z.number().describe('Reserved for them, EUR.'),
  charged_amount: z.number().describe('Charged in the month, EUR, whenever the message was sent.'),
  released_amount: z.number().describe('Given back in the month, EUR, whenever the message was sent.'),
}

export const showUsage = operation({
  id: 'billing.usage',
  section: '4.6',
  summary: 'Show the cost of a month by channel and classification',
  call: 'GET /v1/billing/usage',
  query: z.strictObject({ month: Month.optional().describe('Calendar month, UTC; this one unless given.') }),
  output: z.strictObject({
    month: Month,
    currency: Currency,
    usage: z
      .array(z.strictObject({ channel: ChannelType, message_type: Classification, ...Amounts }))
      .describe('By channel and classification.'),
    total: z.strictObject(Amounts).describe('The sum of all.'),
  }),
  band: 'billing',
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
  .meta({ multipleOf: 0.01, example: 50 })

export const topUpBalance = operation({
  id: 'billing.topup',
  section: '4.6',
  summary: 'Add money to the balance',
  call: 'POST /v1/billing/topup',
  body: z
    .strictObject({
      amount: Payment.describe('EUR, whole cents; at least 10 unless the world says otherwise.'),
      currency: Currency.default('EUR'),
      idempotency_key: z
        .string()
        .min(1)
        .max(255)
        .optional()
        .describe('The same key again within 24 hours repeats the answer, not the payment; or header Idempotency-Key.'),
    })
    .meta({ id: 'TopupRequest', description: 'Money to add.', example: { amount: 50, currency: 'EUR' } }),
  output: z.strictObject({
    transaction_id: z.string().describe('Its entry in the list of transactions.'),
    amount: z.number().describe('What was added, EUR.'),
    currency: Currency,
    balance: Balance.describe('With it.'),
    created_at: Timestamp.describe('When it was added.'),
  }),
  status: 201,
  problems: ['limit_exceeded'],
  band: 'billing',
  idempotency: 'text',
  choice: true,
})

/** Settings that mean nothing while they are switched off. */
const whenEnabled = (names: readonly string[]) => (settings: Record<string, unknown>, context: z.RefinementCtx) => {
  if (!settings.enabled) return
  for (const name of names)
    if (settings[name] === undefined)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is required when enabled',
        params: { code: 'required' },
      })
}

const Threshold = Euros.positive().max(1_000_000)

export const setAutoReload = operation({
  id: 'billing.setAutoReload',
  section: '4.6',
  summary: 'Set automatic top-up below a balance threshold',
  details: 'The threshold applies to the free balance.',
  call: 'PUT /v1/billing/auto-reload',
  body: withConditions(
    z
      .strictObject({
        enabled: z.boolean().describe('Whether it reloads.'),
        threshold: Threshold.optional().describe(
          'Free balance below which it reloads, EUR; once each time it falls below.',
        ),
        amount: Payment.optional().describe('What is added, EUR, whole cents; at least as much as a top-up.'),
      })
      .superRefine(whenEnabled(['threshold', 'amount'])),
    when(isGiven('enabled', true), isRequired('threshold', 'amount')),
  ).meta({
    id: 'AutoReload',
    description: 'When the balance reloads by itself.',
    example: { enabled: true, threshold: 20, amount: 100 },
  }),
  output: z.strictObject({
    enabled: z.boolean().describe('Whether it reloads.'),
    threshold: z.number().nullable().describe('Free balance below which it reloads, EUR.'),
    amount: z.number().nullable().describe('What is added, EUR.'),
  }),
  band: 'billing',
  choice: true,
})

export const setAlerts = operation({
  id: 'billing.setAlerts',
  section: '4.6',
  summary: 'Set the low-balance alert',
  details: 'The event billing.balance_low is emitted when the free balance falls below the threshold.',
  call: 'PUT /v1/billing/alerts',
  body: withConditions(
    z
      .strictObject({
        enabled: z.boolean().describe('Whether billing.balance_low is sent.'),
        threshold: Threshold.optional().describe(
          'Free balance below which it is sent, EUR; once each time it falls below.',
        ),
      })
      .superRefine(whenEnabled(['threshold'])),
    when(isGiven('enabled', true), isRequired('threshold')),
  ).meta({ id: 'Alerts', description: 'When a low balance is told of.', example: { enabled: true, threshold: 50 } }),
  output: z.strictObject({
    enabled: z.boolean().describe('Whether billing.balance_low is sent.'),
    threshold: z.number().nullable().describe('Free balance below which it is sent, EUR.'),
  }),
  band: 'billing',
  choice: true,
})
