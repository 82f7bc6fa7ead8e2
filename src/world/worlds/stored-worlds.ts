import type { WorldStorage } from '../host.ts'
import type { StorageBackend } from '../storage/backend.ts'
import type { Database } from '../storage/database.ts'
import { lacksFiles } from '../storage/storage-fault.ts'
import { asProblem } from '../storage/transactions.ts'
import type { World } from '../world.ts'
import type { WorldImages } from './images.ts'
import type { OpenWorldLimit } from './open-limit.ts'

interface Parts {
  backend: StorageBackend
  images: WorldImages
  openLimit: OpenWorldLimit
  opened: WorldStorage['opened']
}

/** The databases of all worlds; each is created on first use. */
export class StoredWorlds implements WorldStorage {
  readonly backend: StorageBackend
  readonly opened: WorldStorage['opened']
  readonly #images: WorldImages
  readonly #openLimit: OpenWorldLimit

  constructor({ backend, images, openLimit, opened }: Parts) {
    this.backend = backend
    this.opened = opened
    this.#images = images
    this.#openLimit = openLimit
  }

  open(world: World): Database {
    try {
      this.#openLimit.makeRoom(world)
      return this.#openOrCreate(world.namespace)
    } catch (error) {
      throw asProblem(error)
    }
  }

  #openOrCreate(namespace: string): Database {
    const open = () => this.backend.open(namespace) ?? this.#create(namespace)
    try {
      return open()
    } catch (error) {
      if (!lacksFiles(error) || !this.#openLimit.freeFiles()) throw error
      return open()
    }
  }

  /** A copy of the template that need not be complete at once is not read and written again, which helps tests with a world each. */
  #create(namespace: string): Database {
    if (this.backend.openCopy) return this.#initialisedCopy(namespace, this.backend.openCopy)
    this.backend.replace(namespace, this.#images.fresh(namespace))
    return this.backend.open(namespace)!
  }

  #initialisedCopy(namespace: string, openCopy: NonNullable<StorageBackend['openCopy']>): Database {
    let copy: Database | undefined
    try {
      copy = openCopy(namespace, this.#images.template.image())
      this.#images.initialise(copy, namespace)
      return copy
    } catch (error) {
      copy?.close()
      this.backend.remove(namespace)
      throw error
    }
  }
}
