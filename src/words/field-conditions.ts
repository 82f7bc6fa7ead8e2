import type { z } from 'zod'
import { brokenFields } from './broken-fields.ts'
import type { Detail } from './problem.ts'

type JsonSchema = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, unknown>>

/**
 * A condition on the fields of an object: for the parser, and as JSON Schema. The schemas avoid `oneOf`, from which client
 * generators make unusable classes.
 */
export interface Condition {
  readonly schema: JsonSchema
  readonly holds: (fields: Fields) => boolean
}

export const isGiven = (...names: string[]): Condition => {
  const [first = '', ...others] = names
  return {
    schema: { required: names },
    holds: (fields) => fields[first] !== undefined && others.every((name) => fields[name] !== undefined),
  }
}

/** The field has one of these values. */
export const isEqual = (field: string, ...values: unknown[]): Condition => ({
  schema: {
    properties: { [field]: values.length === 1 ? { const: values[0] } : { enum: values } },
    required: [field],
  },
  holds: (fields) => values.includes(fields[field]),
})

/** The field has any value but null. */
export const isSet = (field: string): Condition => ({
  schema: { properties: { [field]: { not: { type: 'null' } } }, required: [field] },
  holds: (fields) => fields[field] !== undefined && fields[field] !== null,
})

export const not = ({ schema, holds }: Condition): Condition => ({
  schema: { not: schema },
  holds: (fields) => !holds(fields),
})

/** Requires `holds` if the condition is met, otherwise the alternative. */
export const when = (condition: Condition, holds: Condition, otherwise?: Condition): Condition => ({
  schema: {
    if: condition.schema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: holds.schema,
    ...(otherwise && { else: otherwise.schema }),
  },
  holds: (fields) => (condition.holds(fields) ? holds.holds(fields) : (otherwise?.holds(fields) ?? true)),
})

/** Forbids conditions that hold at once. */
export const neverAll = (...conditions: Condition[]): Condition => ({
  schema: { not: { allOf: conditions.map(({ schema }) => schema) } },
  holds: (fields) => !conditions.every(({ holds }) => holds(fields)),
})

export const notBoth = (one: string, other: string): Condition => not(isGiven(one, other))

export const atLeastOne = (first: string, ...others: string[]): Condition =>
  others.length === 0 ? isGiven(first) : when(not(isGiven(first)), atLeastOne(...(others as [string])))

export const exactlyOne = (first: string, ...others: string[]): Condition =>
  others.length === 0
    ? isGiven(first)
    : when(isGiven(first), not(atLeastOne(...(others as [string]))), exactlyOne(...(others as [string])))

/** Allows the first field only together with the second. */
export const needs = (name: string, other: string): Condition => when(isGiven(name), isGiven(other))

/** A condition that must hold, and the text of its refusal. */
export interface FieldRule extends Condition {
  /** The field to blame; the object itself by default. */
  readonly field?: string
  readonly message: string | ((fields: Fields) => string)
  readonly code?: string
}

export const rule = (condition: Condition, refusal: Omit<FieldRule, keyof Condition>): FieldRule => ({
  ...condition,
  ...refusal,
})

/** The rules that fields break; of those that blame one field, the first. */
function brokenRules(rules: readonly FieldRule[], fields: object): Detail[] {
  const broken: Detail[] = []
  for (const { holds, field = '', code = 'invalid_value', message } of rules)
    if (!holds(fields as Fields) && !broken.some((other) => other.field === field))
      broken.push({ field, code, message: typeof message === 'string' ? message : message(fields as Fields) })
  return broken
}

/** Throws the 400 for fields that break a rule. */
export function refuseBroken(rules: readonly FieldRule[], fields: object) {
  const [first] = brokenRules(rules, fields)
  if (first) throw brokenFields([first], 'body')
}

/** The fields that a condition looks at. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: object }
  return [...required, ...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)]
}

/** The rules whose fields are right by themselves; none for what is not an object. */
function rulesBeside(issues: readonly z.core.$ZodRawIssue[], rules: readonly FieldRule[]): readonly FieldRule[] {
  if (issues.length === 0) return rules
  if (issues.some(({ code, path = [] }) => code === 'invalid_type' && path.length === 0)) return []
  const wrong = new Set(issues.map(({ path }) => path?.[0]))
  return rules.filter(({ schema }) => !fieldsOf(schema).some((field) => wrong.has(field)))
}

/** States rules between fields once, for the parser and in the document. One answer names all that is wrong. */
export const withRules = <S extends z.ZodType<object>>(schema: S, ...rules: readonly FieldRule[]): S =>
  withConditions(
    schema.superRefine(
      (value, { issues }) => {
        for (const { field, code, message } of brokenRules(rulesBeside(issues, rules), value))
          issues.push({
            code: 'custom',
            input: value,
            path: field === '' ? [] : [field],
            message,
            params: { code },
            continue: true,
          })
      },
      { when: () => true },
    ),
    ...rules.map((one) => one.schema),
  )

/** Adds conditions to the document only: what a parser refuses later, or what a client generator understands better. */
export const withConditions = <S extends z.ZodType>(schema: S, ...conditions: readonly JsonSchema[]): S =>
  schema.apply((one) =>
    one.meta({ allOf: [...((one.meta()?.allOf as JsonSchema[] | undefined) ?? []), ...conditions] }),
  )

/**
 * Requires all fields of one list. Generators of TypeScript ignore `if`; from this they make a type for each list
 * (`npm run interop`).
 */
export const oneOfLists = (...lists: readonly string[][]): JsonSchema => ({
  anyOf: lists.map((names) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, {}])),
  })),
})
