import { z } from 'zod'
import { DURATION_SOURCE, formatDuration, parseDuration } from './duration.ts'
import { normalQuantile } from './normal.ts'

/** Delays: a span `300ms..2s`, one delay `1h`, or log-normal `~1s..8s`. */
export interface Range {
  lowMs: number
  highMs: number
  /** Nine of ten delays lie within the span, most near its low end; a few are much longer. */
  spread?: 'log-normal' | undefined
}

export function parseRange(text: string): Range | undefined {
  const isSpread = text.startsWith('~')
  const [from = '', to = from, ...rest] = text.slice(isSpread ? 1 : 0).split('..')
  const [low, high] = [parseDuration(from), parseDuration(to)]
  if (low === undefined || high === undefined || rest.length > 0 || low > high) return undefined
  if (!isSpread) return { lowMs: low, highMs: high }
  return low > 0 && low < high ? { lowMs: low, highMs: high, spread: 'log-normal' } : undefined
}

/** Writes a range as {@link parseRange} reads it. */
export const formatRange = ({ lowMs, highMs, spread }: Range): string =>
  lowMs === highMs ? formatDuration(lowMs) : `${spread ? '~' : ''}${formatDuration(lowMs)}..${formatDuration(highMs)}`

/** A pattern cannot check that the low end comes first. */
const DELAY_PATTERN = `^(${DURATION_SOURCE}|~?${DURATION_SOURCE}\\.\\.${DURATION_SOURCE})$`

const SPELLING = 'must be a delay such as 2s, a range such as 300ms..2s, or a log-normal one such as ~1s..8s'
const SHORT_END_FIRST =
  'must start with its smaller value, which is more than 0 in a log-normal range: 300ms..2s, ~1s..8s'

/** The parts are valid, but the high end comes first. */
const isReversed = (text: string) => new RegExp(DELAY_PATTERN).test(text) && parseRange(text) === undefined

/** A delay range in text; parsing gives ms, `z.encode` the text. */
export const DelayRange = z
  .codec(
    z.string(SPELLING),
    z.strictObject({ lowMs: z.number(), highMs: z.number(), spread: z.literal('log-normal').optional() }),
    {
      decode(value, context) {
        const range = parseRange(value)
        if (range) return range
        const message = isReversed(value) ? SHORT_END_FIRST : SPELLING
        context.issues.push({ code: 'custom', input: value, message })
        return z.NEVER
      },
      encode: formatRange,
    },
  )
  .meta({ example: '300ms..2s', pattern: DELAY_PATTERN })

/** A delay range in answers: its text. */
export const DelayText = z.string().meta({ example: '300ms..2s', pattern: DELAY_PATTERN })

/** The delay in whole ms for a draw in [0, 1]; 1 gives the longest. */
export const withinRange = (range: Range, draw: number): number =>
  Math.round(range.spread ? logNormal(range, draw) : range.lowMs + (range.highMs - range.lowMs) * draw)

/** Cuts one delay in a thousand at either end. */
const EDGE = 0.001
/** Standard deviations around the mean that hold nine of ten values. */
const NINE_OF_TEN = 1.6448536269514722

function logNormal({ lowMs, highMs }: Range, draw: number): number {
  const [low, high] = [Math.log(lowMs), Math.log(highMs)]
  const deviation = (high - low) / (2 * NINE_OF_TEN)
  return Math.exp((low + high) / 2 + deviation * normalQuantile(Math.min(Math.max(draw, EDGE), 1 - EDGE)))
}
