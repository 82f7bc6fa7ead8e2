import { type TenThousandths, toEuros } from '../../words/money.ts'
import { pageOf, windowOf } from '../../words/page.ts'
import type { ChannelType } from '../../words/vocabulary.ts'
import type { Action } from '../../world/noun.ts'
import { isoTime, monthOf } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import type { Classification, listTransactions, showBalance, showTier } from './balance.contract.ts'
import { expectInvoice } from './invoices.ts'
import { balanceOf, fundsOf, moveMoney, transactionId } from './movements.ts'
import {
  classify,
  type Funds,
  type PriceFacts,
  priceOf,
  sendLimitFactor,
  type TierTerms,
  tierAfter,
  tierAt,
} from './rules.ts'
import { billingStore, billingTerms } from './store.ts'
import { watchFall } from './watch.ts'

export { balanceOf, deposit, fundsOf } from './movements.ts'

export interface Quote {
  channel: ChannelType
  classification: ReturnType<typeof classify>['classification']
  alreadyPaid: boolean
  /** The hold of the send, 1/10,000 EUR. */
  price: TenThousandths
  tier: TierTerms
  /** Messages of this month, this one included. */
  volume: number
}

const monthNow = (world: World) => monthOf(world.now())

const volumeOf = (world: World, channel: ChannelType): number =>
  world.store(billingStore).volumes(monthNow(world))[channel]

/** Computes the price of a send now, in the tier that this send itself reaches. */
export function quote(world: World, facts: PriceFacts): Quote {
  const terms = billingTerms.of(world)
  const { classification, alreadyPaid } = classify(facts)
  const volume = volumeOf(world, facts.channel) + 1
  const tier = tierAt(terms.tiers, volume)
  const price = alreadyPaid ? 0 : priceOf(terms, facts.channel, classification, tier)
  return { channel: facts.channel, classification, alreadyPaid, price, tier, volume }
}

export const topupUrl = (world: World): string => billingTerms.of(world).topup_url

export const isCovered = (world: World, { price }: Quote): boolean => fundsOf(world).free >= price

/** Reserves money for a message that is covered, and counts it. */
export function hold(world: World, quote: Quote, messageId: string): Funds {
  const { channel, classification, price } = quote
  const store = world.store(billingStore)
  const funds =
    price > 0 ? moveMoney(world, 'hold', { free: -price, reserved: price }, messageId).funds : fundsOf(world)
  store.count('sent', monthNow(world), channel, classification, price)
  return watchFall(world, price, funds)
}

/** The facts of a message that settling needs. */
export interface HeldMessage {
  id: string
  channel: ChannelType
  classification: Classification | null
  /** 1/10,000 EUR. */
  hold: TenThousandths
}

/** Charges the hold of a delivered message. */
export function charge(world: World, message: HeldMessage) {
  settled(world, 'charged', message)
  if (message.hold === 0) return
  moveMoney(world, 'charge', { free: 0, reserved: -message.hold }, message.id)
  expectInvoice(world)
}

/** Sets the free balance; what is reserved stays. */
export function adjustFree(world: World, free: TenThousandths) {
  const change = free - fundsOf(world).free
  if (change === 0) return balanceOf(fundsOf(world))
  const { funds } = moveMoney(world, 'adjustment', { free: change, reserved: 0 })
  return balanceOf(watchFall(world, -change, funds))
}

/** Releases the hold of a message that is not delivered. */
export function release(world: World, message: HeldMessage) {
  world.store(billingStore).unsubscribe(message.id)
  settled(world, 'released', message)
  if (message.hold > 0) moveMoney(world, 'release', { free: message.hold, reserved: -message.hold }, message.id)
}

const settled = (world: World, how: 'charged' | 'released', { channel, classification, hold }: HeldMessage) =>
  world.store(billingStore).count(how, monthNow(world), channel, classification!, hold)

export const isPaidSubscriber = (world: World, agentId: string, contactId: string): boolean =>
  world.store(billingStore).isSubscriber(agentId, contactId, monthNow(world))

export const recordSubscriber = (world: World, agentId: string, contactId: string, messageId: string) =>
  world.store(billingStore).subscribe(agentId, contactId, monthNow(world), messageId)

/**
 * Returns the factor on the limit of sends by this month's tier of a channel, or by the highest tier without one
 * (choices, "Rate limits").
 */
export function sendLimit(world: World, channel?: ChannelType): number {
  const volumes = world.store(billingStore).volumes(monthNow(world))
  const volume = channel ? volumes[channel] : Math.max(volumes.RCS, volumes.EMAIL, volumes.SMS)
  return sendLimitFactor(billingTerms.of(world).tiers, volume)
}

export const balance: Action<typeof showBalance> = (world) => balanceOf(fundsOf(world))

const CHANNELS: readonly ChannelType[] = ['RCS', 'EMAIL']

export const tier: Action<typeof showTier> = (world) => {
  const { tiers } = billingTerms.of(world)
  return {
    month: monthNow(world),
    tiers: CHANNELS.map((channel) => {
      const volume_used = volumeOf(world, channel)
      const current = tierAt(tiers, volume_used)
      const next = tierAfter(tiers, volume_used)
      return {
        channel,
        current: current.name,
        volume_used,
        discount_percent: current.discount_percent,
        next_tier: next?.name ?? null,
        next_tier_at: next?.from ?? null,
      }
    }),
  }
}

export const transactions: Action<typeof listTransactions> = (world, { query }) => {
  const window = windowOf(world, 'transactions', query)
  const { items, ...rest } = pageOf(world.store(billingStore).list(window), window)
  return {
    data: items.map(({ seq, at, type, amount, free, reserved, message_id }) => ({
      id: transactionId(seq),
      type,
      amount: toEuros(amount),
      free_after: toEuros(free),
      reserved_after: toEuros(reserved),
      message_id,
      created_at: isoTime(at),
    })),
    ...rest,
  }
}
