import { valueAt } from './path.ts'
/** A condition on a field of an event: `data.failure_reason=REJECTED_SPAM`. */
export interface Where {
  /** The text of the condition. */
  text: string
  /** Steps from the top, or from `data`: `data`, `failure_reason`. A number is a place in a list. */
  path: readonly string[]
  /** null checks that the field exists and is not null. */
  equals: { value: string; isNegated: boolean } | null
}

const FORM = /^([\w-]+(?:\.[\w-]+)*)(?:(!?=)(.*))?$/s

/** `field=value`, `field!=value`, or `field` alone for any value; undefined for another text. */
export function parseWhere(text: string): Where | undefined {
  const [, path, sign, value] = FORM.exec(text) ?? []
  if (path === undefined) return undefined
  const equals = sign === undefined ? null : { value: value!, isNegated: sign === '!=' }
  return { text, path: path.split('.'), equals }
}

/** The form of a condition, for faults. */
export const WHERE_FORM =
  'must be field=value, field!=value, or a field alone for any value, such as data.failure_reason=REJECTED_SPAM'

/** The fields of an event around its `data`. */
export const ENVELOPE_FIELDS: readonly string[] = ['id', 'event', 'timestamp', 'data', 'seq']

/** The field of an event that a condition names: the first step, or the one below `data`. */
export const fieldIn = ({ path: [root = '', inner = root] }: Where): string => (root === 'data' ? inner : root)

/** The value that a condition compares with this field itself, and not with a field inside it. */
export const valueOfField = ({ path, equals }: Where): string | undefined =>
  path.length === (path[0] === 'data' ? 2 : 1) ? equals?.value : undefined

/** A condition that a program makes. */
export const isEqual = (path: string, value: string): Where => ({
  text: `${path}=${value}`,
  path: path.split('.'),
  equals: { value, isNegated: false },
})

/**
 * Returns whether an event meets the condition. Numbers, lists and booleans are compared as JSON; one matching item of a
 * list is enough.
 */
export function holds(where: Where, event: unknown): boolean {
  const { equals } = where
  const found = valueFor(where, event)
  if (equals === null) return found !== undefined && found !== null
  return (
    [found, ...(Array.isArray(found) ? found : [])].some((one) => written(one) === equals.value) !== equals.isNegated
  )
}

/** The expected value, for messages. */
export const expectedText = ({ equals }: Where): string =>
  equals === null ? 'anything' : equals.isNegated ? `anything but ${equals.value}` : equals.value

/** The value in an event. A name that is not a field of the event is looked up in `data`. */
export function valueFor({ path }: Pick<Where, 'path'>, event: unknown): unknown {
  const isOwn = typeof event === 'object' && event !== null && Object.hasOwn(event, path[0]!)
  return valueAt(isOwn ? event : valueAt(event, ['data']), path)
}

export const holdAll = (conditions: readonly Where[], event: unknown): boolean =>
  conditions.every((condition) => holds(condition, event))

const written = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
