import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/openapi/schema.ts'

type Named = (reference: string) => JsonSchema

const KEYWORDS = ['if', 'then', 'else', 'allOf', 'not'] as const

/** True for a schema with conditions between its fields. */
export const hasConditions = (schema: JsonSchema): boolean => KEYWORDS.some((keyword) => keyword in schema)

/** Decides every condition of a schema, so that the result describes each field by itself. */
export const decided = (schema: JsonSchema, named: Named): Arbitrary<JsonSchema> =>
  fc.infiniteStream(fc.boolean()).map((coins) => {
    const toss = () => coins.next().value as boolean
    const { if: _, then: __, else: ___, allOf: ____, not: _____, ...plain } = schema
    return withAll(plain, schema, toss, named)
  })

type Toss = () => boolean

/** Adds the demands of a condition, as far as it can; the values are checked later. */
function withAll(schema: JsonSchema, condition: JsonSchema, toss: Toss, named: Named): JsonSchema {
  let result = schema
  const { properties, required, propertyNames, not, allOf = [] } = condition as Conditions
  if (condition !== schema && properties) result = withFields(result, properties, named)
  if (required) result = { ...result, required: [...new Set([...requiredOf(result), ...required])] }
  for (const bound of [
    'minProperties',
    'maxProperties',
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'enum',
    'const',
  ])
    if (bound in condition) result = { ...result, [bound]: condition[bound] }
  if (propertyNames?.enum) result = withOnly(result, propertyNames.enum)
  if (not) result = without(result, not, toss)
  if (condition.if) result = withBranch(result, condition, toss, named)
  for (const inner of allOf) result = withAll(result, inner, toss, named)
  return result
}

interface Conditions {
  properties?: Record<string, JsonSchema>
  required?: string[]
  propertyNames?: { enum?: string[] }
  not?: JsonSchema
  allOf?: JsonSchema[]
}

const requiredOf = ({ required }: JsonSchema) => (required as string[] | undefined) ?? []

function withFields(schema: JsonSchema, fields: Record<string, JsonSchema>, named: Named): JsonSchema {
  const properties = { ...(schema.properties as Record<string, JsonSchema> | undefined) }
  for (const [name, more] of Object.entries(fields)) {
    const property = properties[name]
    if (!property) continue
    const { $ref, ...rest } = property
    const plain = typeof $ref === 'string' ? { ...named($ref), ...rest } : property
    properties[name] = narrowed(plain, more)
  }
  return { ...schema, properties }
}

const withOnly = (schema: JsonSchema, names: readonly string[]): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties as object).filter(([name]) => names.includes(name))),
})

/** Joins two schemas into one that demands both. */
function narrowed(schema: JsonSchema, more: JsonSchema): JsonSchema {
  if (hasConditions(schema) || hasConditions(more) || more.properties || more.required) {
    const { allOf = [], ...rest } = schema as { allOf?: JsonSchema[] }
    return { ...rest, allOf: [...allOf, more] }
  }
  return { ...schema, ...more }
}

/** Forbids a field, or one of several. */
function without(schema: JsonSchema, { required = [] }: Conditions, toss: Toss): JsonSchema {
  const optional = (required as string[]).filter((name) => !requiredOf(schema).includes(name))
  const name = optional.length > 1 && toss() ? optional[1] : optional[0]
  if (name === undefined) return schema
  const { [name]: _, ...properties } = schema.properties as Record<string, JsonSchema>
  return { ...schema, properties }
}

function withBranch(schema: JsonSchema, condition: JsonSchema, toss: Toss, named: Named): JsonSchema {
  const { if: test, then: holds = {}, else: otherwise = {} } = condition as Record<string, JsonSchema>
  const fixed = constOf(schema, test!)
  const isChosen = fixed === undefined ? isMet(schema, test!) || toss() : fixed
  if (isPossible(schema, test!) && isChosen) return withAll(withAll(schema, test!, toss, named), holds, toss, named)
  return withAll(negated(schema, test!, named), otherwise, toss, named)
}

const namesIn = (condition: JsonSchema) => (condition.required as string[] | undefined) ?? []

/** True if a condition on the value of a field holds; undefined if the value is not chosen yet. */
function constOf(schema: JsonSchema, { properties = {} }: Conditions): boolean | undefined {
  const [[field, test] = []] = Object.entries(properties)
  const property =
    field === undefined ? undefined : (schema.properties as Record<string, JsonSchema> | undefined)?.[field]
  if (!property || !test || !('const' in test) || !('const' in property)) return undefined
  return property.const === test.const
}

/** A removed field cannot be given. */
const isPossible = (schema: JsonSchema, test: JsonSchema) =>
  namesIn(test).every((name) => name in ((schema.properties as object | undefined) ?? {}))

const isMet = (schema: JsonSchema, test: JsonSchema) =>
  !test.properties && !test.not && namesIn(test).every((name) => requiredOf(schema).includes(name))

/** Changes a schema so that a condition does not hold. */
function negated(schema: JsonSchema, test: JsonSchema, named: Named): JsonSchema {
  if (test.not) return withAll(schema, test.not as JsonSchema, () => true, named)
  const [field, { const: value } = {}] = Object.entries((test.properties as Record<string, JsonSchema>) ?? {})[0] ?? []
  if (field !== undefined && typeof value === 'boolean')
    return withFields(schema, { [field]: { const: !value } }, named)
  return test.properties ? schema : without(schema, test, () => false)
}
