import { z } from 'zod'

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export const SECOND = UNIT_MS.s
export const MINUTE = UNIT_MS.m
export const HOUR = UNIT_MS.h
export const DAY = UNIT_MS.d

const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** Milliseconds of a duration such as `250ms`, `3600s`, `24h`, `30d`; undefined when it is not one (interface §4.7). */
export function parseDuration(text: string): number | undefined {
  const match = PATTERN.exec(text)
  if (!match) return undefined
  const ms = Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS])
  return Number.isSafeInteger(ms) ? ms : undefined
}

/** A duration string; the parsed value stays the string, see {@link durationMs}. */
export const Duration = z
  .string()
  .regex(PATTERN, 'must be a duration such as 250ms, 30s, 5m, 24h or 7d')
  .refine((text) => !PATTERN.test(text) || parseDuration(text) !== undefined, 'is too long')
  .meta({ example: '24h' })

/** Milliseconds of a string that {@link Duration} has accepted. */
export function durationMs(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new Error(`not a duration: ${text}`)
  return ms
}

/** A duration in people's form: `90m` → "1 h 30 min", `400` ms → "0.4 s". */
export function humanDuration(ms: number): string {
  const seconds = Math.round(ms / 100) / 10
  if (seconds < 60) return `${seconds} s`
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [Math.floor(seconds) % 60, 's'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
