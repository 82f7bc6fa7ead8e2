const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const SECOND = UNIT_MS.s
export const MINUTE = UNIT_MS.m
export const HOUR = UNIT_MS.h
export const DAY = UNIT_MS.d

export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of a duration such as `250ms`, `3600s`, `24h`, `30d`; undefined when it is not one (interface §4.7). */
export function parseDuration(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text)
  if (!match) return undefined
  const ms = Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS])
  return Number.isSafeInteger(ms) ? ms : undefined
}

/** Milliseconds of a string accepted by `Duration`. */
export function durationMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new Error(`not a duration: ${text}`)
  return ms
}

/** `90000` → `90s`, `86400000` → `1d`: the largest unit without a fraction. */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNIT_MS).findLast(([, size]) => ms % size === 0 && ms > 0) ?? ['s', SECOND]
  return `${ms / size}${unit}`
}

/** `85920000` → `23h 52m`: every unit that is needed, the largest first. */
export function compoundDuration(ms: number): string {
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of Object.entries(UNIT_MS).reverse()) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)}${unit}`)
    rest %= size
  }
  return parts.join(' ') || '0s'
}
