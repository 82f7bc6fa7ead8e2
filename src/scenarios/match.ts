import { matches } from '../waiting/pattern.ts'
import { innerName } from '../words/field-name.ts'
import { instantFault } from '../words/instant-text.ts'
import { isRecord } from '../words/json.ts'
import { valueAt } from '../words/path.ts'
import type { Detail } from '../words/problem.ts'
import { suggest } from '../words/suggest.ts'
import { referencesIn, short } from './template.ts'

export interface Difference {
  /** Path in the expectation: `billing.message_type`. */
  path: string
  expected: unknown
  actual: unknown
  /** Why a matcher cannot judge the value. `$not` does not turn this into a success. */
  because?: string
}

/** Why a matcher cannot judge a value. */
type Unfit = string

/** A matcher that replaces a value: `{ $gt: 0 }`. */
interface Matcher {
  /** What is wrong with the value that the file gives it. */
  faultOf(operand: unknown): string | undefined
  test(operand: never, actual: unknown): boolean | Unfit
}

const MATCHERS: Readonly<Record<string, Matcher>> = {
  $exists: {
    faultOf: (operand) => (typeof operand === 'boolean' ? undefined : 'must be true or false'),
    test: (operand: boolean, actual) => (actual !== undefined && actual !== null) === operand,
  },
  $gt: order('$gt', (sign) => sign > 0),
  $gte: order('$gte', (sign) => sign >= 0),
  $lt: order('$lt', (sign) => sign < 0),
  $lte: order('$lte', (sign) => sign <= 0),
  $matches: {
    faultOf: (operand) => (typeof operand === 'string' ? patternFault(operand) : 'must be a pattern in quotes'),
    test: (operand: string, actual) =>
      typeof actual === 'string' ? matches(operand, actual) : '$matches needs a text',
  },
  $one_of: {
    faultOf: (operand) =>
      Array.isArray(operand) && operand.length > 0 ? undefined : 'must be a list with at least one value',
    test: (operand: unknown[], actual) => any(operand.map((one) => judge(one, actual))),
  },
  $not: {
    faultOf: () => undefined,
    test(operand, actual) {
      const verdict = judge(operand, actual)
      return typeof verdict === 'string' ? verdict : !verdict
    },
  },
  $length: {
    faultOf: (operand) =>
      isMatchers(operand) || (Number.isInteger(operand) && (operand as number) >= 0)
        ? undefined
        : 'must be a whole number or a matcher',
    test: (operand, actual) =>
      Array.isArray(actual) || typeof actual === 'string'
        ? judge(operand, actual.length)
        : '$length needs a list or a text',
  },
  $contains: {
    faultOf: () => undefined,
    test(operand: unknown, actual) {
      if (Array.isArray(actual)) return any(actual.map((one) => judge(operand, one)))
      if (typeof actual !== 'string') return '$contains needs a list or a text'
      return typeof operand === 'object' ? '$contains needs a list' : actual.includes(String(operand))
    },
  },
}
export const matcherNames = Object.keys(MATCHERS)

/** Compares numbers, also those that answers write as text (`"0.0500"`), and instants. */
function order(name: string, isRight: (sign: number) => boolean): Matcher {
  return {
    faultOf: (operand) => (scaleOf(operand) ? undefined : 'must be a number or a time such as 2027-01-01T00:00Z'),
    test(operand: unknown, actual) {
      const [limit, value] = [scaleOf(operand)!, scaleOf(actual)]
      return value?.kind === limit.kind ? isRight(value.at - limit.at) : `${name} needs ${limit.kind}`
    },
  }
}

function scaleOf(value: unknown): { kind: 'a number' | 'a time'; at: number } | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)))
    return { kind: 'a number', at: Number(value) }
  if (typeof value !== 'string' || instantFault(value) !== undefined) return undefined
  return { kind: 'a time', at: Date.parse(value) }
}

function patternFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    return `is an invalid pattern: ${(error as Error).message}`
  }
}

/** One that is met decides; without one, a value that cannot be judged. */
const any = (verdicts: readonly (boolean | Unfit)[]): boolean | Unfit =>
  verdicts.includes(true) || (verdicts.find((one) => typeof one === 'string') ?? false)

/** A real difference decides; without one, a value that cannot be judged. */
function judge(expected: unknown, actual: unknown): boolean | Unfit {
  const found = differences(expected, actual)
  return found.length === 0 || (found.every(({ because }) => because) && found[0]!.because!)
}

const isMatchers = (expected: unknown): expected is Record<string, unknown> =>
  isRecord(expected) &&
  Object.keys(expected).length > 0 &&
  Object.keys(expected).every((key) => Object.hasOwn(MATCHERS, key))

