import { z } from 'zod'
import { instantFault } from './instant-text.ts'

/** An instant as {@link instantFault} knows it; the parsed value stays the string. */
export const Instant = z
  .string()
  .check(({ value, issues }) => {
    const message = instantFault(value)
    if (message) issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_format' } })
  })
  .meta({ example: '2027-01-01T00:00Z' })
