import type { Activity } from '../../words/activity.ts'
import { DEFAULT_NAMESPACE } from '../../words/api-key.ts'
import { Lazy } from '../../words/lazy.ts'
import { isSamePace } from '../../words/pace.ts'
import { Problem, problem } from '../../words/problem.ts'
import type { Cluster, LocalWorlds, PlacedNamespace } from '../cluster/cluster.ts'
import { type CombinedNouns, combineNouns } from '../combined-nouns.ts'
import type { Fence } from '../fence.ts'
import type { Host } from '../host.ts'
import { strayRequestId } from '../ids.ts'
import { after } from '../machine-time.ts'
import { refuseOneMore } from '../namespace-limit.ts'
import type { Noun } from '../noun.ts'
import type { SavedWorld, Snapshot, Snapshots } from '../snapshots/snapshots.ts'
import { diskBackend, memoryBackend, type StorageBackend } from '../storage/backend.ts'
import { isDamageProblem } from '../storage/damage.ts'
import type { Tenants } from '../tenants/tenants.ts'
import { isoTime, parseIsoTime } from '../time/clock.ts'
import { type FaultListener, World } from '../world.ts'
import { WorldImages } from './images.ts'
import { OpenWorldLimit } from './open-limit.ts'
import { StoredWorlds } from './stored-worlds.ts'
import type { WorldTemplateOptions } from './template.ts'

export interface WorldsOptions extends WorldTemplateOptions {
  /** Loads the nouns on first need, which may be after a world is opened. */
  nouns: () => Promise<readonly Noun[]>
  /** The data folder; without it everything is in memory. */
  folder?: string | undefined
  /** The most namespaces; 1,000 by default. */
  maxNamespaces?: number | undefined
  /** The most open databases; 256 by default. */
  maxOpenNamespaces?: number | undefined
  /** Keys are secret, and each namespace has its own snapshots. */
  isShared?: boolean | undefined
  /** Other machines can reach the sandbox, and webhooks to private addresses are not allowed. */
  isOpenToOthers?: boolean | undefined
  /** The only targets of webhooks. */
  allowedTargets?: Host['allowedTargets']
  /** Worlds are shared with other processes. */
  cluster?: Cluster | undefined
  /** Called with each activity of any world. */
  onActivity?: ((activity: Activity) => void) | undefined
  onFault: FaultListener
}

const MAX_NAMESPACES = 1_000
const MAX_OPEN_NAMESPACES = 256

/** The worlds of one process by namespace; each is created on first use from the template. */
export class Worlds implements Host {
  readonly limits: Host['limits']
  readonly isOpenToOthers: boolean
  readonly allowedTargets: Host['allowedTargets']
  readonly onActivity: Host['onActivity']
  /** Set at the start of a shared sandbox. */
  tenants: Tenants | undefined
  readonly cluster: Host['cluster']
  readonly #options: WorldsOptions
  readonly #nouns: Lazy<CombinedNouns>
  readonly #images: WorldImages
  readonly #backend: StorageBackend
  readonly #storage: StoredWorlds
  #ofProcess: World | undefined
  readonly #openLimit: OpenWorldLimit
  readonly #worlds = new Map<string, World>()
  /** Namespaces of an earlier process that are not opened yet. */
  readonly #resumed = new Set<string>()
  /** The times of worlds whose start requested an earlier time, because time does not run backwards. */
  readonly #keptTimes = new Map<string, number>()
  #lastUse = 0
  #cancelOpening: (() => void) | undefined

  constructor(options: WorldsOptions) {
    const { folder, maxNamespaces = MAX_NAMESPACES, maxOpenNamespaces = MAX_OPEN_NAMESPACES, onFault } = options
    this.#options = options
    this.isOpenToOthers = options.isOpenToOthers ?? false
    this.allowedTargets = options.allowedTargets
    this.onActivity = options.onActivity
    this.cluster = options.cluster
    this.limits = { most: maxNamespaces, open: maxOpenNamespaces }
    this.#nouns = new Lazy(async () => combineNouns(await options.nouns()))
    this.#backend = options.cluster?.backend ?? (folder === undefined ? memoryBackend() : diskBackend(folder))
    const { erasuresOf } = this.#backend
    this.#images = new WorldImages({ ...options, erasuresOf }, { host: this, onFault })
    this.#openLimit = new OpenWorldLimit(maxOpenNamespaces, () => this.#worlds.values())
    this.#storage = this.#stored(this.#backend)
  }

