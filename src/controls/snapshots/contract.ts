import { z } from 'zod'
import type { About } from '../../words/about.ts'
import { FileName } from '../../words/file-name.schema.ts'
import { operation } from '../../words/operation.ts'
import { ClockReading } from '../clock/contract.ts'

export const about: About = {
  name: 'snapshots',
  alias: 'snapshot',
  group: 'Emulator',
  summary: 'Save, restore, fork, export and import snapshots of worlds',
}

/** Limited, because it becomes part of a file name. */
const SnapshotName = FileName.describe('Name of the snapshot: 1 to 64 of a-z, 0-9, - and _.')
const NamespaceName = FileName.describe('Name of the new namespace: the part of its key after sk_sandbox_.')

const Snapshot = z
  .strictObject({
    name: z.string().describe('Name of the snapshot.'),
    namespace: z.string().describe('Namespace that was saved.'),
    clock: ClockReading.describe('Time of the world when it was saved.'),
    bytes: z.int().describe('Size of the snapshot.'),
  })
  .meta({ id: 'Snapshot', description: 'A copy of a world. It never changes.' })

const Place = {
  namespace: z.string().describe('Namespace that was restored.'),
  snapshot: z.string().describe('Name of the snapshot.'),
  clock: ClockReading.describe('Clock of the world.'),
}

const Bytes = z.custom<Uint8Array>((value) => ArrayBuffer.isView(value), 'must be the bytes of a file')

const MEDIA = 'application/vnd.sqlite3'

const params = {
  name: z
    .string()
    .regex(/^[a-z0-9_-]{1,64}$/)
    .describe('Name of the snapshot.')
    .meta({ example: 'before' }),
}

export const saveSnapshot = operation({
  id: 'snapshots.save',
  summary: 'Save a snapshot of the world',
  details: 'A snapshot never changes.',
  call: 'POST /_sandbox/snapshots',
  access: 'namespace',
  body: z
    .strictObject({
      name: SnapshotName.optional().describe('Name of the snapshot (default: snapshot-1, snapshot-2 and so on).'),
    })
    .meta({ example: { name: 'before' } }),
  bodyOptional: true,
  output: Snapshot,
  status: 201,
  problems: ['snapshot_exists'],
})

export const listSnapshots = operation({
  id: 'snapshots.list',
  summary: 'List snapshots',
  details: 'All namespaces share the snapshots.',
  call: 'GET /_sandbox/snapshots',
  access: 'namespace',
  output: z.strictObject({
    snapshots: z.array(Snapshot).describe('Snapshots in order of their names.'),
    damaged: z.array(z.string()).describe('Names of snapshots whose file cannot be read.'),
  }),
})

export const restoreSnapshot = operation({
  id: 'snapshots.restore',
  summary: 'Restore the world from a snapshot',
  details: 'The clock continues from the time of the snapshot.',
  call: 'POST /_sandbox/snapshots/{name}/restore',
  access: 'namespace',
  destroys: true,
  params,
  output: z.strictObject(Place),
  problems: ['not_found', 'not_a_snapshot'],
})

export const forkSnapshot = operation({
  id: 'snapshots.fork',
  summary: 'Create a namespace from a snapshot',
  call: 'POST /_sandbox/snapshots/{name}/fork',
  access: 'unshared',
  params,
  body: z
    .strictObject({
      namespace: NamespaceName,
      replace: z.boolean().default(false).describe('Replace an existing namespace.'),
    })
    .meta({ example: { namespace: 'suite-2' } }),
  output: z.strictObject({ ...Place, api_key: z.string().describe('API key of the namespace.') }),
  status: 201,
  problems: ['not_found', 'not_a_snapshot', 'namespace_exists'],
})

export const deleteSnapshot = operation({
  id: 'snapshots.delete',
  summary: 'Delete a snapshot',
  details: 'Worlds created from it are kept.',
  call: 'DELETE /_sandbox/snapshots/{name}',
  access: 'namespace',
  params,
  output: z.strictObject({
    name: z.string().describe('Name of the deleted snapshot.'),
    deleted: z.literal(true).describe('Whether the snapshot was deleted.'),
  }),
  problems: ['not_found'],
})

export const exportSnapshot = operation({
  id: 'snapshots.export',
  summary: 'Export a snapshot as one file',
  details: 'The file contains the secrets of the world.',
  call: 'GET /_sandbox/snapshots/{name}/export',
  access: 'namespace',
  params,
  output: Bytes,
  media: MEDIA,
  problems: ['not_found'],
})

export const importSnapshot = operation({
  id: 'snapshots.import',
  summary: 'Import a snapshot from an exported file',
  call: 'PUT /_sandbox/snapshots/{name}',
  access: 'admin',
  params,
  body: Bytes,
  accepts: MEDIA,
  maxBodyBytes: 512 * 1024 * 1024,
  output: Snapshot,
  status: 201,
  problems: ['snapshot_exists', 'not_a_snapshot'],
})
