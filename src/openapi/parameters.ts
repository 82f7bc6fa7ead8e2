import type { z } from 'zod'
import { IdempotencyText, IdempotencyUuid } from '../words/ids.ts'
import { type Operation, pathNames } from '../words/operation.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

export function parametersOf(operation: Operation, schemas: Schemas): JsonSchema[] {
  return [
    ...pathNames(operation.path).map((name) => pathParameter(operation, name, schemas)),
    ...queryParameters(operation, schemas),
    ...(operation.idempotency ? [idempotencyKey(operation.idempotency, schemas)] : []),
  ]
}

function pathParameter({ id, params = {} }: Operation, name: string, schemas: Schemas): JsonSchema {
  const stated = (params as Record<string, z.ZodType>)[name]
  if (!stated) throw new Error(`${id} does not state what {${name}} of its path is`)
  const { description, ...schema } = schemas.of(stated)
  const example = exampleOf(schema, schemas)
  return { name, in: 'path', required: true, description, schema, ...(example !== undefined && { example }) }
}

/** The schema's own example, or that of the schema it refers to. */
function exampleOf(schema: JsonSchema, { components }: Schemas): unknown {
  const named = typeof schema.$ref === 'string' ? components[schema.$ref.split('/').at(-1)!] : undefined
  return ((schema.examples ?? named?.examples) as unknown[] | undefined)?.[0]
}

function queryParameters({ query }: Operation, schemas: Schemas): JsonSchema[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.of(query) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, 'x-sandbox-choice': choice, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(choice ? CHOICE : {}),
    schema,
  }))
}

const KEYS = {
  uuid: ['A UUID. A repeated key returns the first answer for 24 hours, and has no other effect.', IdempotencyUuid],
  text: ['Up to 255 characters. A repeated key returns the first answer for 24 hours.', IdempotencyText],
} as const

function idempotencyKey(format: keyof typeof KEYS, schemas: Schemas): JsonSchema {
  const [description, schema] = KEYS[format]
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description,
    // The interface names the place of a send's key, and leaves that of a trigger open (§4.4).
    ...(format === 'text' ? CHOICE : {}),
    schema: schemas.of(schema),
  }
}
