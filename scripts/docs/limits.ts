import { documentOf } from '../../src/openapi/document.ts'
import type { JsonSchema } from '../../src/openapi/schema.ts'
import { code, table } from './table.ts'

/** A bound on one field of a request, in words. */
interface Limit {
  call: string
  /** Path of the field: `tags[]`, `content.text`. */
  field: string
  says: string
}

interface Document {
  components: { schemas: Record<string, JsonSchema> }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  parameters?: { name: string; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

const many = (n: unknown) => Number(n).toLocaleString('en')

/** The wording of bounds; a bound that only demands a value is left out. */
const WORDS: Readonly<Record<string, (bound: unknown) => string | undefined>> = {
  minLength: (n) => (Number(n) > 1 ? `at least ${many(n)} characters` : undefined),
  maxLength: (n) => `at most ${many(n)} characters`,
  minimum: (n) => (Number(n) > 0 ? `at least ${many(n)}` : undefined),
  exclusiveMinimum: (n) => `more than ${many(n)}`,
  maximum: (n) => `at most ${many(n)}`,
  minItems: (n) => `at least ${many(n)}`,
  maxItems: (n) => `at most ${many(n)} of them`,
  maxProperties: (n) => (Number(n) > 2 ? `at most ${many(n)} fields` : undefined),
  uniqueItems: () => 'none twice',
}

/** Limits that the interface (§2.4, §8) or a table written by hand states, by the last name of the field. */
const STATED: readonly string[] = [
  'text: at most 3,072 characters',
  'text: at most 1,530 characters',
  'proof_text: at most 5,000 characters',
  'suggestions: at most 11 of them',
  'suggestions: at most 4 of them',
  'cards: at least 2',
  'cards: at most 10 of them',
  'title: at most 200 characters',
  'description: at most 2,000 characters',
  'text: at most 25 characters',
  'postback_data: at most 2,048 characters',
  'contacts: at least 1',
  'contacts: at most 10,000 of them',
  'limit: at least 1',
  'limit: at most 200',
  'idempotency_key: at most 255 characters',
  'Idempotency-Key: at most 255 characters',
]

const named = ({ field, says }: Limit) => `${field.split('.').at(-1)}: ${says}`

/** Finds limits that are listed as stated elsewhere and that no schema has. */
export function unkeptLimits(): string[] {
  const kept = new Set(limitsOfRequests().map(named))
  return STATED.filter((one) => !kept.has(one))
}

/** Lists the other limits of the service's schemas with their calls, by field and limit. */
export function undeclaredLimits(): string {
  const undeclared = limitsOfRequests().filter((limit) => !STATED.includes(named(limit)))
  const ofFields = [...Map.groupBy(undeclared, ({ call, field }) => `${call} ${field}`).values()].map((limits) => ({
    ...limits[0]!,
    says: [...new Set(limits.map(({ says }) => says))].join(', '),
  }))
  const rows = [...Map.groupBy(ofFields, ({ field, says }) => `${field}: ${says}`).values()].map((limits) => {
    const { field, says } = limits[0]!
    return [code(field), says, limits.map(({ call }) => code(call)).join(', ')]
  })
  return table(['Field', 'Limit', 'In'], rows)
}

function limitsOfRequests(): Limit[] {
  const { components, paths } = documentOf('service', '') as unknown as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => boundsIn(schema, '', components))
      const named = parameters.flatMap(({ name, schema }) => boundsIn(schema, name, components))
      return [...named, ...bodies].map((bound) => ({ call: `${method.toUpperCase()} ${path}`, ...bound }))
    }),
  )
}

type Bound = Omit<Limit, 'call'>

function boundsIn(schema: JsonSchema, field: string, components: Document['components']): Bound[] {
  const { $ref, properties = {}, items, additionalProperties, propertyNames } = schema as Parts
  const within = (inner: JsonSchema | undefined, name: string) => (inner ? boundsIn(inner, name, components) : [])
  const dot = field === '' ? '' : `${field}.`
  return [
    ...Object.entries(WORDS).flatMap(([keyword, tell]) => {
      const says = keyword in schema ? tell(schema[keyword]) : undefined
      return says === undefined ? [] : [{ field, says }]
    }),
    ...within($ref === undefined ? undefined : components.schemas[$ref.split('/').at(-1)!], field),
    ...Object.entries(properties).flatMap(([name, inner]) => within(inner, `${dot}${name}`)),
    ...within(items, `${field}[]`),
    ...within(propertyNames, `${dot}<name>`),
    ...within(typeof additionalProperties === 'object' ? additionalProperties : undefined, `${dot}<value>`),
    ...['anyOf', 'allOf']
      .flatMap((keyword) => (schema[keyword] as JsonSchema[] | undefined) ?? [])
      .flatMap((one) => within(one, field)),
    ...['if', 'then', 'else'].flatMap((keyword) => within(schema[keyword] as JsonSchema | undefined, field)),
  ]
}

interface Parts {
  $ref?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
}
