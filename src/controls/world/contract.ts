import { z } from 'zod'
import { Duration } from '../../words/duration.ts'
import { Timestamp } from '../../words/ids.ts'
import { Instant } from '../../words/instant.ts'
import { operation } from '../../words/operation.ts'
import { ClockFactor, factorGoesWithScaled } from '../../words/pace-fields.ts'
import { ClockMode, Scope } from '../../words/vocabulary.ts'

/** A world's clock as answers show it. */
export const Clock = z.strictObject({
  mode: ClockMode.describe('How time passes.'),
  now: Timestamp.describe("The world's time."),
  factor: ClockFactor.optional(),
})

export const health = operation({
  id: 'world.health',
  section: 'control',
  summary: 'Tell whether the emulator is ready',
  method: 'get',
  path: '/_sandbox/health',
  output: z.strictObject({ status: z.literal('ok'), version: z.string(), namespace_count: z.int(), clock: Clock }),
  status: 200,
  needsNoToken: true,
  isUnrecorded: true,
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
      to: Instant.optional().describe('Up to which instant: 2027-01-01T00:00Z.'),
      next: z.literal(true).optional().describe('Up to the next thing that is to happen, and all else of its instant.'),
    })
    .refine(
      (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
      'give one of by, to and next',
    ),
  output: z.strictObject({
    now: Timestamp,
    fired: z.array(z.strictObject({ at: Timestamp, what: z.string(), subject: z.string() })),
    total: z.int().describe('How much happened; fired lists at most the first 10,000.'),
    next_due_at: Timestamp.nullable().describe('When the next thing is to happen; null when nothing is.'),
  }),
  status: 200,
})

export const setClockMode = operation({
  id: 'clock.mode',
  section: 'control',
  summary: 'Choose how time passes: with the machine, faster or slower, in jumps, or not at all',
  method: 'post',
  path: '/_sandbox/clock/mode',
  body: z
    .strictObject({
      mode: ClockMode.describe(
        'real runs with the machine; frozen moves only when told; auto jumps to the next thing that is to happen as soon as nothing is under way; scaled runs factor times as fast as the machine.',
      ),
      factor: ClockFactor.optional(),
    })
    .check(factorGoesWithScaled),
  output: Clock,
  status: 200,
})

const Named = z.record(z.string(), z.unknown())

export const showWorld = operation({
  id: 'world.show',
  section: 'control',
  summary: 'Show what this world is made of: its fixed ids and magic recipients',
  method: 'get',
  path: '/_sandbox/world',
  output: z.strictObject({
    namespace: z.string(),
    seed: z.string(),
    clock: Clock,
    agents: z.array(Named),
    channels: z.array(Named),
    templates: z.array(Named),
    campaigns: z.array(Named),
    carriers: z.array(Named),
    magic_recipients: z.array(z.strictObject({ address: z.string(), does: z.string() })),
  }),
  status: 200,
})

export const dumpWorldFile = operation({
  id: 'world.dump',
  section: 'control',
  summary: 'Write the state of the world as a world file: what it is made of, not what is under way',
  method: 'get',
  path: '/_sandbox/world/dump',
  query: z.strictObject({
    secrets: z
      .stringbool({ truthy: ['true'], falsy: ['false'] })
      .default(false)
      .describe('Write the secrets of webhooks down too.')
      .meta({ enum: ['true', 'false'] }),
  }),
  output: z.string(),
  media: 'application/yaml',
  status: 200,
})

export const resetWorld = operation({
  id: 'world.reset',
  section: 'control',
  summary: 'Put the world, or a part of it, back to how it started',
  method: 'post',
  path: '/_sandbox/reset',
  body: z.strictObject({ scope: Scope.default('all') }),
  bodyOptional: true,
  output: z.strictObject({ namespace: z.string(), scope: Scope, clock: Clock }),
  status: 200,
})
