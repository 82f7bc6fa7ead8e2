import { CARD_DP, COLUMN_DP, HEIGHT_SETTERS, MEDIA_DP, SUGGESTION_DP, textDp } from './metrics.ts'
import { chipsOf, mediaOf, textOf } from './parts.ts'
import type { Card, CardLayout, Code, PreviewFinding } from './shapes.ts'

/** Android's layout of a card. Pure: returns the layout and what it drops. */

export interface Frame {
  widthDp: number
  orientation: 'VERTICAL' | 'HORIZONTAL'
  /** Index of its first suggestion among those of the message. */
  firstIndex: number
  /** The maximum height. */
  mostDp?: number
  /** The name in findings. */
  name: string
}

export interface LaidOut {
  card: CardLayout
  findings: PreviewFinding[]
}

export function androidCard(
  card: Card,
  { widthDp, orientation, firstIndex, mostDp = CARD_DP.most, name }: Frame,
): LaidOut {
  const isBeside = orientation === 'HORIZONTAL' && card.media !== undefined
  const textWidthDp = isBeside ? widthDp - COLUMN_DP : widthDp
  const mediaDp = card.media && !isBeside ? MEDIA_DP[card.media.height ?? 'SHORT'] : 0
  const title = textOf(card.title, textWidthDp, 'title')
  const description = textOf(card.description, textWidthDp, 'description')
  const suggestions = chipsOf(card.suggestions, firstIndex)
  const findings: PreviewFinding[] = []
  const find = (code: Code, at = name) => findings.push({ code, at })
  const shown = () => suggestions.filter(({ visibility }) => visibility === 'shown')
  const heightDp = () =>
    mediaDp +
    textDp({ title: title?.lines ?? 0, description: description?.lines ?? 0 }) +
    shown().length * SUGGESTION_DP
  const isTooHigh = () => heightDp() > mostDp

  // Dropped in this order (Google): description, title, suggestions from the last, then all texts.
  if (isTooHigh() && description && description.lines > 1) {
    description.lines = 1
    find('android-description-cut')
  }
  if (isTooHigh() && title && title.lines > 1) {
    title.lines = 1
    find('android-title-cut')
  }
  while (isTooHigh() && shown().length > 0) {
    const last = shown().at(-1)!
    last.visibility = 'dropped'
    find('android-suggestion-dropped', `${name}, suggestion ${last.index - firstIndex + 1}`)
  }
  if (isTooHigh() && description) {
    description.lines = 0
    find('android-description-dropped')
  }
  if (isTooHigh() && title) {
    title.lines = 0
    find('android-title-dropped')
  }
  const height = Math.min(mostDp, Math.max(CARD_DP.least, heightDp()))
  const media = isBeside
    ? mediaOf(card.media, { widthDp: COLUMN_DP, heightDp: height, place: 'left' })
    : mediaOf(card.media, { widthDp, heightDp: mediaDp, place: 'top' })
  return { card: { widthDp, heightDp: height, media, title, description, suggestions }, findings }
}

/** The first cards determine the common height. */
export function androidCarousel(cards: readonly Card[], frames: readonly Frame[]): LaidOut[] {
  const free = cards.map((card, i) => androidCard(card, frames[i]!))
  const mostDp = Math.max(...free.slice(0, HEIGHT_SETTERS).map(({ card }) => card.heightDp))
  return cards.map((card, i) => {
    const bound = androidCard(card, { ...frames[i]!, mostDp })
    const isHigher = free[i]!.card.heightDp > mostDp
    return {
      card: { ...bound.card, heightDp: mostDp },
      findings: [
        ...(isHigher ? [{ code: 'android-carousel-height', at: frames[i]!.name } as const] : []),
        ...bound.findings,
      ],
    }
  })
}
