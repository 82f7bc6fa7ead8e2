import { z } from 'zod'
import { DURATION_SOURCE, formatDuration, parseDuration } from './duration.ts'
import { normalQuantile } from './normal.ts'

/** A span of delays: `300ms..2s`, one delay: `1h`, or a log-normal one: `~1s..8s`. */
export interface Range {
  lowMs: number
  highMs: number
  /** Nine of ten delays lie within the span, most of them near its low end, and a few take much longer. */
  spread?: 'log-normal' | undefined
}

export function parseRange(text: string): Range | undefined {
  const isSpread = text.startsWith('~')
  const [from = '', to = from, ...rest] = text.slice(isSpread ? 1 : 0).split('..')
  const [low, high] = [parseDuration(from.trim()), parseDuration(to.trim())]
  if (low === undefined || high === undefined || rest.length > 0 || low > high) return undefined
  if (!isSpread) return { lowMs: low, highMs: high }
  return low > 0 && low < high ? { lowMs: low, highMs: high, spread: 'log-normal' } : undefined
}

/** `300ms..2s`: what {@link parseRange} reads. */
export const formatRange = ({ lowMs, highMs, spread }: Range): string =>
  lowMs === highMs ? formatDuration(lowMs) : `${spread ? '~' : ''}${formatDuration(lowMs)}..${formatDuration(highMs)}`

/** That the low end comes first is beyond a pattern. */
export const DELAY_PATTERN = `^(${DURATION_SOURCE}|~?${DURATION_SOURCE}\\.\\.${DURATION_SOURCE})$`

const SPELLING = 'must be a delay such as 2s, a range such as 300ms..2s, or a log-normal one such as ~1s..8s'
const SHORT_END_FIRST = 'must begin with its shorter end, which in a log-normal one is more than 0: 300ms..2s, ~1s..8s'

/** Right in its parts, and wrong in their order. */
const isReversed = (text: string) => new RegExp(DELAY_PATTERN).test(text) && parseRange(text) === undefined

/** A delay as people write it; the parsed value is in ms, and `z.encode` writes it again. */
export const DelayRange = z
  .codec(
    z.string(),
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

/** The delay at a draw in [0, 1], whole ms. At 1 it is the longest there is. */
export const withinRange = (range: Range, draw: number): number =>
  Math.round(range.spread ? logNormal(range, draw) : range.lowMs + (range.highMs - range.lowMs) * draw)

/** One delay in a thousand would be longer than the longest, or shorter than the shortest. */
const EDGE = 0.001
/** So many standard deviations on either side hold nine of ten. */
const NINE_OF_TEN = 1.6448536269514722

function logNormal({ lowMs, highMs }: Range, draw: number): number {
  const [low, high] = [Math.log(lowMs), Math.log(highMs)]
  const deviation = (high - low) / (2 * NINE_OF_TEN)
  return Math.exp((low + high) / 2 + deviation * normalQuantile(Math.min(Math.max(draw, EDGE), 1 - EDGE)))
}
