import { Problem, problem } from '../words/problem.ts'
import type { WorldStorage, WorldSummary } from './host.ts'
import { InFlight } from './in-flight.ts'
import { type Database, isStorageFault } from './storage/database.ts'
import type { Serials } from './storage/serials.ts'
import type { Transactions } from './storage/transactions.ts'
import type { Clock } from './time/clock.ts'
import type { Driver } from './time/driver.ts'
import { after } from './time/machine-time.ts'
import type { World } from './world.ts'

/** All that changes when the database does. */
export interface OpenWorld {
  readonly db: Database
  readonly seed: string
  readonly clock: Clock
  readonly serials: Serials
  /** Makes the n-th id of each kind. */
  readonly uuids: Map<string, (n: number) => string>
  readonly driver: Driver
  readonly transactions: Transactions
}

/** What the world itself does about being awake or not. */
interface LifecycleHooks {
  read(db: Database): OpenWorld
  /** Lets go of all that it keeps in memory. */
  discard(): void
  isFollowed(): boolean
  notifyFollowers(): void
}

/** Work that is due so soon keeps a world awake, in ms of the machine. */
const SOON_MS = 1_000
/** When a world that is to wake cannot be read, in ms of the machine. */
const REOPEN_RETRY_MS = 1_000

/** Whether a world is awake, asleep or gone, and how it comes from one to the other. */
export class WorldLifecycle {
  readonly inFlight = new InFlight()
  readonly #world: World
  readonly #storage: WorldStorage
  readonly #hooks: LifecycleHooks
  /** Undefined while it sleeps. */
  #opened: OpenWorld | undefined
  /** Where it stood when it fell asleep. */
  #summaryAtEviction: (WorldSummary & { clock: Clock }) | undefined
  #cancelReopening = () => {}
  #replacing: Promise<unknown> = Promise.resolve()
  #replacements = 0
  #end: Problem | undefined

  constructor(world: World, storage: WorldStorage, hooks: LifecycleHooks) {
    this.#world = world
    this.#storage = storage
    this.#hooks = hooks
  }

  get isEvicted(): boolean {
    return this.#opened === undefined
  }

  get isGone(): boolean {
    return this.#end !== undefined
  }

  /** Resolves when whoever replaces it is done; undefined when nobody does. */
  get replaced(): Promise<unknown> | undefined {
    return this.#replacements > 0 ? this.#replacing : undefined
  }

  /** Wakes it, if it sleeps. */
  get opened(): OpenWorld {
    return this.#opened ?? this.#openNow()
  }

  /** Where it stands, without waking it; undefined when it has not been awake in this process yet. */
  summary(): WorldSummary | undefined {
    return this.#opened
      ? summaryOf(this.#opened)
      : this.#summaryAtEviction && { ...this.#summaryAtEviction, now: this.#summaryAtEviction.clock.now() }
  }

  /** Puts it on its shelf, unless something is under way or about to happen in it. True when it sleeps. */
  evict(): boolean {
    const opened = this.#opened
    if (!opened || !this.#isIdle(opened)) return opened === undefined
    // Requests of this moment are answered as soon as what they wrote is kept.
    opened.transactions.flush()
    const summary = { ...summaryOf(opened), clock: opened.clock }
    const idleMs = idleMsOf(opened.driver)
    try {
      this.#world.persist()
      this.#storage.saveAndClose(this.#world, opened.db)
    } catch (error) {
      if (!isStorageFault(error) && !(error instanceof Problem)) throw error
      return false
    }
    opened.driver.halt()
    this.#discard()
    this.#summaryAtEviction = summary
    this.#scheduleReopening(idleMs)
    return true
  }

  /**
   * What is under way ends first. What `prepare` gives lays another state where this one has lain, and it wakes as that.
   */
  replace(prepare: () => () => void): Promise<void> {
    return this.#exclusively(async () => {
      await this.#drain(this.opened)
      const put = prepare()
      this.#closeDatabase({ isKept: false })
      try {
        put()
      } finally {
        this.#openNow()
      }
    })
  }

  /** Ends for good. Those who follow it are told, and whoever comes later is refused. */
  remove(erase: () => void): Promise<void> {
    return this.#exclusively(async () => {
      if (this.#opened) await this.#drain(this.#opened)
      this.#closeDatabase({ isKept: false })
      this.#end = problem('world_replaced', `The namespace ${this.#world.namespace} was deleted meanwhile.`)
      erase()
      this.#hooks.notifyFollowers()
    })
  }

  /** Ends what is under way, and keeps what is still to happen. */
  async close(): Promise<void> {
    await this.#replacing
    if (this.#opened) await this.#opened.driver.stop()
    this.#closeDatabase({ isKept: true })
    this.#end ??= problem('shutting_down')
  }

  #openNow(): OpenWorld {
    if (this.#end) throw this.#end
    this.#cancelReopening()
    const { db, initialize } = this.#storage.open(this.#world)
    const opened = this.#hooks.read(db)
    this.#opened = opened
    this.#summaryAtEviction = undefined
    try {
      initialize?.(this.#world)
    } catch (error) {
      // What was not begun whole is begun again by whoever asks next.
      this.#shut(opened)
      throw error
    }
    opened.driver.start()
    return opened
  }

  #isIdle({ transactions, driver }: OpenWorld): boolean {
    if (this.#replacements > 0 || this.inFlight.count > 0 || this.#hooks.isFollowed()) return false
    return !transactions.isWorking && driver.isQuiet && idleMsOf(driver) > SOON_MS
  }

  #scheduleReopening(ms: number) {
    if (ms !== Number.POSITIVE_INFINITY) this.#cancelReopening = after(ms, () => this.#reopen())
  }

  #reopen() {
    try {
      void this.opened
    } catch (error) {
      this.#world.onFault(error, `waking the namespace ${this.#world.namespace}`)
      this.#scheduleReopening(REOPEN_RETRY_MS)
    }
  }

  /** One replacement after another; meanwhile the world does not fall asleep. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    this.#replacements++
    const done = this.#replacing.then(work).finally(() => this.#replacements--)
    this.#replacing = done.catch(() => undefined)
    return done
  }

  async #drain({ driver }: OpenWorld) {
    await Promise.all([this.inFlight.drain(), driver.stop()])
  }

  /** Closes the database, if it is open. */
  #closeDatabase({ isKept }: { isKept: boolean }) {
    this.#cancelReopening()
    const opened = this.#opened
    if (!opened) return
    opened.transactions.flush()
    if (isKept) this.#persistIfPossible()
    this.#shut(opened)
  }

  #persistIfPossible() {
    try {
      this.#world.persist()
    } catch (error) {
      // On a full disk the numbers that were set aside are skipped, which is no loss.
      if (!(error instanceof Problem)) throw error
    }
  }

  #shut({ db, driver }: OpenWorld) {
    driver.halt()
    this.#discard()
    db.close()
    this.#storage.closed(this.#world, db)
  }

  #discard() {
    this.#hooks.discard()
    this.#opened = undefined
  }
}

const summaryOf = ({ clock, driver }: OpenWorld): WorldSummary => ({
  pace: clock.pace,
  now: clock.now(),
  nextDueAt: driver.nextDueAt(),
})

/** How long the machine takes until there is something to do: known exactly after a look at what is due. */
function idleMsOf(driver: Driver): number {
  driver.nextDueAt()
  return driver.idleMs
}
