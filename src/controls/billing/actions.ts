import { adjustFree } from '../../service/billing/actions.ts'
import { fromEuros } from '../../words/money.ts'
import type { Action } from '../../world/noun.ts'
import type * as contract from './contract.ts'

/** PUT /_sandbox/billing/balance. */
export const setBalance: Action<typeof contract.setBalance> = (world, { body }) =>
  adjustFree(world, fromEuros(body.free))
