import { afterPart, Problem, problem } from '../../words/problem.ts'
import { generation } from '../generation.ts'
import type { WorldStorage, WorldSummary } from '../host.ts'
import { after, machineMs } from '../machine-time.ts'
import { isDamageProblem, isIntact } from '../storage/damage.ts'
import { isStorageFault } from '../storage/database.ts'
import { lacksFiles } from '../storage/storage-fault.ts'
import { asProblem } from '../storage/transactions.ts'
import type { World } from '../world.ts'
import { EvictedWorld } from './evicted.ts'
import { InFlight } from './in-flight.ts'
import { OpenWorld } from './open-world.ts'

/** A world with work due within this time is not evicted, machine ms. Opening one takes 2 ms. */
const SOON_MS = 50
/** Pause between two checks of a damaged file, machine ms. One of 140 MB takes a second, in which nothing else runs. */
const RECHECK_MS = 10_000

/** Opens, evicts, replaces, removes and closes a world. */
export class WorldLifecycle {
  readonly #world: World
  readonly #storage: WorldStorage
  readonly #inFlight = new InFlight()
  /** Undefined while the world is evicted, or not opened yet. */
  #opened: OpenWorld | undefined
  #evicted: EvictedWorld | undefined
  /** Set when the world was deleted or the sandbox stopped. */
  #end: Problem | undefined
  /** Set while the file is damaged; a reset, a restore or a successful opening clears it. */
  #damage: Problem | undefined
  /** When the file may be checked again, machine ms. */
  #recheckAt = 0

  constructor(world: World, storage: WorldStorage) {
    this.#world = world
    this.#storage = storage
  }

  get isEvicted(): boolean {
    return this.#opened === undefined
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined
  }

  /** The open world; reopens an evicted one. */
  get opened(): OpenWorld {
    return this.#opened ?? this.#open()
  }

  /** Returns the error to throw after failed work: the damage of the file, if that is the cause. */
  failed(error: unknown): unknown {
    return this.#opened ? this.#opened.db.failed(error) : error
  }

  /** Facts that are available without opening; undefined if this process has not opened the world yet. */
  summary(): WorldSummary | undefined {
    return this.#opened?.summary() ?? this.#evicted?.summary()
  }

  /** Machine ms until scheduled work is due; Infinity without any. */
  get dueInMs(): number {
    return this.#opened?.driver.dueInMs ?? this.#evicted?.dueInMs ?? Number.POSITIVE_INFINITY
  }

  /** Why the world ended; undefined while it lives. */
  get end(): Problem | undefined {
    return this.#end
  }

