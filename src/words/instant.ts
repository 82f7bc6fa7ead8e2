import { z } from 'zod'
import { instantFault } from './instant-text.ts'

/** A pattern cannot check the number of days in each month. */
const INSTANT_PATTERN =
  '^[2-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$'

/** An instant checked by {@link instantFault}; parsing keeps the string. */
export const Instant = z
  .string()
  .check(({ value, issues }) => {
    const message = instantFault(value)
    if (message) issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_format' } })
  })
  .meta({ example: '2027-01-01T00:00Z', pattern: INSTANT_PATTERN })
