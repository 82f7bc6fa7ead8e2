/** 0.2 of `20%`, `0.2` or 0.2; undefined when it is none. */
export function parseShare(value: number | string): number | undefined {
  const [, text, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(String(value).trim()) ?? []
  if (text === undefined) return undefined
  // Moved by the decimal point, since 28 / 100 is not always what 0.28 is.
  const share = percent ? Number(`${text}e-2`) : Number(text)
  return share <= 1 ? share : undefined
}

/** `20%`: what {@link parseShare} reads. */
export const formatShare = (share: number): string => `${Number((share * 100).toPrecision(12))}%`