  /** Runs a long request, during which the world is not replaced. */
  request<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    return this.#inFlight.request(work)
  }

  /** Closes the database unless work is in progress or due soon. Returns whether it is closed. */
  evict(): boolean {
    const opened = this.#opened
    try {
      if (!opened || !this.#isIdle(opened)) return opened === undefined
      const evicted = new EvictedWorld(this.#world, opened)
      this.#saveAndClose(opened)
      this.#evicted = evicted
      evicted.scheduleOpening()
      return true
    } catch (error) {
      if (!isStorageFault(error) && !lacksFiles(error) && !(error instanceof Problem)) throw error
      return false
    }
  }

  /**
   * Replaces the state by a reset or restore. Requests and due work end first; followers of the event log stay. The
   * generation of a damaged world is unknown.
   */
  async replace(imageOf: (generation: number | undefined) => Buffer): Promise<void> {
    await this.#inFlight.replacement(async () => {
      await this.#unlessDamaged(() => this.#stop(this.opened))
      const before = await this.#unlessDamaged(() => generation.of(this.#world))
      if (before === undefined) this.#putInPlaceOfDamaged(imageOf(undefined))
      else this.#putInPlace(() => imageOf(before + 1))
      for (const onReplaced of this.#world.nouns.onReplaced) onReplaced(this.#world)
    })
    this.#world.followers.notify()
  }

  /** Ends the world; later requests are refused. If its files cannot be deleted, it continues. */
  remove(erase: () => void): Promise<void> {
    return this.#inFlight.replacement(async () => {
      if (this.#opened) await this.#stop(this.#opened)
      this.#close()
      try {
        erase()
      } catch (error) {
        this.#openIfPossible()
        throw error
      }
      this.#end = problem('world_replaced', `The namespace ${this.#world.namespace} was deleted.`)
      this.#world.followers.callAll()
    })
  }

  /** Ends all work, saves scheduled work, and closes the database. */
  async close(): Promise<void> {
    await this.#inFlight.replacementsEnded()
    if (this.#opened) await this.#opened.driver.stop()
    this.#persistIfPossible()
    this.#close()
    this.#end ??= problem('shutting_down')
  }

  /** Also ends long requests. Their callers and later ones get the reason. */
  async closeFor(reason: Problem): Promise<void> {
    await this.#inFlight.replacementsEnded()
    const ended = this.#inFlight.endRequests()
    if (this.#opened) await this.#opened.driver.stop()
    await ended
    this.#persistIfPossible()
    this.#close()
    this.#end ??= reason
    this.#world.followers.callAll()
  }

  /** Closes the database at once, because its content is no longer valid. */
  abandon(reason: Problem) {
    this.#end ??= reason
    this.#evicted?.cancelOpening()
    const opened = this.#opened
    // Requests of this turn wait for a commit, and are refused after it.
    if (opened && !opened.transactions.isWorking) opened.transactions.flush()
    this.#opened = undefined
    if (opened) this.#closeLater(opened)
    void this.#inFlight.endRequests()
    this.#world.followers.callAll()
  }

  /** If it fails, for example because the disk is full, the stopped world goes on without being opened again, which writes. */
  #putInPlace(imageOf: () => Buffer) {
    try {
      this.#storage.backend.replace(this.#world.namespace, imageOf(), () => this.#close())
    } catch (error) {
      if (this.#opened?.db.isInPlace) this.#opened.restart()
      else this.#close()
      if (!this.#opened) this.#openIfPossible()
      throw error
    }
    this.#openNew()
  }

  #putInPlaceOfDamaged(image: Buffer) {
    const { namespace } = this.#world
    this.#storage.backend.setAside(namespace)
    this.#storage.backend.replace(namespace, image)
    this.#damage = undefined
    this.#recheckAt = 0
    this.#openNew()
  }

  /** The world has its new content even if it cannot be opened now. */
  #openNew() {
    try {
      this.#open()
    } catch (error) {
      throw afterPart(asProblem(error), 1, 'The namespace has its new content; the next request tries to open it.')
    }
  }

  async #unlessDamaged<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (isDamageProblem(error)) return undefined
      throw error
    }
  }

  /** Stops using a damaged file. Other worlds are not affected. */
  #abandon(opened: OpenWorld, damage: Problem, isByRead: boolean): Problem {
    if (this.#opened !== opened) return this.#end ?? damage
    this.#opened = undefined
    this.#closeLater(opened)
    // SQLite accepts overwritten text.
    if (!isByRead) this.#recheckAt = Number.POSITIVE_INFINITY
    const refusal = this.#damaged(damage)
    this.#world.onFault(refusal, `reading the namespace ${this.#world.namespace}`)
    return refusal
  }

  /** Returns why requests are refused from now on. */
  #damaged(damage: Problem): Problem {
    const refusal = this.#storage.backend.damaged?.(this.#world.namespace)
    if (!refusal) this.#damage = damage
    return refusal ?? damage
  }

  /** Postponed, because a statement may still be running. */
  #closeLater(opened: OpenWorld) {
    opened.driver.halt()
    after(0, () => {
      try {
        opened.db.close()
      } catch (error) {
        this.#world.onFault(error, `closing the namespace ${this.#world.namespace}`)
      }
    })
  }

  #open(): OpenWorld {
    if (this.#end) throw this.#end
    if (this.#damage && !this.#isReadableAgain(this.#damage)) throw this.#damage
    this.#evicted?.cancelOpening()
    try {
      const opened = this.#start(this.#read())
      this.#damage = undefined
      return opened
    } catch (error) {
      throw isDamageProblem(error) ? this.#damaged(error) : error
    }
  }

  #isReadableAgain(damage: Problem): boolean {
    if (machineMs() < this.#recheckAt) return false
    this.#recheckAt = machineMs() + RECHECK_MS
    return isIntact(String(damage.extra.file))
  }

  /** Otherwise the next request tries. */
  #openIfPossible() {
    try {
      this.#open()
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }

  #read(): OpenWorld {
    const db = this.#storage.open(this.#world)
    try {
      return new OpenWorld(this.#world, db)
    } catch (error) {
      db.close()
      throw db.failed(error)
    }
  }

  #start(opened: OpenWorld): OpenWorld {
    this.#opened = opened
    this.#evicted = undefined
    try {
      opened.mark.catchUp()
      this.#storage.opened(this.#world)
      opened.driver.start()
    } catch (error) {
      this.#close()
      throw error
    }
    opened.db.whenDamaged((damage, isByRead) => this.#abandon(opened, damage, isByRead))
    return opened
  }

  #isIdle({ transactions, driver }: OpenWorld): boolean {
    if (!this.#inFlight.isEmpty || !this.#world.followers.isEmpty) return false
    if (transactions.isWorking || !driver.isQuiet) return false
    // Answers of this turn wait for the commit of their data.
    transactions.flush()
    // Otherwise none of many worlds that are used at once could be evicted, because all of them have due work.
    driver.runLateTick()
    return driver.isQuiet && driver.idleMs() > SOON_MS
  }

  async #stop({ driver }: OpenWorld) {
    await Promise.all([this.#inFlight.endRequests(), driver.stop()])
  }

  #saveAndClose(opened: OpenWorld) {
    opened.persist()
    this.#storage.backend.saveAndClose(this.#world.namespace, opened.db)
    opened.driver.halt()
    this.#opened = undefined
  }

  #persistIfPossible() {
    this.#opened?.transactions.flush()
    try {
      this.#opened?.persist()
    } catch (error) {
      // A full disk only causes reserved numbers to be skipped. Nothing is lost.
      if (!(error instanceof Problem)) throw error
    }
  }

  /** Closes the database; committed data stays. */
  #close() {
    this.#evicted?.cancelOpening()
    const opened = this.#opened
    if (!opened) return
    opened.transactions.flush()
    opened.driver.halt()
    this.#opened = undefined
    opened.db.close()
  }
}
