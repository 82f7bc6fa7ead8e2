import { z } from 'zod'
import { EventNamePattern } from '../../service/events/patterns.ts'
import { Address } from '../../words/address.ts'
import { durationWithin, HOUR, UpTo30Days } from '../../words/duration.ts'
import { WebhookId } from '../../words/ids.ts'
import { parseShare } from '../../words/percent.ts'
import { problems } from '../../words/problem.ts'
import { parseRange } from '../../words/range.ts'
import { POSITIVE_SHARE, Share } from '../../words/share.ts'
import { text } from '../../words/text.ts'

/** Envelope fields (interface §7) that cannot be overridden with `fields`. */
export const ENVELOPE: readonly string[] = ['error', 'message', 'details', 'retry_after', 'request_id']

/** For validators: the statuses of the service, and any 5xx. */
const statusCondition = {
  anyOf: [
    { enum: [...new Set(Object.values(problems).map(({ status }) => status as number))].sort((a, b) => a - b) },
    { minimum: 500 },
  ],
}

const list = <S extends z.ZodType>(item: S) => z.array(item).min(1).max(100)

/** From 1 ms up to an hour. */
const UP_TO_AN_HOUR = '[1-9][0-9]{0,5}ms|[1-9][0-9]{0,2}s|[1-5]?[1-9]m|[1-6]0m|1h'

const LATENCY_FORM = 'must be a delay such as 2s, or a range such as 300ms..2s, of at most 1h'

const Latency = z
  .string(LATENCY_FORM)
  .refine((value) => (parseRange(value)?.highMs ?? Number.POSITIVE_INFINITY) <= HOUR, LATENCY_FORM)
  .meta({ example: '300ms..2s', pattern: `^(${UP_TO_AN_HOUR}|~?(${UP_TO_AN_HOUR})\\.\\.(${UP_TO_AN_HOUR}))$` })

const CUT = '^([1-9]?[0-9](\\.[0-9]{1,10})?%|[0-9]{1,9})$'

function cutIn(text: string): number | undefined {
  if (!new RegExp(CUT).test(text)) return undefined
  return text.endsWith('%') ? parseShare(text) : Number(text)
}

/** Bytes, or a share (0 to 1, exclusive) of the whole answer. */
const Cut = z
  .codec(z.union([z.number(), z.string()]), z.number().min(0), {
    decode(value, context) {
      const cut = typeof value === 'number' ? value : cutIn(value)
      if (cut !== undefined && (cut < 1 || Number.isInteger(cut))) return cut
      context.issues.push({
        code: 'custom',
        input: value,
        message: 'must be whole bytes such as 120, or a share such as 50%',
      })
      return z.NEVER
    },
    encode: (cut) => cut,
  })
  .meta({
    example: '50%',
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'number', minimum: 0, exclusiveMaximum: 1 },
      { type: 'string', pattern: CUT },
    ],
  })

const Detail = z.strictObject({
  field: z.string().describe('Path of the field.'),
  code: z.string().describe('Code of the broken rule.'),
  message: z.string().describe('Requirement for the field.'),
})

const where = {
  routes: list(text(200, 1).meta({ isRoute: true }))
    .optional()
    .describe('Calls to match: messages.send, POST:/v1/messages, messages.* or *.'),
  events: list(EventNamePattern).optional().describe('Webhook events to match instead: names, families or *.'),
  endpoint_id: WebhookId.optional().describe('Endpoint of the events.'),
  to: Address.optional().describe('Recipient of the calls or events.'),
}

const effectsOnCalls = {
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .meta(statusCondition)
    .describe('HTTP status of a refusal. The call has no effect.'),
  error: text(100, 1)
    .optional()
    .meta({ enum: Object.keys(problems) })
    .describe('Error code of the refusal (default: by status).'),
  message: text(1000).optional().describe('Text of the refusal.'),
  details: z.array(Detail).max(100).optional().describe('details[] of the refusal.'),
  fields: z
    .record(text(100, 1), z.unknown())
    .optional()
    .meta({ propertyNames: { type: 'string', maxLength: 100, pattern: '\\S', not: { enum: ENVELOPE } } })
    .describe('Additional fields of the refusal.'),
  retry_after: z.int().min(0).max(86_400).optional().describe('Seconds in retry_after and in Retry-After.'),
  latency: Latency.optional().describe("Delay before the call on the machine's clock: 2s or 300ms..2s."),
  reset: z
    .enum(['before', 'after'])
    .optional()
    .describe('Connection reset before the call has an effect, or after it: only the answer is lost.'),
  truncate: Cut.optional().describe('Length at which the answer is cut: bytes (120) or a share (50%).'),
  limit: z.int().min(0).optional().describe('Calls allowed in each window; others get a 429.'),
  window: durationWithin(
    100,
    HOUR,
    'between 100ms and 1h',
    '[1-9][0-9]{2,5}ms|[1-9][0-9]{0,2}s|[1-5]?[1-9]m|[1-6]0m|1h',
  )
    .optional()
    .describe("Window of the limit on the machine's clock (default: 60s)."),
}

const Flag = z.literal(true).optional()

const effectsOnWebhooks = {
  drop: Flag.describe('Drop the attempt, which counts as failed.'),
  delay: UpTo30Days.optional().describe("Delay of the attempt on the world's clock."),
  duplicate: Flag.describe('Send the event twice, with the same id and bytes.'),
  reorder: Flag.describe(
    'Deliver the event after the next one of its record, at the latest after delay (default: 1m).',
  ),
  bad_signature: Flag.describe('Send a wrong signature with the correct body.'),
  lost_acknowledgement: Flag.describe('Lose the answer of the receiver, so that the event is sent again.'),
  odd_spelling: Flag.describe('Send the same JSON with unusual white space, order and escapes, correctly signed.'),
}

const often = {
  times: z.int().min(1).optional().describe('Number of matches to change (default: unlimited).'),
  share: Share.refine((share) => share > 0, 'must be more than 0')
    .meta(POSITIVE_SHARE)
    .optional()
    .describe('Random share of the matches: 20% or 0.2 (default: all).'),
  after: z.int().min(1).optional().describe('Number of matches to let through first.'),
  every: z.int().min(1).optional().describe('Interval: change only every nth match.'),
}

const target = { name: text(100, 1).optional().describe('Description for people.'), ...where }
const effects = { ...effectsOnCalls, ...effectsOnWebhooks }

/** The fields of a fault, which check.ts holds against each other. */
export const FaultFields = z.strictObject({ ...target, ...effects, ...often })
export type FaultFields = z.infer<typeof FaultFields>
