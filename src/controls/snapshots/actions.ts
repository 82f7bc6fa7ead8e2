import { brokenField } from '../../words/broken-fields.ts'
import { FILE_NAME_FAULT } from '../../words/file-name.ts'
import { problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { Action, AsyncAction } from '../../world/noun.ts'
import type { Snapshot } from '../../world/snapshots/snapshots.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { reading } from '../clock/actions.ts'
import * as contract from './contract.ts'

/** Runs outside a transaction, because only committed data is copied, this request's own included. */
export const save: AsyncAction<typeof contract.saveSnapshot> = async (world, { body: { name } }) =>
  toAnswer(world.host.saveSnapshot(world, name ?? nextName(world)))

/** Numbered rather than random, so that the same calls give the same names. */
function nextName(world: World): string {
  const snapshots = world.host.snapshotsOf(world)
  let n = 1
  while (snapshots.has(`snapshot-${n}`)) n++
  return `snapshot-${n}`
}

export const list: Action<typeof contract.listSnapshots> = (world) => {
  const { snapshots, damaged } = world.host.snapshotsOf(world).all()
  return { snapshots: snapshots.map(toAnswer), damaged }
}

export const restore: AsyncAction<typeof contract.restoreSnapshot> = async (world, { params }) => {
  const name = requireSnapshotName(params.name)
  await world.host.restore(world, name)
  return { namespace: world.namespace, snapshot: name, clock: reading(world) }
}

export const fork: AsyncAction<typeof contract.forkSnapshot> = async (
  source,
  { params, body: { namespace, replace } },
) => {
  const { host } = source
  const name = requireSnapshotName(params.name)
  const isKnown = host.all().some((world) => world.namespace === namespace)
  if (isKnown && !replace) throw problem('namespace_exists')
  const world = await host.fork(source, name, namespace)
  return { namespace, snapshot: name, clock: reading(world), api_key: `sk_sandbox_${namespace}` }
}

const remove: Action<typeof contract.deleteSnapshot> = (world, { params }) => {
  const name = requireSnapshotName(params.name)
  world.host.snapshotsOf(world).remove(name)
  return { name, deleted: true }
}

const download: Action<typeof contract.exportSnapshot> = (world, { params }) => {
  const name = requireSnapshotName(params.name)
  const headers = { 'Content-Disposition': `attachment; filename="${name}.db"` }
  return new Reply(world.host.snapshotsOf(world).image(name), { headers })
}

const upload: AsyncAction<typeof contract.importSnapshot> = async (world, { params, body }) =>
  toAnswer(
    world.host.importSnapshot(
      world,
      requireSnapshotName(params.name),
      Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    ),
  )

/** Checked before any file is touched, because the name becomes part of a path. */
function requireSnapshotName(name: string): string {
  if (contract.SnapshotName.safeParse(name).success) return name
  throw brokenField('name', 'invalid_format', FILE_NAME_FAULT)
}

const toAnswer = ({ name, namespace, pace, at, bytes }: Snapshot) => ({
  name,
  namespace,
  clock: { ...pace, now: isoTime(at) },
  bytes,
})

export { download as export, remove as delete, upload as import }
