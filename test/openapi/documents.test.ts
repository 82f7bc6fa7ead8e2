import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { golden } from '../../scripts/openapi/fixtures.ts'
import { documentOf, operationsOf, type Part } from '../../src/openapi/document.ts'
import { operations } from '../../src/registry/api.ts'
import { targets } from '../../src/server/targets.ts'
import { catalogue } from '../../src/service/events/catalogue.ts'
import { problemsOf } from '../../src/words/operation.ts'
import { problems } from '../../src/words/problem.ts'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'

type Json = Record<string, never>
interface Operation {
  operationId: string
  security: Json[]
  'x-sandbox-choice'?: boolean
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Json }[]
  requestBody?: { content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, Response & { $ref?: string }>
}
interface Response {
  description: string
  headers: Json
  content?: Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: { error: string } }> }>
}
interface Marked {
  'x-sandbox-choice'?: boolean
  content?: Record<string, { examples?: Record<string, { 'x-sandbox-choice'?: boolean }> }>
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Json>; responses: Record<string, Response> }
}

const PARTS: Part[] = ['service', 'control']
const made = Object.fromEntries(PARTS.map((part) => [part, documentOf(part, 'http://localhost:7270')]))
const read = (part: Part) => made[part] as unknown as Document
const operationsIn = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
const responseIn = ({ components }: Document, { $ref, ...response }: Operation['responses'][string]): Response =>
  $ref ? components.responses[$ref.split('/').at(-1)!]! : (response as Response)

test('fixtures/openapi.json is up to date (npm run openapi writes it)', () => {
  const { file, text } = golden()
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('every route of the emulator is in one of the documents, but for pages, metrics and the documents themselves', () => {
  const documented = PARTS.flatMap((part) => operationsOf(part).map(({ operation }) => operation.id))
  const served = targets
  const left = served.filter(({ id }) => !documented.includes(id))
  expect(left.map(({ path }) => path).sort()).toEqual([
    '/',
    '/_sandbox/docs',
    '/_sandbox/doi/{token}',
    '/_sandbox/doi/{token}',
    '/_sandbox/metrics',
    '/_sandbox/openapi.json',
    '/docs',
    '/docs/{file}',
    '/inspector/{file}',
    '/openapi.json',
  ])
  expect(documented.filter((id) => !served.some((operation) => operation.id === id))).toEqual([])
})

test.each(PARTS)(
  'the %s document states for every operation who may call it, with which input, and the possible answers',
  (part) => {
    const document = read(part)
    expect(document.openapi).toBe('3.1.0')
    const stated = new Map(operationsIn(document).map((entry) => [entry.operation.operationId, entry]))
    for (const { operation } of operationsOf(part)) {
      const entry = stated.get(operation.id.replace('.', '_'))
      expect(entry, operation.id).toMatchObject({ path: operation.path, method: operation.method })
      const { responses, security, 'x-sandbox-choice': choice = false } = entry!.operation
      expect(choice, operation.id).toBe(operation.choice)
      expect(security.slice(0, 2)).toEqual(part === 'service' ? [{ apiKey: [] }] : [{ apiKey: [] }, {}])
      const codes = Object.entries(responses).flatMap(([status, response]) => {
        const { headers, content } = responseIn(document, response)
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining(
            // Of a request that Node cannot read, no key is known.
            part === 'service' && status !== '408' && status !== '431'
              ? ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
              : ['X-Request-Id'],
          ),
        )
        if (status === '431') expect(Object.keys(headers)).toEqual(['X-Request-Id'])
        return Object.keys(content?.['application/json']?.examples ?? {}).map((code) => [code, Number(status)])
      })
      expect(Object.fromEntries(codes), operation.id).toEqual(
        Object.fromEntries([...problemsOf(operation)].map((code) => [code, problems[code].status])),
      )
    }
  },
)

test.each(PARTS)('refusals of the %s document that can end say when to try again, in body and headers', (part) => {
  const document = read(part)
  for (const { operation } of operationsIn(document))
    for (const status of ['429', '503'])
      for (const response of [operation.responses[status] ?? []].flat()) {
        const { headers, content } = responseIn(document, response)
        expect(Object.keys(headers), `${operation.operationId} ${status}`).toContain('Retry-After')
        expect(JSON.stringify(content!['application/json']!.schema)).toContain('"retry_after"')
      }
})

test('large records that several answers share have a name, so that clients get one type for them', () => {
  const places = new Map<string, string[]>()
  for (const [place, { description: _, ...schema }] of schemasIn(read('control'))) {
    const text = JSON.stringify(schema)
    if (!place.includes('/requestBody/') && (schema.oneOf || schema.properties) && text.length > 1_600)
      places.set(text, [...(places.get(text) ?? []), place])
  }
  expect([...places.values()].filter((those) => those.length > 1)).toEqual([])
})

test.each(PARTS)('every parameter of the %s document is described', (part) => {
  for (const { operation } of operationsIn(read(part)))
    for (const { name, description } of operation.parameters ?? [])
      expect(description, `${operation.operationId} ${name}`).toMatch(/\.$/)
})

/** Where a schema has a field that nothing describes. */
function undescribed(schema: Json, where: string, schemas: Record<string, Json>): string[] {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
  } = schema as Record<string, Json[] & Json>
  const named = ({ $ref }: Json) => ($ref ? schemas[String($ref).split('/').at(-1)!] : undefined)
  const isDescribed = (field: Json): boolean =>
    Boolean(field.description ?? named(field)?.description) ||
    ((field.anyOf as unknown as Json[] | undefined) ?? []).some(isDescribed)
  return [
    ...Object.entries(properties as Json).flatMap(([name, field]) => [
      ...(isDescribed(field) ? [] : [`${where}.${name}`]),
      ...undescribed(field, `${where}.${name}`, schemas),
    ]),
    ...[items, additionalProperties, ...anyOf, ...oneOf].flatMap((inner) =>
      typeof inner === 'object' ? undescribed(inner, where, schemas) : [],
    ),
  ]
}

