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

export const Name = z.string().describe('Name of the namespace: the part of its key after sk_sandbox_.')

export const showHealth = operation({
  id: 'world.health',
  summary: 'Show the health and version of the sandbox',
  call: 'GET /_sandbox/health',
  access: 'anyone',
  output: z.strictObject({
    status: z.literal('ok').describe('Whether the sandbox answers, even while the data folder cannot be written.'),
    version: z.string().describe('Version of this program.'),
    namespace_count: z.int().describe('Number of namespaces that the caller can see.'),
    clock: ClockReading.describe('Clock of the world of this key.'),
  }),
  isUnrecorded: true,
})

export const stopEmulator = operation({
  id: 'world.stop',
  summary: 'Stop the sandbox',
  details: 'Requests in progress are completed first. Data on disk is kept.',
  call: 'POST /_sandbox/stop',
  access: 'admin',
  output: z.strictObject({
    stopping: z.literal(true).describe('Whether the sandbox stops after this answer.'),
    pid: z.int().describe('Id of its process.'),
  }),
  status: 202,
  isUnrecorded: true,
  isOfProcess: true,
})

const list = (of: string) => z.array(z.record(z.string(), z.unknown())).describe(of)

export const showWorld = operation({
  id: 'world.show',
  summary: 'Show the fixed ids and magic recipients of the world',
  call: 'GET /_sandbox/world',
  access: 'namespace',
  output: z.strictObject({
    namespace: Name,
    made_from: z
      .string()
      .nullable()
      .describe('World of the package or name of the world file that it was made from; null if that is unknown.'),
    seed: z.string().describe('Seed of ids and random draws.'),
    clock: ClockReading.describe('Clock of the world.'),
    agents: list('The agents, with status and use_case.'),
    channels: list('The channels, with their type and state.'),
    templates: list('The templates, with their variables.'),
    campaigns: list('The campaigns, with trigger and status.'),
    carriers: list('The simulated carriers.'),
    magic_recipients: z
      .array(
        z.strictObject({
          address: z.string().describe('Phone number or email address.'),
          does: z.string().describe('Fixed outcome of messages to the recipient.'),
        }),
      )
      .describe('Recipients with a fixed outcome.'),
  }),
})

export const dumpWorldFile = operation({
  id: 'world.dump',
  summary: 'Export the world as a world file',
  details:
    'The file holds resources and settings, not messages, scheduled work or the creation times of contacts. A world with more than 50,000 contacts is refused: save a snapshot of it instead.',
  call: 'GET /_sandbox/world/dump',
  access: 'namespace',
  query: z.strictObject({
    secrets: z
      .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })
      .default(false)
      .describe('Include the secrets of webhooks.')
      .meta({ enum: ['true', 'false'] }),
  }),
  output: z.string(),
  media: 'application/yaml',
  problems: ['limit_exceeded'],
})

/** The reset of one world, by its key or by its name. */
export const reset = {
  access: 'namespace',
  destroys: true,
  body: z.strictObject({ scope: Scope.default('all') }).meta({ example: { scope: 'messages' } }),
  bodyOptional: true,
  output: z.strictObject({ namespace: Name, scope: Scope, clock: ClockReading.describe('Clock of the world.') }),
} as const

export const resetWorld = operation({
  ...reset,
  id: 'world.reset',
  summary: 'Reset the world, or a part of it, to its initial state',
  call: 'POST /_sandbox/reset',
})
