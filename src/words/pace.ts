// Apart from the schemas in pace-fields.ts, so that a start loads none.
import { suggest } from './near.ts'
import type { ClockMode } from './vocabulary.ts'

export const CLOCK_MODES = ['real', 'frozen', 'auto', 'scaled'] as const
/** How many times as fast as the machine a scaled clock may run. */
export const MIN_FACTOR = 0.001
export const MAX_FACTOR = 1_000_000

/** How a world's time passes. */
export type Pace = { mode: Exclude<ClockMode, 'scaled'> } | { mode: 'scaled'; factor: number }

/** The same in one word, for options: `scaled:60` lets an hour pass in a minute. */
export type PaceText = Exclude<ClockMode, 'scaled'> | `scaled:${number}`

/** Of fields that `factorGoesWithScaled` (pace-fields.ts) has accepted. */
export const paceOf = ({ mode, factor }: { mode: ClockMode; factor?: number | undefined }): Pace =>
  mode === 'scaled' ? { mode, factor: factor! } : { mode }

export const isSamePace = (a: Pace, b: Pace): boolean =>
  a.mode === b.mode && (a.mode !== 'scaled' || b.mode !== 'scaled' || a.factor === b.factor)

/** Reads {@link PaceText}, or says what it should be. */
export function parsePace(text: string): Pace | string {
  const [mode = '', factor, ...rest] = text.split(':')
  const known = CLOCK_MODES.find((one) => one === mode)
  if (!known || rest.length > 0) return `must be one of ${WORDS.join(', ')}${suggest(mode, CLOCK_MODES) || '.'}`
  if (known !== 'scaled')
    return factor === undefined ? { mode: known } : `has a factor, which goes with scaled only, and is ${mode}.`
  const times = factor?.trim() ? Number(factor) : Number.NaN
  if (!(times >= MIN_FACTOR && times <= MAX_FACTOR))
    return `needs a factor from ${MIN_FACTOR} to ${MAX_FACTOR} with scaled: scaled:60 lets an hour pass in a minute.`
  return { mode: 'scaled', factor: times }
}

const WORDS = CLOCK_MODES.map((mode) => (mode === 'scaled' ? 'scaled:60' : mode))
