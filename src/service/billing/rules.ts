import { fromEuros, lessPercent, type TenThousandths, toEuros } from '../../words/money.ts'
import { countCharacters } from '../../words/text.ts'
import type { ChannelType, MessageType } from '../../words/vocabulary.ts'
import type { Classification } from './balance.contract.ts'
import type { BillingTerms } from './world-file.contract.ts'

/** Interface §8. */
export const BASIC_MESSAGE_CHARACTERS = 160

/** The parts of a content that decide its price. */
export interface PricedContent {
  text?: string | undefined
  suggestions?: readonly unknown[] | undefined
  rich_card?: unknown
}

export interface PriceFacts {
  channel: ChannelType
  messageType: MessageType
  content: PricedContent
  /** The agent is billed by session (interface §2.7). */
  bySession?: boolean
  /** The fee of the open session is held or paid. */
  sessionPaid?: boolean
  /** The subscriber is held or paid for this month. */
  subscriberPaid?: boolean
}

/** The part of a content that decides its classification. */
export type PartOfContent = 'rich card' | { suggestions: number } | { characters: number }

/** The reason of a classification. */
type ClassifiedBy = 'channel' | 'subscriber' | 'session' | PartOfContent

interface Classified {
  classification: Classification
  /** An earlier send pays for this one. */
  alreadyPaid: boolean
  by: ClassifiedBy
}

/** Interface §2.5 and §2.7. */
export function classify(facts: PriceFacts): Classified {
  const { channel, messageType, content } = facts
  if (channel !== 'RCS') return { classification: 'basic_message', alreadyPaid: false, by: 'channel' }
  if (messageType === 'NEWSLETTER')
    return { classification: 'mau', alreadyPaid: facts.subscriberPaid === true, by: 'subscriber' }
  if (messageType === 'CONVERSATION' && facts.bySession)
    return { classification: 'conversation', alreadyPaid: facts.sessionPaid === true, by: 'session' }
  const by = decidingPart(content)
  const isBasic = typeof by === 'object' && 'characters' in by && by.characters <= BASIC_MESSAGE_CHARACTERS
  return { classification: isBasic ? 'basic_message' : 'single_message', alreadyPaid: false, by }
}

/** Short text without suggestions is basic, everything else single. */
function decidingPart({ text = '', suggestions = [], rich_card }: PricedContent): PartOfContent {
  if (rich_card !== undefined) return 'rich card'
  return suggestions.length > 0 ? { suggestions: suggestions.length } : { characters: countCharacters(text) }
}

export type TierTerms = BillingTerms['tiers'][number]

/** Returns the tier for a number of messages in a month. */
export const tierAt = (tiers: readonly TierTerms[], volume: number): TierTerms =>
  tiers.findLast(({ from }) => volume >= from)!

export const tierAfter = (tiers: readonly TierTerms[], volume: number): TierTerms | undefined =>
  tiers.find(({ from }) => from > volume)

/** Prices one message. SMS is simulated at the prices of RCS. */
export function priceOf(
  terms: BillingTerms,
  channel: ChannelType,
  classification: Classification,
  tier: TierTerms,
): TenThousandths {
  const list = channel === 'EMAIL' ? terms.prices.email.basic_message : terms.prices.rcs[classification]
  return lessPercent(fromEuros(list), tier.discount_percent)
}

/** Returns the factor on the limit of sends in the tier of a volume. Each step doubles it (choices). */
export const sendLimitFactor = (tiers: readonly TierTerms[], volume: number): number =>
  2 **
  Math.max(
    0,
    tiers.findLastIndex(({ from }) => volume >= from),
  )

/** 1/10,000 EUR. */
export interface Funds {
  free: TenThousandths
  reserved: TenThousandths
}

export const exceedsBalance = ({ topup }: BillingTerms, { free, reserved }: Funds, amount: TenThousandths): boolean =>
  free + reserved + amount > fromEuros(topup.max_balance)

/** Returns the reason why an automatic reload fails, for its event; undefined if it succeeds. */
export function refuseReload(terms: BillingTerms, funds: Funds, amount: TenThousandths): string | undefined {
  if (terms.payment === 'declined') return 'The payment was declined.'
  if (!exceedsBalance(terms, funds, amount)) return undefined
  return `The balance can be at most ${terms.topup.max_balance} EUR; ${toEuros(amount)} EUR more would exceed it.`
}

/** True at the one movement that takes the balance from above a threshold to below it. */
export const fellBelow = (threshold: TenThousandths, before: TenThousandths, after: TenThousandths): boolean =>
  before >= threshold && after < threshold
