import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { operation } from '../../words/operation.ts'
import { Scope } from '../../words/vocabulary.ts'
import { Clock } from '../clock/contract.ts'

export const about: About = {
  name: 'world',
  group: 'Emulator',
  summary: 'Show, dump or reset the simulated world; check world files',
}

export * from './rate-limits.contract.ts'

export const showHealth = operation({
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
