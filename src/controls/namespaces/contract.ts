import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { Scope } from '../../words/vocabulary.ts'
import { ClockReading } from '../clock/contract.ts'

export const about: About = {
  name: 'namespaces',
  group: 'Emulator',
  summary: 'List, reset and delete namespaces',
}

const Name = z.string().describe('What follows sk_sandbox_ in its key.')

const Namespace = z.strictObject({
  name: Name,
  state: z
    .enum(['open', 'asleep', 'damaged'])
    .describe(
      'A world that is asleep lies on disk, and wakes when it is used or something falls due in it. The file of a damaged one cannot be read; reset it or delete it.',
    ),
  clock: ClockReading.nullable().describe("Its clock; null where it has not been looked at since the sandbox's start."),
  next_due_at: Timestamp.nullable().describe('When the next thing is to happen there.'),
})

const params = {
  name: z
    .string()
    .min(1)
    .describe('Name of the namespace: what follows sk_sandbox_ in its key.')
    .meta({ example: 'default' }),
}

export const listNamespaces = operation({
  id: 'namespaces.list',
  summary: 'List namespaces',
  details: 'Each namespace is an isolated world.',
  call: 'GET /_sandbox/namespaces',
  output: z.strictObject({
    namespaces: z.array(Namespace).describe('In order of their names.'),
    max_namespaces: z.int().describe('How many there may be.'),
    max_open: z.int().describe('How many are kept open; the least recently used of the others sleep.'),
  }),
})

export const deleteNamespace = operation({
  id: 'namespaces.delete',
  summary: 'Delete a namespace and its data',
  details: 'The next request with its key recreates it.',
  call: 'DELETE /_sandbox/namespaces/{name}',
  params,
  output: z.strictObject({ name: Name, deleted: z.literal(true).describe('It is gone.') }),
  problems: ['not_found', 'default_namespace'],
})

export const resetNamespace = operation({
  id: 'namespaces.reset',
  summary: 'Reset a namespace, or a part of it, to its initial state',
  call: 'POST /_sandbox/namespaces/{name}/reset',
  params,
  body: z.strictObject({ scope: Scope.default('all') }),
  bodyOptional: true,
  output: z.strictObject({
    namespace: Name,
    scope: Scope,
    clock: ClockReading.describe('Where the world stands now.'),
  }),
  problems: ['not_found'],
})
