import { startGeneration } from './generation.ts'
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

  /** Snapshots are in memory without a folder. */
  constructor(
    { folder, ...options }: WorldTemplateOptions & { folder?: string | undefined },
    scratch: Omit<ScratchOptions, 'namespace'>,
  ) {
    this.snapshots = new Snapshots(folder)
    this.template = new WorldTemplate(options, scratch)
    this.#scratch = scratch
  }

  /** A new world. */
  fresh(namespace: string): Buffer {
    return this.#after(this.template.image(), namespace, (world) => this.template.startClock(world))
  }

  /** A world that is reset. */
  restarted(namespace: string, generation: number): Buffer {
    return this.#after(this.template.image(), namespace, (world) => {
      this.template.startClock(world)
      startGeneration(world, generation)
    })
  }

  /**
   * Reads a snapshot; the returned function makes a world of it. Its time goes on from where it was saved, so that nothing
   * of it falls due at once.
   */
  copyOf(name: string): (namespace: string, generation: number) => Buffer {
    const image = this.snapshots.image(name)
    const { at } = this.snapshots.describe(name)
    return (namespace, generation) =>
      this.#after(image, namespace, (world) => {
        world.setClock(at)
        startGeneration(world, generation)
      })
  }

  /** Keeps the bytes of a snapshot of another process. */
  import(name: string, bytes: Buffer): Snapshot {
    this.snapshots.refuseTaken(name)
    return this.snapshots.add(name, readImage(bytes, this.template.image()))
  }

  #after(image: Buffer, namespace: string, work: (world: World) => void): Buffer {
    return imageAfter(openDatabase({ memory: true, image }), { ...this.#scratch, namespace }, work)
  }
}
