import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { requireChange } from '../../words/change.ts'
import { notBoth, rule, withRules } from '../../words/field-conditions.ts'
import { Timestamp, WebhookId } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { PageFields, PageQuery } from '../../words/page.ts'
import { text } from '../../words/text.ts'
import { EventNamePattern } from '../events/patterns.ts'
import { EndpointUrl } from './address.ts'

export const about: About = { name: 'webhooks', group: 'Webhooks', summary: 'Manage the endpoints that receive events' }

const Events = z
  .array(EventNamePattern)
  .min(1)
  .refine((events) => new Set(events).size === events.length, {
    error: 'names an event twice',
    params: { code: 'duplicate' },
  })
  .meta({ uniqueItems: true })
  .describe('Events to deliver: names, families such as message.*, or * for all.')

const Secret = text(255, 1).describe(
  'Signing secret; the whole text is the key (default: whsec_ and 32 random characters).',
)
const Description = text(500).nullable().optional().describe('Description of the endpoint.')

export const EndpointInput = z
  .strictObject({
    url: EndpointUrl,
    events: Events,
    secret: Secret.optional(),
    description: Description,
  })
  .meta({ example: { url: 'http://localhost:3000/webhooks', events: ['message.*'] } })

/** An endpoint of a world file. */
export const EndpointSeed = EndpointInput.extend({
  id: WebhookId.optional().describe('Id of the endpoint (default: generated).'),
})

const Endpoint = z
  .strictObject({
    id: WebhookId,
    url: z.string().describe('URL that receives events by POST.'),
    events: z.array(EventNamePattern).describe('Events to deliver.'),
    description: z.string().nullable().describe('Description of the endpoint.'),
    status: z.literal('ACTIVE').describe('Status of the endpoint: it receives events.'),
    created_at: Timestamp.describe('Time of creation.'),
    updated_at: Timestamp.describe('Time of the last change.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A URL that receives events.' })

const params = { id: WebhookId.describe('Id of the endpoint.') }

export const createWebhook = operation({
  id: 'webhooks.create',
  section: '4.5',
  summary: 'Register a webhook endpoint',
  call: 'POST /v1/webhooks',
  body: EndpointInput,
  output: Endpoint.extend({ secret: z.string().describe('Signing secret; shown on creation and rotation only.') }),
  status: 201,
  choice: true,
})

export const listWebhooks = operation({
  id: 'webhooks.list',
  section: '4.5',
  summary: 'List webhook endpoints, newest first',
  call: 'GET /v1/webhooks',
  query: z.strictObject(PageQuery),
  output: z.strictObject({ data: z.array(Endpoint).describe('Endpoints, newest first.'), ...PageFields }),
  choice: true,
})

export const updateWebhook = operation({
  id: 'webhooks.update',
  section: '4.5',
  summary: 'Change a webhook endpoint or rotate its secret',
  call: 'PATCH /v1/webhooks/{id}',
  params,
  body: withRules(
    requireChange(
      EndpointInput.partial().extend({
        rotate_secret: z
          .literal(true)
          .optional()
          .describe('Rotate the secret. The old secret becomes invalid immediately.'),
      }),
    ),
    rule(notBoth('secret', 'rotate_secret'), {
      field: 'rotate_secret',
      code: 'conflict',
      message: 'cannot be combined with secret',
    }),
  ).meta({ example: { description: 'Of the shop' } }),
  output: Endpoint.extend({ secret: z.string().optional().describe('Signing secret; only after a change.') }),
  choice: true,
})

export const deleteWebhook = operation({
  id: 'webhooks.delete',
  section: '4.5',
  summary: 'Delete a webhook endpoint',
  details: 'Its pending deliveries are cancelled.',
  call: 'DELETE /v1/webhooks/{id}',
  params,
  output: z.undefined(),
  status: 204,
  choice: true,
})

export const testWebhook = operation({
  id: 'webhooks.test',
  section: '4.5',
  summary: 'Send a test event to a webhook endpoint',
  details: 'The event webhook.test is sent once, immediately and without retries.',
  call: 'POST /v1/webhooks/{id}/test',
  params,
  output: z.strictObject({
    delivered: z.boolean().describe('Whether the receiver answered 2xx in time.'),
    status_code: z.int().nullable().describe('HTTP status of the answer, or null without an answer.'),
    duration_ms: z.int().describe("Duration on the machine's clock; 0 with a frozen clock."),
    error: z.string().nullable().describe('Reason of the failure, or null.'),
  }),
  choice: true,
})
