import { z } from 'zod'
import { parseShare } from './percent.ts'

const DECIMALS = '(\\.[0-9]+)?'
const PERCENT = `(100(\\.0+)?|[1-9]?[0-9]${DECIMALS})%`
const FRACTION = `1(\\.0+)?|0${DECIMALS}`
const ABOVE_0 = '0\\.0*[1-9][0-9]*'

export const POSITIVE_SHARE = {
  anyOf: [
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    { type: 'string', pattern: `^((100(\\.0+)?|[1-9][0-9]?${DECIMALS}|${ABOVE_0})%|1(\\.0+)?|${ABOVE_0})$` },
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
