import { z } from 'zod'
import { Duration } from '../words/duration.ts'
import { Timestamp } from '../words/ids.ts'
import { operation } from '../words/operation.ts'
import { CLOCK_MODES } from '../world/clock.ts'

const Clock = z.strictObject({ mode: z.enum(CLOCK_MODES), now: Timestamp })

export const health = operation({
  id: 'world.health',
  section: 'control',
  summary: 'Tell whether the emulator is ready',
  method: 'get',
  path: '/_sandbox/health',
  output: z.strictObject({ status: z.literal('ok'), version: z.string(), namespace_count: z.int(), clock: Clock }),
  status: 200,
})

export const showClock = operation({
  id: 'clock.show',
  section: 'control',
  summary: "Show the world's clock",
  method: 'get',
  path: '/_sandbox/clock',
  output: Clock.extend({ next_due_at: Timestamp.nullable().describe('When the next thing is to happen.') }),
  status: 200,
})

export const advanceClock = operation({
  id: 'clock.advance',
  section: 'control',
  summary: "Move the world's clock, running all that falls due on the way",
  method: 'post',
  path: '/_sandbox/clock/advance',
  body: z
    .strictObject({
      by: Duration.optional().describe('How far: 30s, 5m, 24h, 7d.'),
      to: z.iso.datetime().optional().describe('Up to which instant, ISO 8601 UTC.'),
    })
    .refine(({ by, to }) => (by === undefined) !== (to === undefined), 'give either by or to'),
  output: z.strictObject({
    now: Timestamp,
    fired: z.array(z.strictObject({ at: Timestamp, what: z.string(), subject: z.string() })),
    total: z.int().describe('How much happened; fired lists at most the first 10,000.'),
  }),
  status: 200,
})

export const setClockMode = operation({
  id: 'clock.mode',
  section: 'control',
  summary: 'Let the clock run with the machine, or stand still',
  method: 'post',
  path: '/_sandbox/clock/mode',
  body: z.strictObject({ mode: z.enum(CLOCK_MODES) }),
  output: Clock,
  status: 200,
})
