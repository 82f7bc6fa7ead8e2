import { DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import type { Cluster } from '../../world/cluster/cluster.ts'
import { sqliteRegistry } from '../../world/tenants/sqlite-registry.ts'
import { Tenants } from '../../world/tenants/tenants.ts'
import type { Worlds } from '../../world/worlds/worlds.ts'

interface OpenOptions {
  worlds: Worlds
  /** The data folder; in memory without one. */
  folder: string | undefined
  cluster: Cluster | undefined
  onFault: (error: unknown, doing: string) => void
}

/** Opens the namespaces of a shared sandbox, and connects them with the worlds. */
export async function openTenants({ worlds, folder, cluster, onFault }: OpenOptions): Promise<Tenants> {
  const tenants = new Tenants({
    registry: (await cluster?.tenants()) ?? sqliteRegistry(folder),
    most: worlds.limits.most,
    hasWorld: (namespace) => worlds.hasAnywhere(namespace),
    removeWorld: async (namespace, fence) => {
      await cluster?.take(namespace)
      await worlds.removeAll(namespace, fence)
    },
    // The node whose administrator creates namespaces, so that a deletion and a creation do not mix.
    mayDelete: async () => !cluster || (await cluster.has(DEFAULT_NAMESPACE)),
    fence: () => cluster?.fenceOf(DEFAULT_NAMESPACE),
    onFault,
  })
  worlds.tenants = tenants
  return tenants
}
