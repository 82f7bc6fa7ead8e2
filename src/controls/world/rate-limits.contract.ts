import { z } from 'zod'
import { operation } from '../../words/operation.ts'

const Limit = z.int().min(0).max(1_000_000_000)

const Limits = z.strictObject({
  send: Limit.describe('Limit of POST /v1/messages in tier_1; it doubles with each tier.'),
  read: Limit.describe('Limit of reads: single records and lists.'),
  agents: Limit.describe('Limit of agent calls.'),
  billing: Limit.describe('Limit of billing calls.'),
  other: Limit.describe('Limit of all other calls.'),
})

const RateLimits = z.strictObject({
  enabled: z.boolean().describe('Whether requests above the limits are refused. The headers always state the limits.'),
  limits: Limits.describe('Requests of this key per minute of machine time, by route family.'),
})

/** Limits of one key; they take precedence over those of the process. */
export const OwnRateLimits = RateLimits.extend({
  limits: Limits.partial().describe(
    'Requests per minute of machine time, by route family; other limits are unchanged.',
  ),
}).partial()
export type OwnRateLimits = z.infer<typeof OwnRateLimits>

/** Section `limits` of a world file: for every key without limits of its own. */
export const LimitsEntry = Limits.partial().extend({
  enabled: z.boolean().optional().describe('Whether excess requests are refused (default: as set at the start).'),
})

export const showRateLimits = operation({
  id: 'world.rateLimits',
  summary: 'Show the rate limits of this key',
  call: 'GET /_sandbox/rate-limits',
  access: 'namespace',
  output: RateLimits,
})

export const setRateLimits = operation({
  id: 'world.setRateLimits',
  summary: 'Change or disable the rate limits of this key',
  call: 'PUT /_sandbox/rate-limits',
  access: 'namespace',
  body: OwnRateLimits.meta({ example: { limits: { send: 10 } } }),
  output: RateLimits,
})
