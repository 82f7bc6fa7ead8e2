import type { Host, WorldStorage } from '../host.ts'
import { memoryBackend } from '../storage/backend.ts'
import type { Database } from '../storage/database.ts'
import { migrate } from '../storage/schema.ts'
import { type FaultListener, World } from '../world.ts'

export interface ScratchOptions {
  /** The namespace of the resulting world. */
  namespace: string
  host: Host
  onFault: FaultListener
}

/**
 * Runs work in a temporary world and returns its database image. The world is complete and migrated before it is stored, so
 * a killed process leaves the old one or the new one, and an image of a later release the old one. No due work runs.
 */
export function imageAfter(db: Database, options: ScratchOptions, work: (world: World) => void): Buffer {
  try {
    migrate(db, 'the snapshot')
    return workIn(db, options, work, (world) => world.lifecycle.opened.image())
  } finally {
    db.close()
  }
}

/** Runs work in a temporary world of a database, which stays open. `then` runs once the work is committed. */
export function workIn<T>(
  db: Database,
  options: ScratchOptions,
  work: (world: World) => void,
  then: (world: World) => T,
): T {
  const world = new World(options.namespace, { ...options, storage: storageOf(db) })
  try {
    world.transaction(() => work(world))
    return then(world)
  } finally {
    world.driver.halt()
  }
}

const storageOf = (db: Database): WorldStorage => ({
  backend: memoryBackend(),
  open: () => db,
  opened() {},
})
