import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/openapi/schema.ts'
import { decided, hasConditions } from './conditions.ts'

/** Marks for existing ids and addresses: `{{AgentId 3}}` is filled in when the request is sent. */
export const SEEN = /\{\{(\w+) (\d+)\}\}/g

const seen = (kind: string) => fc.nat(20).map((n) => `{{${kind} ${n}}}`)

/** Nothing leaves this machine, and nobody listens on the port. */
const urls = fc.constantFrom(
  'http://127.0.0.1:9/hook',
  'http://localhost:9/',
  'https://127.0.0.1:9/x?y=%20',
  'http://[::1]:9/',
)

/** Halves of a pair of code units, which are no characters. */
const HALVES = { first: 0xd800, count: 0x800 }

/** Any character, without the table of all of them that fast-check makes for its own unit: it takes a second. */
export const anyCharacter = fc
  .nat(0x10ffff - HALVES.count)
  .map((n) => String.fromCodePoint(n < HALVES.first ? n : n + HALVES.count))

const KINDS = /^(Contact|Message|Agent|Consent|Channel|Template|Event|Campaign|Webhook)Id$|^PhoneNumber$|^CarrierName$/

type Named = (reference: string) => JsonSchema

/** Arbitraries by schema: schemas repeat, and an arbitrary is slow to make. */
const made = new WeakMap<JsonSchema, Arbitrary<unknown>>()

/** Values that a schema allows, its edges among them. */
export function valuesOf(schema: JsonSchema, named: Named): Arbitrary<unknown> {
  const arbitrary = made.get(schema) ?? make(schema, named)
  made.set(schema, arbitrary)
  return arbitrary
}

function make(schema: JsonSchema, named: Named): Arbitrary<unknown> {
  const {
    $ref,
    enum: choices,
    anyOf,
    oneOf,
  } = schema as { $ref?: string; enum?: unknown[]; anyOf?: JsonSchema[]; oneOf?: JsonSchema[] }
  if ($ref) {
    const kind = $ref.split('/').at(-1)!
    const any = valuesOf(named($ref), named)
    return KINDS.test(kind) ? fc.oneof({ arbitrary: seen(kind), weight: 8 }, { arbitrary: any, weight: 1 }) : any
  }
  if (hasConditions(schema)) return decided(schema, named).chain((one) => make(one, named))
  if ('const' in schema) return fc.constant(schema.const)
  if (choices) return fc.constantFrom(...choices)
  const branches = anyOf ?? oneOf
  if (branches) return fc.oneof(...branches.map((branch) => valuesOf(branch, named)))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type }, named)))
  return ofType(schema, named)
}

function ofType(schema: JsonSchema, named: Named): Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return numbers(schema, (min, max) => fc.integer({ min, max }))
    case 'number':
      return numbers(schema, (min, max) =>
        fc
          .integer({ min: Math.ceil(min), max: Math.floor(max) })
          .map((n) => n / (schema.type === 'number' ? 10_000 : 1)),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return list(schema, named)
    case 'object':
      return record(schema, named)
    default:
      return fc.jsonValue({ maxDepth: 2 }).map(withExactNumbers)
  }
}

/** JSON numbers beyond 2^53 are refused, wherever they stand. */
const withExactNumbers = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'number' && !Number.isSafeInteger(Math.trunc(inner)) ? 1e9 : inner,
    ),
  )

interface Text {
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  examples?: string[]
}

function text(schema: JsonSchema): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 200, examples = [] } = schema as Text
  if (format === 'uri') return urls
  if (format === 'email') return fc.emailAddress({ size: 'small' })
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('2025-12-01'), max: new Date('2026-03-01') })
      .map((date) => date.toISOString())
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 40) }
  const free = pattern
    ? matching(pattern).filter((value) => value.length >= minLength && value.length <= maxLength)
    : fc.oneof(
        fc.string(length),
        fc.string({ ...length, unit: anyCharacter }).filter((value) => [...value].length >= minLength),
      )
  if (examples.length > 0) return fc.oneof(fc.constantFrom(...examples), free)
  if (pattern || maxLength > 10_000) return free
  return fc.oneof(
    { arbitrary: free, weight: 8 },
    { arbitrary: fc.constantFrom('x', '\u{1f600}').map((unit) => unit.repeat(maxLength)), weight: 1 },
  )
}

const patterns = new Map<string, Arbitrary<string>>()

function matching(pattern: string): Arbitrary<string> {
  const arbitrary = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  patterns.set(pattern, arbitrary)
  return arbitrary
}

function numbers(schema: JsonSchema, between: (min: number, max: number) => Arbitrary<number>): Arbitrary<number> {
  const {
    minimum: min = -1_000_000,
    maximum: max = 1_000_000,
    examples = [],
  } = schema as { minimum?: number; maximum?: number; examples?: number[] }
  const free = fc.oneof(between(min, Math.min(max, min + 300)), between(min, max), fc.constantFrom(min, max))
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), free) : free
}

function list(schema: JsonSchema, named: Named): Arbitrary<unknown[]> {
  const {
    items = {},
    minItems = 0,
    maxItems = 20,
  } = schema as { items?: JsonSchema; minItems?: number; maxItems?: number }
  const short = fc.array(valuesOf(items, named), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
  const full = valuesOf(items, named).map((item) => new Array(maxItems).fill(item))
  return maxItems > 20 ? short : fc.oneof({ arbitrary: short, weight: 8 }, { arbitrary: full, weight: 1 })
}

/** Offers existing addresses for `to`, whose schema allows any text. */
function fieldOf(name: string, schema: JsonSchema, named: Named): Arbitrary<unknown> {
  const values = valuesOf(schema, named)
  if (name !== 'to') return values
  return fc.oneof(seen('PhoneNumber'), fc.constantFrom('delivered@sandbox.test', 'bounced@sandbox.test'), values)
}

function record(schema: JsonSchema, named: Named): Arbitrary<unknown> {
  const {
    properties = {},
    additionalProperties,
    propertyNames = { type: 'string' },
  } = schema as {
    properties?: Record<string, JsonSchema>
    additionalProperties?: JsonSchema | boolean
    propertyNames?: JsonSchema
  }
  const declared = fields(schema, (names, requiredKeys) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fieldOf(name, properties[name]!, named)])), {
      requiredKeys,
    }),
  )
  if (typeof additionalProperties !== 'object') return declared
  const more = fc.dictionary(
    valuesOf(propertyNames, named) as Arbitrary<string>,
    valuesOf(additionalProperties, named),
    { maxKeys: 4 },
  )
  return fc.tuple(more, declared).map(([a, b]) => ({ ...a, ...b }))
}

type Fields = (names: string[], required: string[]) => Arbitrary<Record<string, unknown>>

/** Chooses the required fields and as many others as the schema allows. */
function fields(schema: JsonSchema, of: Fields): Arbitrary<Record<string, unknown>> {
  const { properties = {}, required: demanded = [] } = schema as { properties?: object; required?: string[] }
  const names = Object.keys(properties)
  // Decided conditions may contradict each other.
  const required = demanded.filter((name) => names.includes(name))
  const { minProperties: min = 0, maxProperties: max = names.length } = schema as Record<
    'minProperties' | 'maxProperties',
    number | undefined
  >
  if (min <= required.length && max >= names.length) return of(names, required)
  const others = names.filter((name) => !required.includes(name))
  const atLeast = Math.max(0, min - required.length)
  return fc
    .subarray(others, { minLength: Math.min(atLeast, others.length), maxLength: Math.min(max, others.length) })
    .chain((more) => of([...required, ...more], [...required, ...more]))
}
