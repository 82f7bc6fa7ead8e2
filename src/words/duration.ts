import { z } from 'zod'
import { DAY, DURATION_PATTERN, parseDuration } from './milliseconds.ts'

// Separate from the schema, so that commands read durations without loading zod.
export * from './milliseconds.ts'

/** Limits each unit to some thousand years, which date arithmetic can hold. */
const DIGITS = { ms: 14, s: 11, m: 9, h: 8, d: 6 } as const

/** The pattern of one duration, for documents. */
export const DURATION_SOURCE = `(${Object.entries(DIGITS)
  .map(([unit, digits]) => `[0-9]{1,${digits}}(\\.[0-9]{1,3})?${unit}`)
  .join('|')})`

const DURATION_FORM = 'must be a duration such as 250ms, 30s, 5m, 24h or 7d'

/** A duration; parsing keeps the string, see {@link durationMs}. */
export const Duration = z
  .string(DURATION_FORM)
  .regex(DURATION_PATTERN, DURATION_FORM)
  .refine((text) => !DURATION_PATTERN.test(text) || parseDuration(text) !== undefined, 'is too long')
  .meta({ example: '24h', pattern: `^${DURATION_SOURCE}$` })

/** A duration within limits, which `range` names. `pattern` is for documents. Another check reports a text that is not a duration. */
export const durationWithin = (lowMs: number, highMs: number, range: string, pattern: string) =>
  Duration.refine((value) => {
    const ms = parseDuration(value) ?? lowMs
    return ms >= lowMs && ms <= highMs
  }, `must be ${range}`).meta({ pattern: `^(${pattern})$`, example: '1m' })

/** A duration of 1 ms to 30 days. */
export const UpTo30Days = durationWithin(
  1,
  30 * DAY,
  'more than 0 and at most 30d',
  '[1-9][0-9]{0,8}ms|[1-9][0-9]{0,5}s|[1-9][0-9]{0,3}m|[1-9][0-9]?h|[1-9]d|[12][0-9]d|30d',
)
