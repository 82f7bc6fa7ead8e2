import type { TenantRegistry } from '../../world/tenants/registry.ts'
import { sqliteRegistry } from '../../world/tenants/sqlite-registry.ts'
import { Tenants } from '../../world/tenants/tenants.ts'
import type { Worlds } from '../../world/worlds/worlds.ts'

interface OpenOptions {
  worlds: Worlds
  /** The data folder; in memory without one. */
  folder: string | undefined
  registry: TenantRegistry | undefined
  onFault: (error: unknown, doing: string) => void
}

/** Opens the namespaces of a shared sandbox, and connects them with the worlds. */
export function openTenants({ worlds, folder, registry = sqliteRegistry(folder), onFault }: OpenOptions): Tenants {
  const tenants = new Tenants({
    registry,
    most: worlds.limits.most,
    hasWorld: (namespace) => worlds.has(namespace),
    removeWorld: (namespace) => worlds.removeAll(namespace),
    onFault,
  })
  worlds.tenants = tenants
  return tenants
}
