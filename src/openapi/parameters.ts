import { z } from 'zod'
import { AgentId, CampaignId, ConsentId, EventId, IdempotencyUuid, MessageId, WebhookId } from '../words/ids.ts'
import { type Operation, pathNames } from '../words/operation.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

type Described = readonly [description: string, schema?: z.ZodType]

const Contact: Described = ['Id of the contact, or its external_id, which never begins with c_.']
const Agent: Described = ['Id of the agent.', AgentId]
const Campaign: Described = ['Id of the campaign.', CampaignId]

/** What stands in a path, by the path up to there. */
const PATH_PARAMETERS: Readonly<Record<string, Described>> = {
  '/v1/contacts/{id}': Contact,
  '/v1/contacts/{id}/consent/{record_id}': ['Id of the consent record.', ConsentId],
  '/v1/messages/{id}': ['Id of the message.', MessageId],
  '/v1/rcs/agents/{id}': Agent,
  '/v1/campaigns/{id}': Campaign,
  '/v1/webhooks/{id}': ['Id of the endpoint.', WebhookId],
  '/v1/billing/invoices/{id}': ['Id of the invoice.'],
  '/_sandbox/agents/{id}': Agent,
  '/_sandbox/campaigns/{id}': Campaign,
  '/_sandbox/contacts/{id}': Contact,
  '/_sandbox/contacts/{id}/consent/{record_id}': ['Id of the consent record.', ConsentId],
  '/_sandbox/events/{id}': ['Id of the event.', EventId],
  '/_sandbox/events/cursors/{name}': ['Name of the reader.', z.string().regex(/^[\w.-]{1,64}$/)],
  '/_sandbox/handsets/{phone}': ['Phone number in international format; its + may be left out.'],
  '/_sandbox/carriers/{name}': ['Name of the carrier.'],
  '/_sandbox/mailboxes/{address}': ['Email address, in any case.'],
  '/_sandbox/namespaces/{name}': ['Name of the namespace: what follows sk_sandbox_ in its key.'],
  '/_sandbox/snapshots/{name}': ['Name of the snapshot.', z.string().regex(/^[a-z0-9_-]{1,64}$/)],
  '/_sandbox/inbox/{address}': ['Phone number in international format, or email address.'],
}

export function parametersOf(operation: Operation, schemas: Schemas): JsonSchema[] {
  return [
    ...pathNames(operation.path).map((name) => pathParameter(operation.path, name, schemas)),
    ...queryParameters(operation, schemas),
    ...(operation.idempotency ? [idempotencyKey(operation.idempotency, schemas)] : []),
  ]
}

function pathParameter(path: string, name: string, schemas: Schemas): JsonSchema {
  const until = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2)
  const [description, schema = z.string().min(1)] = PATH_PARAMETERS[until] ?? [`The ${name}, as in ${until}.`]
  return { name, in: 'path', required: true, description, schema: schemas.of(schema) }
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
  uuid: ['A UUID. The same key again repeats the first answer for 24 hours, and nothing else.', IdempotencyUuid],
  text: ['Up to 255 characters. The same key again repeats the first answer for 24 hours.', z.string().min(1).max(255)],
} as const

function idempotencyKey(format: keyof typeof KEYS, schemas: Schemas): JsonSchema {
  const [description, schema] = KEYS[format]
  return { name: 'Idempotency-Key', in: 'header', required: false, description, schema: schemas.of(schema) }
}
