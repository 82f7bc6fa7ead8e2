import { z } from 'zod'
import { operation } from '../../words/operation.ts'

const Limit = z.int().min(0).max(1_000_000_000)

const Limits = z.strictObject({
  send: Limit.describe('POST /v1/messages, in tier_1; doubled with each tier.'),
  read: Limit.describe('Single records and lists.'),
  agents: Limit.describe('Agents.'),
  billing: Limit.describe('Billing.'),
  other: Limit.describe('All else.'),
})

const RateLimits = z.strictObject({
  enabled: z.boolean().describe('Whether one request too many is refused; the headers tell the limits in any case.'),
  limits: Limits.describe('Requests of this key in each minute of the machine, by route family.'),
})

/** Limits of one key; they take precedence over those of the process. */
export const OwnRateLimits = RateLimits.extend({
  limits: Limits.partial().describe('Requests in each minute of the machine, by route family; others stay.'),
}).partial()
export type OwnRateLimits = z.infer<typeof OwnRateLimits>

/** Section `limits` of a world file: for every key without limits of its own. */
export const LimitsEntry = Limits.partial().extend({
  enabled: z.boolean().optional().describe('Whether one request too many is refused; as the start says unless given.'),
})

export const showRateLimits = operation({
  id: 'world.rateLimits',
  summary: 'Show the rate limits of this key',
  call: 'GET /_sandbox/rate-limits',
  output: RateLimits,
})

export const setRateLimits = operation({
  id: 'world.setRateLimits',
  summary: 'Change or disable the rate limits of this key',
  call: 'PUT /_sandbox/rate-limits',
  body: OwnRateLimits,
  output: RateLimits,
})
