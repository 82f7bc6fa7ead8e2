import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Instant } from '../../words/instant.ts'
import { operation } from '../../words/operation.ts'
import { text } from '../../words/text.ts'

export const about: About = {
  name: 'evidence',
  group: 'Emulator',
  summary: 'Show failures and write the page of a failed test',
}

const LeaseFilter = z
  .string()
  .regex(/^lse_[^,]+(,lse_[^,]+)*$/, 'must be the id of a lease (lse_…), or several separated by commas')
  .meta({ example: 'lse_00000000-0000-4000-8000-000000000001' })
  .optional()
  .describe('Only what concerns these leases: ids separated by commas.')
const StartedAt = Instant.optional().describe(
  "Start of the test on the machine's clock; earlier calls without a valid key are left out (default: the first call to this world).",
)

const Count = z.int().min(1).describe('Number of equal entries.')
const FaultEffect = z.string().nullable().describe('Effect of the fault that caused it; null without one.')

const StrangeCall = z.strictObject({
  call: z.string().describe('Method and path.'),
  status: z.int().nullable().describe('Status of the answer; null without an answer.'),
  message: z.string().describe('Reason in the answer; empty for a success.'),
  count: Count,
})
const RefusedCall = StrangeCall.extend({
  error: z.string().nullable().describe('Error code of the answer.'),
  fault: FaultEffect,
})
const TroubledWebhook = z.strictObject({
  event: z.string().describe('Name of the event.'),
  url: z.string().describe('URL of the endpoint.'),
  result: z.string().describe('Status of the answer, or the reason for its absence.'),
  response: z.string().nullable().describe('Beginning of the answer of the receiver.'),
  fault: FaultEffect,
  count: Count,
})

export const showEvidence = operation({
  id: 'evidence.show',
  summary: 'List failures in a world',
  details: 'The list contains refused calls, failed webhooks, and calls without a valid key.',
  call: 'GET /_sandbox/evidence',
  access: 'namespace',
  query: z.strictObject({ lease: LeaseFilter, started_at: StartedAt }),
  output: z
    .strictObject({
      refused_calls: z.array(RefusedCall).describe('Calls that this world refused, and answers that a fault lost.'),
      failed_webhooks: z.array(TroubledWebhook).describe('Attempts that failed, or that met a fault.'),
      calls_without_key: z
        .array(StrangeCall)
        .describe('Calls without a valid key that reached this sandbox since the start of the test.'),
      calls_to_default: z
        .array(StrangeCall)
        .describe('Calls to the namespace default since the start of the test; empty in default itself.'),
      lines: z.array(z.string()).describe('Summary for people, one line each; empty if nothing went wrong.'),
    })
    .meta({ id: 'Trouble', description: 'Failures in a world.' }),
  problems: ['not_found'],
  isUnrecorded: true,
})

export const writeEvidence = operation({
  id: 'evidence.page',
  summary: 'Write the page of a failed test as HTML',
  details: 'The file contains everything that happened in the world. It loads nothing and contains no secrets.',
  call: 'POST /_sandbox/evidence',
  access: 'namespace',
  body: z.strictObject({
    title: text(500, 1).describe('Title of the page, such as the name of the test.'),
    error: z.string().max(100_000).optional().describe('Error of the test.'),
    location: text(1000, 1).optional().describe('File and line of the assertion.'),
    snapshot: text(1000, 1).optional().describe('Snapshot file, for the command that continues from there.'),
    lease: LeaseFilter,
    started_at: StartedAt,
  }),
  examples: [{ title: 'An order is confirmed', error: 'expected 1 to be 2' }],
  output: z.string(),
  media: 'text/html; charset=utf-8',
  problems: ['not_found'],
  isUnrecorded: true,
})
