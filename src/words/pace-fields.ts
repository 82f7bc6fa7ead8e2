import { z } from 'zod'
import { MAX_FACTOR, MIN_FACTOR } from './pace.ts'
import type { ClockMode } from './vocabulary.ts'

export const ClockFactor = z
  .number()
  .min(MIN_FACTOR)
  .max(MAX_FACTOR)
  .describe('Speed of a scaled clock: with 60, an hour passes in a minute.')

/** Refuses a factor without `scaled`, and `scaled` without a factor. */
export function factorGoesWithScaled<T extends { mode: ClockMode; factor?: number | undefined }>({
  value: { mode, factor },
  issues,
}: z.core.ParsePayload<T>) {
  if ((mode === 'scaled') === (factor !== undefined)) return
  const message =
    mode === 'scaled' ? 'is required with scaled, such as 60' : `goes with scaled only, and this is ${mode}`
  const code = mode === 'scaled' ? 'required' : 'invalid_value'
  issues.push({ code: 'custom', input: factor, path: ['factor'], message, params: { code } })
}
