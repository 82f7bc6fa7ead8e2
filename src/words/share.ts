import { z } from 'zod'
import { parseShare } from './percent.ts'

const PERCENT = '(100|[0-9]{1,2}(\\.[0-9]{1,10})?)%'
const FRACTION = '1|0(\\.[0-9]{1,12})?'

/** The JSON schema of a share above 0. */
export const POSITIVE_SHARE = {
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    { type: 'string', pattern: '^((100|[1-9][0-9]?(\\.[0-9]{1,10})?)%|1|0\\.[0-9]{0,11}[1-9])$' },
  ],
}

/** A share from 0 to 1, or in percent; parsing gives the number. */
export const Share = z
  .codec(z.union([z.number(), z.string()]), z.number(), {
    decode(value, context) {
      const share = parseShare(value)
      if (share !== undefined) return share
      context.issues.push({ code: 'custom', input: value, message: 'must be a share such as 20% or 0.2' })
      return z.NEVER
    },
    encode: (share) => share,
  })
  .meta({
    example: '20%',
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: `^(${PERCENT}|${FRACTION})$` },
    ],
  })
