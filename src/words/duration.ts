import { z } from 'zod'
import { DURATION_PATTERN, parseDuration } from './milliseconds.ts'

// Apart from the schema, so that commands can read durations without zod.
export * from './milliseconds.ts'

/** At most some thousand years, so that whatever the pattern allows can be reckoned with. */
const DIGITS = { ms: 14, s: 11, m: 9, h: 8, d: 6 } as const

/** One duration, as documents say it. */
export const DURATION_SOURCE = `(${Object.entries(DIGITS)
  .map(([unit, digits]) => `[0-9]{1,${digits}}(\\.[0-9]{1,3})?${unit}`)
  .join('|')})`

/** A duration string; the parsed value stays the string, see {@link durationMs}. */
export const Duration = z
  .string()
  .regex(DURATION_PATTERN, 'must be a duration such as 250ms, 30s, 5m, 24h or 7d')
  .refine((text) => !DURATION_PATTERN.test(text) || parseDuration(text) !== undefined, 'is too long')
  .meta({ example: '24h', pattern: `^${DURATION_SOURCE}$` })
