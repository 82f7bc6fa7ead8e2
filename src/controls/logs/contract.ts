import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Heartbeat } from '../../words/heartbeat.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { wholeNumber } from '../../words/page.ts'
import { type ProblemCode, problems } from '../../words/problem.ts'
import { Since } from '../../words/since.ts'
import { suggest } from '../../words/suggest.ts'

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

const ErrorCode = z
  .string()
  .check(({ value, issues }) => {
    if (Object.hasOwn(problems, value)) return
    const hint = suggest(value, Object.keys(problems))
    const message = `there is no error code "${value.slice(0, 100)}"${hint}`
    issues.push({ code: 'custom', input: value, message, params: { code: 'unknown_error' } })
  })
  .transform((code) => code as ProblemCode)
  .meta({ example: 'missing_consent' })

const Method = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(METHODS))
  .meta({ enum: METHODS })

const Seq = z.int().min(0).describe('Position in the log; rises with every request.')

export const LogFilter = {
  status: Status.optional().describe('Answered with this status, or one of this class.'),
  method: Method.optional().describe('Made with this method.'),
  path: z
    .string()
    .max(500)
    .regex(/^[/]/, 'must begin with /')
    .optional()
    .describe('Whose path begins with this: /v1/messages.'),
  operation: z.string().max(100).optional().describe('That called this operation: messages.send.'),
  error: ErrorCode.optional().describe('Refused with this error code.'),
  request_id: z.string().max(100).optional().describe('With this X-Request-Id.'),
}

const After = wholeNumber(0, Number.MAX_SAFE_INTEGER).describe('Only requests after this position.')
const Full = z
  .enum(['true', 'false'])
  .optional()
  .describe('With headers and bodies; secrets are taken out of them, and long bodies are cut.')

const Body = z.strictObject({
  headers: z.record(z.string(), z.string()).describe('In lower case, without secrets.'),
  body: z.string().nullable().describe('As text without secrets; null where there is none or it is no text.'),
  bytes: z.int().min(0).describe('How long the whole body was.'),
  truncated: z.boolean().describe('The body is longer than what is kept of it.'),
})

const Summary = z.strictObject({
  seq: Seq,
  request_id: z.string().describe('The X-Request-Id of the answer.'),
  at: Timestamp.describe("When it came, on the world's clock."),
  machine_at: Timestamp.describe("The same on the machine's clock, so it differs between equal runs."),
  duration_ms: z.number().describe("On the machine's clock, so it differs between equal runs."),
  method: z.string().describe('As it was asked: POST.'),
  path: z.string().describe('With its query.'),
  operation: z.string().nullable().describe('null when no operation takes such a request.'),
  status: z.int().nullable().describe('null when the caller left or was cut off before an answer.'),
  error: z.string().nullable().describe('The error code of a refusal.'),
  idempotency_key: z.string().nullable().describe('Of the header or the body; null without one.'),
  replayed: z.boolean().describe('An earlier answer was repeated.'),
  fault: z.string().nullable().describe('The id of the fault that made this answer.'),
})

const Exchange = Summary.extend({
  request: Body.describe('What was asked.'),
  response: Body.describe('What was answered.'),
}).meta({ id: 'RecordedRequest', description: 'A request and its answer, as the log of the sandbox has them.' })

/** One request of a list; `request` and `response` with `full` only. */
const Listed = Summary.extend({
  request: Body.optional().describe('What was asked, where full was.'),
  response: Body.optional().describe('What was answered, where full was asked for.'),
})

const RequestLogRange = {
  first_seq: Seq.describe('From here on none is missing: earlier ones were dropped, or cleared.'),
  last_seq: Seq.describe('Position of the newest request of the whole log.'),
  dropped: z.int().min(0).describe('How many were dropped since the log began, because it is bounded.'),
  log_id: z.string().describe('Differs when the log was begun anew, as with every start of the emulator.'),
}

export const listLogs = operation({
  id: 'logs.list',
  summary: 'List recorded requests, oldest first',
  details: 'Without after, the answer holds the newest requests.',
  call: 'GET /_sandbox/requests',
  query: z.strictObject({
    ...LogFilter,
    after: After.optional(),
    since: Since.optional(),
    limit: wholeNumber(1, 1000).optional().describe('Most requests of one answer: 1 to 1,000, else 50.'),
    full: Full,
  }),
  problems: ['not_found'],
  output: z.strictObject({
    requests: z.array(Listed).describe('In the order in which they came.'),
    has_more: z.boolean().describe('More match than are listed: older ones, or with after newer ones.'),
    ...RequestLogRange,
  }),
  isUnrecorded: true,
})

export const streamLogs = operation({
  id: 'logs.stream',
  summary: 'Follow recorded requests as server-sent events',
  details: 'The stream continues after Last-Event-ID or after; without both it starts with the next request.',
  call: 'GET /_sandbox/requests/stream',
  query: z.strictObject({
    ...LogFilter,
    after: After.optional(),
    since: Since.optional(),
    full: Full,
    heartbeat: Heartbeat.optional(),
    log: z.string().max(200).optional().describe('Which log the position is of: its log_id.'),
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
  params: {
    id: z
      .string()
      .min(1)
      .describe('Its X-Request-Id, or its place in the log.')
      .meta({ example: 'req_00000000-0000-4000-8000-000000000001' }),
  },
  output: Exchange,
  problems: ['not_found'],
  isUnrecorded: true,
})

export const clearLogs = operation({
  id: 'logs.clear',
  summary: 'Clear the request log',
  call: 'DELETE /_sandbox/requests',
  output: z.strictObject({ cleared: z.int().min(0).describe('How many requests it held.') }),
  isUnrecorded: true,
})
