import { identity, startGeneration } from '../generation.ts'
import { machineSecret } from '../machine-secret.ts'
import { readImage } from '../snapshots/snapshot-file.ts'
import { momentIn, type Snapshot, Snapshots } from '../snapshots/snapshots.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { withImage } from '../storage/image.ts'
import type { World } from '../world.ts'
import { imageAfter, type ScratchOptions, workIn } from './scratch-world.ts'
import { WorldTemplate, type WorldTemplateOptions } from './template.ts'

interface CopiedWorld {
  image: Buffer
  /** The instant of its clock. */
  at: number
  namespace: string
  generation: number
  before?: World | undefined
}

/** The database images that a world can start from: the template and the snapshots. */
export class WorldImages {
  readonly snapshots: Snapshots
  readonly template: WorldTemplate
  readonly #scratch: Omit<ScratchOptions, 'namespace'>
  /** Random for each process, except for repeatable runs. */
  readonly #run: string
  /** Counts deleted worlds for each namespace. */
  readonly #deleted = new Map<string, number>()

  /** Without a folder, snapshots are kept in memory. */
  constructor(
    { folder, ...options }: WorldTemplateOptions & { folder?: string | undefined },
    scratch: Omit<ScratchOptions, 'namespace'>,
  ) {
    this.snapshots = new Snapshots(folder)
    this.template = new WorldTemplate(options, scratch)
    this.#scratch = scratch
    this.#run = this.template.isRepeatable ? '' : machineSecret('')
  }

  fresh(namespace: string): Buffer {
    return this.#after(this.template.image(), namespace, this.#beginFirst)
  }

  /** Begins a new world in an open copy of the template. */
  beginIn(db: Database, namespace: string) {
    workIn(db, { ...this.#scratch, namespace }, this.#beginFirst, () => undefined)
  }

  readonly #beginFirst = (world: World) => {
    this.template.startClock(world)
    this.#identify(world, 0)
  }

  /** `before` is the world that it takes the place of, unless that is damaged. */
  restarted(namespace: string, generation = this.#anew(namespace), before?: World): Buffer {
    return this.#after(this.template.image(), namespace, (world) => {
      this.template.startClock(world)
      this.#begin(world, generation, before)
    })
  }

  /**
   * Reads a snapshot; the returned function makes a world of it. Its clock continues from the saved instant, so that
   * nothing falls due at once.
   */
  copyOf(name: string): (namespace: string, generation?: number, before?: World) => Buffer {
    const image = this.snapshots.image(name)
    const { at } = this.snapshots.describe(name)
    return (namespace, generation = this.#anew(namespace), before) =>
      this.#worldOf({ image, at, namespace, generation, before })
  }

  /** Makes a world of the bytes of a snapshot of another process, which is not kept as a snapshot. */
  worldOf(bytes: Buffer, namespace: string): Buffer {
    const image = readImage(bytes, this.template.image())
    return this.#worldOf({ image, at: withImage(image, momentIn).at, namespace, generation: 1 })
  }

  #worldOf({ image, at, namespace, generation, before }: CopiedWorld): Buffer {
    return this.#after(image, namespace, (world) => {
      world.setClock(at)
      this.#begin(world, generation, before)
    })
  }

  /** Adds a snapshot from a file. */
  import(name: string, bytes: Buffer): Snapshot {
    this.snapshots.refuseTaken(name)
    return this.snapshots.add(name, readImage(bytes, this.template.image()))
  }

  /** A generation for a namespace whose last one is unknown. */
  #anew(namespace: string): number {
    this.deleted(namespace)
    return 1
  }

  /** Gives the next world of this namespace another identity. */
  deleted(namespace: string) {
    this.#deleted.set(namespace, this.#deletedOf(namespace) + 1)
  }

  #deletedOf(namespace: string): number {
    return this.#deleted.get(namespace) ?? 0
  }

  #begin(world: World, generation: number, before?: World) {
    this.#identify(world, generation)
    startGeneration(world, generation)
    if (before) for (const carryOver of world.nouns.carryOver) carryOver(before, world)
  }

  /** Makes the identity of a world unique, so that no two worlds derive the same ids and secrets. */
  #identify(world: World, generation: number) {
    const { namespace } = world
    identity.set(world, JSON.stringify([this.#run, namespace, this.#deletedOf(namespace), generation]))
  }

  #after(image: Buffer, namespace: string, work: (world: World) => void): Buffer {
    return imageAfter(openDatabase({ memory: true, image }), { ...this.#scratch, namespace }, work)
  }
}
