import { z } from 'zod'
import { operations } from '../registry/api.ts'
import { isControl } from '../words/operation.ts'

/** JSON Schema draft 2020-12, as in OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown
}

/** Marks fields that the interface leaves open and this sandbox decided. */
export const CHOICE = { 'x-sandbox-choice': true }

export interface Schemas {
  /** Converts a schema for its wire format: input of a caller, or output of an action. */
  of(schema: z.ZodType): JsonSchema
  /** Named schemas so far: `.meta({ id })`. */
  readonly components: Record<string, JsonSchema>
}

/**
 * Converts the contracts' schemas for a document and collects the named ones. With `defaultsInWords` defaults are in
 * descriptions, because client generators demand every field with a `default`.
 */
export function collectSchemas({ defaultsInWords = false } = {}): Schemas {
  const written = defaultsInWords ? (schema: JsonSchema) => inWords(tidy(schema)) : tidy
  const components: Record<string, JsonSchema> = {}
  function add(id: string, schema: JsonSchema) {
    const existing = components[id]
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`two schemas have the id ${id}: give one of them another`)
    components[id] = schema
  }
  return {
    components,
    of(schema) {
      // Nested named schemas are references.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
        io: 'input',
        override: refuseFlags,
      })
      for (const [id, definition] of Object.entries($defs)) add(id, written(definition as JsonSchema))
      return written(properties!.it as JsonSchema)
    },
  }
}

/** JSON Schema has no regular expression flags, and zod drops them silently, which would change the meaning. */
function refuseFlags({ zodSchema }: { zodSchema: z.core.$ZodType }) {
  const { patterns } = zodSchema._zod.bag as { patterns?: Set<RegExp> }
  const flagged = [...(patterns ?? [])].find(({ flags }) => flags.includes('i'))
  if (flagged) throw new Error(`${flagged} in a contract: spell both cases out instead of the flag`)
}

export const isNull = (schema: JsonSchema | undefined) => schema?.type === 'null'

/** Converts a schema to OpenAPI and removes zod's own properties. */
function tidy({ id: _, example, choice, isRoute, ...schema }: JsonSchema): JsonSchema {
  const inner = deepened(schema, tidy)
  if (typeof inner.$ref === 'string') inner.$ref = inner.$ref.replace('#/$defs/', '#/components/schemas/')
  if (example !== undefined) inner.examples = [example]
  if (choice) Object.assign(inner, CHOICE)
  if (isRoute) Object.assign(inner, namesOfRoutes())
  // Query numbers are text with a pattern.
  if (inner.type === 'integer') delete inner.pattern
  if (inner.maximum === Number.MAX_SAFE_INTEGER) delete inner.maximum
  if (inner.minimum === Number.MIN_SAFE_INTEGER) delete inner.minimum
  // Drops the calendar from the pattern of instants; only UTC matters to readers.
  if (inner.format === 'date-time') inner.pattern = 'Z$'
  return orNull(alternativesAlone(inner))
}

/** Limits that a list of values makes needless. */
const LIMITS = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum']

/**
 * Writes what all alternatives share into each of them, and no limits beside a list of values: generators of clients
 * read an alternative alone (`npm run interop`).
 */
function alternativesAlone(schema: JsonSchema): JsonSchema {
  if (schema.enum) return pick(schema, (keyword) => !LIMITS.includes(keyword))
  const { anyOf, type, ...rest } = schema
  if (!Array.isArray(anyOf) || type === undefined) return schema
  const shared = pick(rest, (keyword) => LIMITS.includes(keyword))
  const alone = (alternative: JsonSchema) => ({ type, ...(alternative.enum ? {} : shared), ...alternative })
  return { ...pick(rest, (keyword) => !LIMITS.includes(keyword)), anyOf: anyOf.map(alone) }
}

const pick = (schema: JsonSchema, isKept: (keyword: string) => boolean): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => isKept(keyword)))

/** The names of routes. Contracts lie below the list of operations, so they cannot contain it. */
function namesOfRoutes(): JsonSchema {
  const ids = operations.filter((operation) => !isControl(operation)).map(({ id }) => id)
  const families = [...new Set(ids.map((id) => `${id.split('.')[0]}.*`))]
  return { anyOf: [{ enum: ['*', ...families, ...ids] }, { pattern: '^([A-Za-z]+ ?[ :] ?)?/v1/' }] }
}

type Visit = (schema: JsonSchema) => JsonSchema

const deepened = (schema: JsonSchema, visit: Visit): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, deeper(keyword, value, visit)]))

/** Recurses into schemas only: an enum, a default or an example may look like one. */
function deeper(keyword: string, value: unknown, visit: Visit): unknown {
  if (['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'].includes(keyword))
    return typeof value === 'object' ? visit(value as JsonSchema) : value
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword)) return (value as JsonSchema[]).map(visit)
  if (['properties', 'patternProperties'].includes(keyword))
    return Object.fromEntries(
      Object.entries(value as Record<string, JsonSchema>).map(([name, inner]) => [name, visit(inner)]),
    )
  return value
}

/** Adds the default to the description. */
function inWords(schema: JsonSchema): JsonSchema {
  const { default: value, ...rest } = deepened(schema, inWords)
  if (value === undefined) return rest
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { ...rest, description: [rest.description, `Default: ${text}.`].filter(Boolean).join(' ') }
}

/** Shortens `anyOf: [X, null]` to `type: [X, null]`. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const { description, ...inner } = anyOf[0] as JsonSchema
  if (typeof inner.type === 'string' && !inner.enum && !('const' in inner))
    return { ...inner, type: [inner.type, 'null'], ...(description ? { description } : {}), ...outer }
  const text = description !== undefined && description !== outer.description ? { description } : {}
  return { ...outer, anyOf: [{ ...inner, ...text }, { type: 'null' }] }
}
