import { Problem, problem } from '../words/problem.ts'
import { Evicted } from './evicted.ts'
import { generation } from './generation.ts'
import type { WorldStorage, WorldSummary } from './host.ts'
import { InFlight } from './in-flight.ts'
import { OpenWorld } from './open-world.ts'
import { isStorageFault } from './storage/database.ts'
import type { World } from './world.ts'

/** Work that is due so soon keeps the database of a world open, in ms of the machine. */
const SOON_MS = 1_000

/** Opens, evicts, replaces, removes and closes a world. */
export class WorldLifecycle {
  readonly #world: World
  readonly #storage: WorldStorage
  readonly #inFlight = new InFlight()
  /** Undefined while the world is evicted, and before it is opened for the first time. */
  #opened: OpenWorld | undefined
  #evicted: Evicted | undefined
  /** Why the world cannot be opened any more. */
  #end: Problem | undefined

  constructor(world: World, storage: WorldStorage) {
    this.#world = world
    this.#storage = storage
  }

  get isEvicted(): boolean {
    return this.#opened === undefined
  }

  /** It was deleted, or the sandbox has stopped. */
  get isGone(): boolean {
    return this.#end !== undefined
  }

  /** Opens the world, if it is evicted. */
  get opened(): OpenWorld {
    return this.#opened ?? this.#open()
  }

  /** Tells of a world without opening it; undefined when it has not been opened in this process yet. */
  summary(): WorldSummary | undefined {
    return this.#opened?.summary() ?? this.#evicted?.summary()
  }

  /** Does work of a request that takes longer than a turn: while it runs, nothing replaces the world. */
  request<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    return this.#inFlight.request(work)
  }

  /** Closes the database, unless something is under way or due soon. True when it is closed. */
  evict(): boolean {
    const opened = this.#opened
    if (!opened || !this.#isIdle(opened)) return opened === undefined
    // Requests of this turn are answered as soon as what they wrote is committed.
    opened.transactions.flush()
    const evicted = new Evicted(this.#world, opened)
    try {
      this.#saveAndClose(opened)
    } catch (error) {
      if (!isStorageFault(error) && !(error instanceof Problem)) throw error
      return false
    }
    this.#evicted = evicted
    evicted.scheduleOpening()
    return true
  }

  /**
   * Puts another state in the place of this one: a reset or a restore. Requests and due work end first; those who follow
   * the event log stay.
   */
  async replace(imageOf: (generation: number) => Buffer): Promise<void> {
    await this.#inFlight.replacement(async () => {
      await this.#stop(this.opened)
      const image = this.#orReopen(() => imageOf(generation.of(this.#world) + 1))
      this.#close()
      try {
        this.#storage.replace(this.#world, image)
      } finally {
        this.#open()
      }
      for (const onReplaced of this.#world.nouns.onReplaced) onReplaced(this.#world)
    })
    this.#world.followers.notify()
  }

  /** Ends for good: whoever comes later is refused. */
  remove(erase: () => void): Promise<void> {
    return this.#inFlight.replacement(async () => {
      if (this.#opened) await this.#stop(this.#opened)
      this.#close()
      this.#end = problem('world_replaced', `The namespace ${this.#world.namespace} was deleted meanwhile.`)
      erase()
      this.#world.followers.callAll()
    })
  }

  /** Ends all that is under way, saves what is still due, and closes the database. */
  async close(): Promise<void> {
    await this.#inFlight.replacementsEnded()
    if (this.#opened) await this.#opened.driver.stop()
    this.#persistIfPossible()
    this.#close()
    this.#end ??= problem('shutting_down')
  }

  #open(): OpenWorld {
    if (this.#end) throw this.#end
    this.#evicted?.cancelOpening()
    const opened = new OpenWorld(this.#world, this.#storage.open(this.#world))
    this.#opened = opened
    this.#evicted = undefined
    try {
      this.#storage.opened(this.#world)
    } catch (error) {
      this.#close()
      throw error
    }
    opened.driver.start()
    return opened
  }

  #isIdle({ transactions, driver }: OpenWorld): boolean {
    if (!this.#inFlight.isEmpty || !this.#world.followers.isEmpty) return false
    return !transactions.isWorking && driver.isQuiet && driver.idleMs() > SOON_MS
  }

  async #stop({ driver }: OpenWorld) {
    await Promise.all([this.#inFlight.endRequests(), driver.stop()])
  }

  /** A world that was stopped goes on only when it is opened again. */
  #orReopen<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#saveAndClose(this.opened)
      this.#open()
      throw error
    }
  }

  #saveAndClose(opened: OpenWorld) {
    opened.persist()
    this.#storage.saveAndClose(this.#world, opened.db)
    opened.driver.halt()
    this.#opened = undefined
  }

  #persistIfPossible() {
    this.#opened?.transactions.flush()
    try {
      this.#opened?.persist()
    } catch (error) {
      // On a full disk the numbers that were set aside are skipped, which is no loss.
      if (!(error instanceof Problem)) throw error
    }
  }

  /** Closes the database, if it is open, and keeps what was committed. */
  #close() {
    this.#evicted?.cancelOpening()
    const opened = this.#opened
    if (!opened) return
    opened.transactions.flush()
    opened.driver.halt()
    this.#opened = undefined
    opened.db.close()
    this.#storage.closed(this.#world, opened.db)
  }
}
