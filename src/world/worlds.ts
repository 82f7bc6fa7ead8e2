import { Late } from '../words/lazy.ts'
import { isSamePace } from '../words/pace.ts'
import { problem } from '../words/problem.ts'
import { type Works, worksOf } from './contributions.ts'
import type { Host, Opening, Shelf } from './host.ts'
import type { Noun } from './noun.ts'
import { seededUuids } from './random.ts'
import { CachePool } from './storage/cache-pool.ts'
import type { Database } from './storage/database.ts'
import { readImage } from './storage/image.ts'
import { diskPlace, memoryPlace, type Place } from './storage/place.ts'
import { type Snapshot, Snapshots } from './storage/snapshots.ts'
import { asProblem } from './storage/transactions.ts'
import { StartUp, type StartUpOptions } from './template.ts'
import { parseIsoTime } from './time/clock.ts'
import { after } from './time/machine-time.ts'
import { type FaultListener, World } from './world.ts'

export interface WorldsOptions extends StartUpOptions {
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
export class Worlds implements Host, Shelf {
  readonly #options: WorldsOptions
  readonly limits: Host['limits']
  readonly snapshots: Snapshots
  readonly #works: Late<Works>
  readonly #place: Place
  readonly #startUp: StartUp
  readonly #caches = new CachePool()
  readonly #worlds = new Map<string, World>()
  /** What is to be done when a world is opened next. */
  readonly #begins = new Map<string, (world: World) => void>()
  readonly #strayUuid = seededUuids('', 'stray')
  #strays = 0
  #uses = 0
  #callOff: (() => void) | undefined

  constructor(options: WorldsOptions) {
    const { folder, maxNamespaces = MOST, maxOpenNamespaces = MOST_OPEN } = options
    this.#options = options
    this.limits = { most: maxNamespaces, open: maxOpenNamespaces }
    this.#works = new Late(async () => worksOf(await options.nouns()))
    this.#place = folder === undefined ? memoryPlace() : diskPlace(folder)
    this.snapshots = new Snapshots(folder)
    this.#startUp = new StartUp(options, { works: () => this.works, open: (db) => this.#worldIn(db) })
  }

