/** A condition on a field of a JSON object: `data.failure_reason=REJECTED_SPAM`. */
export interface Where {
  /** As it was written. */
  text: string
  /** Steps from the top: `data`, `failure_reason`. A number is a place in a list. */
  path: readonly string[]
  /** null asks whether the field is there, and is not null. */
  equals: { value: string; isNegated: boolean } | null
}

const FORM = /^([\w-]+(?:\.[\w-]+)*)(?:(!?=)(.*))?$/s

/** `field=value`, `field!=value`, or `field` alone for one that is there; undefined when the text is none of these. */
export function parseWhere(text: string): Where | undefined {
  const [, path, sign, value] = FORM.exec(text) ?? []
  if (path === undefined) return undefined
  const equals = sign === undefined ? null : { value: value!, isNegated: sign === '!=' }
  return { text, path: path.split('.'), equals }
}

/** Whether it holds. Numbers and true or false are compared as they are written; of a list one item is enough. */
export function holds({ path, equals }: Where, object: unknown): boolean {
  const found = fieldAt(object, path)
  if (equals === null) return found !== undefined && found !== null
  return (Array.isArray(found) ? found : [found]).some((item) => written(item) === equals.value) !== equals.isNegated
}

export const holdAll = (conditions: readonly Where[], object: unknown): boolean =>
  conditions.every((condition) => holds(condition, object))

/** What stands at a path, step by step; undefined where nothing does. */
export function fieldAt(object: unknown, path: readonly string[]): unknown {
  let here = object
  for (const step of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<string, unknown>)[step]
  }
  return here
}

const written = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