test.each(PARTS)('every field of the %s document is described', (part) => {
  const { paths, webhooks = {}, components } = read(part)
  const bodies = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((one) => Object.values(one?.content ?? {}))
        .map(({ schema }) => [`${method} ${path}`, schema] as const),
    ),
  )
  const all = [...Object.entries(components.schemas), ...bodies]
  expect(all.length).toBeGreaterThan(60)
  expect(all.flatMap(([where, schema]) => undescribed(schema, where, components.schemas))).toEqual([])
})

test('what the interface leaves open is marked: fields of email events, statuses of success, codes it does not name', () => {
  const { components, paths } = read('service')
  const { properties } = components.schemas.EmailBouncedData as unknown as { properties: Record<string, Json> }
  expect(Object.values(properties).every((field) => field['x-sandbox-choice'])).toBe(true)
  const responsesOf = (path: string) => paths[path]!.post!.responses as unknown as Record<string, Marked>
  expect(responsesOf('/v1/messages')['200']!['x-sandbox-choice']).toBe(true)
  expect(responsesOf('/v1/campaigns/{id}/trigger')['202']!['x-sandbox-choice']).toBeUndefined()
  const { examples = {} } = responsesOf('/v1/messages')['422']!.content!['application/json']!
  const stated = Object.entries(examples).filter(([, example]) => !example['x-sandbox-choice'])
  expect(stated.map(([code]) => code)).toEqual(['missing_consent'])
})

test.each(PARTS)('every example in the %s document is valid', (part) => {
  const document = JSON.parse(
    JSON.stringify(read(part)).replaceAll('"#/components/', '"document#/components/'),
  ) as Document
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
  ajv.addSchema({ $id: 'document', components: document.components })
  // Hundreds of answers have the same schema, and compiling one takes longer than all its checks.
  const compiled = new Map<string, ValidateFunction>()
  const check = (schema: Json, example: unknown, where: string) => {
    const text = JSON.stringify(schema)
    const isValid = compiled.get(text) ?? ajv.compile(schema)
    compiled.set(text, isValid)
    expect(isValid(example) ? [] : isValid.errors, where).toEqual([])
  }
  for (const { operation } of [
    ...operationsIn(document),
    ...Object.values(document.webhooks ?? {}).map(({ post }) => ({ operation: post })),
  ]) {
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {}))
      if (example !== undefined) check(schema, example, operation.operationId)
    for (const response of Object.values(operation.responses))
      for (const { schema, example, examples = {} } of Object.values(responseIn(document, response).content ?? {})) {
        if (example !== undefined) check(schema, example, `${operation.operationId} answer`)
        for (const [code, { value }] of Object.entries(examples))
          check(schema, value, `${operation.operationId} ${code}`)
      }
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const example of (schema.examples as unknown as unknown[] | undefined) ?? []) check(schema, example, name)
})

