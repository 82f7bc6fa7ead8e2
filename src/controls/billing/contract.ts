import { z } from 'zod'
import { showBalance } from '../../service/billing/balance.contract.ts'
import { operation } from '../../words/operation.ts'

/** Stands for what the service's accounts department can do. */

/** The database keeps 1/10,000 EUR in safe integers. */
const MAX_EUR = 1_000_000

export const setBalance = operation({
  id: 'billing.setBalance',
  summary: 'Set the free balance, for example to run out of money',
  details:
    'Holds of messages in progress stay reserved. An alert or automatic top-up below the threshold happens at once.',
  call: 'PUT /_sandbox/billing/balance',
  body: z
    .strictObject({ free: z.number().min(0).max(MAX_EUR).multipleOf(0.0001).describe('New free balance, EUR.') })
    .meta({ example: { free: 0.05 } }),
  output: showBalance.output,
})
