import { z } from 'zod'

const Strict = z.iso.datetime({ offset: true })

/** `2027-01-01T00:00Z` as the standard has it in full. */
const inFull = (text: string) => text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?=Z|[+-]|$)/, '$1:00')

/** An instant as people write it: ISO 8601 with Z or an offset; seconds may be left out. The parsed value stays the string. */
export const Instant = z
  .string()
  .check(({ value, issues }) => {
    if (Strict.safeParse(inFull(value)).success) return
    const message = Strict.safeParse(`${inFull(value)}Z`).success
      ? `leaves its time zone open; for UTC write ${value}Z`
      : 'must be a time such as 2027-01-01T00:00Z'
    issues.push({ code: 'custom', input: value, message, params: { code: 'invalid_format' } })
  })
  .meta({ example: '2027-01-01T00:00Z' })
