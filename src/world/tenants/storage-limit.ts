import { problem } from '../../words/problem.ts'
import { usedBytes } from '../storage/used-bytes.ts'
import type { World } from '../world.ts'

/** Refuses to store more if a namespace has used up its storage. */
export function refuseBeyondStorage(world: World) {
  const maxBytes = world.host.tenants?.limitsOf(world.namespace)?.storageBytes ?? null
  if (maxBytes === null) return
  const used = usedBytes(world.lifecycle.opened.db) + world.host.snapshotsOf(world).bytes
  if (used < maxBytes) return
  throw problem(
    'storage_unavailable',
    `The namespace ${world.namespace} uses ${used} bytes of its limit of ${maxBytes}. Delete snapshots, reset the world, or ask the administrator for a higher limit.`,
    { max_storage_bytes: maxBytes },
  )
}
