/** Handset measures in dp, as published by vendors; sources in docs/inspector.md. */

/** Google, rich cards; 8x8. The default is SHORT. */
export const MEDIA_DP = { SHORT: 112, MEDIUM: 168, TALL: 264 } as const
/** iOS has one height; vendors do not publish it. */
export const IOS_MEDIA_DP = MEDIA_DP.MEDIUM
/** Sinch community, quoting Google: white below the least, cut above the most. */
export const CARD_DP = { least: 112, most: 344 } as const
/** The width for a message on a screen of 412 dp. */
export const BUBBLE_DP = 300
/** AWS, rich cards: the column of media in a horizontal card. */
export const COLUMN_DP = 128
/** Google, Dialogflow. */
export const CAROUSEL_DP = { SMALL: 120, MEDIUM: 232 } as const
/** Cards that determine the height of a carousel ("the first few", Sinch community). */
export const HEIGHT_SETTERS = 3

/**
 * Fits Google's rules of thumb: TALL leaves room for a title and a description, or for one suggestion; MEDIUM for two,
 * SHORT for three; four fit only without media.
 */
const LINE_DP = 20
export const SUGGESTION_DP = 48
const PADDING_DP = { above: 12, between: 4, below: 12, beside: 24 } as const

interface Texts {
  title: number
  description: number
}

/** The height of a card's texts. */
export function textDp({ title, description }: Texts): number {
  if (title + description === 0) return 0
  const between = title > 0 && description > 0 ? PADDING_DP.between : 0
  return PADDING_DP.above + (title + description) * LINE_DP + between + PADDING_DP.below
}

const SIZE_DP = { title: 16, description: 14 } as const
/** Relative to the font size: the average width of Latin letters, and of full-width ones. */
const LETTER = 0.48
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

/** Estimates the lines of a text in a width. The same everywhere, since fonts differ between phones. */
export function linesOf(text: string, widthDp: number, kind: keyof typeof SIZE_DP): number {
  const room = (widthDp - PADDING_DP.beside) / SIZE_DP[kind]
  return text.split('\n').reduce((lines, line) => lines + linesOfOne(line, room), 0)
}

function linesOfOne(line: string, room: number): number {
  let lines = 1
  let used = 0
  for (const word of line.split(/(?<=\s)/)) {
    const width = widthOf(word)
    if (used > 0 && used + widthOf(word.trimEnd()) > room) {
      lines++
      used = 0
    }
    // Words longer than a line continue on the next.
    lines += Math.max(0, Math.ceil(width / room) - 1)
    used += width % room || width
  }
  return lines
}

const widthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 1 : LETTER), 0)
