import { Problem, problem } from '../words/problem.ts'
import type { Glance, Shelf } from './host.ts'
import { Uses } from './in-flight.ts'
import { type Database, isStorageFault } from './storage/database.ts'
import type { Serials } from './storage/serials.ts'
import type { Transactions } from './storage/transactions.ts'
import type { Clock } from './time/clock.ts'
import type { Driver } from './time/driver.ts'
import { after } from './time/machine-time.ts'
import type { World } from './world.ts'

/** All that changes when the database does. */
export interface Awake {
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
interface Habits {
  read(db: Database): Awake
  /** Lets go of all that it keeps in memory. */
  forget(): void
  isFollowed(): boolean
  tellFollowers(): void
}

/** Work that is due so soon keeps a world awake, in ms of the machine. */
const SOON_MS = 1_000
/** When a world that is to wake cannot be read, in ms of the machine. */
const WAKE_AGAIN_MS = 1_000

/** Whether a world is awake, asleep or gone, and how it comes from one to the other. */
export class Life {
  readonly uses = new Uses()
  readonly #world: World
  readonly #shelf: Shelf
  readonly #habits: Habits
  /** Undefined while it sleeps. */
  #awake: Awake | undefined
  /** Where it stood when it fell asleep. */
  #rest: (Glance & { clock: Clock }) | undefined
  #cancelAlarm = () => {}
  #replacing: Promise<unknown> = Promise.resolve()
  #replacements = 0
  #end: Problem | undefined

  constructor(world: World, shelf: Shelf, habits: Habits) {
    this.#world = world
    this.#shelf = shelf
    this.#habits = habits
  }

  get isAsleep(): boolean {
    return this.#awake === undefined
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  /** Resolves when whoever replaces it is done; undefined when nobody does. */
  get replaced(): Promise<unknown> | undefined {
    return this.#replacements > 0 ? this.#replacing : undefined
  }

  /** Wakes it, if it sleeps. */
  get awake(): Awake {
    return this.#awake ?? this.#wake()
  }

  /** Where it stands, without waking it; undefined when it has not been awake in this process yet. */
  glance(): Glance | undefined {
    return this.#awake ? glanceAt(this.#awake) : this.#rest && { ...this.#rest, now: this.#rest.clock.now() }
  }

  /** Puts it on its shelf, unless something is under way or about to happen in it. True when it sleeps. */
  sleep(): boolean {
    const awake = this.#awake
    if (!awake || !this.#isIdle(awake)) return awake === undefined
    // Requests of this moment are answered as soon as what they wrote is kept.
    awake.transactions.flush()
    const rest = { ...glanceAt(awake), clock: awake.clock }
    const restMs = restMsOf(awake.driver)
    try {
      this.#world.settle()
      this.#shelf.keep(this.#world, awake.db)
    } catch (error) {
      if (!isStorageFault(error) && !(error instanceof Problem)) throw error
      return false
    }
    awake.driver.halt()
    this.#forget()
    this.#rest = rest
    this.#setAlarm(restMs)
    return true
  }

  /**
   * What is under way ends first. What `prepare` gives lays another state where this one has lain, and it wakes as that.
   */
  replace(prepare: () => () => void): Promise<void> {
    return this.#alone(async () => {
      await this.#calm(this.awake)
      const put = prepare()
      this.#lay({ isKept: false })
      try {
        put()
      } finally {
        this.#wake()
      }
    })
  }

  /** Ends for good. Those who follow it are told, and whoever comes later is refused. */
  remove(erase: () => void): Promise<void> {
    return this.#alone(async () => {
      if (this.#awake) await this.#calm(this.#awake)
      this.#lay({ isKept: false })
      this.#end = problem('world_replaced', `The namespace ${this.#world.namespace} was deleted meanwhile.`)
      erase()
      this.#habits.tellFollowers()
    })
  }

  /** Ends what is under way, and keeps what is still to happen. */
  async close(): Promise<void> {
    await this.#replacing
    if (this.#awake) await this.#awake.driver.stop()
    this.#lay({ isKept: true })
    this.#end ??= problem('shutting_down')
  }

  #wake(): Awake {
    if (this.#end) throw this.#end
    this.#cancelAlarm()
    const { db, begin } = this.#shelf.open(this.#world)
    const awake = this.#habits.read(db)
    this.#awake = awake
    this.#rest = undefined
    try {
      begin?.(this.#world)
    } catch (error) {
      // What was not begun whole is begun again by whoever asks next.
      this.#shut(awake)
      throw error
    }
    awake.driver.start()
    return awake
  }

  #isIdle({ transactions, driver }: Awake): boolean {
    if (this.#replacements > 0 || this.uses.count > 0 || this.#habits.isFollowed()) return false
    return !transactions.isWorking && driver.isQuiet && restMsOf(driver) > SOON_MS
  }

  #setAlarm(ms: number) {
    if (ms !== Number.POSITIVE_INFINITY) this.#cancelAlarm = after(ms, () => this.#onAlarm())
  }

  #onAlarm() {
    try {
      void this.awake
    } catch (error) {
      this.#world.onFault(error, `waking the namespace ${this.#world.namespace}`)
      this.#setAlarm(WAKE_AGAIN_MS)
    }
  }

  /** One replacement after another; meanwhile the world does not fall asleep. */
  #alone(work: () => Promise<void>): Promise<void> {
    this.#replacements++
    const done = this.#replacing.then(work).finally(() => this.#replacements--)
    this.#replacing = done.catch(() => undefined)
    return done
  }

  async #calm({ driver }: Awake) {
    await Promise.all([this.uses.end(), driver.stop()])
  }

  /** Closes the database, if it is open. */
  #lay({ isKept }: { isKept: boolean }) {
    this.#cancelAlarm()
    const awake = this.#awake
    if (!awake) return
    awake.transactions.flush()
    if (isKept) this.#settleIfPossible()
    this.#shut(awake)
  }

  #settleIfPossible() {
    try {
      this.#world.settle()
    } catch (error) {
      // On a full disk the numbers that were set aside are skipped, which is no loss.
      if (!(error instanceof Problem)) throw error
    }
  }

  #shut({ db, driver }: Awake) {
    driver.halt()
    this.#forget()
    db.close()
    this.#shelf.closed(this.#world, db)
  }

  #forget() {
    this.#habits.forget()
    this.#awake = undefined
  }
}

const glanceAt = ({ clock, driver }: Awake): Glance => ({
  pace: clock.pace,
  now: clock.now(),
  nextDueAt: driver.nextDueAt(),
})

/** How long the machine takes until there is something to do: known exactly after a look at what is due. */
function restMsOf(driver: Driver): number {
  driver.nextDueAt()
  return driver.restMs
}
