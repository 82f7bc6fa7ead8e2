import type { Host, WorldStorage } from './host.ts'
import type { Database } from './storage/database.ts'
import { type FaultListener, World } from './world.ts'

export interface ScratchOptions {
  /** Of the world that the bytes will be. */
  namespace: string
  host: Host
  onFault: FaultListener
}

/**
 * Does some work in a database as in a world, closes it, and returns its bytes. So a world is finished before it is written
 * to the storage, and a process that is killed leaves the old one or the new one. Nothing that is due is done.
 */
export function imageAfter(db: Database, options: ScratchOptions, work: (world: World) => void): Buffer {
  const world = new World(options.namespace, { ...options, storage: storageOf(db) })
  try {
    world.transaction(() => work(world))
    return world.lifecycle.opened.image()
  } finally {
    world.driver.halt()
    db.close()
  }
}

const storageOf = (db: Database): WorldStorage => ({
  open: () => db,
  opened() {},
  saveAndClose() {},
  closed() {},
  replace() {},
  setAside() {},
})