/** Compares a value with an expectation. Objects may have additional fields; lists must have the same length. */
export function differences(expected: unknown, actual: unknown, path = ''): Difference[] {
  if (isMatchers(expected)) {
    const verdicts = Object.entries(expected).map(([name, operand]) => verdictOf(name, operand, actual))
    if (verdicts.every((one) => one === true)) return []
    const because = verdicts.includes(false) ? undefined : verdicts.find((one) => typeof one === 'string')
    return [{ path, expected, actual, ...(because === undefined ? {} : { because }) }]
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return [{ ...different(path, expected, actual), ...unmarkedIn(expected) }]
    return Object.entries(expected).flatMap(([key, value]) => fieldDifferences(key, value, actual, path))
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [different(path, expected, actual)]
    return expected.flatMap((value, i) => differences(value, actual[i], innerName(path, i)))
  }
  return Object.is(expected, actual) ? [] : [different(path, expected, actual)]
}

/** A value that has no fields, and an expectation with the name of a matcher as a field. */
function unmarkedIn(expected: Readonly<Record<string, unknown>>): Pick<Difference, 'because'> {
  const name = Object.keys(expected).find((key) => Object.hasOwn(MATCHERS, `$${key}`))
  return name === undefined ? {} : { because: `the matcher is written $${name}` }
}

const different = (path: string, expected: unknown, actual: unknown): Difference => ({
  ...{ path, expected, actual },
  ...(actual === undefined ? { because: 'there is nothing' } : {}),
})

function fieldDifferences(key: string, expected: unknown, actual: Record<string, unknown>, within: string) {
  const path = innerName(within, key)
  const value = fieldOf(actual, key)
  const found = differences(expected, value, path)
  if (value !== undefined) return found
  const because = `there is no field ${path}${suggest(key, Object.keys(actual))}`
  return found.map((one) => (one.because ? { ...one, because } : one))
}

/** The operand may come from a variable, so it is checked again. */
function verdictOf(name: string, operand: unknown, actual: unknown): boolean | Unfit {
  const { faultOf, test } = MATCHERS[name]!
  const fault = faultOf(operand)
  return fault === undefined ? test(operand as never, actual) : `${name} ${fault}`
}

/** A key with dots is a path, unless a field has that name. */
const fieldOf = (actual: Record<string, unknown>, key: string) =>
  Object.hasOwn(actual, key) ? actual[key] : /[.[]/.test(key) ? valueAt(actual, key) : undefined

export const isMet = (expected: unknown, actual: unknown): boolean => differences(expected, actual).length === 0

export function inWords({ path, expected, actual, because }: Difference): string {
  if (actual === undefined && because) return because
  const lack = isMatchers(expected) && !because ? lackInWords(expected, actual) : undefined
  return `${path ? `${path} ` : ''}${lack ?? `is ${short(actual)}, but should be ${short(expected)}`}${because ? `: ${because}` : ''}`
}

const MAX_NEAREST = 5

/** What a list or text lacks. Of a long one, only the beginning would be shown. */
function lackInWords(expected: Record<string, unknown>, actual: unknown): string | undefined {
  const { $length, $contains } = expected
  const isList = Array.isArray(actual)
  if ($length !== undefined && (isList || typeof actual === 'string') && judge($length, actual.length) !== true)
    return `has ${actual.length} ${isList ? 'entries' : 'characters'}, but should have ${short($length)}`
  if ($contains === undefined || !isList || isMet({ $contains }, actual)) return undefined
  const misses = actual.map((entry) => differences($contains, entry))
  const least = Math.min(...misses.map(({ length }) => length))
  const nearest = misses.filter(({ length }) => length === least).map((miss) => miss.map(valueInWords).join(' and '))
  const shown = [...new Set(nearest)].slice(0, MAX_NEAREST)
  return `has no entry with ${short($contains)}${shown.length === 0 ? '' : `; the nearest of its ${actual.length} has ${shown.join(', or ')}`}`
}

const valueInWords = ({ path, actual }: Difference) => `${path}${path ? ' ' : ''}${short(actual)}`

/** Finds unknown keys that look like matchers, and matchers with an unfit operand. */
export function matcherFaults(expected: unknown, field: string): Detail[] {
  if (expected === null || typeof expected !== 'object') return []
  return Object.entries(expected).flatMap(([key, inner]) => {
    const here = innerName(field, Array.isArray(expected) ? Number(key) : key)
    return [...faultsOf(key, inner, expected, here), ...matcherFaults(inner, here)]
  })
}

function faultsOf(key: string, operand: unknown, within: object, field: string): Detail[] {
  if (!/^\$[a-z]/.test(key)) return []
  const matcher = Object.hasOwn(MATCHERS, key) ? MATCHERS[key] : undefined
  if (!matcher) {
    const hint = suggest(key, matcherNames) || `; matchers: ${matcherNames.join(', ')}`
    return [{ field, code: 'unknown', message: `unknown matcher ${key}${hint}` }]
  }
  if (!isMatchers(within)) return [{ field, code: 'conflict', message: 'a matcher cannot have fields beside it' }]
  // A variable has its value in a run only.
  const fault =
    typeof operand === 'string' && referencesIn(operand, '').length > 0 ? undefined : matcher.faultOf(operand)
  return fault === undefined ? [] : [{ field, code: 'invalid_value', message: fault }]
}
