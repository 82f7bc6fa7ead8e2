import type { z } from 'zod'

/**
 * What a schema says of several fields at once, for validators. In keywords that generators of clients pass over: they
 * make classes of a `oneOf` that nobody can use.
 */
export type Condition = Readonly<Record<string, unknown>>

export const isRequired = (...names: string[]): Condition => ({ required: names })
export const not = (condition: Condition): Condition => ({ not: condition })

/** Demands one thing where a condition is met, and another elsewhere. */
export const when = (condition: Condition, holds: Condition, otherwise?: Condition): Condition => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: holds,
  ...(otherwise && { else: otherwise }),
})

/** For the condition of {@link when}: a field has a value. */
export const isGiven = (field: string, value: unknown): Condition => ({
  properties: { [field]: { const: value } },
  required: [field],
})

/** The same for any value but null. */
export const isSet = (field: string): Condition => ({
  properties: { [field]: not({ type: 'null' }) },
  required: [field],
})

/** Two conditions contradict each other. */
export const neverBoth = (one: Condition, other: Condition): Condition => not({ allOf: [one, other] })

export const exactlyOne = (one: string, other: string): Condition =>
  when(isRequired(one), not(isRequired(other)), isRequired(other))

export const notBoth = (one: string, other: string): Condition => not(isRequired(one, other))

export const atLeastOne = (first: string, ...others: string[]): Condition =>
  others.length === 0 ? isRequired(first) : when(not(isRequired(first)), atLeastOne(...(others as [string])))

/** The first field is given with the second only. */
export const needs = (name: string, other: string): Condition => when(isRequired(name), isRequired(other))

/** A schema whose document says these conditions too. The parser has to be told apart. */
export const withConditions = <S extends z.ZodType>(schema: S, ...conditions: Condition[]): S =>
  schema.meta({ allOf: [...((schema.meta()?.allOf as Condition[] | undefined) ?? []), ...conditions] })
