/** `20%`, `0.2` and 0.2 → 0.2; undefined for another value. */
export function parseShare(value: number | string): number | undefined {
  const share = typeof value === 'number' ? value : shareIn(value)
  return share !== undefined && share >= 0 && share <= 1 ? share : undefined
}

function shareIn(input: string): number | undefined {
  const [, text, percent] = /^((?:0|[1-9]\d*)(?:\.\d+)?)(%?)$/.exec(input) ?? []
  if (text === undefined) return undefined
  // Shifts the decimal point in text: 28 / 100 differs from 0.28 in floating point for some values.
  return percent ? Number(`${text}e-2`) : Number(text)
}

/** Writes a share as {@link parseShare} reads it: `20%`. */
export const formatShare = (share: number): string => `${Number((share * 100).toPrecision(12))}%`
