import { BUBBLE_DP, linesOf } from './metrics.ts'
import type { Card, ChipLayout, MediaLayout, Suggestion, TextLayout } from './shapes.ts'

/** A card before layout: everything visible at full height. */

export function chipsOf(suggestions: readonly Suggestion[] = [], from = 0): ChipLayout[] {
  return suggestions.map(({ reply, action }, i) => ({
    index: from + i,
    text: (reply ?? action)!.text,
    kind: reply ? 'reply' : action!.dial ? 'dial' : 'open_url',
    target: action?.dial?.phone_number ?? action?.open_url?.url,
    visibility: 'shown',
  }))
}

export function textOf(
  text: string | undefined,
  widthDp: number,
  kind: 'title' | 'description',
): TextLayout | undefined {
  if (text === undefined) return undefined
  const wanted = linesOf(text, widthDp, kind)
  return { text, wanted, lines: wanted }
}

export function mediaOf(
  media: Card['media'],
  size: Pick<MediaLayout, 'widthDp' | 'heightDp' | 'place'>,
): MediaLayout | undefined {
  if (!media) return undefined
  return { url: media.url, thumbnailUrl: media.thumbnail_url, kind: kindOf(media.url), isDropped: false, ...size }
}

/** From the file extension; nothing is fetched. */
function kindOf(url: string): MediaLayout['kind'] {
  const name = url.replace(/[?#].*$/, '').toLowerCase()
  if (/\.(mp4|m4v|mov|webm|3gp)$/.test(name)) return 'video'
  return name.endsWith('.gif') ? 'gif' : 'image'
}

const LINK = /https?:\/\/\S+/

export const hasLink = (text: string | undefined): boolean => text !== undefined && LINK.test(text)

/** The link at the end of a text with a single link. */
export const lastLink = (text: string | undefined): string | undefined =>
  /https?:\/\/\S+$/.exec(text?.trimEnd() ?? '')?.[0]

/** The text of a plain message, which handsets never cut. */
export const bubbleText = (text: string | undefined): TextLayout | undefined => textOf(text, BUBBLE_DP, 'description')
