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

const Name = z.string().describe('Name of the namespace: the part of its key after sk_sandbox_.')

const Namespace = z.strictObject({
  name: Name,
  state: z
    .enum(['open', 'asleep', 'damaged'])
    .describe(
      'State of the world. asleep: on disk until it is used or has scheduled work; damaged: its file cannot be read, so reset or delete it.',
    ),
  clock: ClockReading.nullable().describe(
    'Clock of the world; null if the world was not opened since the start of the sandbox.',
  ),
  next_due_at: Timestamp.nullable().describe('Time of the next scheduled work.'),
})

const params = {
  name: z
    .string()
    .min(1)
    .describe('Name of the namespace: the part of its key after sk_sandbox_.')
    .meta({ example: 'default' }),
}

export const listNamespaces = operation({
  id: 'namespaces.list',
  summary: 'List namespaces',
  details: 'Each namespace is an isolated world.',
  call: 'GET /_sandbox/namespaces',
  output: z.strictObject({
    namespaces: z.array(Namespace).describe('Namespaces in order of their names.'),
    max_namespaces: z.int().describe('Maximum number of namespaces.'),
    max_open: z.int().describe('Number of namespaces kept open; the least recently used ones are closed.'),
  }),
})

export const deleteNamespace = operation({
  id: 'namespaces.delete',
  summary: 'Delete a namespace and its data',
  details: 'The next request with its key recreates it.',
  call: 'DELETE /_sandbox/namespaces/{name}',
  params,
  output: z.strictObject({ name: Name, deleted: z.literal(true).describe('Whether the namespace was deleted.') }),
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
    clock: ClockReading.describe('Clock of the world.'),
  }),
  problems: ['not_found'],
})
