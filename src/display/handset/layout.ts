import { androidCard, androidCarousel, type Frame, type LaidOut } from './android.ts'
import { layOutChips } from './chips.ts'
import { iosCard, iosCarousel } from './ios.ts'
import { BUBBLE_DP, CAROUSEL_DP } from './metrics.ts'
import { bubbleText, chipsOf, hasLink, lastLink } from './parts.ts'
import type { Card, MessageLayout, PhonePlatform, PreviewFinding, RcsContent } from './shapes.ts'

interface Situation {
  /** No message follows. */
  isNewest?: boolean
  /** Tapped suggestions. */
  used?: readonly number[]
}

/** Lays out RCS content as a handset shows it, with all deviations. */
export function layOut(
  content: RcsContent,
  profile: PhonePlatform,
  { isNewest = true, used = [] }: Situation = {},
): MessageLayout {
  const { text, suggestions, rich_card } = content
  const laid = rich_card ? cardsOf(rich_card, profile) : []
  const chips = layOutChips(profile, chipsOf(suggestions), { isNewest, used })
  const preview = profile === 'ios' ? lastLink(text) : undefined
  return {
    profile,
    text: bubbleText(text),
    preview,
    cards: laid.map(({ card }) => card),
    isCarousel: rich_card?.carousel !== undefined,
    chips: chips.chips,
    findings: [
      ...laid.flatMap(({ findings }) => findings),
      ...(profile === 'ios' && hasLink(text) && !preview ? [{ code: 'ios-link-not-last', at: 'text' } as const] : []),
      ...chips.findings,
    ],
  }
}

type RichCard = NonNullable<RcsContent['rich_card']>

function cardsOf({ standalone, carousel }: RichCard, profile: PhonePlatform): LaidOut[] {
  if (standalone) {
    const { orientation = 'VERTICAL', content } = standalone
    const frame: Frame = { widthDp: BUBBLE_DP, orientation, firstIndex: 0, name: 'card' }
    const laid = profile === 'android' ? androidCard(content, frame) : iosCard(content, frame)
    return [{ ...laid, findings: [...laid.findings, ...linksIn(content, 'card')] }]
  }
  const { cards, card_width: width } = carousel!
  const fitting = cards.map((card) => (isTall(card) && width === 'SMALL' ? withMedium(card) : card))
  const frames = cards.map(
    (_, i): Frame => ({
      widthDp: CAROUSEL_DP[width],
      orientation: 'VERTICAL',
      firstIndex: cards.slice(0, i).reduce((sum, { suggestions = [] }) => sum + suggestions.length, 0),
      name: `card ${i + 1}`,
    }),
  )
  const laid = profile === 'android' ? androidCarousel(fitting, frames) : iosCarousel(fitting, frames)
  return laid.map(({ card, findings }, i) => ({
    card,
    findings: [...tallIn(cards[i]!, width, frames[i]!.name), ...findings, ...linksIn(cards[i]!, frames[i]!.name)],
  }))
}

const isTall = ({ media }: Card) => media?.height === 'TALL'

const withMedium = (card: Card): Card => ({ ...card, media: { ...card.media!, height: 'MEDIUM' } })

const tallIn = (card: Card, width: 'SMALL' | 'MEDIUM', at: string): PreviewFinding[] =>
  isTall(card) ? [{ code: width === 'SMALL' ? 'carousel-tall-in-small' : 'carousel-tall', at }] : []

const linksIn = ({ title, description }: Card, at: string): PreviewFinding[] =>
  hasLink(title) || hasLink(description) ? [{ code: 'link-in-card', at }] : []
