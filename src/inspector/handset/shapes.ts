import type { Content, Suggestion } from '../../service/messages/channels/content.ts'

/** What is laid out: content as the API takes it (interface §2.4). */
export type RcsContent = Pick<Content, 'text' | 'suggestions' | 'rich_card'>
export type Card = NonNullable<NonNullable<RcsContent['rich_card']>['standalone']>['content']
export type { Suggestion }

export const PROFILES = ['android', 'ios'] as const
export type Profile = (typeof PROFILES)[number]

/** What becomes of a part on a handset. */
export type Fate = 'shown' | 'folded' | 'dropped'

export interface TextLayout {
  text: string
  /** How many lines it would take. */
  wanted: number
  /** How many it gets; none where it is dropped. */
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
  /** Among all suggestions of the message, as `handset tap` counts them. */
  index: number
  text: string
  kind: 'reply' | 'dial' | 'open_url'
  /** The number or address of an action. */
  target: string | undefined
  fate: Fate
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
  profile: Profile
  text: TextLayout | undefined
  /** The link that gets a preview. */
  preview: string | undefined
  /** One card, or those of a carousel. */
  cards: CardLayout[]
  isCarousel: boolean
  /** Below the message, in the order in which they stand there. */
  chips: ChipLayout[]
  /** What differs from what was asked for. */
  findings: Finding[]
}

export interface Finding {
  code: Code
  /** Where: `card 2`, `suggestion 3`. */
  at: string
}

export type Code = keyof typeof import('./findings.ts').FINDINGS

/** Who speaks: what a handset knows of an agent. */
export interface Sender {
  name: string
  isVerified: boolean
  description?: string | null
  color?: string | null
  logoUrl?: string | null
  bannerUrl?: string | null
  phone?: string | null
  email?: string | null
  website?: string | null
  privacyUrl?: string | null
  termsUrl?: string | null
}
