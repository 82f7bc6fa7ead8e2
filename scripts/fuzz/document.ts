import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { documentOf, type Part } from '../../src/openapi/document.ts'
import type { JsonSchema } from '../../src/openapi/schema.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

/** One operation as the document states it, ready to be held against what happens. */
export interface Call {
  id: string
  method: string
  path: string
  isControl: boolean
  parameters: Parameter[]
  body?: { schema: JsonSchema; required: boolean; example: unknown; fits: ValidateFunction }
  /** By status: whether an answer's body fits; undefined where there is none to check. */
  answers: Map<number, ValidateFunction | undefined>
  /** By name of the parameter: whether a value fits. */
  fits: Map<string, ValidateFunction>
}

export interface Interface {
  calls: Call[]
  /** The named schema that a reference means. */
  named(reference: string): JsonSchema
}

interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>
}

/** What a part of the interface allows, read from its OpenAPI document alone. */
export function readInterface(part: Part): Interface {
  // A base of its own lets every schema of the document refer to its components.
  const text = JSON.stringify(documentOf(part, '')).replaceAll('"#/components/', '"document#/components/')
  const { paths, components } = JSON.parse(text) as Record<
    'paths' | 'components',
    Record<string, Record<string, never>>
  >
  const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 6 })
  ajv.addSchema({ $id: 'document', components })
  const lastOf = (reference: string) => reference.split('/').at(-1)!
  const compile = (schema: JsonSchema | undefined) => schema && ajv.compile(schema)
  const answerOf = ({ $ref, content }: Operation['responses'][string]) => {
    const said = $ref ? (components.responses![lastOf($ref)] as { content: typeof content }).content : content
    return compile(said?.['application/json']?.schema)
  }
  const callOf = (path: string, method: string, operation: Operation): Call => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    isControl: part === 'control',
    parameters: operation.parameters ?? [],
    ...(operation.requestBody ? { body: bodyOf(operation.requestBody) } : {}),
    answers: new Map(Object.entries(operation.responses).map(([status, said]) => [Number(status), answerOf(said)])),
    fits: new Map((operation.parameters ?? []).map(({ name, schema }) => [name, compile(schema)!])),
  })
  const bodyOf = ({ required, content }: NonNullable<Operation['requestBody']>) => {
    const { schema, example } = content['application/json']!
    return { required, schema, example, fits: compile(schema)! }
  }
  return {
    calls: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
    ),
    named: (reference) => components.schemas![lastOf(reference)]!,
  }
}
