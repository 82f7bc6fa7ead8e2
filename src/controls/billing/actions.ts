import { adjustFree } from '../../service/billing/actions.ts'
import { balanceAsOf, balanceHistory } from '../../service/billing/past.ts'
import { fromEuros } from '../../words/money.ts'
import type { Action } from '../../world/noun.ts'
import { parseIsoTime } from '../../world/time/clock.ts'
import type * as contract from './contract.ts'

export const setBalance: Action<typeof contract.setBalance> = (world, { body }) =>
  adjustFree(world, fromEuros(body.free))

const DEFAULT_POINTS = 200

export const history: Action<typeof contract.showBalanceHistory> = (world, { query: { points = DEFAULT_POINTS } }) =>
  balanceHistory(world, points)

export const balanceAt: Action<typeof contract.showBalanceAt> = (world, { query: { at } }) =>
  balanceAsOf(world, at === undefined ? world.now() : parseIsoTime(at))
