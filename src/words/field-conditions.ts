import type { z } from 'zod'

/** A JSON schema condition on several fields. It avoids `oneOf`, from which client generators make unusable classes. */
export type Condition = Readonly<Record<string, unknown>>

export const isRequired = (...names: string[]): Condition => ({ required: names })
export const not = (condition: Condition): Condition => ({ not: condition })

/** Requires `holds` where the condition is met, else the alternative. */
export const when = (condition: Condition, holds: Condition, otherwise?: Condition): Condition => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: holds,
  ...(otherwise && { else: otherwise }),
})

/** A condition for {@link when}: the field has this value. */
export const isGiven = (field: string, value: unknown): Condition => ({
  properties: { [field]: { const: value } },
  required: [field],
})

/** A condition for {@link when}: the field has any value but null. */
export const isSet = (field: string): Condition => ({
  properties: { [field]: not({ type: 'null' }) },
  required: [field],
})

/** Forbids two conditions at once. */
export const neverBoth = (one: Condition, other: Condition): Condition => not({ allOf: [one, other] })

export const exactlyOne = (one: string, other: string): Condition =>
  when(isRequired(one), not(isRequired(other)), isRequired(other))

/**
 * Requires all fields of one list. Generators of TypeScript ignore `if`; from this they make a type for each list
 * (`npm run interop`).
 */
export const oneOfLists = (...lists: readonly string[][]): Condition => ({
  anyOf: lists.map((names) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, {}])),
  })),
})

export const notBoth = (one: string, other: string): Condition => not(isRequired(one, other))

export const atLeastOne = (first: string, ...others: string[]): Condition =>
  others.length === 0 ? isRequired(first) : when(not(isRequired(first)), atLeastOne(...(others as [string])))

/** Allows the first field only beside the second. */
export const needs = (name: string, other: string): Condition => when(isRequired(name), isRequired(other))

/** Adds conditions to the document of a schema; the parser needs checks of its own. */
export const withConditions = <S extends z.ZodType>(schema: S, ...conditions: Condition[]): S =>
  schema.apply((one) => one.meta({ allOf: [...((one.meta()?.allOf as Condition[] | undefined) ?? []), ...conditions] }))

/** A field that contradicts others, and the sentence that says why. */
export type Contradiction = [field: string, message: string]

/** A check of the parser that refuses contradictions between fields. */
export const refusing =
  <T>(contradictionsIn: (value: T) => Contradiction[]) =>
  ({ value, issues }: z.core.ParsePayload<T>) => {
    for (const [field, message] of contradictionsIn(value))
      issues.push({ code: 'custom', input: value, path: [field], message })
  }
