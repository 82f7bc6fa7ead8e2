import type { ClockMode } from '../words/vocabulary.ts'
import { seededShare, seededText, seededUuids } from './chance.ts'
import { Clock, type ClockState, isoTime } from './clock.ts'
import { type Database, isStorageFault } from './database.ts'
import { Driver } from './driver.ts'
import { metaStore } from './meta.ts'
import type { InsideWork, OutsideWork } from './noun.ts'
import { Serials } from './serials.ts'
import { Lane, timerStore } from './timers.ts'
import { Transactions } from './transactions.ts'

export interface Works {
  readonly inside: Readonly<Record<string, InsideWork>>
  readonly outside: Readonly<Record<string, OutsideWork>>
}

/** What a world knows of the process it lives in. */
export interface Host {
  /** How many worlds are open. */
  readonly count: number
  /** Puts a world back to how it started. */
  reset(world: World): Promise<void>
}

export type FaultListener = (error: unknown, doing: string) => void

/** All that changes when the database does. */
interface State {
  readonly db: Database
  readonly seed: string
  readonly clock: Clock
  readonly serials: Serials
  /** Makes the n-th id of each kind. */
  readonly uuids: Map<string, (n: number) => string>
  readonly driver: Driver
  readonly transactions: Transactions
}

/** One isolated state: a database, a clock, a seed, and everything that is still to happen in it. */
export class World {
  readonly namespace: string
  readonly works: Works
  readonly host: Host
  readonly onFault: FaultListener
  readonly #stores = new Map<unknown, unknown>()
  #state: State
  readonly #recalled = new Map<string, unknown>()
  /** Something kept was written and is not committed, so a rollback makes all that is kept doubtful. */
  #forgotten = false
  readonly #listeners = new Set<() => void>()
  #eventsWaiting = false
  #unsavedRequests = 0

  constructor(
    namespace: string,
    db: Database,
    { works, host, onFault }: { works: Works; host: Host; onFault: FaultListener },
  ) {
    this.namespace = namespace
    this.works = works
    this.host = host
    this.onFault = onFault
    this.#state = this.#read(db)
  }

  get db(): Database {
    return this.#state.db
  }

  get seed(): string {
    return this.#state.seed
  }

  get clock(): Clock {
    return this.#state.clock
  }

  get driver(): Driver {
    return this.#state.driver
  }

