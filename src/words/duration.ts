import { z } from 'zod'
import { DURATION_PATTERN, parseDuration } from './milliseconds.ts'

// Apart from the schema, so that commands can read durations without zod.
export * from './milliseconds.ts'

/** A duration string; the parsed value stays the string, see {@link durationMs}. */
export const Duration = z
  .string()
  .regex(DURATION_PATTERN, 'must be a duration such as 250ms, 30s, 5m, 24h or 7d')
  .refine((text) => !DURATION_PATTERN.test(text) || parseDuration(text) !== undefined, 'is too long')
  .meta({ example: '24h' })
