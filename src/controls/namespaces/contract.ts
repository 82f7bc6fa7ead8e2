import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { Duration, parseDuration } from '../../words/duration.ts'
import { FileName } from '../../words/file-name.schema.ts'
import { Timestamp } from '../../words/ids.ts'
import { operation } from '../../words/operation.ts'
import { ClockReading } from '../clock/contract.ts'
import { Name, reset } from '../world/contract.ts'

export const about: About = {
  name: 'namespaces',
  group: 'Emulator',
  summary: 'List, reset and delete namespaces, and issue their keys',
}

/** The end and the limits of a namespace of a shared sandbox. */
const Terms = {
  expires_at: Timestamp.nullable().describe(
    'Time at which the namespace and its data are deleted, on the clock of the machine; null means never.',
  ),
  max_messages: z.int().nullable().describe('Maximum number of messages kept; null means no limit.'),
  max_storage_bytes: z
    .int()
    .nullable()
    .describe('Maximum size of the world and its snapshots in bytes; null means no limit.'),
  max_sends_per_minute: z.int().nullable().describe('Maximum number of sends per minute; null means no limit.'),
}

const Namespace = z.strictObject({
  name: Name,
  state: z
    .enum(['open', 'asleep', 'damaged', 'elsewhere'])
    .describe(
      'State of the world. asleep: on disk until it is used or has scheduled work; damaged: its file cannot be read, so reset or delete it; elsewhere: another node of the cluster answers for it.',
    ),
  clock: ClockReading.nullable().describe(
    'Clock of the world; null if the world was not opened since the start of the sandbox, or is elsewhere.',
  ),
  next_due_at: Timestamp.nullable().describe('Time of the next scheduled work.'),
  node: z
    .string()
    .nullable()
    .optional()
    .describe('Node that answers for the namespace; null if none does, until its next use. Only in a cluster.'),
  tenant: z
    .strictObject({
      keys: z.int().describe('Number of valid API keys.'),
      tokens: z.int().describe('Number of valid control tokens.'),
      created_at: Timestamp.describe('Time of creation, on the clock of the machine.'),
      storage_bytes: z
        .int()
        .nullable()
        .describe(
          'Size of the world and its snapshots in bytes; null if the world was not opened since the start of the sandbox, or is elsewhere.',
        ),
      ...Terms,
    })
    .optional()
    .describe('Credentials, end and limits; only in a shared sandbox.'),
})

const NewName = FileName.describe('Name of the namespace: 1 to 64 of a-z, 0-9, - and _.')

const params = { name: Name.min(1).meta({ example: 'default' }) }

export const listNamespaces = operation({
  id: 'namespaces.list',
  summary: 'List namespaces',
  details: 'Each namespace is an isolated world.',
  call: 'GET /_sandbox/namespaces',
  access: 'namespace',
  output: z.strictObject({
    namespaces: z.array(Namespace).describe('Namespaces in order of their names.'),
    max_namespaces: z.int().describe('Maximum number of namespaces.'),
    max_open: z.int().describe('Number of namespaces kept open; the least recently used ones are closed.'),
  }),
})

const newParams = { name: NewName.meta({ example: 'team-a' }) }

const Limit = z.int().min(1).max(1_000_000_000_000).nullable().optional()

const body = z
  .strictObject({
    ttl: Duration.refine((text) => (parseDuration(text) ?? 1_000) >= 1_000, 'must be at least 1s')
      .optional()
      .describe('Time until the namespace and its data are deleted, on the clock of the machine (default: never).'),
    max_messages: Limit.describe('Maximum number of messages kept; null means no limit (default: no limit).'),
    max_storage_bytes: Limit.describe(
      'Maximum size of the world and its snapshots in bytes; null means no limit (default: 1 GiB).',
    ),
    max_sends_per_minute: Limit.describe(
      'Maximum number of sends per minute; null means no limit (default: no limit).',
    ),
  })
  .meta({ example: { ttl: '7d' } })

const Issued = {
  namespace: Name,
  api_key: z.string().describe('API key. It is shown once; the sandbox stores its hash only.'),
  control_token: z
    .string()
    .describe('Token for the control plane of the namespace. It is shown once; the sandbox stores its hash only.'),
  token_id: z.string().describe('Id of the token, which is its caller in the audit log. It is not secret.'),
  ...Terms,
}

export const createNamespace = operation({
  id: 'namespaces.create',
  summary: 'Create a namespace of a shared sandbox and issue its key',
  call: 'POST /_sandbox/namespaces/{name}',
  access: 'admin',
  params: newParams,
  body,
  bodyOptional: true,
  output: z.strictObject(Issued),
  status: 201,
  problems: ['namespace_exists', 'default_namespace', 'sandbox_not_shared'],
})

export const ensureNamespace = operation({
  id: 'namespaces.ensure',
  summary: 'Create a namespace or extend it, and issue another key',
  details:
    'An existing namespace keeps its data and keys, and ends at the later of its current end and the requested one, so a pipeline can call this in every run. New limits replace the current ones. Each call issues another key and token, because the sandbox stores hashes only; the newest 20 of each stay valid.',
  call: 'PUT /_sandbox/namespaces/{name}',
  access: 'admin',
  params: newParams,
  body,
  bodyOptional: true,
  output: z.strictObject({ ...Issued, created: z.boolean().describe('Whether the namespace is new.') }),
  status: [200, 201],
  problems: ['default_namespace', 'sandbox_not_shared', 'not_found'],
})

export const rotateNamespace = operation({
  id: 'namespaces.rotate',
  summary: 'Revoke all keys and tokens of a namespace and issue new ones',
  call: 'POST /_sandbox/namespaces/{name}/rotate',
  access: 'namespace',
  destroys: true,
  params,
  output: z.strictObject(Issued),
  problems: ['not_found', 'sandbox_not_shared'],
})

export const revokeNamespace = operation({
  id: 'namespaces.revoke',
  summary: 'Revoke all keys and tokens of a namespace, but keep its data',
  call: 'POST /_sandbox/namespaces/{name}/revoke',
  access: 'admin',
  destroys: true,
  params,
  output: z.strictObject({
    namespace: Name,
    revoked_keys: z.int().describe('Number of revoked API keys.'),
    revoked_tokens: z.int().describe('Number of revoked control tokens.'),
  }),
  problems: ['not_found', 'sandbox_not_shared'],
})

export const deleteNamespace = operation({
  id: 'namespaces.delete',
  summary: 'Delete a namespace and its data',
  details:
    'Without --shared, the next request with its key recreates it; in a shared sandbox its keys and snapshots go too.',
  call: 'DELETE /_sandbox/namespaces/{name}',
  access: 'admin',
  params,
  output: z.strictObject({ name: Name, deleted: z.literal(true).describe('Whether the namespace was deleted.') }),
  problems: ['not_found', 'default_namespace'],
})

export const resetNamespace = operation({
  ...reset,
  id: 'namespaces.reset',
  summary: 'Reset a namespace, or a part of it, to its initial state',
  call: 'POST /_sandbox/namespaces/{name}/reset',
  params,
  problems: ['not_found'],
})
