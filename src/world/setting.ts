import type { Database } from './storage/database.ts'
import { metaStore } from './storage/meta.ts'
import type { World } from './world.ts'

/**
 * A value of a world, stored as JSON under `key` and cached. `read` converts the stored value, which is undefined
 * before the first write.
 */
export function setting<Written, Value = Written>(key: string, read: (written: Written | undefined) => Value) {
  const store = (db: Database) => {
    const meta = metaStore(db)
    const value = db.cached(() => read(meta.get<Written>(key)))
    return {
      get: () => value.get(),
      set(written: Written) {
        meta.set(key, written)
        value.invalidate()
      },
    }
  }
  return {
    of: (world: World): Value => world.store(store).get(),
    set: (world: World, written: Written) => world.store(store).set(written),
  }
}
