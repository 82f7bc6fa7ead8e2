import { join } from 'node:path'
import { getOrAdd } from '../../words/get-or-add.ts'
import { identity, startGeneration } from '../generation.ts'
import { machineSecret } from '../machine-secret.ts'
import { otherVersion, readImage } from '../snapshots/snapshot-file.ts'
import { LocalSnapshots, momentIn, type SavedWorld, type Snapshot, type Snapshots } from '../snapshots/snapshots.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { withImage } from '../storage/image.ts'
import { SchemaMismatch } from '../storage/schema.ts'
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

interface ImageOptions {
  folder?: string | undefined
  /** Each namespace has its own snapshots. */
  isShared?: boolean | undefined
  /** How often a namespace was erased, by any process. */
  erasuresOf?: ((namespace: string) => number) | undefined
}

const FOLDER = 'snapshots'

function snapshotsOfAll(folder: string | undefined): (namespace: string) => LocalSnapshots {
  const all = new LocalSnapshots(folder && join(folder, FOLDER))
  return () => all
}

/** The folder of each namespace is beside the files that all namespaces of an unshared sandbox share. */
function snapshotsOfEach(folder: string | undefined): (namespace: string) => LocalSnapshots {
  const each = new Map<string, LocalSnapshots>()
  return (namespace) => getOrAdd(each, namespace, () => new LocalSnapshots(folder && join(folder, FOLDER), namespace))
}

/** The database images that a world can start from: the template and the snapshots. */
export class WorldImages {
  readonly #snapshots: (namespace: string) => LocalSnapshots
  readonly template: WorldTemplate
  readonly #scratch: Omit<ScratchOptions, 'namespace'>
  /** Random for each process, except for repeatable runs. */
  readonly #run: string
  /** Counts deleted worlds for each namespace. */
  readonly #deleted = new Map<string, number>()
  readonly #erasuresOf: (namespace: string) => number

  constructor(
    { folder, isShared = false, erasuresOf = () => 0, ...options }: WorldTemplateOptions & ImageOptions,
    scratch: Omit<ScratchOptions, 'namespace'>,
  ) {
    this.#erasuresOf = erasuresOf
    this.#snapshots = isShared ? snapshotsOfEach(folder) : snapshotsOfAll(folder)
    this.template = new WorldTemplate(options, scratch)
    this.#scratch = scratch
    this.#run = this.template.isRepeatable ? '' : machineSecret('')
  }

  /** The snapshots of this process that a namespace may use. */
  snapshotsOf(namespace: string): LocalSnapshots {
    return this.#snapshots(namespace)
  }

  fresh(namespace: string): Buffer {
    return this.#after(this.template.image(), namespace, this.#startFirst)
  }

  /** Turns an open copy of the template into a new world. */
  initialise(db: Database, namespace: string) {
    workIn(db, { ...this.#scratch, namespace }, this.#startFirst, () => undefined)
  }

  readonly #startFirst = (world: World) => {
    this.template.startClock(world)
    this.#identify(world, 0)
  }

  /** `before` is the replaced world, unless it is damaged. */
  restarted(namespace: string, generation = this.#firstGeneration(namespace), before?: World): Buffer {
    return this.#after(this.template.image(), namespace, (world) => {
      this.template.startClock(world)
      this.#start(world, generation, before)
    })
  }

  /**
   * The returned function makes a world from a snapshot. Its clock continues from the saved instant, so that
   * nothing becomes due at once.
   */
  copyOf({ image, at }: SavedWorld): (namespace: string, generation?: number, before?: World) => Buffer {
    return (namespace, generation = this.#firstGeneration(namespace), before) =>
      this.#worldOf({ image, at, namespace, generation, before })
  }

  /** Creates a world from a snapshot of another process, which is not stored as a snapshot. */
  worldOf(bytes: Buffer, namespace: string): Buffer {
    const image = readImage(bytes, this.template.image())
    return this.#worldOf({ image, at: withImage(image, momentIn).at, namespace, generation: 1 })
  }

  #worldOf({ image, at, namespace, generation, before }: CopiedWorld): Buffer {
    try {
      return this.#after(image, namespace, (world) => {
        world.setClock(at)
        this.#start(world, generation, before)
      })
    } catch (error) {
      throw error instanceof SchemaMismatch ? otherVersion(error.version) : error
    }
  }

  /** Adds a snapshot from a file. */
  async import(name: string, bytes: Buffer, snapshots: Snapshots): Promise<Snapshot> {
    await snapshots.refuseTaken(name)
    return snapshots.add(name, readImage(bytes, this.template.image()))
  }

  /** A generation for a namespace whose last generation is unknown. */
  #firstGeneration(namespace: string): number {
    this.deleted(namespace)
    return 1
  }

  /** Gives the next world of this namespace another identity. */
  deleted(namespace: string) {
    this.#deleted.set(namespace, (this.#deleted.get(namespace) ?? 0) + 1)
  }

  #start(world: World, generation: number, before?: World) {
    this.#identify(world, generation)
    startGeneration(world, generation)
    if (before) for (const carryOver of world.nouns.carryOver) carryOver(before, world)
  }

  /** Makes the identity of a world unique, so that no two worlds derive the same ids and secrets. */
  #identify(world: World, generation: number) {
    const { namespace } = world
    const deleted = this.#erasuresOf(namespace) + (this.#deleted.get(namespace) ?? 0)
    identity.set(world, JSON.stringify([this.#run, namespace, deleted, generation]))
  }

  #after(image: Buffer, namespace: string, work: (world: World) => void): Buffer {
    return imageAfter(openDatabase({ memory: true, image }), { ...this.#scratch, namespace }, work)
  }
}
