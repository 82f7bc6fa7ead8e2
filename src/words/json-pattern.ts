import { brokenField } from './broken-fields.ts'

/** `expect.any(String)` and similar matchers of any runner. */
export interface Asymmetric {
  asymmetricMatch(other: unknown): boolean
}

export const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof (value as Partial<Asymmetric> | null | undefined)?.asymmetricMatch === 'function'

/**
 * Refuses a pattern for fields of an event that JSON would leave out or change: a RegExp becomes `{}`. `mayBe` lists what
 * the caller itself understands.
 */
export function refuseOtherThanJson(pattern: unknown, mayBe: (value: unknown) => boolean, field = '') {
  if (mayBe(pattern)) return
  const kind = kindOutsideJson(pattern)
  if (kind !== undefined) throw brokenField(field || 'pattern', 'invalid_type', kind)
  if (typeof pattern !== 'object' || pattern === null || 'toJSON' in pattern) return
  for (const [name, inner] of Object.entries(pattern))
    refuseOtherThanJson(inner, mayBe, `${field && `${field}.`}${name}`)
}

function kindOutsideJson(value: unknown): string | undefined {
  const noField = (kind: string) => `is ${kind}, which no field can be`
  if (value === undefined) return noField('undefined')
  if (isAsymmetric(value)) return 'is an asymmetric matcher, which only toHaveReceived() takes'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : noField(String(value))
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return noField(`a ${typeof value}`)
  const { name } = classOf(value) ?? {}
  if (name === 'RegExp') return `${noField('a RegExp')}: use expect.stringMatching() with toHaveReceived()`
  return name === undefined ? undefined : noField(`an instance of ${name || 'a class'}`)
}

/** The class of an instance without a form in JSON. Each realm has an Object and an Array of its own. */
function classOf(value: unknown): { name: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return undefined
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null ? undefined : prototype.constructor
}
