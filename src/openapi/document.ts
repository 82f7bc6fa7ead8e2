import { nouns, operations } from '../registry/api.ts'
import { isControl, type Operation, placeOf } from '../words/operation.ts'
import { VERSION } from '../words/version.ts'
import { webhooksOf } from './events.ts'
import { operationObject } from './operations.ts'
import { commonResponses, headers } from './responses.ts'
import { collectSchemas, type JsonSchema } from './schema.ts'

/** `service`: routes under /v1; `control`: routes under /_sandbox. */
export type Part = 'service' | 'control'

const ABOUT: Record<Part, { title: string; description: string }> = {
  service: {
    title: 'Messaging service',
    description: `RCS and email messaging, as emulated by the sandbox.

Where the interface of the service leaves a point open, the sandbox made a choice: such operations and fields have \`x-sandbox-choice: true\`.

Every answer carries \`X-Request-Id\`, and the three \`X-RateLimit-*\` headers unless the request is not valid HTTP. Bodies are strict: an unknown field is refused. A path that does not exist is a 404 \`not_found\`; a method that a path does not have is a 405 \`method_not_allowed\` with \`Allow\`.`,
  },
  control: {
    title: 'Control plane of the messaging sandbox',
    description: `What the dashboard of the service, its users and time do: clock, handsets, inbox, event log.

The API key selects the world (default: \`sk_sandbox_default\`). Web pages of other origins are refused.`,
  },
}

/** The operations of a part with their nouns, in the order of the registry. */
export function operationsOf(part: Part): { noun: string; operation: Operation }[] {
  const ofPart = operations.filter((operation) => isControl(operation) === (part === 'control'))
  const byNoun = Map.groupBy(ofPart, (operation) => placeOf(operation).noun)
  return nouns.flatMap(({ name }) => (byNoun.get(name) ?? []).map((operation) => ({ noun: name, operation })))
}

/** Builds the OpenAPI 3.1 document of a part for the server at `baseUrl`. */
export function documentOf(part: Part, baseUrl: string): JsonSchema {
  const schemas = collectSchemas({ defaultsInWords: true })
  const entries = operationsOf(part)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const { noun, operation } of entries)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationObject(operation, noun, schemas) }
  const responses = commonResponses(entries[0]!.operation.path, schemas)
  const webhooks = part === 'service' ? { webhooks: webhooksOf(schemas) } : {}
  return {
    openapi: '3.1.0',
    info: { ...ABOUT[part], version: VERSION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: serversAt(baseUrl),
    tags: nouns
      .filter(({ name }) => entries.some(({ noun }) => noun === name))
      .map(({ name, summary }) => ({ name, description: `${summary}.` })),
    security: [{ apiKey: [] }],
    paths,
    ...webhooks,
    components: {
      securitySchemes: schemesOf(part),
      headers: headersOf(part),
      responses,
      schemas: sorted(schemas.components),
    },
  }
}

export const serversAt = (baseUrl: string) => [{ url: baseUrl, description: 'This sandbox' }]

const apiKey = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'sk_sandbox_<namespace>',
  description: 'Each namespace (1 to 64 of a-z, 0-9, - and _) is an isolated world, created on first use.',
}

const controlToken = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Sandbox-Token',
  description:
    'Required if other machines can reach the sandbox (sandbox start --host), or if it was started with a control token. The sandbox prints a token that it generates.',
}

const schemesOf = (part: Part) => (part === 'service' ? { apiKey } : { apiKey, controlToken })

/** The control plane has neither rate limits nor idempotency. */
const OF_CONTROL = ['X-Request-Id', 'WWW-Authenticate', 'Retry-After', 'Content-Disposition'] as const

const headersOf = (part: Part) =>
  part === 'service' ? headers : Object.fromEntries(OF_CONTROL.map((name) => [name, headers[name]]))

const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
