import { metaStore } from './storage/meta.ts'
import type { World } from './world.ts'

/**
 * A single fact about a world that is asked for often and hardly ever changes, so it is kept at hand. It is written as
 * JSON under `key`; `read` makes of that what is asked for, and gets undefined where nothing was written yet.
 */
export const setting = <Written, Asked = Written>(key: string, read: (written: Written | undefined) => Asked) => ({
  of: (world: World): Asked => world.recall(key, () => read(world.store(metaStore).get<Written>(key))),
  set(world: World, value: Written) {
    world.forget(key)
    world.store(metaStore).set(key, value)
  },
})
