import { apiKeyOf } from '../../words/api-key.ts'
import { requireFileName } from '../../words/file-name.schema.ts'
import { Problem } from '../../words/problem.ts'
import { Reply } from '../../words/reply.ts'
import type { AsyncAction } from '../../world/noun.ts'
import type { Snapshot } from '../../world/snapshots/snapshots.ts'
import { isoTime } from '../../world/time/clock.ts'
import type { World } from '../../world/world.ts'
import { reading } from '../clock/actions.ts'
import type * as contract from './contract.ts'

/** Runs outside a transaction, because only committed data is copied, this request's own included. */
export const save: AsyncAction<typeof contract.saveSnapshot> = async (world, { body: { name } }) =>
  toAnswer(await (name === undefined ? saveUnnamed(world) : world.host.saveSnapshot(world, name)))

/** Numbered rather than random, so that the same calls give the same names. */
async function saveUnnamed(world: World): Promise<Snapshot> {
  const names = await world.host.snapshotsOf(world).names()
  for (let n = 1; ; n++) {
    const name = `snapshot-${n}`
    if (names.includes(name)) continue
    try {
      return await world.host.saveSnapshot(world, name)
    } catch (error) {
      // Another request, or another node of a cluster, has taken the name meanwhile.
      if (!(error instanceof Problem && error.code === 'snapshot_exists')) throw error
    }
  }
}

export const list: AsyncAction<typeof contract.listSnapshots> = async (world) => {
  const { snapshots, damaged } = await world.host.snapshotsOf(world).all()
  return { snapshots: snapshots.map(toAnswer), damaged }
}

export const restore: AsyncAction<typeof contract.restoreSnapshot> = async (world, { params }) => {
  const name = requireFileName(params.name)
  await world.host.restore(world, name)
  return { namespace: world.namespace, snapshot: name, clock: reading(world) }
}

export const fork: AsyncAction<typeof contract.forkSnapshot> = async (
  source,
  { params, body: { namespace, replace } },
) => {
  const name = requireFileName(params.name)
  const world = await source.host.fork(source, name, { namespace, mayReplace: replace })
  return { namespace, snapshot: name, clock: reading(world), api_key: apiKeyOf(namespace) }
}

const remove: AsyncAction<typeof contract.deleteSnapshot> = async (world, { params }) => {
  const name = requireFileName(params.name)
  await world.host.snapshotsOf(world).remove(name)
  return { name, deleted: true }
}

const download: AsyncAction<typeof contract.exportSnapshot> = async (world, { params }) => {
  const name = requireFileName(params.name)
  const headers = { 'Content-Disposition': `attachment; filename="${name}.db"` }
  const { image } = await world.host.snapshotsOf(world).read(name)
  return new Reply(image, { headers })
}

const upload: AsyncAction<typeof contract.importSnapshot> = async (world, { params, body }) =>
  toAnswer(
    await world.host.importSnapshot(
      world,
      requireFileName(params.name),
      Buffer.from(body.buffer, body.byteOffset, body.byteLength),
    ),
  )

const toAnswer = ({ name, namespace, pace, at, bytes }: Snapshot) => ({
  name,
  namespace,
  clock: { ...pace, now: isoTime(at) },
  bytes,
})

export { download as export, remove as delete, upload as import }
