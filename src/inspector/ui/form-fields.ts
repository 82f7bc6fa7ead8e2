import type { FormField } from '../api/schema.ts'

export interface FieldChoice {
  /** The fields to show, in this order; all by default, objects as JSON. The others follow behind “More fields”. */
  only?: readonly string[] | undefined
  /** Fields that have a control of their own elsewhere. */
  without?: readonly string[] | undefined
  fixed: Readonly<Record<string, unknown>>
}

/** The fields that a form shows at once, and those that it shows on request. */
export function chosenFields(fields: readonly FormField[], { only, without = [], fixed }: FieldChoice) {
  const free = fields.filter(({ name }) => !(name in fixed) && !without.includes(name))
  if (!only) return { shown: free.filter(({ name }) => !name.includes('.')), more: [] }
  const shown = only.flatMap((name) => free.filter((field) => field.name === name))
  // An object is shown by its parts, or as a whole.
  const byParts = new Set(only.filter((name) => name.includes('.')).map(parentOf))
  const more = free.filter(
    ({ name, place }) =>
      place !== 'path' &&
      !only.includes(name) &&
      (name.includes('.') ? byParts.has(parentOf(name)) : !byParts.has(name)),
  )
  return { shown, more }
}

const parentOf = (name: string) => name.split('.')[0]!
