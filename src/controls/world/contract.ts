import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { operation } from '../../words/operation.ts'
import { Scope } from '../../words/vocabulary.ts'
import { ClockReading } from '../clock/contract.ts'

export const about: About = {
  name: 'world',
  group: 'Emulator',
  summary: 'Show, export and reset the world, and check world files',
}

export * from './rate-limits.contract.ts'

export const showHealth = operation({
  id: 'world.health',
  summary: 'Show the health and version of the emulator',
  call: 'GET /_sandbox/health',
  output: z.strictObject({
    status: z.literal('ok').describe('It answers.'),
    version: z.string().describe('Of this program.'),
    namespace_count: z.int().describe('How many namespaces there are.'),
    clock: ClockReading.describe('Where the world of this key stands.'),
  }),
  needsNoToken: true,
  isUnrecorded: true,
})

export const stopEmulator = operation({
  id: 'world.stop',
  summary: 'Stop the emulator',
  details: 'Requests in progress are completed first. Data on disk is kept.',
  call: 'POST /_sandbox/stop',
  output: z.strictObject({
    stopping: z.literal(true).describe('It ends as soon as this is answered.'),
    pid: z.int().describe('The process it runs in.'),
  }),
  status: 202,
  isUnrecorded: true,
})

const list = (of: string) => z.array(z.record(z.string(), z.unknown())).describe(of)

export const showWorld = operation({
  id: 'world.show',
  summary: 'Show the fixed ids and magic recipients of the world',
  call: 'GET /_sandbox/world',
  output: z.strictObject({
    namespace: z.string().describe('What follows sk_sandbox_ in the key.'),
    seed: z.string().describe('What ids and chance follow from.'),
    clock: ClockReading.describe('Where the world stands.'),
    agents: list('The agents, with status and use_case.'),
    channels: list('The channels, with their type and state.'),
    templates: list('The templates, with their variables.'),
    campaigns: list('The campaigns, with trigger and status.'),
    carriers: list('The simulated carriers.'),
    magic_recipients: z
      .array(
        z.strictObject({
          address: z.string().describe('Phone number or email address.'),
          does: z.string().describe('What always happens with messages to it.'),
        }),
      )
      .describe('Recipients whose outcome is always the same.'),
  }),
})

export const dumpWorldFile = operation({
  id: 'world.dump',
  summary: 'Export the world as a world file',
  details: 'The file holds resources and settings, not messages or scheduled work.',
  call: 'GET /_sandbox/world/dump',
  query: z.strictObject({
    secrets: z
      .stringbool({ truthy: ['true'], falsy: ['false'] })
      .default(false)
      .describe('Write the secrets of webhooks down too.')
      .meta({ enum: ['true', 'false'] }),
  }),
  output: z.string(),
  media: 'application/yaml',
})

export const resetWorld = operation({
  id: 'world.reset',
  summary: 'Reset the world, or a part of it, to its initial state',
  call: 'POST /_sandbox/reset',
  body: z.strictObject({ scope: Scope.default('all') }),
  bodyOptional: true,
  output: z.strictObject({
    namespace: z.string().describe('What follows sk_sandbox_ in the key.'),
    scope: Scope,
    clock: ClockReading.describe('Where the world stands now.'),
  }),
})
