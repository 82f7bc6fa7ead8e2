import { identity, startGeneration } from './generation.ts'
import { machineSecret } from './machine-secret.ts'
import { imageAfter, type ScratchOptions } from './scratch-world.ts'
import { readImage } from './snapshot-file.ts'
import { type Snapshot, Snapshots } from './snapshots.ts'
import { openDatabase } from './storage/database.ts'
import { WorldTemplate, type WorldTemplateOptions } from './template.ts'
import type { World } from './world.ts'

/** The states that a world can begin with, as the bytes of a database: the template and the snapshots. */
export class WorldImages {
  readonly snapshots: Snapshots
  readonly template: WorldTemplate
  readonly #scratch: Omit<ScratchOptions, 'namespace'>
  /** Drawn anew for each process, unless equal runs are to be equal. */
  readonly #run: string
  /** How many worlds of a namespace were deleted. */
  readonly #deleted = new Map<string, number>()

  /** Snapshots are in memory without a folder. */
  constructor(
    { folder, ...options }: WorldTemplateOptions & { folder?: string | undefined },
    scratch: Omit<ScratchOptions, 'namespace'>,
  ) {
    this.snapshots = new Snapshots(folder)
    this.template = new WorldTemplate(options, scratch)
    this.#scratch = scratch
    this.#run = this.template.isRepeatable ? '' : machineSecret('')
  }

  /** A new world. */
  fresh(namespace: string): Buffer {
    return this.#after(this.template.image(), namespace, (world) => {
      this.template.startClock(world)
      this.#identify(world, 0)
    })
  }

  /** A world that is reset. */
  restarted(namespace: string, generation = this.#anew(namespace)): Buffer {
    return this.#after(this.template.image(), namespace, (world) => {
      this.template.startClock(world)
      this.#begin(world, generation)
    })
  }

  /**
   * Reads a snapshot; the returned function makes a world of it. Its time goes on from where it was saved, so that nothing
   * of it falls due at once.
   */
  copyOf(name: string): (namespace: string, generation?: number) => Buffer {
    const image = this.snapshots.image(name)
    const { at } = this.snapshots.describe(name)
    return (namespace, generation = this.#anew(namespace)) =>
      this.#after(image, namespace, (world) => {
        world.setClock(at)
        this.#begin(world, generation)
      })
  }

  /** Keeps the bytes of a snapshot of another process. */
  import(name: string, bytes: Buffer): Snapshot {
    this.snapshots.refuseTaken(name)
    return this.snapshots.add(name, readImage(bytes, this.template.image()))
  }

  /** The first generation of a namespace whose last one is not known. */
  #anew(namespace: string): number {
    this.deleted(namespace)
    return 1
  }

  /** The next world of this namespace is none that there was. */
  deleted(namespace: string) {
    this.#deleted.set(namespace, this.#deletedOf(namespace) + 1)
  }

  #deletedOf(namespace: string): number {
    return this.#deleted.get(namespace) ?? 0
  }

  #begin(world: World, generation: number) {
    this.#identify(world, generation)
    startGeneration(world, generation)
  }

  /** What tells a world from all others: none makes the ids and secrets of another. */
  #identify(world: World, generation: number) {
    const { namespace } = world
    identity.set(world, JSON.stringify([this.#run, namespace, this.#deletedOf(namespace), generation]))
  }

  #after(image: Buffer, namespace: string, work: (world: World) => void): Buffer {
    return imageAfter(openDatabase({ memory: true, image }), { ...this.#scratch, namespace }, work)
  }
}
