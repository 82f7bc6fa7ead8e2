import type { WorldStorage } from '../host.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { CachePool } from '../storage/cache-pool.ts'
import type { Database } from '../storage/database.ts'
import { asProblem } from '../storage/transactions.ts'
import type { World } from '../world.ts'

interface Owner {
  /** Called before another database is opened. */
  makeRoom(): void
  fresh(namespace: string): Buffer
  /** The image that new worlds begin as. */
  template(): Buffer
  /** Begins a new world in an open copy of it. */
  beginIn(db: Database, namespace: string): void
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
    this.whenDurable = backend.whenDurable && (({ namespace }) => backend.whenDurable!(namespace))
  }

  open({ namespace }: World): Database {
    try {
      this.#owner.makeRoom()
      const db = this.#backend.open(namespace) ?? this.#create(namespace)
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

  replace({ namespace }: World, image: Buffer) {
    this.#backend.replace(namespace, image)
  }

  setAside({ namespace }: World) {
    this.#backend.setAside(namespace)
  }

  /** In memory nothing has to be written whole, and a test may have a world of its own. */
  #create(namespace: string): Database {
    const copy = this.#backend.openCopy?.(namespace, this.#owner.template())
    if (copy) return this.#begun(copy, namespace)
    this.#backend.replace(namespace, this.#owner.fresh(namespace))
    return this.#backend.open(namespace)!
  }

  #begun(copy: Database, namespace: string): Database {
    try {
      this.#owner.beginIn(copy, namespace)
      return copy
    } catch (error) {
      copy.close()
      throw error
    }
  }
}
