/** `20%`, `0.2` and 0.2 → 0.2; undefined for another value. */
export function parseShare(value: number | string): number | undefined {
  const [, text, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(String(value).trim()) ?? []
  if (text === undefined) return undefined
  // Shifts the decimal point in text: 28 / 100 differs from 0.28 in floating point for some values.
  const share = percent ? Number(`${text}e-2`) : Number(text)
  return share <= 1 ? share : undefined
}

/** Writes a share as {@link parseShare} reads it: `20%`. */
export const formatShare = (share: number): string => `${Number((share * 100).toPrecision(12))}%`