  /** The one instance of a store for this world. */
  store<S>(make: (db: Database) => S): S {
    let store = this.#stores.get(make) as S | undefined
    if (store === undefined) {
      store = make(this.#state.db)
      this.#stores.set(make, store)
    }
    return store
  }

  /** A value that is read with every send and changes hardly ever, kept until {@link forget} or a rollback. */
  recall<T>(key: string, read: () => T): T {
    const known = this.#recalled.get(key)
    if (known !== undefined) return known as T
    const value = read()
    // What does not exist is not kept: callers can name any number of such things.
    if (value !== undefined) this.#recalled.set(key, value)
    return value
  }

  /** What was kept under the key has changed. */
  forget(key: string) {
    this.#recalled.delete(key)
    this.#forgotten = true
  }

  /** Milliseconds since 1970 on the world's clock. */
  now(): number {
    return this.clock.now()
  }

  /** Now, as the service stamps it. */
  timestamp(): string {
    return isoTime(this.now())
  }

  /** A new identifier: prefix and seeded UUID. The n-th of a kind is the same in every run of a seed. */
  newId(prefix: string): string {
    return prefix + this.#uuid(prefix, this.#state.serials.next(prefix))
  }

  /** An id for a request. Given even when nothing can be written, so that the refusal can be traced. */
  newRequestId(): string {
    try {
      return this.newId('req_')
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return `req_${this.#uuid('unsaved', ++this.#unsavedRequests)}`
    }
  }

  /** New letters and digits, for secrets and tokens. */
  newSecret(prefix: string, length: number): string {
    return prefix + seededText(this.seed, `${prefix}\n${this.#state.serials.next(prefix)}`, length)
  }

  /** A secret that is always the same in this world. */
  fixedSecret(purpose: string, length: number): string {
    return seededText(this.seed, purpose, length)
  }

  /** A number in [0, 1), keyed by what it decides. */
  share(...key: string[]): number {
    return seededShare(this.seed, key.join('\n'))
  }

  /** Does some work all or nothing, and keeps it. Inside another transaction it becomes part of that one. */
  transaction<T>(work: () => T): T {
    return this.#state.transactions.run(() => this.#atOneInstant(work))
  }

  /** The same for a request: kept together with others of the same moment, once {@link settled} says so. */
  join<T>(work: () => T): T {
    return this.#state.transactions.join(() => this.#atOneInstant(work))
  }

  /** Resolves when all that was written so far is kept; undefined when it is already. */
  settled(): Promise<void> | undefined {
    return this.#state.transactions.settled()
  }

  /** Work for later, in the transaction that deletes its row. */
  schedule(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#schedule(Lane.inside, kind, subject, dueAt, payload)
  }

  /** Work for later that speaks to the network. */
  scheduleOutside(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#schedule(Lane.outside, kind, subject, dueAt, payload)
  }

  cancel(timerId: number): boolean {
    return this.store(timerStore).remove(timerId)
  }

  /** Tells those who follow the event log that it has grown, once the transaction holds. */
  announceEvents() {
    this.#eventsWaiting = true
    if (!this.#state.transactions.isOpen) this.#committed()
  }

  /** Calls back whenever the event log has grown; the returned function ends it. */
  followEvents(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setClock(at: number, mode?: ClockMode) {
    this.clock.set(at, mode)
    this.store(metaStore).set('clock', this.clock.state)
  }

  /** Writes down what is kept in memory, so that a copy of the database is whole. */
  settle() {
    this.#state.serials.settle()
  }

  /**
   * Goes on with another database in place of its own: after a reset or a restore. Those who follow the event log
   * stay; `swap` closes the old file and opens the new one.
   */
  async replace(swap: (old: Database) => Database): Promise<void> {
    await this.driver.stop()
    this.#state.transactions.flush()
    const db = swap(this.db)
    this.#stores.clear()
    this.#recalled.clear()
    this.#state = this.#read(db)
    this.driver.start()
    this.announceEvents()
  }

  /** Ends all that is under way, keeps what is still to happen, and closes the file. */
  async close(): Promise<void> {
    await this.driver.stop()
    this.#state.transactions.flush()
    try {
      this.settle()
    } catch (error) {
      // On a full disk the numbers that were set aside are skipped, which is no loss.
      if (!isStorageFault(error)) throw error
    }
    this.db.close()
  }

  #uuid(kind: string, n: number): string {
    const known = this.#state.uuids.get(kind)
    if (known) return known(n)
    const make = seededUuids(this.seed, kind)
    this.#state.uuids.set(kind, make)
    return make(n)
  }

  #read(db: Database): State {
    const meta = metaStore(db)
    const clock = new Clock(meta.get<ClockState>('clock')!)
    return {
      db,
      clock,
      seed: meta.get<string>('seed')!,
      serials: new Serials(meta),
      uuids: new Map(),
      driver: new Driver(this, db, clock),
      transactions: new Transactions(db, { committed: () => this.#committed(), undone: () => this.#undone() }),
    }
  }

  #schedule(lane: number, kind: string, subject: string, due_at: number, payload: string | null): number {
    const known = lane === Lane.inside ? this.works.inside : this.works.outside
    if (!known[kind]) throw new Error(`no work is known as ${kind}`)
    const id = this.store(timerStore).insert({ due_at, kind, subject, payload }, lane)
    this.driver.expect(lane, due_at)
    return id
  }

  #atOneInstant<T>(work: () => T): T {
    return this.clock.during(this.clock.now(), work)
  }

  #undone() {
    if (this.#forgotten) this.#recalled.clear()
    this.#forgotten = false
    this.#state.serials.distrust()
  }

  #committed() {
    this.#forgotten = false
    this.driver.wake()
    if (!this.#eventsWaiting) return
    this.#eventsWaiting = false
    for (const listener of this.#listeners) listener()
  }
}
