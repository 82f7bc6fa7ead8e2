import { type TenThousandths, toEuros } from '../words/money.ts'
import type { World } from '../world/world.ts'
import { billingStore, type Funds, type Movement } from './store.ts'

export const fundsOf = (world: World): Funds => world.store(billingStore).funds()

/** Funds as answers and events show them, EUR. */
export const balanceOf = ({ free, reserved }: Funds) => ({
  free: toEuros(free),
  reserved: toEuros(reserved),
  total: toEuros(free + reserved),
})

/** The id of an entry of the ledger. Entries are only ever added, so it stays. */
export const transactionId = (seq: number): string => `txn_${seq}`

/** Moves money and writes it into the ledger. Undefined, and nothing done, when the free balance does not cover it. */
export function moveMoney(
  world: World,
  type: Movement,
  change: Funds,
  message_id: string | null = null,
): { funds: Funds; seq: number } | undefined {
  const store = world.store(billingStore)
  const funds = store.shift(change)
  if (!funds) return undefined
  const amount = Math.max(Math.abs(change.free), Math.abs(change.reserved))
  return { funds, seq: store.record({ at: world.now(), type, amount, ...funds, message_id }) }
}

/** New money, such as the opening balance. */
export const deposit = (world: World, type: 'opening' | 'topup', amount: TenThousandths) =>
  moveMoney(world, type, { free: amount, reserved: 0 })!