test('the service document has a webhook for every event of the catalogue, with its signature', () => {
  const { webhooks = {} } = read('service')
  expect(Object.keys(webhooks)).toEqual(Object.keys(catalogue))
  for (const { post } of Object.values(webhooks))
    expect(post.parameters).toContainEqual(
      expect.objectContaining({ name: 'X-Service-Signature', in: 'header', required: true }),
    )
})

test('the emulator answers its documents without a key, with its own address as the server', async () => {
  await using sandbox = await createSandbox()
  for (const [path, part] of [
    ['/openapi.json', 'service'],
    ['/_sandbox/openapi.json', 'control'],
  ] as const) {
    const { status, headers, json } = await ask(sandbox, 'GET', path, { headers: { Authorization: undefined } })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json' })
    expect(json).toEqual(JSON.parse(JSON.stringify(made[part]).replaceAll('http://localhost:7270', sandbox.url)))
  }
})

test('every example of a body is accepted unchanged', () => {
  const examples = operations.flatMap(({ id, body, examples: all = [] }) =>
    all.map((example) => ({ id, body, example })),
  )
  expect(examples.length).toBeGreaterThan(20)
  for (const { id, body, example } of examples)
    expect(body?.safeParse(example).error?.message, `${id} ${JSON.stringify(example)}`).toBeUndefined()
})

/** Every schema in a document, with its place. */
function* schemasIn(value: unknown, place = ''): Generator<[place: string, schema: Record<string, unknown>]> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [place, value as Record<string, unknown>]
  for (const [name, inner] of Object.entries(value)) yield* schemasIn(inner, `${place}/${name}`)
}

test('alternatives and enums are complete on their own, for client generators', () => {
  const LIMITS = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum']
  const unfit = PARTS.flatMap((part) =>
    [...schemasIn(made[part])].filter(
      ([, schema]) =>
        (Array.isArray(schema.anyOf) && [...LIMITS, 'type'].some((name) => name in schema)) ||
        (Array.isArray(schema.enum) && LIMITS.some((name) => name in schema)),
    ),
  )
  expect(unfit.map(([place]) => place)).toEqual([])
})

test('the needs of a send are also alternatives, because generators of TypeScript ignore conditions', () => {
  const { allOf } = read('service').components.schemas.SendRequest as unknown as {
    allOf: { anyOf?: { required: string[] }[] }[]
  }
  const [alternatives] = allOf.flatMap(({ anyOf }) => (anyOf ? [anyOf] : []))
  expect(alternatives!.map(({ required }) => required)).toEqual([
    ['agent_id', 'message_type', 'traffic_type'],
    ['channel_id'],
  ])
})

test('the example of a send is one that the service could give', () => {
  const document = read('service')
  const { operation } = operationsIn(document).find(({ operation }) => operation.operationId === 'messages_send')!
  const { content } = responseIn(document, operation.responses['200']!)
  const { example } = content!['application/json'] as unknown as { example: { billing: object } }
  expect(example.billing).toMatchObject({ channel: 'RCS', hold_amount: 0.05, tier: { channel: 'RCS', volume_used: 1 } })
})

test('only a top-up is refused with the balance and its maximum', () => {
  const { paths } = read('service')
  const answers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ responses }) => [path, JSON.stringify(responses)] as const),
  )
  expect(answers.filter(([, text]) => text.includes('max_balance')).map(([path]) => path)).toEqual([
    '/v1/billing/topup',
  ])
})
