import { z } from 'zod'
import { isEqual, isGiven, rule, when } from './field-conditions.ts'
import { MAX_FACTOR, MIN_FACTOR } from './pace.ts'

export const ClockFactor = z
  .number()
  .min(MIN_FACTOR)
  .max(MAX_FACTOR)
  .describe('Speed of a scaled clock: with 60, an hour passes in a minute.')

/** `scaled` requires a factor, and other modes do not allow one. */
export const factorRules = [
  rule(when(isEqual('mode', 'scaled'), isGiven('factor')), {
    field: 'factor',
    code: 'required',
    message: 'is required with scaled, such as 60',
  }),
  rule(when(isGiven('factor'), isEqual('mode', 'scaled')), {
    field: 'factor',
    message: ({ mode }) => `is allowed only with scaled, and this is ${mode}`,
  }),
]
