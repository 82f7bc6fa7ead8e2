import { matches } from '../waiting/pattern.ts'
import { isRecord } from '../words/json.ts'
import { at, short } from './template.ts'

/** A difference from the expectation. */
export interface Difference {
  /** Path in the expectation: `billing.message_type`. */
  path: string
  expected: unknown
  actual: unknown
}

type Matcher = (expected: never, actual: unknown) => boolean

const number = (compare: (a: number, b: number) => boolean): Matcher =>
  ((expected: number, actual: unknown) => typeof actual === 'number' && compare(actual, expected)) as Matcher

/** Matchers that replace a value: `{ $gt: 0 }`. */
const MATCHERS: Readonly<Record<string, Matcher>> = {
  $exists: (expected: boolean, actual) => (actual !== undefined && actual !== null) === expected,
  $gt: number((a, b) => a > b),
  $gte: number((a, b) => a >= b),
  $lt: number((a, b) => a < b),
  $lte: number((a, b) => a <= b),
  $matches: (expected: string, actual) => typeof actual === 'string' && matches(expected, actual),
  $one_of: (expected: unknown[], actual) => expected.some((one) => isMet(one, actual)),
  $not: (expected: unknown, actual) => !isMet(expected, actual),
  $length: (expected: unknown, actual) =>
    (Array.isArray(actual) || typeof actual === 'string') && isMet(expected, actual.length),
  $contains: (expected: unknown, actual) =>
    Array.isArray(actual) ? actual.some((one) => isMet(expected, one)) : String(actual).includes(String(expected)),
}
export const matcherNames = Object.keys(MATCHERS)

/** Compares a value with an expectation. Objects may have additional fields; lists must have the same length. */
export function differences(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (isRecord(expected)) {
    const entries = Object.entries(expected)
    if (entries.length > 0 && entries.every(([key]) => key in MATCHERS))
      return entries.every(([key, value]) => MATCHERS[key]!(value as never, actual)) ? [] : [{ path, expected, actual }]
    if (!isRecord(actual)) return [{ path, expected, actual }]
    return entries.flatMap(([key, value]) =>
      differences(value, fieldOf(actual, key), path === '' ? key : `${path}.${key}`),
    )
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [{ path, expected, actual }]
    return expected.flatMap((value, i) => differences(value, actual[i], `${path}[${i}]`))
  }
  return Object.is(expected, actual) ? [] : [{ path, expected, actual }]
}

/** A key with dots is a path, unless a field has that name. */
const fieldOf = (actual: Record<string, unknown>, key: string) =>
  Object.hasOwn(actual, key) ? actual[key] : /[.[]/.test(key) ? at(actual, key) : undefined

export const isMet = (expected: unknown, actual: unknown): boolean => differences(expected, actual).length === 0

export const inWords = ({ path, expected, actual }: Difference): string =>
  `${path ? `${path} ` : ''}is ${short(actual)}, but should be ${short(expected)}`

/** Finds unknown keys that look like matchers. */
export function unknownMatchers(expected: unknown, path: string): { name: string; path: string }[] {
  if (expected === null || typeof expected !== 'object') return []
  return Object.entries(expected).flatMap(([key, inner]) => {
    const here = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`
    const own = /^\$[a-z]/.test(key) && !(key in MATCHERS) ? [{ name: key, path: here }] : []
    return [...own, ...unknownMatchers(inner, here)]
  })
}
