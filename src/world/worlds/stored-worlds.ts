import type { WorldStorage } from '../host.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { CachePool } from '../storage/cache-pool.ts'
import type { Database } from '../storage/database.ts'
import { lacksFiles } from '../storage/storage-fault.ts'
import { asProblem } from '../storage/transactions.ts'
import type { World } from '../world.ts'

interface Owner {
  /** Called before the database of a world is opened. */
  makeRoom(world: World): void
  /** Closes files of idle worlds, if there are any. */
  freeFiles(): boolean
  fresh(namespace: string): Buffer
  /** The image of new worlds. */
  template(): Buffer
  /** Turns an open copy of the template into a new world. */
  initialise(db: Database, namespace: string): void
  opened(world: World): void
}

/** The databases of all worlds; each is created on first use. */
export class StoredWorlds implements WorldStorage {
  readonly #backend: StorageBackend
  readonly #owner: Owner
  readonly #caches = new CachePool()
  readonly whenDurable: WorldStorage['whenDurable']

  constructor(backend: StorageBackend, owner: Owner) {
    this.#backend = backend
    this.#owner = owner
    // A world that has ended does not own the current log of its namespace.
    this.whenDurable =
      backend.whenDurable &&
      (({ namespace, lifecycle: { end } }) => (end ? Promise.reject(end) : backend.whenDurable!(namespace)))
  }

  open(world: World): Database {
    const { namespace } = world
    try {
      this.#owner.makeRoom(world)
      const db = this.#openOrCreate(namespace)
      this.#caches.add(db)
      return db
    } catch (error) {
      throw asProblem(error)
    }
  }

  opened(world: World) {
    this.#owner.opened(world)
  }

  saveAndClose({ namespace }: World, db: Database) {
    this.#backend.saveAndClose(namespace, db)
    this.#caches.remove(db)
  }

  closed(_: World, db: Database) {
    this.#caches.remove(db)
  }

  replace({ namespace }: World, image: Buffer, close: () => void) {
    this.#backend.replace(namespace, image, close)
  }

  setAside({ namespace }: World) {
    this.#backend.setAside(namespace)
  }

  damaged({ namespace }: World) {
    return this.#backend.damaged?.(namespace)
  }

  #openOrCreate(namespace: string): Database {
    const open = () => this.#backend.open(namespace) ?? this.#create(namespace)
    try {
      return open()
    } catch (error) {
      if (!lacksFiles(error) || !this.#owner.freeFiles()) throw error
      return open()
    }
  }

  /** A copy of the template that need not be complete at once is not read and written again, which helps tests with a world each. */
  #create(namespace: string): Database {
    if (this.#backend.openCopy) return this.#initialisedCopy(namespace, this.#backend.openCopy)
    this.#backend.replace(namespace, this.#owner.fresh(namespace))
    return this.#backend.open(namespace)!
  }

  #initialisedCopy(namespace: string, openCopy: NonNullable<StorageBackend['openCopy']>): Database {
    let copy: Database | undefined
    try {
      copy = openCopy(namespace, this.#owner.template())
      this.#owner.initialise(copy, namespace)
      return copy
    } catch (error) {
      copy?.close()
      this.#backend.remove(namespace)
      throw error
    }
  }
}
