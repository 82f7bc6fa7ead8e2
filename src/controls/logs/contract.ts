import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Address } from '../../words/address.ts'
import { Heartbeat } from '../../words/heartbeat.ts'
import { Timestamp } from '../../words/ids.ts'
import { LogId, logQuery, logRange, Seq } from '../../words/log-page.ts'
import { operation } from '../../words/operation.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { Since } from '../../words/since.ts'
import { suggest } from '../../words/suggest.ts'
import { checkedText } from '../../words/text.ts'

export const about: About = {
  name: 'logs',
  group: 'Emulator',
  summary: 'Show the requests that the sandbox answered',
}

/** The requests that a world has answered: list, follow, show. Only a sandbox shows them. */

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

const Status = z
  .string()
  .regex(
    /^[1-5](xx|\d\d)(,[1-5](xx|\d\d))*$/i,
    'must be a status such as 404, a class such as 4xx, or several with commas',
  )
  .transform((text) => text.toLowerCase().split(','))
  .meta({ example: '4xx' })

const ErrorCode = checkedText('unknown_error', (code) =>
  Object.hasOwn(problems, code)
    ? undefined
    : `unknown error code "${code.slice(0, 100)}"${suggest(code, Object.keys(problems))}`,
)
  .transform((code) => code as ProblemCode)
  .meta({ example: 'missing_consent' })

const Method = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(METHODS))
  .meta({ enum: METHODS })

const LogFilter = {
  status: Status.optional().describe('Status of the answer, such as 429, or a class, such as 4xx.'),
  method: Method.optional().describe('HTTP method.'),
  path: z
    .string()
    .max(500)
    .regex(/^[/]/, 'must begin with /')
    .optional()
    .describe('Start of the path, such as /v1/messages.'),
  operation: z.string().max(100).optional().describe('Id of the operation, such as messages.send.'),
  to: Address.optional().describe('Recipient of the send: a phone number or an email address.'),
  error: ErrorCode.optional().describe('Error code of the refusal.'),
  request_id: z.string().max(100).optional().describe('X-Request-Id of the answer.'),
}

export type RequestFilter = z.output<z.ZodObject<typeof LogFilter>>

const position = logQuery('requests')
const Full = z
  .enum(['true', 'false'])
  .optional()
  .describe('Include headers and bodies. Secrets are redacted and long bodies truncated.')

const Body = z.strictObject({
  headers: z.record(z.string(), z.string()).describe('Headers in lower case, secrets redacted.'),
  body: z.string().nullable().describe('Body as text, secrets redacted; null without a body or for binary data.'),
  bytes: z.int().min(0).describe('Length of the whole body.'),
  truncated: z.boolean().describe('Whether the body was truncated.'),
})

const Summary = z.strictObject({
  seq: Seq,
  request_id: z.string().describe('The X-Request-Id of the answer.'),
  at: Timestamp.describe("Time of the request on the world's clock."),
  machine_at: Timestamp.describe("Time of the request on the machine's clock; it differs between runs."),
  duration_ms: z.number().describe("Duration on the machine's clock; it differs between runs."),
  method: z.string().describe('HTTP method of the request.'),
  path: z.string().describe('Path of the request, with its query.'),
  operation: z.string().nullable().describe('Id of the operation, or null if no operation matches.'),
  to: z.string().nullable().describe('Recipient of a send, as written; null for other requests.'),
  status: z.int().nullable().describe('Status of the answer, or null if the connection ended before it.'),
  error: z.string().nullable().describe('Error code of a refusal.'),
  message: z.string().nullable().describe('Message of a refusal, secrets redacted.'),
  idempotency_key: z.string().nullable().describe('Idempotency key of the header or the body, or null.'),
  replayed: z.boolean().describe('Whether an earlier answer was repeated.'),
  fault: z.string().nullable().describe('Id of the fault that made this answer.'),
})

const Exchange = Summary.extend({
  request: Body.describe('The request.'),
  response: Body.describe('The response.'),
}).meta({ id: 'RecordedRequest', description: 'A recorded request and its response.' })

/** One request of a list; `request` and `response` with `full` only. */
const Listed = Summary.extend({
  request: Body.optional().describe('The request; only with full=true.'),
  response: Body.optional().describe('The response; only with full=true.'),
})

export const listLogs = operation({
  id: 'logs.list',
  summary: 'List recorded requests, oldest first',
  details: 'Without after, the answer holds the newest requests.',
  call: 'GET /_sandbox/requests',
  access: 'namespace',
  query: z.strictObject({
    ...LogFilter,
    ...position,
    since: Since.optional(),
    full: Full,
  }),
  problems: ['not_found'],
  output: z.strictObject({
    requests: z.array(Listed).describe('Requests in order of arrival.'),
    has_more: z.boolean().describe('Whether more requests match: older ones, or newer ones with after.'),
    total: z.int().describe('Total number of matching requests in the log.'),
    ...logRange('requests'),
  }),
  isUnrecorded: true,
})

export const streamLogs = operation({
  id: 'logs.stream',
  summary: 'Follow recorded requests as server-sent events',
  details: 'The stream continues after Last-Event-ID or after; without both it starts with the next request.',
  call: 'GET /_sandbox/requests/stream',
  access: 'namespace',
  query: z.strictObject({
    ...LogFilter,
    after: position.after,
    since: Since.optional(),
    full: Full,
    heartbeat: Heartbeat.optional(),
    log: LogId.optional(),
  }),
  output: z.string(),
  problems: ['not_found'],
  media: 'text/event-stream',
  isUnrecorded: true,
})

export const showLog = operation({
  id: 'logs.show',
  summary: 'Show a recorded request and its response',
  details: 'Headers and bodies are included.',
  call: 'GET /_sandbox/requests/{id}',
  access: 'namespace',
  params: {
    id: z
      .string()
      .min(1)
      .describe('X-Request-Id of the request, or its position in the log.')
      .meta({ example: 'req_00000000-0000-4000-8000-000000000001' }),
  },
  output: Exchange,
  isUnrecorded: true,
})

export const clearLogs = operation({
  id: 'logs.clear',
  summary: 'Clear the request log',
  call: 'DELETE /_sandbox/requests',
  access: 'namespace',
  output: z.strictObject({ cleared: z.int().min(0).describe('Number of requests removed.') }),
  isUnrecorded: true,
})
