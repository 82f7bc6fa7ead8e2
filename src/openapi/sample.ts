import { isNull, type JsonSchema } from './schema.ts'

/**
 * Creates an example for a schema: its own, else from its parts, without nullable and optional fields. Viewers would fill
 * in every field, and some exclude each other.
 */
export function sampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const { $ref, examples, enum: choices, anyOf, oneOf, type } = schema as SampleHints
  if (examples) return examples[0]
  if ($ref) return sampleOf(components[$ref.split('/').at(-1)!]!, components)
  if ('const' in schema) return schema.const
  if (choices) return choices[0]
  const branches = anyOf ?? oneOf
  if (branches) return branches.some(isNull) ? null : sampleOf(branches[0]!, components)
  return Array.isArray(type) ? null : ofType(schema, components)
}

interface SampleHints {
  $ref?: string
  examples?: unknown[]
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  type?: string | string[]
}

function ofType(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  switch (schema.type) {
    case 'object':
      return ofObject(schema, components)
    case 'array':
      return [sampleOf(schema.items as JsonSchema, components)]
    case 'string':
      return 'text'
    case 'boolean':
      return false
    default:
      return (schema.minimum as number | undefined) ?? 0
  }
}

function ofObject(schema: JsonSchema, components: Record<string, JsonSchema>): object {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] }
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name]!, components)]))
}
