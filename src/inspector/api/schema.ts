import { send } from './client.ts'

/** A JSON Schema, as far as forms read it. */
interface FieldSchema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly FieldSchema[]
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | FieldSchema
  propertyNames?: FieldSchema
  items?: FieldSchema
  description?: string
  default?: unknown
  examples?: readonly unknown[]
  maximum?: number
  pattern?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: FieldSchema
}

interface DocumentedOperation {
  operationId: string
  parameters?: readonly Parameter[]
  requestBody?: {
    content: Readonly<Record<string, { schema: FieldSchema; example?: Readonly<Record<string, unknown>> }>>
  }
}

interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  components: { schemas: Readonly<Record<string, FieldSchema>> }
}

/** A field of a form. */
export interface FormField {
  /** `match`; a part of an object follows a dot: `match.to`. */
  name: string
  place: 'path' | 'query' | 'body'
  /** `pairs` are numbers by name: `REJECTED_SPAM=0.1`. Values of several types are JSON, which tells 42 from "0042". */
  kind: 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'pairs' | 'json'
  choices: readonly string[]
  isRequired: boolean
  isNullable: boolean
  description: string
  example: unknown
}

const documents = new Map<string, Promise<OpenApiDocument>>()

function documentOf(path: string): Promise<OpenApiDocument> {
  const address = path.startsWith('/v1/') ? '/openapi.json' : '/_sandbox/openapi.json'
  const cached = documents.get(address)
  if (cached) return cached
  const loading = send({ method: 'GET', path: address, body: undefined }) as Promise<OpenApiDocument>
  documents.set(address, loading)
  loading.catch(() => documents.delete(address))
  return loading
}

interface Operation {
  path: string
  method: string
}

/** The fields of an operation, as its contract describes them in the OpenAPI document. */
export const fieldsOf = async (operation: Operation): Promise<FormField[]> =>
  fieldsIn(await documentOf(operation.path), operation)

export function fieldsIn(document: OpenApiDocument, { path, method }: Operation): FormField[] {
  const operation = document.paths[path]?.[method]
  if (!operation) return []
  const parameters = (operation.parameters ?? []).flatMap(({ name, in: place, required, description, schema }) =>
    place === 'header' ? [] : [fieldOf(document, name, { ...schema, description: description ?? '' }, place, required)],
  )
  const { schema = {}, example } = Object.values(operation.requestBody?.content ?? {})[0] ?? {}
  const fields = bodyFieldsOf(document, resolved(document, schema))
  // A structure without an example of its own has one in that of the whole body.
  const shown = fields.map((field) =>
    field.kind === 'json' && field.example === undefined ? { ...field, example: example?.[field.name] } : field,
  )
  return [...parameters, ...shown]
}

/** The fields of an object, and after each field those of the object in it. */
const bodyFieldsOf = (
  document: OpenApiDocument,
  { properties = {}, required }: FieldSchema,
  parent = '',
): FormField[] =>
  Object.entries(properties)
    .filter(([name, field]) => name !== 'idempotency_key' && !isNever(field))
    .flatMap(([name, field]) => [
      fieldOf(document, `${parent}${name}`, field, 'body', required?.includes(name)),
      ...(parent === '' ? bodyFieldsOf(document, resolved(document, field), `${name}.`) : []),
    ])

const isNever = (schema: FieldSchema) => 'not' in schema && Object.keys((schema as { not: object }).not).length === 0

function resolved(document: OpenApiDocument, schema: FieldSchema): FieldSchema {
  if (!schema.$ref) return schema
  const { $ref, ...rest } = schema
  return { ...resolved(document, document.components.schemas[$ref.split('/').at(-1)!] ?? {}), ...rest }
}

function fieldOf(
  document: OpenApiDocument,
  name: string,
  raw: FieldSchema,
  place: FormField['place'],
  required = false,
): FormField {
  const options = optionsOf(document, raw)
  const { anyOf: _, ...own } = resolved(document, raw)
  const schema = { ...options.find(({ type }) => type !== 'null'), ...own }
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  return {
    name,
    place,
    ...kindOf(document, schema, type as string | undefined),
    isRequired: required,
    isNullable: options.some(({ type }) => type?.includes('null')),
    description: schema.description ?? '',
    example: schema.examples?.[0] ?? schema.default ?? exampleOf(schema),
  }
}

/** The alternatives of a schema, nested ones too. */
function optionsOf(document: OpenApiDocument, schema: FieldSchema): FieldSchema[] {
  const own = resolved(document, schema)
  return own.anyOf ? own.anyOf.flatMap((one) => optionsOf(document, one)) : [own]
}

function kindOf(
  document: OpenApiDocument,
  schema: FieldSchema,
  type: string | undefined,
): Pick<FormField, 'kind' | 'choices'> {
  if (schema.const !== undefined && type === 'string') return { kind: 'choice', choices: [String(schema.const)] }
  if (type === 'number' || type === 'integer') return { kind: 'number', choices: [] }
  if (schema.enum && type !== 'boolean') return { kind: 'choice', choices: schema.enum.filter(Boolean).map(String) }
  if (type === 'boolean') return { kind: 'boolean', choices: schema.const === true ? ['true'] : ['true', 'false'] }
  const optionsIn = (of: boolean | FieldSchema = {}) => (typeof of === 'object' ? optionsOf(document, of) : [])
  if (type === 'array' && optionsIn(schema.items).every((one) => one.type === 'string'))
    return { kind: 'list', choices: [] }
  const values = optionsIn(schema.additionalProperties)
  if (type === 'object' && values.some((one) => one.type === 'number') && values.every(isNumeric))
    return { kind: 'pairs', choices: (resolved(document, schema.propertyNames ?? {}).enum ?? []).map(String) }
  if (type === 'string') return { kind: 'text', choices: [] }
  return { kind: 'json', choices: [] }
}

/** A number, or its notation as text, such as a percentage. */
const isNumeric = ({ type, pattern }: FieldSchema) => type === 'number' || (type === 'string' && pattern !== undefined)

/** An example of values by name. */
const exampleOf = ({ additionalProperties }: FieldSchema): unknown =>
  typeof additionalProperties === 'object' ? { name: 'text' } : undefined
