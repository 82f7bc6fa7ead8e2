import type { Frame, LaidOut } from './android.ts'
import { CARD_DP, COLUMN_DP, IOS_MEDIA_DP, MEDIA_DP, SUGGESTION_DP, textDp } from './metrics.ts'
import { chipsOf, mediaOf, textOf } from './parts.ts'
import type { Card, Code, PreviewFinding } from './shapes.ts'

/** Longer texts open with a tap. */
export const MAX_VISIBLE_LINES = 6
const LINES_ADVISED = 3

/** iOS's layout of a card. Pure: returns the layout and what it changes. */
export function iosCard(card: Card, { widthDp, orientation, firstIndex, name }: Frame): LaidOut {
  const isBeside = orientation === 'HORIZONTAL' && card.media !== undefined
  const textWidthDp = isBeside ? widthDp - COLUMN_DP : widthDp
  const title = textOf(card.title, textWidthDp, 'title')
  const description = textOf(card.description, textWidthDp, 'description')
  const suggestions = chipsOf(card.suggestions, firstIndex)
  const findings: PreviewFinding[] = []
  const find = (code: Code) => findings.push({ code, at: name })
  const media = mediaOf(card.media, { widthDp, heightDp: IOS_MEDIA_DP, place: 'top' })

  // Several buttons become one with a menu.
  if (suggestions.length > 1) {
    for (const one of suggestions) one.visibility = 'folded'
    find('ios-card-buttons-folded')
  }
  const buttonsDp = suggestions.length > 0 ? SUGGESTION_DP : 0
  const heightDp = () =>
    (media && !media.isDropped && !isBeside ? media.heightDp : 0) +
    textDp({ title: title?.lines ?? 0, description: description?.lines ?? 0 }) +
    buttonsDp
  const longest = description?.wanted ?? 0
  if (description && heightDp() > CARD_DP.most) {
    const room = Math.floor((CARD_DP.most - heightDp()) / 20) + description.lines
    description.lines = Math.max(0, Math.min(room, MAX_VISIBLE_LINES))
    find(description.lines === 0 ? 'ios-description-dropped' : 'ios-description-cut')
  }
  if (media && heightDp() > CARD_DP.most) {
    media.isDropped = true
    find('ios-media-dropped')
  }
  if (longest > MAX_VISIBLE_LINES) find('ios-text-opens-alone')
  if (Math.max(longest, title?.wanted ?? 0) > LINES_ADVISED) find('ios-long-text')
  if (media) findMedia(card, media.kind, isBeside, find)
  const height = Math.max(CARD_DP.least, Math.min(CARD_DP.most, heightDp()))
  if (media && isBeside) Object.assign(media, { widthDp: COLUMN_DP, heightDp: height, place: 'left' })
  return { card: { widthDp, heightDp: height, media, title, description, suggestions }, findings }
}

function findMedia({ media }: Card, kind: 'image' | 'gif' | 'video', isBeside: boolean, find: (code: Code) => void) {
  if (isBeside) find(kind === 'video' ? 'ios-horizontal-video' : 'ios-horizontal-image')
  else if (MEDIA_DP[media?.height ?? 'SHORT'] !== IOS_MEDIA_DP) find('ios-media-height')
  if (kind === 'gif') find('ios-gif-still')
}

/** Cards keep their own heights. */
export function iosCarousel(cards: readonly Card[], frames: readonly Frame[]): LaidOut[] {
  const laid = cards.map((card, i) => iosCard(card, frames[i]!))
  const heights = new Set(laid.map(({ card }) => card.heightDp))
  if (heights.size > 1) laid[0]!.findings.unshift({ code: 'ios-carousel-uneven', at: 'carousel' })
  return laid
}
