import type { Host, WorldStorage } from './host.ts'
import type { Database } from './storage/database.ts'
import { type FaultListener, World } from './world.ts'

export interface ScratchOptions {
  /** The namespace of the resulting world. */
  namespace: string
  host: Host
  onFault: FaultListener
}

/**
 * Runs work in a temporary world and returns its database image. The world is complete before it is stored, so a killed
 * process leaves the old one or the new one. No due work runs.
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
