import { fromEuros, type TenThousandths, toEuros } from '../../words/money.ts'
import { forgetAnswers } from '../../world/storage/replays.ts'
import type { World } from '../../world/world.ts'
import type { Funds } from './rules.ts'
import { billingStore, billingTerms, type LedgerMovement } from './store.ts'

export const fundsOf = (world: World): Funds => world.store(billingStore).funds()

/** Funds as answers and events show them, EUR. */
export const balanceOf = ({ free, reserved }: Funds) => ({
  free: toEuros(free),
  reserved: toEuros(reserved),
  total: toEuros(free + reserved),
})

/** Creates the id of an entry of the ledger. Entries are only ever added, so it stays. */
export const transactionId = (seq: number): string => `txn_${seq}`

/** Moves money and writes it into the ledger, which refuses a movement that is not covered. */
export function moveMoney(
  world: World,
  type: LedgerMovement,
  change: Funds,
  message_id: string | null = null,
): { funds: Funds; seq: number } {
  const before = fundsOf(world)
  const funds = { free: before.free + change.free, reserved: before.reserved + change.reserved }
  // What the other movements do to the balance follows from their type.
  const amount = type === 'adjustment' ? change.free : Math.max(Math.abs(change.free), Math.abs(change.reserved))
  const seq = world.store(billingStore).record(world.now(), type, amount, funds, message_id)
  return { funds, seq }
}

/** New money, such as the opening balance. */
export const deposit = (world: World, type: 'opening' | 'topup', amount: TenThousandths) =>
  moveMoney(world, type, { free: amount, reserved: 0 })

/**
 * Resets the total to the opening balance. Holds of messages in progress stay reserved and settle as usual; if they
 * exceed the opening balance, the free balance is 0.
 */
export function resetBalance(world: World) {
  const { free, reserved } = fundsOf(world)
  const opening = fromEuros(billingTerms.of(world).balance)
  const change = Math.max(0, opening - reserved) - free
  if (change !== 0) moveMoney(world, 'adjustment', { free: change, reserved: 0 })
  // A replayed answer would show a balance from before the reset.
  forgetAnswers(world, ['billing.topup'])
}
