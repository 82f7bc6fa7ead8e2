import { type TenThousandths, toEuros } from '../../words/money.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import { isoTime, monthEndAt, monthOf } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Classification } from './balance.contract.ts'
import { balanceOf, transactionId } from './movements.ts'
import { priceOf, tierAt } from './rules.ts'
import { billingStore, billingTerms, type LedgerMovement } from './store.ts'

interface Sent {
  channel: ChannelType
  classification: Classification
  created_at: number
}

/**
 * Finds what a send was priced by, at the prices as they are now. `sentSince` counts the messages of the channel from this
 * one on, until the month ended.
 */
export function pastPriceOf(
  world: World,
  { channel, classification, created_at }: Sent,
  sentSince: (monthEndAt: number) => number,
) {
  const store = world.store(billingStore)
  const terms = billingTerms.of(world)
  const month = monthOf(created_at)
  // Messages of the channel in that month, this one included.
  const volume = Math.max(0, store.volumes(month)[channel] - sentSince(monthEndAt(month))) + 1
  const tier = tierAt(terms.tiers, volume)
  const list = priceOf(terms, channel, classification, { ...tier, discount_percent: 0 })
  return { tier, volume, month, list, price: priceOf(terms, channel, classification, tier) }
}

export interface Entry {
  id: string
  type: LedgerMovement
  amount: TenThousandths
  at: string
}

/** Lists the entries of the ledger about a message, in order. */
export const entriesOf = (world: World, messageId: string): Entry[] =>
  world
    .store(billingStore)
    .ofMessage(messageId)
    .map(({ seq, type, amount, at }) => ({ id: transactionId(seq), type, amount, at: isoTime(at) }))

/** The history of the balance, reduced to at most `points` points. */
export function balanceHistory(world: World, points: number) {
  const rows = world.store(billingStore).history({ points })
  return {
    total: rows.reduce((sum, { movements }) => sum + movements, 0),
    points: rows.map(({ movements, at, free, reserved, lowest, highest }) => ({
      movements,
      at: isoTime(at),
      free: toEuros(free),
      reserved: toEuros(reserved),
      lowest: toEuros(lowest),
      highest: toEuros(highest),
    })),
  }
}

export const balanceAsOf = (world: World, at: number) =>
  balanceOf(world.store(billingStore).fundsAt(at) ?? { free: 0, reserved: 0 })
