import { type CatalogueEntry, catalogue, type EventName, eventNames } from '../service/events/catalogue.ts'
import { eventEnvelopes } from '../service/events/envelope.contract.ts'
import { idOf } from './operations.ts'
import { CHOICE, type JsonSchema, type Schemas } from './schema.ts'

const HEADERS = {
  'X-Service-Signature': [
    'sha256= and the HMAC-SHA256 of the raw body in lower-case hex, with the whole secret of the endpoint as key. Verify it before you parse the body.',
    { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  ],
  'X-Service-Event-Id': ['Id of the event, as in the body.', { $ref: '#/components/schemas/EventId' }],
  'X-Service-Delivery-Attempt': ['Number of the attempt, from 1.', { type: 'integer', minimum: 1 }],
} as const

/** The webhooks of the document (interface §6): one for every event of the catalogue. */
export const webhooksOf = (schemas: Schemas): Record<string, JsonSchema> =>
  Object.fromEntries(eventNames.map((name) => [name, { post: delivery(name, schemas) }]))

function delivery(name: EventName, schemas: Schemas): JsonSchema {
  const { summary, choice }: CatalogueEntry = catalogue[name]
  return {
    operationId: idOf(`event.${name}`),
    tags: ['webhooks'],
    summary,
    ...(choice ? CHOICE : {}),
    security: [],
    parameters: Object.entries(HEADERS).map(([header, [description, schema]]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      ...CHOICE,
      schema,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.of(eventEnvelopes[name]), example: eventExample(name) } },
    },
    responses: {
      '2XX': {
        description:
          'Event received. Any other answer, or none within 5 s, is a failure, and the sandbox retries the delivery.',
      },
    },
  }
}

/** An event as sent, with the catalogue's example. */
export const eventExample = (name: EventName) => ({
  id: 'evt_00000000-0000-4000-8000-000000000001',
  event: name,
  timestamp: '2026-01-01T00:00:00.000Z',
  data: catalogue[name].example,
})
