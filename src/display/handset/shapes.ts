import type { BrandField } from '../../service/agents/contract.ts'
import type { Content, Suggestion } from '../../service/messages/channels/content.ts'

/** Content to lay out, as in the API (interface §2.4). */
export type RcsContent = Pick<Content, 'text' | 'suggestions' | 'rich_card'>
export type Card = NonNullable<NonNullable<RcsContent['rich_card']>['standalone']>['content']
export type { Suggestion }

export const PROFILES = ['android', 'ios'] as const
export type PhonePlatform = (typeof PROFILES)[number]

/** A handset shows a part, folds it, or drops it. */
type Visibility = 'shown' | 'folded' | 'dropped'

export interface TextLayout {
  text: string
  /** Lines needed. */
  wanted: number
  /** Lines shown; 0 where it is dropped. */
  lines: number
}

export interface MediaLayout {
  url: string
  thumbnailUrl: string | undefined
  kind: 'image' | 'gif' | 'video'
  widthDp: number
  heightDp: number
  place: 'top' | 'left'
  isDropped: boolean
}

export interface ChipLayout {
  /** Its index in the message, as in `handset tap`. */
  index: number
  text: string
  kind: 'reply' | 'dial' | 'open_url'
  /** The phone number or URL of an action. */
  target: string | undefined
  visibility: Visibility
}

export interface CardLayout {
  widthDp: number
  heightDp: number
  media: MediaLayout | undefined
  title: TextLayout | undefined
  description: TextLayout | undefined
  suggestions: ChipLayout[]
}

export interface MessageLayout {
  profile: PhonePlatform
  text: TextLayout | undefined
  /** The link with a preview. */
  preview: string | undefined
  /** A single card, or the cards of a carousel. */
  cards: CardLayout[]
  isCarousel: boolean
  /** Chips below the message, in order. */
  chips: ChipLayout[]
  /** Deviations from the request. */
  findings: PreviewFinding[]
}

export interface PreviewFinding {
  code: Code
  /** The place: `card 2`, `suggestion 3`. */
  at: string
}

export type Code = keyof typeof import('./findings.ts').FINDINGS

/** The agent as a handset shows it: its name, and what is set of its brand. */
export interface HandsetSender extends Partial<Record<Exclude<BrandField, 'display_name'>, string | null>> {
  name: string
  isVerified: boolean
}
