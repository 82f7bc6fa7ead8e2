import { fromEuros, lessPercent, type TenThousandths } from '../words/money.ts'
import { countCharacters } from '../words/text.ts'
import type { ChannelType, MessageType } from '../words/vocabulary.ts'
import type { BillingTerms, Classification } from './contract.ts'

/** Interface §8. */
export const BASIC_MESSAGE_CHARACTERS = 160

/** What of a content decides its price. */
export interface PricedContent {
  text?: string | undefined
  suggestions?: readonly unknown[] | undefined
  rich_card?: unknown
}

/** Interface §2.5: short text without suggestions is basic, everything else single. */
export function classifyContent({ text, suggestions, rich_card }: PricedContent): 'basic_message' | 'single_message' {
  if (rich_card !== undefined || (suggestions?.length ?? 0) > 0) return 'single_message'
  return countCharacters(text ?? '') <= BASIC_MESSAGE_CHARACTERS ? 'basic_message' : 'single_message'
}

export interface PriceFacts {
  channel: ChannelType
  messageType: MessageType
  content: PricedContent
  /** The agent is billed by session (interface §2.7). */
  bySession: boolean
  /** The fee of the open session is held or paid. */
  sessionPaid: boolean
  /** The subscriber is held or paid for this month. */
  subscriberPaid: boolean
}

/** The classification, and whether an earlier send already pays for this one. */
export function classify(facts: PriceFacts): { classification: Classification; alreadyPaid: boolean } {
  if (facts.channel === 'EMAIL') return { classification: 'basic_message', alreadyPaid: false }
  if (facts.messageType === 'NEWSLETTER') return { classification: 'mau', alreadyPaid: facts.subscriberPaid }
  if (facts.messageType === 'CONVERSATION' && facts.bySession)
    return { classification: 'conversation', alreadyPaid: facts.sessionPaid }
  return { classification: classifyContent(facts.content), alreadyPaid: false }
}

export type TierTerms = BillingTerms['tiers'][number]

/** The tier that so many messages of the month have earned. */
export const tierAt = (tiers: readonly TierTerms[], volume: number): TierTerms =>
  tiers.findLast(({ from }) => volume >= from)!

export const tierAfter = (tiers: readonly TierTerms[], volume: number): TierTerms | undefined =>
  tiers.find(({ from }) => from > volume)

/** The price of one message. SMS is simulated at the prices of RCS. */
export function priceOf(terms: BillingTerms, channel: ChannelType, classification: Classification, tier: TierTerms): TenThousandths {
  const list = channel === 'EMAIL' ? terms.prices.email.basic_message : terms.prices.rcs[classification]
  return lessPercent(fromEuros(list), tier.discount_percent)
}
