import { Lazy } from '../words/lazy.ts'
import { isSamePace } from '../words/pace.ts'
import { problem } from '../words/problem.ts'
import { type CombinedNouns, combineNouns } from './combined-nouns.ts'
import { startGeneration } from './generation.ts'
import type { Host, Opening, WorldStorage } from './host.ts'
import type { Noun } from './noun.ts'
import { seededUuids } from './random.ts'
import { diskBackend, memoryBackend, type StorageBackend } from './storage/backend.ts'
import { CachePool } from './storage/cache-pool.ts'
import type { Database } from './storage/database.ts'
import { readImage } from './storage/image.ts'
import { type Snapshot, Snapshots } from './storage/snapshots.ts'
import { asProblem } from './storage/transactions.ts'
import { WorldTemplate, type WorldTemplateOptions } from './template.ts'
import { parseIsoTime } from './time/clock.ts'
import { after } from './time/machine-time.ts'
import { type FaultListener, World } from './world.ts'

export interface WorldsOptions extends WorldTemplateOptions {
  /** Reads in the concepts. Asked when they are first needed, which need not be when a world is opened. */
  nouns: () => Promise<readonly Noun[]>
  /** The data folder; everything is in memory without one. */
  folder?: string | undefined
  /** How many namespaces there may be; 1,000 unless given. */
  maxNamespaces?: number | undefined
  /** How many of them are kept open; 256 unless given. */
  maxOpenNamespaces?: number | undefined
  onFault: FaultListener
}

/** The namespace that is there from the start. */
const FIRST = 'default'
const MOST = 1_000
const MOST_OPEN = 256
/** When worlds could not be put to sleep because all were at work, in ms of the machine. */
const MAKE_ROOM_AGAIN_MS = 1_000

/** The worlds of one process, one for each namespace, each made at its first use from the start-up world. */
export class Worlds implements Host, WorldStorage {
  readonly #options: WorldsOptions
  readonly limits: Host['limits']
  readonly snapshots: Snapshots
  readonly #nouns: Lazy<CombinedNouns>
  readonly #backend: StorageBackend
  readonly #template: WorldTemplate
  readonly #caches = new CachePool()
  readonly #worlds = new Map<string, World>()
  /** What is to be done when a world is opened next. */
  readonly #onOpen = new Map<string, (world: World) => void>()
  readonly #strayUuid = seededUuids('', 'stray')
  #strays = 0
  #uses = 0
  #cancelPending: (() => void) | undefined

  constructor(options: WorldsOptions) {
    const { folder, maxNamespaces = MOST, maxOpenNamespaces = MOST_OPEN } = options
    this.#options = options
    this.limits = { most: maxNamespaces, open: maxOpenNamespaces }
    this.#nouns = new Lazy(async () => combineNouns(await options.nouns()))
    this.#backend = folder === undefined ? memoryBackend() : diskBackend(folder)
    this.snapshots = new Snapshots(folder)
    this.#template = new WorldTemplate(options, { nouns: () => this.nouns, open: (db) => this.#worldIn(db) })
  }

