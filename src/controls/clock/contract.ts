import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Duration } from '../../words/duration.ts'
import { isGiven, isRequired, not, when, withConditions } from '../../words/field-conditions.ts'
import { Timestamp, WebhookId } from '../../words/ids.ts'
import { Instant } from '../../words/instant.ts'
import { operation } from '../../words/operation.ts'
import { ClockFactor, factorGoesWithScaled } from '../../words/pace-fields.ts'
import { ClockMode } from '../../words/vocabulary.ts'

export const about: About = { name: 'clock', group: 'Emulator', summary: "Show, advance and set the world's clock" }

export const ClockReading = z.strictObject({
  mode: ClockMode.describe('How time passes.'),
  now: Timestamp.describe("The world's time."),
  factor: ClockFactor.optional(),
})

export const showClock = operation({
  id: 'clock.show',
  summary: "Show the world's clock",
  call: 'GET /_sandbox/clock',
  output: ClockReading.extend({
    next_due_at: Timestamp.nullable().describe('When the next thing is to happen.'),
    at_rest: z
      .boolean()
      .describe(
        'Nothing more happens by itself: the clock stands or has nothing to jump to, and nothing is under way.',
      ),
    waiting_for: z
      .array(
        z.strictObject({
          endpoint_id: WebhookId.describe('The endpoint.'),
          url: z.string().describe('Its address, without passwords.'),
          deliveries: z.int().describe('How many deliveries it has got and not answered yet.'),
        }),
      )
      .describe('The receivers whose answers are waited for now; a clock that is moved stands still meanwhile.'),
  }),
})

export const advanceClock = operation({
  id: 'clock.advance',
  summary: "Advance the world's clock",
  details: 'Work scheduled up to the new time runs on the way, each item at its own time.',
  call: 'POST /_sandbox/clock/advance',
  body: z
    .strictObject({
      by: Duration.optional().describe('How far: 30s, 5m, 24h, 7d.'),
      to: Instant.optional().describe('Up to which instant: 2027-01-01T00:00Z.'),
      next: z.literal(true).optional().describe('Up to the next thing that is to happen, and all else of its instant.'),
    })
    .refine(
      (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
      'give one of by, to and next',
    )
    .meta({ minProperties: 1, maxProperties: 1, example: { by: '24h' } }),
  examples: [{ by: '2s' }, { by: '25h' }],
  output: z.strictObject({
    now: Timestamp.describe("The world's time."),
    fired: z
      .array(
        z.strictObject({
          at: Timestamp.describe('When.'),
          what: z.string().describe('What happened: message.deliver, webhook.attempt.'),
          subject: z.string().describe('Id of what it happened to.'),
        }),
      )
      .describe('What happened on the way, in its order.'),
    total: z.int().describe('How much happened; fired lists at most the first 10,000.'),
    next_due_at: Timestamp.nullable().describe('When the next thing is to happen; null when nothing is.'),
  }),
})

export const setClockMode = operation({
  id: 'clock.mode',
  summary: "Set the mode of the world's clock",
  details:
    'real follows the machine, scaled runs faster or slower, auto jumps to the next scheduled work, frozen does not advance by itself.',
  call: 'POST /_sandbox/clock/mode',
  body: withConditions(
    z
      .strictObject({
        mode: ClockMode.describe(
          'real runs with the machine; frozen moves only when advanced; auto jumps to the next thing that is to happen as soon as nothing is under way; scaled runs factor times as fast as the machine.',
        ),
        factor: ClockFactor.optional(),
      })
      .check(factorGoesWithScaled),
    when(isGiven('mode', 'scaled'), isRequired('factor'), not(isRequired('factor'))),
  ).meta({ example: { mode: 'frozen' } }),
  output: ClockReading,
})
