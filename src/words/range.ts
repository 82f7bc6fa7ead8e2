import { z } from 'zod'
import { parseDuration } from './duration.ts'

/** A span of delays: `300ms..2s`, or one delay: `1h`. */
export interface Range {
  lowMs: number
  highMs: number
}

export function parseRange(text: string): Range | undefined {
  const [low, high = low, ...rest] = text.split('..').map((part) => parseDuration(part.trim()))
  if (low === undefined || high === undefined || rest.length > 0 || low > high) return undefined
  return { lowMs: low, highMs: high }
}

/** A delay as people write it; the parsed value is in ms. */
export const DelayRange = z
  .string()
  .transform((value, context) => {
    const range = parseRange(value)
    if (range) return range
    context.issues.push({
      code: 'custom',
      input: value,
      message: 'must be a delay such as 2s, or a range such as 300ms..2s',
    })
    return z.NEVER
  })
  .meta({ example: '300ms..2s' })

/** The delay at a draw in [0, 1), whole ms. */
export const withinRange = ({ lowMs, highMs }: Range, draw: number): number =>
  Math.round(lowMs + (highMs - lowMs) * draw)
