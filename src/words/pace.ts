// Separate from the schemas in pace-fields.ts, so that a start loads none.
import { suggest } from './suggest.ts'

export const CLOCK_MODES = ['real', 'frozen', 'auto', 'scaled'] as const
type Mode = (typeof CLOCK_MODES)[number]
/** The speed limits of a scaled clock, relative to the machine's. */
export const MIN_FACTOR = 0.001
export const MAX_FACTOR = 1_000_000

export type Pace = { mode: Exclude<Mode, 'scaled'> } | { mode: 'scaled'; factor: number }

/** A pace as an option: with `scaled:60` an hour passes in a minute. */
export type PaceText = Exclude<Mode, 'scaled'> | `scaled:${number}`

/** Builds the pace from fields accepted by `factorRules` (pace-fields.ts). */
export const paceOf = ({ mode, factor }: { mode: Mode; factor?: number | undefined }): Pace =>
  mode === 'scaled' ? { mode, factor: factor! } : { mode }

export const isSamePace = (a: Pace, b: Pace): boolean =>
  a.mode === b.mode && (a.mode !== 'scaled' || b.mode !== 'scaled' || a.factor === b.factor)

/** Parses {@link PaceText}; a string result describes the fault. */
export function parsePace(text: string): Pace | string {
  const [mode = '', factor, ...rest] = text.split(':')
  const clockMode = CLOCK_MODES.find((one) => one === mode)
  if (!clockMode || rest.length > 0) return `must be one of ${WORDS.join(', ')}${suggest(mode, CLOCK_MODES) || '.'}`
  if (clockMode !== 'scaled')
    return factor === undefined
      ? { mode: clockMode }
      : `has a factor, which is allowed only with scaled, not with ${mode}.`
  const times = factor?.trim() ? Number(factor) : Number.NaN
  if (!(times >= MIN_FACTOR && times <= MAX_FACTOR))
    return `needs a factor from ${MIN_FACTOR} to ${MAX_FACTOR} with scaled: scaled:60 lets an hour pass in a minute.`
  return { mode: 'scaled', factor: times }
}

const WORDS = CLOCK_MODES.map((mode) => (mode === 'scaled' ? 'scaled:60' : mode))