  #stored(backend: StorageBackend): StoredWorlds {
    return new StoredWorlds({
      backend,
      images: this.#images,
      openLimit: this.#openLimit,
      opened: (world) => this.#resumeClock(world),
    })
  }

  get nouns(): CombinedNouns {
    if (!this.#nouns.value) throw new Error('the nouns are not loaded yet')
    return this.#nouns.value
  }

  loadNouns(): Promise<unknown> | undefined {
    return this.#nouns.value ? undefined : this.#nouns.load()
  }

  /** The time that a world kept although the start requested an earlier one, ISO 8601. */
  keptTimeOf(namespace: string): string | undefined {
    const kept = this.#keptTimes.get(namespace)
    return kept === undefined ? undefined : isoTime(kept)
  }

  get count(): number {
    return this.#worlds.size
  }

  snapshotsOf({ namespace }: Pick<World, 'namespace'>): Snapshots {
    return this.#options.cluster?.snapshotsOf(namespace) ?? this.#images.snapshotsOf(namespace)
  }

  all(): World[] {
    return [...this.#worlds.keys()].sort().map((namespace) => this.#worlds.get(namespace)!)
  }

  /** The world of a namespace, created if needed. */
  get(namespace: string): World {
    const world = this.#worlds.get(namespace) ?? this.#create(namespace)
    world.usedAt = ++this.#lastUse
    return world
  }

  /**
   * The world of calls that concern this process. In a cluster the first world may be elsewhere, and a damaged file or a
   * full disk keeps it closed, so a copy of the template stands for it, in memory and without scheduled work.
   */
  get ofProcess(): World {
    const first = this.cluster ? undefined : this.#firstIfItOpens()
    if (first) return first
    if (!this.#ofProcess) {
      const { onFault } = this.#options
      this.#ofProcess = new World(DEFAULT_NAMESPACE, { host: this, storage: this.#stored(memoryBackend()), onFault })
      this.#ofProcess.driver.halt()
    }
    return this.#ofProcess
  }

  #firstIfItOpens(): World | undefined {
    try {
      const first = this.get(DEFAULT_NAMESPACE)
      return first.lifecycle.opened && first
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }

  /** The world of an existing namespace. */
  find(namespace: string): World | undefined {
    return this.#worlds.has(namespace) ? this.get(namespace) : undefined
  }

  /**
   * An id for a request without a world. It works even if the first world cannot be opened, so that the refusal can
   * be traced.
   */
  nextRequestId(): string {
    try {
      return this.get(DEFAULT_NAMESPACE).ids.nextRequest()
    } catch {
      return strayRequestId()
    }
  }

  /** Builds the template early, so that faults of its file show at the start. */
  async prepare(): Promise<void> {
    if (!this.#images.template.isPrebuilt) await this.loadNouns()
    this.#images.template.image()
  }

  /** Creates the first world from a snapshot of another process. Never replaces a world of the data folder. */
  async startFrom(snapshot: Buffer): Promise<void> {
    if (this.#backend.names().includes(DEFAULT_NAMESPACE)) throw problem('namespace_exists')
    await this.loadNouns()
    this.#backend.replace(DEFAULT_NAMESPACE, this.#images.worldOf(snapshot, DEFAULT_NAMESPACE))
    this.#resumed.add(DEFAULT_NAMESPACE)
  }

  /** Builds the template and returns its database image. */
  async buildImage(): Promise<Buffer> {
    await this.loadNouns()
    return this.#images.template.build()
  }

  /** Opens existing worlds, so that their due work continues. */
  resume() {
    for (const namespace of this.#backend.names()) {
      this.#worlds.set(namespace, this.#world(namespace))
      this.#resumed.add(namespace)
    }
    const all = this.all()
    for (const world of all.slice(0, this.limits.open)) this.#openAtStart(world)
    this.#openOneByOne(all.slice(this.limits.open))
  }

  async close(): Promise<void> {
    this.#cancelOpening?.()
    this.#openLimit.stop()
    await Promise.all([...this.#worlds.values()].map(({ lifecycle }) => lifecycle.close()))
    this.#worlds.clear()
    this.#backend.dispose()
  }

  async reset(world: World): Promise<void> {
    await world.lifecycle.replace((generation) =>
      this.#images.restarted(world.namespace, generation, generation === undefined ? undefined : world),
    )
    await world.whenShowable()
  }

  reloadSection(world: World, section: string) {
    this.#images.template.loadSection(world, section)
  }

  async remove({ namespace, lifecycle }: World, fence?: Fence): Promise<void> {
    await lifecycle.remove(() => {
      this.#backend.remove(namespace)
      this.#worlds.delete(namespace)
      this.#resumed.delete(namespace)
      if (!this.#backend.erase) this.#images.deleted(namespace)
    })
    await this.#backend.erase?.(namespace, fence)
  }

  /** The part that a cluster uses to open and close worlds. */
  readonly local: LocalWorlds = {
    open: (namespace) => void this.get(namespace).lifecycle.opened,
    adopt: (namespace) => {
      if (!this.#worlds.has(namespace)) this.#worlds.set(namespace, this.#world(namespace))
    },
    close: async (namespace, reason) => {
      await this.#worlds.get(namespace)?.lifecycle.closeFor(reason)
      this.#worlds.delete(namespace)
    },
    abandon: (namespace, reason) => {
      this.#worlds.get(namespace)?.lifecycle.abandon(reason)
      this.#worlds.delete(namespace)
    },
    dueInMs: (namespace) => this.#worlds.get(namespace)?.lifecycle.dueInMs ?? Number.POSITIVE_INFINITY,
    freeFiles: () => this.#openLimit.freeFiles(),
  }

  /** Deletes a namespace of a shared sandbox with its world and its snapshots. */
  async removeAll(namespace: string, fence: Fence | undefined): Promise<void> {
    const world = this.#worlds.get(namespace)
    if (world) await this.remove(world, fence)
    else await this.#backend.erase?.(namespace, fence)
    this.#images.snapshotsOf(namespace).clear()
  }

  saveSnapshot(world: World, name: string): Promise<Snapshot> {
    const snapshots = this.snapshotsOf(world)
    return snapshots.inTurn(async () => {
      await snapshots.refuseTaken(name)
      const image = world.lifecycle.opened.image()
      // A snapshot never shows what another node would not find.
      await world.whenShowable()
      return snapshots.add(name, image)
    })
  }

  importSnapshot(world: World, name: string, bytes: Buffer): Promise<Snapshot> {
    return this.#images.import(name, bytes, this.snapshotsOf(world))
  }

  async restore(world: World, name: string): Promise<void> {
    const saved = this.snapshotsOf(world).read(name)
    // Synchronously if possible, so that later requests wait for it.
    await this.#replaceWith('then' in saved ? await saved : saved, world)
  }

  async #replaceWith(saved: SavedWorld, world: World): Promise<void> {
    const copy = this.#images.copyOf(saved)
    await world.lifecycle.replace((generation) =>
      copy(world.namespace, generation, generation === undefined ? undefined : world),
    )
    await world.whenShowable()
  }

  async fork(
    source: World,
    name: string,
    { namespace, mayReplace }: { namespace: string; mayReplace: boolean },
  ): Promise<World> {
    if (!mayReplace && (await this.hasAnywhere(namespace))) throw problem('namespace_exists')
    const saved = await this.snapshotsOf(source).read(name)
    if (!this.has(namespace)) await this.#options.cluster?.take(namespace)
    const existing = this.find(namespace)
    if (existing && !mayReplace) throw problem('namespace_exists')
    if (existing) {
      await this.#replaceWith(saved, existing)
      return existing
    }
    refuseOneMore(this.#worlds.size, this.limits.most)
    this.#backend.replace(namespace, this.#images.copyOf(saved)(namespace, 1))
    const world = this.get(namespace)
    await world.whenShowable()
    return world
  }

  has(namespace: string): boolean {
    return this.#worlds.has(namespace)
  }

  /** Whether this process or another node has data of a namespace. */
  async hasAnywhere(namespace: string): Promise<boolean> {
    return this.has(namespace) || (await this.elsewhere()).some(({ name }) => name === namespace)
  }

  async elsewhere(): Promise<readonly PlacedNamespace[]> {
    const { namespaces = [] } = (await this.cluster?.status()) ?? {}
    return namespaces.filter(({ name }) => !this.has(name))
  }

  async bring(namespace: string): Promise<void> {
    if (this.has(namespace)) return
    const hasKeys = (await this.tenants?.registry.get(namespace)) !== undefined
    if (!hasKeys && !(await this.hasAnywhere(namespace))) return
    await this.cluster?.take(namespace)
    if (hasKeys) this.get(namespace)
  }

  #world(namespace: string): World {
    return new World(namespace, { host: this, storage: this.#storage, onFault: this.#options.onFault })
  }

  #create(namespace: string): World {
    refuseOneMore(this.#worlds.size, this.limits.most)
    const world = this.#world(namespace)
    void world.lifecycle.opened
    this.#worlds.set(namespace, world)
    return world
  }

  /** Keeps the clock of an existing world, unless the start sets another pace or a later instant. */
  #resumeClock(world: World) {
    if (!this.#resumed.has(world.namespace)) return
    const { clock = world.clock.pace, now } = this.#options
    const from = world.now()
    const at = now === undefined ? from : Math.max(from, parseIsoTime(now))
    if (now !== undefined && parseIsoTime(now) < from) this.#keptTimes.set(world.namespace, from)
    if (at > from || !isSamePace(clock, world.clock.pace)) world.transaction(() => world.setClock(at, clock))
    this.#resumed.delete(world.namespace)
  }

  /** A damaged file must not block other namespaces; only the first one must open at the start. */
  #openAtStart({ namespace, lifecycle }: World) {
    try {
      void lifecycle.opened
    } catch (error) {
      if (namespace === DEFAULT_NAMESPACE || !isDamageProblem(error)) throw error
      this.#options.onFault(error, `opening the namespace ${namespace}`)
    }
  }

  /** Opens worlds one by one, so that the server answers meanwhile. */
  #openOneByOne([world, ...more]: World[]) {
    if (!world) return
    this.#cancelOpening = after(0, () => {
      try {
        void world.lifecycle.opened
      } catch (error) {
        this.#options.onFault(error, `opening the namespace ${world.namespace}`)
      }
      this.#openOneByOne(more)
    })
  }
}
