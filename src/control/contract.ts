import { z } from 'zod'
import { Duration } from '../words/duration.ts'
import { AgentId, MessageId, Timestamp } from '../words/ids.ts'
import { operation } from '../words/operation.ts'
import { text } from '../words/text.ts'
import { ClockMode } from '../words/vocabulary.ts'

const Clock = z.strictObject({ mode: ClockMode, now: Timestamp })

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
  body: z.strictObject({ mode: ClockMode }),
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

export const resetWorld = operation({
  id: 'world.reset',
  section: 'control',
  summary: 'Put the world back to how it started',
  method: 'post',
  path: '/_sandbox/reset',
  body: z.strictObject({ scope: z.enum(['all']).default('all').describe('What to put back.') }),
  bodyOptional: true,
  output: z.strictObject({ namespace: z.string(), scope: z.string(), clock: Clock }),
  status: 200,
})

const Received = z.strictObject({ message_id: MessageId, session_expires_at: Timestamp })

export const replyFromHandset = operation({
  id: 'handset.reply',
  section: 'control',
  summary: 'Let the user of a phone reply to an agent',
  method: 'post',
  path: '/_sandbox/handsets/{phone}/reply',
  body: z.strictObject({
    agent_id: AgentId.describe('The agent whose thread the user answers in.'),
    text: text(3_072, 1).describe('What the user types.'),
  }),
  output: Received,
  status: 200,
  problems: ['not_found', 'nothing_to_answer'],
})

export const tapOnHandset = operation({
  id: 'handset.tap',
  section: 'control',
  summary: 'Let the user of a phone tap a suggestion of a message',
  method: 'post',
  path: '/_sandbox/handsets/{phone}/tap',
  body: z.strictObject({
    message_id: MessageId.describe('The message that shows the suggestion.'),
    index: z.int().min(0).default(0).describe('Which suggestion, from 0, in the order they are shown.'),
  }),
  output: Received,
  status: 200,
  problems: ['not_found', 'nothing_to_answer'],
})
