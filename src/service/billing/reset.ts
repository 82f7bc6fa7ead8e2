import { fromEuros } from '../../words/money.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import { fundsOf, moveMoney } from './movements.ts'
import { billingStore } from './store.ts'

/**
 * The total is what the world began with. What is held for messages under way stays reserved and settles as ever, so it
 * is not free; where more than the opening balance is held, nothing is.
 */
export function resetBalance(world: World) {
  const { free, reserved } = fundsOf(world)
  const opening = fromEuros(world.store(billingStore).terms().balance)
  const change = Math.max(0, opening - reserved) - free
  if (change !== 0) moveMoney(world, 'adjustment', { free: change, reserved: 0 })
  // An answer that tells of money which is gone must not come again.
  forgetAnswers(world, ['billing.topup'])
}
