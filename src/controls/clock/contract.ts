import { z } from 'zod'
import { eventNames } from '../../service/events/catalogue.ts'
import type { About } from '../../words/about.ts'
import { Duration } from '../../words/duration.ts'
import { exactlyOne, rule, withRules } from '../../words/field-conditions.ts'
import { Timestamp, WebhookId } from '../../words/ids.ts'
import { Instant } from '../../words/instant.ts'
import { operation } from '../../words/operation.ts'
import { ClockFactor, factorRules } from '../../words/pace-fields.ts'
import { offsetQuery } from '../../words/page.ts'
import { ClockMode } from '../../words/vocabulary.ts'

export const about: About = { name: 'clock', group: 'Emulator', summary: "Show, advance and set the world's clock" }

export const ClockReading = z.strictObject({
  mode: ClockMode.describe('Mode of the clock.'),
  now: Timestamp.describe('Time of the world.'),
  factor: ClockFactor.optional(),
})

export const showClock = operation({
  id: 'clock.show',
  summary: "Show the world's clock",
  call: 'GET /_sandbox/clock',
  access: 'namespace',
  output: ClockReading.extend({
    next_due_at: Timestamp.nullable().describe('Time of the next scheduled work.'),
    ahead_ms: z.int().optional().describe('How far a real clock is ahead of the clock of the machine, ms.'),
    at_rest: z
      .boolean()
      .describe(
        'Whether nothing more happens without a request: nothing is in progress, and the clock is frozen or has nothing to jump to.',
      ),
    waiting_for: z
      .array(
        z.strictObject({
          endpoint_id: WebhookId.describe('Id of the endpoint.'),
          url: z.string().describe('URL of the endpoint, without credentials.'),
          deliveries: z.int().describe('Number of deliveries that it has not answered yet.'),
        }),
      )
      .describe('Receivers that have not answered a delivery yet. Advancing the clock pauses until they do.'),
  }),
})

const Work = z.strictObject({
  at: Timestamp.describe('Time for which it is scheduled.'),
  what: z.string().describe('Kind of work, such as message.deliver or webhook.attempt.'),
  subject: z.string().describe('Id of the record concerned.'),
})

export const listScheduledWork = operation({
  id: 'clock.due',
  summary: 'List scheduled work, the next first',
  call: 'GET /_sandbox/clock/due',
  access: 'namespace',
  query: z.strictObject(offsetQuery('items')),
  output: z.strictObject({
    due: z.array(Work).describe('Scheduled items, the next first.'),
    total: z.int().describe('Number of all scheduled items.'),
  }),
})

export const advanceClock = operation({
  id: 'clock.advance',
  summary: "Advance the world's clock",
  details: 'Work scheduled up to the new time runs on the way, each item at its own time.',
  call: 'POST /_sandbox/clock/advance',
  access: 'namespace',
  body: withRules(
    z.strictObject({
      by: Duration.optional().describe('Duration to advance by, such as 30s, 5m, 24h or 7d.'),
      to: Instant.optional().describe('Time to advance to, such as 2027-01-01T00:00Z.'),
      next: z.literal(true).optional().describe('Advance to the next scheduled work and run all work of that time.'),
    }),
    rule(exactlyOne('by', 'to', 'next'), { message: 'pass a duration (by), a time (to), or next' }),
  ).meta({ example: { by: '24h' } }),
  examples: [{ by: '2s' }, { by: '25h' }],
  output: z.strictObject({
    now: Timestamp.describe('Time of the world.'),
    fired: z
      .array(Work.extend({ at: Timestamp.describe('Time of the work.') }))
      .describe('Work that ran on the way, in order; the first 10,000 items.'),
    counts: z.record(z.string(), z.int()).describe('Number of work items that ran, by kind.'),
    total: z.int().describe('Number of all work items that ran.'),
    next_due_at: Timestamp.nullable().describe('Time of the next scheduled work, or null.'),
    held_up: z
      .array(
        z.strictObject({
          subject: z.string().describe('Record of the events.'),
          endpoint_id: WebhookId.describe('Id of the endpoint.'),
          event: z.enum(eventNames).describe('Name of the event that comes first.'),
          next_attempt_at: Timestamp.nullable().describe('Time of the next attempt to deliver it.'),
          waiting: z.int().describe('Number of deliveries that wait for it.'),
        }),
      )
      .optional()
      .describe(
        'Deliveries that wait because an earlier event of their record is not delivered yet; at most 5 records.',
      ),
  }),
})

export const settleClock = operation({
  id: 'clock.settle',
  summary: 'Wait until all work scheduled for now is done',
  details: 'Deliveries of webhooks are included. The call does not advance a frozen clock.',
  call: 'POST /_sandbox/clock/settle',
  access: 'namespace',
  body: z.strictObject({
    within: Duration.optional().describe("Longest time to wait, on the machine's clock (default: 30s)."),
  }),
  bodyOptional: true,
  output: ClockReading.extend({
    settled: z
      .boolean()
      .describe('Whether all of this work is done. If not, a receiver is slow, or a rule replies to itself.'),
    next_due_at: Timestamp.nullable().describe('Time of the next scheduled work.'),
  }),
  isUnrecorded: true,
})

export const setClockMode = operation({
  id: 'clock.mode',
  summary: "Set the mode of the world's clock",
  call: 'POST /_sandbox/clock/mode',
  access: 'namespace',
  body: withRules(
    z.strictObject({
      mode: ClockMode.describe(
        'Mode of the clock. real follows the machine; frozen moves only when advanced; auto jumps to the next scheduled work as soon as nothing is in progress; scaled runs factor times as fast as the machine.',
      ),
      factor: ClockFactor.optional(),
    }),
    ...factorRules,
  ).meta({ example: { mode: 'frozen' } }),
  output: ClockReading,
})
