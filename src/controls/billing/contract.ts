import { z } from 'zod'
import { Euros, showBalance } from '../../service/billing/balance.contract.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { wholeNumber } from '../../words/page.ts'
import { Balance } from '../../words/vocabulary.ts'

/** Represents what the service's accounts department can do. */

/** The database keeps 1/10,000 EUR in safe integers. */
const MAX_EUR = 1_000_000

export const setBalance = operation({
  id: 'billing.setBalance',
  summary: 'Set the free balance, for example to run out of money',
  details:
    'Holds of messages in progress stay reserved. An alert or automatic top-up below the threshold happens at once.',
  call: 'PUT /_sandbox/billing/balance',
  access: 'namespace',
  body: z
    .strictObject({ free: Euros.min(0).max(MAX_EUR).describe('New free balance, EUR; at most 4 decimals.') })
    .meta({ example: { free: 0.05 } }),
  output: showBalance.output,
})

const amount = (what: string) => z.number().describe(`${what}, EUR.`)

export const showBalanceHistory = operation({
  id: 'billing.history',
  summary: 'Show the balance over time',
  call: 'GET /_sandbox/billing/history',
  access: 'namespace',
  query: z.strictObject({
    points: wholeNumber(2, 1_000).optional().describe('Maximum number of points: 2 to 1,000 (default: 200).'),
  }),
  output: z.strictObject({
    total: z.int().describe('Number of movements, all of which the points cover.'),
    points: z
      .array(
        z.strictObject({
          movements: z.int().describe('Number of movements that this point covers.'),
          at: Timestamp.describe('Time of the last of them.'),
          free: amount('Free balance after the last of them'),
          reserved: amount('Reserved balance after the last of them'),
          lowest: amount('Lowest free balance among them'),
          highest: amount('Highest free balance among them'),
        }),
      )
      .describe('Oldest first.'),
  }),
})

export const showBalanceAt = operation({
  id: 'billing.balanceAt',
  summary: 'Show the balance as it was at a time',
  call: 'GET /_sandbox/billing/balance',
  access: 'namespace',
  query: z.strictObject({
    at: Timestamp.optional().describe("Time on the world's clock, ISO 8601 UTC (default: now)."),
  }),
  output: Balance,
})
