import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '../../src/openapi/schema.ts'
import { operations } from '../../src/registry/api.ts'
import { broken, junk } from './broken.ts'
import type { Call, Interface } from './document.ts'
import { anyCharacter, valuesOf } from './values.ts'

/** A request whose ids are not filled in yet. */
export interface Draft {
  call: Call
  /** Path parameters by name, not yet encoded. */
  path: Record<string, string>
  query: [name: string, value: string][]
  headers: Record<string, string>
  /** Bytes, or JSON text. */
  body: Uint8Array | string | undefined
}

/**
 * A stream never ends, a stop ends all, a reset removes the records of other requests, limits refuse them, a file is not JSON,
 * and a million contacts take too long.
 */
const LEFT_OUT = [
  'events.stream',
  'logs.stream',
  'world.reset',
  'world.stop',
  'world.setRateLimits',
  'namespaces.reset',
  'snapshots.restore',
  'snapshots.import',
  'contacts.generate',
]

/** Replaces ids of messages by a mark; each request fills in an id that exists when it is sent. */
const seen = (text: string) => text.replace(/msg_00000000-0000-4000-8000-0*(\d+)/g, '{{MessageId $1}}')

/** Example bodies by operation id, which reach code that values made from schemas miss. */
const examples: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  operations.map(({ id, examples: all }) => [id, JSON.parse(seen(JSON.stringify(all))) as unknown[]]),
)

/**
 * Makes requests to every operation, in proportion to its examples: most as the document has them, some with one broken
 * part, some broken throughout.
 */
export function requestsOf(parts: readonly Interface[]): Arbitrary<Draft> {
  const all = parts.flatMap(({ calls, named }) =>
    calls
      .filter(({ id }) => !LEFT_OUT.includes(id))
      .map((call) => ({ arbitrary: requestTo(call, named), weight: 1 + (examples[call.id]?.length ?? 0) })),
  )
  return fc.oneof(...all)
}

const requestTo = (call: Call, named: Interface['named']): Arbitrary<Draft> =>
  fc.record({
    call: fc.constant(call),
    path: pathOf(call, named),
    query: queryOf(call, named),
    headers: headersOf(call),
    body: bodyOf(call, named),
  })

const mostly = <T>(usual: Arbitrary<T>, odd: Arbitrary<T>, oneIn = 8): Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: oneIn - 1 }, { arbitrary: odd, weight: 1 })

/** Objects are written as JSON, since they may have a toString of their own. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const ADDRESSES = ['+491713920050', '4917139200050', 'delivered@sandbox.test', 'DELIVERED@SANDBOX.TEST', 'magic-50']

const wild = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ minLength: 1, unit: anyCharacter }),
  junk.map(asText),
  fc.constantFrom(...ADDRESSES),
)

function pathOf({ parameters }: Call, named: Interface['named']): Arbitrary<Record<string, string>> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  return fc.record(
    Object.fromEntries(
      inPath.map(({ name, schema }) => [
        name,
        mostly(hintOf(name, schema) ?? valuesOf(schema, named).map(String), wild, schema.$ref ? 8 : 3),
      ]),
    ),
  )
}

/** Returns likely values for a field whose schema allows any text. */
function hintOf(name: string, { $ref }: JsonSchema): Arbitrary<string> | undefined {
  if ($ref) return undefined
  if (name === 'address' || name === 'phone') return fc.nat(20).map((n) => `{{PhoneNumber ${n}}}`)
  return name === 'id' ? fc.nat(20).map((n) => `{{ContactId ${n}}}`) : undefined
}

function queryOf({ parameters }: Call, named: Interface['named']): Arbitrary<[string, string][]> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = inQuery.map(({ name, schema }) =>
    fc.option(
      mostly(valuesOf(schema, named), junk).map((value): [string, string] => [name, asText(value)]),
      // Every second one is left out.
      { nil: undefined, freq: 2 },
    ),
  )
  const usual = fc.tuple(...pairs).map((all) => all.filter((pair) => pair !== undefined))
  // Unknown names, and names that come twice.
  const odd = fc
    .tuple(usual, fc.string(), junk)
    .map(([all, name, value]): [string, string][] => [...all, ...all.slice(0, 1), [name, asText(value)]])
  return mostly(usual, odd, 12)
}

const KEYS = [
  'Bearer sk_sandbox_default',
  'Bearer sk_sandbox_other',
  'Bearer sk_live_x',
  'Basic YQ==',
  'Bearer ',
  'bearer sk_sandbox_default',
]

const keys = mostly(fc.uuid(), fc.constantFrom('once', '', 'x'.repeat(255), 'x'.repeat(256)), 6)

const ODD_HEADERS = [
  ['Host', 'evil.example'],
  ['Origin', 'https://evil.example'],
  ['X-Request-Id', 'mine'],
  ['Content-Encoding', 'gzip'],
] as const

function headersOf({ parameters }: Call): Arbitrary<Record<string, string>> {
  const key = mostly(fc.constant(KEYS[0]), fc.constantFrom(...KEYS, undefined), 20)
  const type = mostly(
    fc.constant('application/json'),
    fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/json; charset=utf-16', undefined),
    30,
  )
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key')
  const idempotency = takesKey ? mostly(fc.constant(undefined), keys, 4) : fc.constant(undefined)
  const odd = mostly(fc.constant(undefined), fc.constantFrom(...ODD_HEADERS), 40)
  return fc.tuple(key, type, idempotency, odd).map(
    ([Authorization, contentType, idempotencyKey, more]) =>
      Object.fromEntries(
        Object.entries({
          Authorization,
          'Content-Type': contentType,
          'Idempotency-Key': idempotencyKey,
          ...(more ? { [more[0]!]: more[1] } : {}),
        }).filter(([, value]) => value !== undefined),
      ) as Record<string, string>,
  )
}

function bodyOf({ id, body }: Call, named: Interface['named']): Arbitrary<Draft['body']> {
  const uninvited = fc.constantFrom('{}', '{"a":1}', '[]', 'null', '{')
  if (!body) return mostly(fc.constant(undefined), uninvited, 20)
  // The example of the document is the first of those of the operation, or made of the schema.
  const good = [body.example, ...(examples[id]?.slice(1) ?? [])].filter((example) => example !== undefined)
  const near = good.map((example) => ({ arbitrary: exampleWith(body.schema, example, named), weight: 2 }))
  const valid = fc.oneof({ arbitrary: valuesOf(body.schema, named), weight: 2 }, ...near)
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    uninvited,
    fc.constant('['.repeat(50_000)),
    fc.constant(undefined),
  )
  return fc.oneof(
    { arbitrary: valid.map((value) => JSON.stringify(value)), weight: 6 },
    { arbitrary: broken(valid), weight: 4 },
    { arbitrary: bytes, weight: 1 },
  )
}

/** Changes some fields of an example, which by itself is nearly always accepted. */
function exampleWith(schema: JsonSchema, example: unknown, named: Interface['named']): Arbitrary<unknown> {
  const { properties = {} } = (schema.$ref ? named(schema.$ref as string) : schema) as {
    properties?: Record<string, JsonSchema>
  }
  const names = Object.keys(properties)
  if (names.length === 0) return fc.constant(example)
  const field = fc
    .constantFrom(...names)
    .chain((name) => valuesOf(properties[name]!, named).map((value) => [name, value] as const))
  const fields = fc.oneof(fc.constant([]), fc.array(field, { maxLength: 1 }), fc.array(field, { maxLength: 2 }))
  return fields.map((entries) => ({ ...(example as object), ...Object.fromEntries(entries) }))
}
