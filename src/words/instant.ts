import { z } from 'zod'
import { instantFault, startFault } from './instant-text.ts'

/** A pattern cannot check the number of days in each month. */
const INSTANT_PATTERN =
  '^[2-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,3})?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$'

const checkedBy = (faultOf: (text: string) => string | undefined, pattern: string) =>
  z
    .string()
    .check(({ value, issues }) => {
      const message = faultOf(value)
      if (message) issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_format' } })
    })
    .meta({ example: '2027-01-01T00:00Z', pattern })

/** An instant checked by {@link instantFault}; parsing keeps the string. */
export const Instant = checkedBy(instantFault, INSTANT_PATTERN)

/** The start time of a clock, checked by {@link startFault}. */
export const StartInstant = checkedBy(startFault, INSTANT_PATTERN.replace('^', '^(?!9999)'))