  get nouns(): CombinedNouns {
    if (!this.#nouns.value) throw new Error('the concepts are not read in yet')
    return this.#nouns.value
  }

  loadNouns(): Promise<unknown> | undefined {
    return this.#nouns.value ? undefined : this.#nouns.load()
  }

  get count(): number {
    return this.#worlds.size
  }

  all(): World[] {
    return [...this.#worlds.keys()].sort().map((namespace) => this.#worlds.get(namespace)!)
  }

  get(namespace: string): World {
    const world = this.#worlds.get(namespace) ?? this.#create(namespace)
    world.usedAt = ++this.#uses
    return world
  }

  /** For a request that belongs to no world. Given even when the first one cannot be had, so that the refusal can be traced. */
  nextRequestId(): string {
    try {
      return this.get(FIRST).ids.nextRequest()
    } catch {
      return `req_${this.#strayUuid(++this.#strays)}`
    }
  }

  /** The world of a namespace that has been used before. */
  find(namespace: string): World | undefined {
    return this.#worlds.has(namespace) ? this.get(namespace) : undefined
  }

  /** Takes up the worlds that the data folder holds, so that what was left to do goes on. */
  resume() {
    for (const namespace of this.#backend.names()) {
      this.#worlds.set(namespace, this.#world(namespace))
      this.#onOpen.set(namespace, (world) => this.#resumeClock(world))
    }
    const all = this.all()
    for (const world of all.slice(0, this.limits.open)) void world.lifecycle.opened
    this.#openOneByOne(all.slice(this.limits.open))
  }

  async close(): Promise<void> {
    this.#cancelPending?.()
    await Promise.all([...this.#worlds.values()].map((world) => world.lifecycle.close()))
    this.#worlds.clear()
    this.#backend.dispose()
  }

  reset(world: World): Promise<void> {
    return world.lifecycle.replace(
      () => this.#backend.replace(world.namespace, this.#template.image()),
      () => this.#template.startClock(world),
    )
  }

  reloadSection(world: World, section: string) {
    this.#template.loadSection(world, section)
  }

  async remove(world: World): Promise<void> {
    await world.lifecycle.remove(() => {
      this.#worlds.delete(world.namespace)
      this.#onOpen.delete(world.namespace)
      this.#backend.remove(world.namespace)
    })
  }

  saveSnapshot(world: World, name: string) {
    return this.snapshots.add(name, world.lifecycle.opened.image())
  }

  importSnapshot(name: string, bytes: Buffer) {
    this.snapshots.refuseTaken(name)
    return this.snapshots.add(name, readImage(bytes, this.#template.image()))
  }

  async restore(world: World, name: string): Promise<void> {
    const image = this.snapshots.image(name)
    await world.lifecycle.replace(
      () => this.#backend.replace(world.namespace, image),
      continueFrom(this.snapshots.describe(name)),
    )
  }

  async fork(name: string, namespace: string): Promise<World> {
    const known = this.find(namespace)
    if (known) {
      await this.restore(known, name)
      return known
    }
    this.#refuseOneMore()
    const image = this.snapshots.image(name)
    this.#backend.replace(namespace, image)
    const onNextOpen = continueFrom(this.snapshots.describe(name))
    this.#onOpen.set(namespace, (world) => {
      onNextOpen(world)
      startGeneration(world, 1)
    })
    return this.get(namespace)
  }

  /** Makes the start-up world, so that what is wrong with its file shows now and not at the first new namespace. */
  async prepare(): Promise<void> {
    if (!this.#template.isPrebuilt) await this.loadNouns()
    this.#template.image()
  }

  /** Makes a start-up world from its file, as the bytes of a database. */
  async buildImage(): Promise<Buffer> {
    await this.loadNouns()
    return this.#template.build()
  }

  open(world: World): Opening {
    try {
      this.#evictExcess()
      const db = this.#backend.open(world.namespace) ?? this.#createDatabase(world.namespace)
      this.#caches.add(db)
      return { db, initialize: this.#initializerOf(world) }
    } catch (error) {
      throw asProblem(error)
    }
  }

  saveAndClose({ namespace }: World, db: Database) {
    this.#backend.saveAndClose(namespace, db)
    this.#caches.remove(db)
  }

  closed(_: World, db: Database) {
    this.#caches.remove(db)
  }

  onNextOpen({ namespace }: World, work: (world: World) => void) {
    this.#onOpen.set(namespace, work)
  }

  #world(namespace: string): World {
    return new World(namespace, { host: this, storage: this, onFault: this.#options.onFault })
  }

  #worldIn(db: Database): World {
    const storage: WorldStorage = { open: () => ({ db }), saveAndClose() {}, closed() {}, onNextOpen() {} }
    return new World('', { host: this, storage, onFault: this.#options.onFault })
  }

  #create(namespace: string): World {
    this.#refuseOneMore()
    const world = this.#world(namespace)
    void world.lifecycle.opened
    this.#worlds.set(namespace, world)
    return world
  }

  #refuseOneMore() {
    const { most } = this.limits
    if (this.#worlds.size < most) return
    throw problem(
      'too_many_namespaces',
      `There are ${most} namespaces, which is the limit. Delete one with "sandbox namespaces delete <name>", or start with --max-namespaces.`,
      { max_namespaces: most },
    )
  }

  /** A database as every world starts: written whole or not at all, so a crash leaves no half world behind. */
  #createDatabase(namespace: string): Database {
    this.#backend.replace(namespace, this.#template.image())
    if (!this.#onOpen.has(namespace)) this.#onOpen.set(namespace, (world) => this.#template.startClock(world))
    return this.#backend.open(namespace)!
  }

  #initializerOf({ namespace }: World): Opening['initialize'] {
    const begin = this.#onOpen.get(namespace)
    return (
      begin &&
      ((world) => {
        world.transaction(() => begin(world))
        this.#onOpen.delete(namespace)
      })
    )
  }

  /** A world that was kept goes on with its own clock, unless the start asks for another. */
  #resumeClock(world: World) {
    const { clock, now } = this.#options
    if (clock && (now || !isSamePace(clock, world.clock.pace)))
      world.setClock(now ? parseIsoTime(now) : world.now(), clock)
  }

  /** The least recently used ones that are idle fall asleep, until one more may be open. */
  #evictExcess() {
    const open = [...this.#worlds.values()].filter((world) => !world.lifecycle.isEvicted)
    let excess = open.length + 1 - this.limits.open
    if (excess <= 0) return
    for (const world of open.sort((a, b) => a.usedAt - b.usedAt)) {
      if (world.lifecycle.evict()) excess--
      if (excess === 0) return
    }
    this.#cancelPending ??= after(MAKE_ROOM_AGAIN_MS, () => {
      this.#cancelPending = undefined
      this.#evictExcess()
    })
  }

  /** Opens one after another, so that each finds what is due in it and the server answers meanwhile. */
  #openOneByOne([world, ...more]: World[]) {
    if (!world) return
    this.#cancelPending = after(0, () => {
      this.#cancelPending = undefined
      try {
        void world.lifecycle.opened
      } catch (error) {
        this.#options.onFault(error, `opening the namespace ${world.namespace}`)
      }
      this.#openOneByOne(more)
    })
  }
}

/** The world's time goes on from where the snapshot was saved, so that nothing of it falls due at once. */
const continueFrom =
  ({ at }: Snapshot) =>
  (world: World) =>
    world.setClock(at)
