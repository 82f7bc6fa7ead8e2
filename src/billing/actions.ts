import { type TenThousandths, toEuros } from '../words/money.ts'
import { pageOf, windowOf } from '../words/page.ts'
import type { ChannelType } from '../words/vocabulary.ts'
import { isoTime, monthOf } from '../world/clock.ts'
import type { Action } from '../world/noun.ts'
import type { World } from '../world/world.ts'
import type { balance, tier, transactions } from './contract.ts'
import { classify, type PriceFacts, priceOf, type TierTerms, tierAfter, tierAt } from './rules.ts'
import { billingStore, type Funds, type Movement } from './store.ts'

export interface Quote {
  channel: ChannelType
  classification: ReturnType<typeof classify>['classification']
  alreadyPaid: boolean
  /** What the send will hold, 1/10,000 EUR. */
  price: TenThousandths
  tier: TierTerms
  /** Messages of this month before this one. */
  volume: number
}

const monthNow = (world: World) => monthOf(world.now())

/** What a send will cost now. */
export function quote(world: World, facts: PriceFacts): Quote {
  const store = world.store(billingStore)
  const terms = store.terms()
  const { classification, alreadyPaid } = classify(facts)
  const volume = store.volume(monthNow(world), facts.channel)
  const tier = tierAt(terms.tiers, volume)
  const price = alreadyPaid ? 0 : priceOf(terms, facts.channel, classification, tier)
  return { channel: facts.channel, classification, alreadyPaid, price, tier, volume }
}

export const topupUrl = (world: World): string => world.store(billingStore).terms().topup_url

export const fundsOf = (world: World): Funds => world.store(billingStore).funds()

export const balanceOf = ({ free, reserved }: Funds) => ({
  free: toEuros(free),
  reserved: toEuros(reserved),
  total: toEuros(free + reserved),
})

/** Reserves money for a message and counts it. Undefined when the free balance does not cover it. */
export function hold(world: World, { channel, price }: Quote, messageId: string): Funds | undefined {
  const store = world.store(billingStore)
  const funds = store.shift({ free: -price, reserved: price })
  if (!funds) return undefined
  if (price > 0) recordMovement(world, 'hold', price, funds, messageId)
  store.count(monthNow(world), channel)
  return funds
}

/** Delivered: what was held is spent. */
export function charge(world: World, messageId: string, amount: TenThousandths) {
  if (amount === 0) return
  recordMovement(world, 'charge', amount, world.store(billingStore).shift({ free: 0, reserved: -amount })!, messageId)
}

/** Not delivered: what was held is free again. */
export function release(world: World, messageId: string, amount: TenThousandths) {
  world.store(billingStore).unsubscribe(messageId)
  if (amount === 0) return
  recordMovement(world, 'release', amount, world.store(billingStore).shift({ free: amount, reserved: -amount })!, messageId)
}

/** New money, such as the opening balance. */
export function deposit(world: World, type: 'opening' | 'topup', amount: TenThousandths) {
  recordMovement(world, type, amount, world.store(billingStore).shift({ free: amount, reserved: 0 })!, null)
}

export const isPaidSubscriber = (world: World, agentId: string, contactId: string): boolean =>
  world.store(billingStore).isSubscriber(agentId, contactId, monthNow(world))

export const recordSubscriber = (world: World, agentId: string, contactId: string, messageId: string) =>
  world.store(billingStore).subscribe(agentId, contactId, monthNow(world), messageId)

function recordMovement(world: World, type: Movement, amount: TenThousandths, funds: Funds, message_id: string | null) {
  world.store(billingStore).record({ at: world.now(), type, amount, ...funds, message_id })
}

export const showBalance: Action<typeof balance> = (world) => balanceOf(fundsOf(world))

const CHANNELS: readonly ChannelType[] = ['RCS', 'EMAIL']

export const showTier: Action<typeof tier> = (world) => {
  const store = world.store(billingStore)
  const { tiers } = store.terms()
  return {
    month: monthNow(world),
    tiers: CHANNELS.map((channel) => {
      const volume_used = store.volume(monthNow(world), channel)
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

export const listTransactions: Action<typeof transactions> = (world, { query }) => {
  const window = windowOf(query)
  const { items, ...rest } = pageOf(world.store(billingStore).list(window), window)
  return {
    data: items.map(({ seq, at, type, amount, free, reserved, message_id }) => ({
      id: `txn_${seq}`,
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