  get works(): Works {
    if (!this.#works.now) throw new Error('the concepts are not read in yet')
    return this.#works.now
  }

  readIn(): Promise<unknown> | undefined {
    return this.#works.now ? undefined : this.#works.read()
  }

  get count(): number {
    return this.#worlds.size
  }

  all(): World[] {
    return [...this.#worlds.keys()].sort().map((namespace) => this.#worlds.get(namespace)!)
  }

  get(namespace: string): World {
    const world = this.#worlds.get(namespace) ?? this.#made(namespace)
    world.usedAt = ++this.#uses
    return world
  }

  /** For a request that belongs to no world. Given even when the first one cannot be had, so that the refusal can be traced. */
  newRequestId(): string {
    try {
      return this.get(FIRST).newRequestId()
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
    for (const namespace of this.#place.names()) {
      this.#worlds.set(namespace, this.#world(namespace))
      this.#begins.set(namespace, (world) => this.#settleClock(world))
    }
    const all = this.all()
    for (const world of all.slice(0, this.limits.open)) world.open()
    this.#lookAt(all.slice(this.limits.open))
  }

  async close(): Promise<void> {
    this.#callOff?.()
    await Promise.all([...this.#worlds.values()].map((world) => world.close()))
    this.#worlds.clear()
    this.#place.end()
  }

  reset(world: World): Promise<void> {
    return world.replace(
      () => this.#place.put(world.namespace, this.#startUp.image()),
      () => this.#startUp.begin(world),
    )
  }

  loadAnew(world: World, section: string) {
    this.#startUp.load(world, section)
  }

  async remove(world: World): Promise<void> {
    await world.remove(() => {
      this.#worlds.delete(world.namespace)
      this.#begins.delete(world.namespace)
      this.#place.remove(world.namespace)
    })
  }

  save(world: World, name: string) {
    return this.snapshots.add(name, world.copy())
  }

  take(name: string, bytes: Buffer) {
    this.snapshots.refuseKnown(name)
    return this.snapshots.add(name, readImage(bytes, this.#startUp.image()))
  }

  async restore(world: World, name: string): Promise<void> {
    const image = this.snapshots.image(name)
    await world.replace(() => this.#place.put(world.namespace, image), goOnFrom(this.snapshots.tell(name)))
  }

  async fork(name: string, namespace: string): Promise<World> {
    const known = this.find(namespace)
    if (known) {
      await this.restore(known, name)
      return known
    }
    this.#refuseOneMore()
    const image = this.snapshots.image(name)
    this.#place.put(namespace, image)
    const begin = goOnFrom(this.snapshots.tell(name))
    this.#begins.set(namespace, (world) => {
      begin(world)
      world.beginAnew(1)
    })
    return this.get(namespace)
  }

  /** Makes the start-up world, so that what is wrong with its file shows now and not at the first new namespace. */
  async prepare(): Promise<void> {
    if (!this.#startUp.isBaked) await this.readIn()
    this.#startUp.image()
  }

  /** Makes a start-up world from its file, as the bytes of a database. */
  async makeImage(): Promise<Buffer> {
    await this.readIn()
    return this.#startUp.make()
  }

  open(world: World): Opening {
    try {
      this.#makeRoom()
      const db = this.#place.open(world.namespace) ?? this.#fresh(world.namespace)
      this.#caches.add(db)
      return { db, begin: this.#beginOf(world) }
    } catch (error) {
      throw asProblem(error)
    }
  }

  keep({ namespace }: World, db: Database) {
    this.#place.keep(namespace, db)
    this.#caches.remove(db)
  }

  closed(_: World, db: Database) {
    this.#caches.remove(db)
  }

  begin({ namespace }: World, work: (world: World) => void) {
    this.#begins.set(namespace, work)
  }

  #world(namespace: string): World {
    return new World(namespace, { host: this, shelf: this, onFault: this.#options.onFault })
  }

  #worldIn(db: Database): World {
    const shelf: Shelf = { open: () => ({ db }), keep() {}, closed() {}, begin() {} }
    return new World('', { host: this, shelf, onFault: this.#options.onFault })
  }

  #made(namespace: string): World {
    this.#refuseOneMore()
    const world = this.#world(namespace)
    world.open()
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
  #fresh(namespace: string): Database {
    this.#place.put(namespace, this.#startUp.image())
    if (!this.#begins.has(namespace)) this.#begins.set(namespace, (world) => this.#startUp.begin(world))
    return this.#place.open(namespace)!
  }

  #beginOf({ namespace }: World): Opening['begin'] {
    const begin = this.#begins.get(namespace)
    return (
      begin &&
      ((world) => {
        world.transaction(() => begin(world))
        this.#begins.delete(namespace)
      })
    )
  }

  /** A world that was kept goes on with its own clock, unless the start asks for another. */
  #settleClock(world: World) {
    const { clock, now } = this.#options
    if (clock && (now || !isSamePace(clock, world.clock.pace)))
      world.setClock(now ? parseIsoTime(now) : world.now(), clock)
  }

  /** The least recently used ones that are idle fall asleep, until one more may be open. */
  #makeRoom() {
    const open = [...this.#worlds.values()].filter((world) => !world.isAsleep)
    let excess = open.length + 1 - this.limits.open
    if (excess <= 0) return
    for (const world of open.sort((a, b) => a.usedAt - b.usedAt)) {
      if (world.sleep()) excess--
      if (excess === 0) return
    }
    this.#callOff ??= after(MAKE_ROOM_AGAIN_MS, () => {
      this.#callOff = undefined
      this.#makeRoom()
    })
  }

  /** Opens one after another, so that each finds what is due in it and the server answers meanwhile. */
  #lookAt([world, ...more]: World[]) {
    if (!world) return
    this.#callOff = after(0, () => {
      this.#callOff = undefined
      try {
        world.open()
      } catch (error) {
        this.#options.onFault(error, `opening the namespace ${world.namespace}`)
      }
      this.#lookAt(more)
    })
  }
}

/** The world's time goes on from where the snapshot was saved, so that nothing of it falls due at once. */
const goOnFrom =
  ({ at }: Snapshot) =>
  (world: World) =>
    world.setClock(at)
