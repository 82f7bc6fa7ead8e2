import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { documentOf, type Part } from '../../src/openapi/document.ts'
import type { JsonSchema } from '../../src/openapi/schema.ts'

/** Returns the fault of a value; undefined when it fits its schema. */
type Fits = (value: unknown) => string | undefined

interface StatedParameter {
  name: string
  in: 'path' | 'query' | 'header'
  example?: unknown
  required: boolean
  schema: JsonSchema
}

/** One operation of the document, with checks for requests and answers. */
export interface Call {
  id: string
  method: string
  path: string
  isControl: boolean
  parameters: (StatedParameter & { fault: Fits })[]
  body?: { schema: JsonSchema; required: boolean; example: unknown; fault: Fits }
  /** Checks of an answer's body, by status; undefined if nothing is checked. */
  answers: Map<number, Fits | undefined>
  /** Returns the fields that a refusal may have beside its error code. */
  fieldsOf(status: number, code: string): ReadonlySet<string>
}

export interface Interface {
  calls: Call[]
  /** Returns the schema of a reference. */
  named(reference: string): JsonSchema
}

interface Answer {
  $ref?: string
  content?: Record<string, { schema: JsonSchema }>
}

/** One form of a refusal: the envelope and the fields of some codes. */
interface Variant {
  allOf?: { properties?: { error?: { enum: string[] } } }[]
}

interface Operation {
  operationId: string
  parameters?: StatedParameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, Answer>
}

/** Reads the rules of a part of the interface from its OpenAPI document alone. */
export function readInterface(part: Part): Interface {
  // A base of its own lets every schema of the document refer to its components.
  const text = JSON.stringify(documentOf(part, '')).replaceAll('"#/components/', '"document#/components/')
  const { paths, components } = JSON.parse(text) as Record<
    'paths' | 'components',
    Record<string, Record<string, never>>
  >
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    code: { optimize: false },
  })
  ajv.addSchema({ $id: 'document', components })
  const lastOf = (reference: string) => reference.split('/').at(-1)!
  const fitting = (schema: JsonSchema): Fits => {
    let validate: ValidateFunction | undefined
    return (value) => {
      // Schemas are compiled on first use: there are hundreds, and a short run uses few.
      validate ??= ajv.compile(schema)
      return validate(value) ? undefined : JSON.stringify(validate.errors?.slice(0, 4))
    }
  }
  const answerOf = ({ $ref, content }: Answer) => {
    const answer = $ref ? (components.responses as Record<string, Answer>)[lastOf($ref)]!.content : content
    const schema = answer?.['application/json']?.schema
    return schema && fitting(schema)
  }
  const fieldsOf = ({ $ref, content }: Answer, code: string) => {
    const answer = $ref ? (components.responses as Record<string, Answer>)[lastOf($ref)]!.content : content
    const { anyOf, ...one } = (answer?.['application/json']?.schema ?? {}) as { anyOf?: Variant[] } & Variant
    const own = (anyOf ?? [one]).map(({ allOf }) => allOf?.[1]?.properties ?? {})
    return new Set(own.filter(({ error }) => error?.enum.includes(code)).flatMap((fields) => Object.keys(fields)))
  }
  const bodyOf = ({ required, content }: NonNullable<Operation['requestBody']>) => {
    const { schema, example } = Object.values(content)[0]!
    return { required, schema, example, fault: fitting(schema) }
  }
  const callOf = (path: string, method: string, operation: Operation): Call => ({
    id: operation.operationId.replace('_', '.'),
    method: method.toUpperCase(),
    path,
    isControl: part === 'control',
    parameters: (operation.parameters ?? []).map((parameter) => ({ ...parameter, fault: fitting(parameter.schema) })),
    ...(operation.requestBody ? { body: bodyOf(operation.requestBody) } : {}),
    answers: new Map(Object.entries(operation.responses).map(([status, answer]) => [Number(status), answerOf(answer)])),
    fieldsOf: (status, code) => fieldsOf(operation.responses[status] ?? {}, code),
  })
  return {
    calls: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => callOf(path, method, operation)),
    ),
    named: (reference) => components.schemas![lastOf(reference)]!,
  }
}
