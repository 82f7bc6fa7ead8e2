import { z } from 'zod'
import { suggest } from './validate.ts'
import { ClockMode } from './vocabulary.ts'

/** How a world's time passes. */
export type Pace = { mode: Exclude<ClockMode, 'scaled'> } | { mode: 'scaled'; factor: number }

/** The same in one word, for options: `scaled:60` lets an hour pass in a minute. */
export type PaceText = Exclude<ClockMode, 'scaled'> | `scaled:${number}`

export const ClockFactor = z
  .number()
  .min(0.001)
  .max(1_000_000)
  .describe('How many times as fast as the machine a scaled clock runs: with 60 an hour passes in a minute.')

/** A check for objects that have a mode and a factor: one without the other says nothing. */
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

/** Of fields that {@link factorGoesWithScaled} has accepted. */
export const paceOf = ({ mode, factor }: { mode: ClockMode; factor?: number | undefined }): Pace =>
  mode === 'scaled' ? { mode, factor: factor! } : { mode }

export const isSamePace = (a: Pace, b: Pace): boolean =>
  a.mode === b.mode && (a.mode !== 'scaled' || b.mode !== 'scaled' || a.factor === b.factor)

/** Reads {@link PaceText}, or says what it should be. */
export function parsePace(text: string): Pace | string {
  const [mode = '', factor, ...rest] = text.split(':')
  const known = ClockMode.safeParse(mode)
  if (!known.success || rest.length > 0)
    return `must be one of ${WORDS.join(', ')}${suggest(mode, ClockMode.options) || '.'}`
  if (known.data !== 'scaled')
    return factor === undefined ? { mode: known.data } : `has a factor, which goes with scaled only, and is ${mode}.`
  const number = ClockFactor.safeParse(factor?.trim() ? Number(factor) : undefined)
  if (!number.success)
    return 'needs a factor from 0.001 to 1000000 with scaled: scaled:60 lets an hour pass in a minute.'
  return { mode: 'scaled', factor: number.data }
}

const WORDS = ClockMode.options.map((mode) => (mode === 'scaled' ? 'scaled:60' : mode))
