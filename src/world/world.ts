import type { Pace } from '../words/pace.ts'
import type { Works } from './contributions.ts'
import type { Glance, Host, Shelf } from './host.ts'
import { type Awake, Life } from './lifecycle.ts'
import { seededShare, seededText, seededUuids, serialOf } from './random.ts'
import { fact } from './setting.ts'
import { type Database, isStorageFault } from './storage/database.ts'
import { imageOf, settleIn } from './storage/image.ts'
import { metaStore } from './storage/meta.ts'
import { Recalled } from './storage/recalled.ts'
import { Serials } from './storage/serials.ts'
import { Transactions } from './storage/transactions.ts'
import { Clock, type ClockState, isoTime } from './time/clock.ts'
import { Driver } from './time/driver.ts'
import { Lane, timerStore } from './time/timers.ts'

export type FaultListener = (error: unknown, doing: string) => void

export interface WorldOptions {
  host: Host
  shelf: Shelf
  onFault: FaultListener
}

/**
 * One isolated state: a database, a clock, a seed, and everything that is still to happen in it. A world of which nothing
 * is asked may be put to sleep: it lies on its shelf then, and whoever touches it, or the next thing due, wakes it.
 */
export class World {
  readonly namespace: string
  readonly host: Host
  readonly onFault: FaultListener
  /** When it was asked for last, in the order of such moments. */
  usedAt = 0
  readonly #life: Life
  readonly #shelf: Shelf
  readonly #stores = new Map<unknown, unknown>()
  readonly #recalled = new Recalled()
  readonly #listeners = new Set<() => void>()
  #eventsWaiting = false
  #unsavedRequests = 0

  constructor(namespace: string, { host, shelf, onFault }: WorldOptions) {
    this.namespace = namespace
    this.host = host
    this.onFault = onFault
    this.#shelf = shelf
    this.#life = new Life(this, shelf, {
      read: (db) => this.#read(db),
      forget: () => this.#forgetAll(),
      isFollowed: () => this.#listeners.size > 0,
      tellFollowers: () => this.#tellFollowers(),
    })
  }

  /** What happens in it; there once the concepts are read in, see {@link Host.readIn}. */
  get works(): Works {
    return this.host.works
  }

  get db(): Database {
    return this.#awake.db
  }

  get seed(): string {
    return this.#awake.seed
  }

  get clock(): Clock {
    return this.#awake.clock
  }

  get driver(): Driver {
    return this.#awake.driver
  }

  get isAsleep(): boolean {
    return this.#life.isAsleep
  }

  /** It was deleted, or the sandbox has stopped: whoever still holds it holds nothing. */
  get isGone(): boolean {
    return this.#life.isOver
  }

  /** Rises when the world becomes another one, or its log is begun anew: what was told before means nothing then. */
  get era(): number {
    return era.of(this)
  }

  set era(value: number) {
    era.set(this, value)
  }

  /** The one instance of a store for this world. */
  store<S>(make: (db: Database) => S): S {
    let store = this.#stores.get(make) as S | undefined
    if (store === undefined) {
      store = make(this.db)
      this.#stores.set(make, store)
    }
    return store
  }

  /** A value that is read with every send and changes hardly ever, kept until {@link forget} or a rollback. */
  recall<T>(key: string, read: () => T): T {
    return this.#recalled.recall(key, read)
  }

  /** The same for facts about many things, of which a bounded number is kept; {@link forget} drops all of them. */
  recallOf<T>(key: string, thing: string, read: () => T | undefined): T | undefined {
    return this.#recalled.recallOf(key, thing, read)
  }

  /** What is kept under the key is this from now on, as the transaction has just written. */
  keep(key: string, value: unknown) {
    this.#recalled.keep(key, value)
  }

  /** What was kept under the key has changed. */
  forget(key: string) {
    this.#recalled.forget(key)
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
    return prefix + this.#uuids(prefix)(this.#awake.serials.next(prefix))
  }

  /** This id is given away, and if it is one that {@link newId} would make, then so are those before it. */
  claimId(id: string) {
    const [, prefix, uuid] = /^([a-z_]*)([0-9a-f]{8}-[0-9a-f-]{27})$/.exec(id) ?? []
    if (prefix === undefined || uuid === undefined) return
    const n = serialOf(uuid, this.#uuids(prefix))
    if (n !== undefined) this.#awake.serials.skipTo(prefix, n)
  }

  /** An id for a request. Given even when nothing can be written, so that the refusal can be traced. */
  newRequestId(): string {
    try {
      return this.newId('req_')
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return `req_${this.#uuids('unsaved')(++this.#unsavedRequests)}`
    }
  }

  /** New letters and digits, for secrets and tokens. */
  newSecret(prefix: string, length: number): string {
    return prefix + seededText(this.seed, `${prefix}\n${this.#awake.serials.next(prefix)}`, length)
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
    return this.#awake.transactions.run(() => this.#atOneInstant(work))
  }

  /** The same for a request: kept together with others of the same moment, once {@link settled} says so. */
  join<T>(work: () => T, how?: { decidesFirst?: boolean | undefined }): T {
    return this.#awake.transactions.join(() => this.#atOneInstant(work), how)
  }

  /** Resolves when all that was written so far is kept; undefined when it is already. */
  settled(): Promise<void> | undefined {
    return this.#awake.transactions.settled()
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

  /** Cancels all work for later of some kinds. */
  cancelAll(kinds: readonly string[]) {
    this.store(timerStore).removeKinds(kinds)
  }

  /** Tells those who follow the event log that it has grown, once the transaction holds. */
  announceEvents() {
    this.#eventsWaiting = true
    if (!this.#awake.transactions.isOpen) this.#committed()
  }

  /** Calls back whenever the event log has grown; the returned function ends it. */
  followEvents(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setClock(at: number, pace?: Pace) {
    this.clock.set(at, pace)
    this.store(metaStore).set('clock', this.clock.state)
  }

  /** Writes down what is kept in memory, so that a copy of the database is whole, and tells of when it is. */
  settle() {
    this.transaction(() => {
      this.#awake.serials.settle()
      settleIn(this.db, { namespace: this.namespace, at: this.now() })
    })
  }

  /** Work of a request that takes longer than a turn: it ends before another state takes the place of this one, or begins after. */
  async use<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#life.replaced) await this.#life.replaced
    const { signal } = this.#life.uses
    return this.#life.uses.during(() => work(signal))
  }

  /** Wakes the world, if it sleeps. */
  open() {
    void this.#awake
  }

  /** Where it stands, without waking it; undefined when it has not been opened in this process yet. */
  glance(): Glance | undefined {
    return this.#life.glance()
  }

  /** Puts the world on its shelf, unless something is under way or about to happen in it. True when it sleeps. */
  sleep(): boolean {
    return this.#life.sleep()
  }

  /**
   * Becomes another world: after a reset or a restore. What is under way ends first, those who follow the event log stay.
   * `put` lays the other state where this one has lain; `begin` settles what is to be settled before anything happens.
   */
  async replace(put: () => void, begin: (world: World) => void): Promise<void> {
    await this.#life.replace(() => {
      const era = this.era + 1
      return () => {
        put()
        this.#shelf.begin(this, (world) => {
          begin(world)
          world.beginAnew(era)
        })
      }
    })
    this.announceEvents()
  }

  /** The world is another one than it was: whoever keeps something of the old one lets go of it. */
  beginAnew(era: number) {
    this.era = era
    for (const begun of this.works.begun) begun(this)
  }

  /** A copy of the whole world, as the bytes of a database. */
  copy(): Buffer {
    this.#awake.transactions.flush()
    this.settle()
    return imageOf(this.db)
  }

  /** Ends for good. Those who follow the event log are told, and whoever comes later is refused. */
  remove(erase: () => void): Promise<void> {
    return this.#life.remove(erase)
  }

  /** Ends all that is under way, keeps what is still to happen, and closes the file. */
  close(): Promise<void> {
    return this.#life.close()
  }

  get #awake(): Awake {
    return this.#life.awake
  }

  #forgetAll() {
    this.#stores.clear()
    this.#recalled.forgetAll()
  }

  #uuids(kind: string): (n: number) => string {
    const known = this.#awake.uuids.get(kind)
    if (known) return known
    const uuids = seededUuids(this.seed, kind)
    this.#awake.uuids.set(kind, uuids)
    return uuids
  }

  #read(db: Database): Awake {
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

  #schedule(lane: number, kind: string, subject: string, dueAt: number, payload: string | null): number {
    const known = lane === Lane.inside ? this.works.inside : this.works.outside
    if (!known[kind]) throw new Error(`no work is known as ${kind}`)
    // Nothing happens before now, so what is being done always comes first of all that is left.
    const due_at = Math.max(dueAt, this.now())
    const id = this.store(timerStore).insert({ due_at, kind, subject, payload }, lane)
    this.driver.expect(lane, due_at, kind, id)
    return id
  }

  #atOneInstant<T>(work: () => T): T {
    return this.clock.during(this.clock.now(), work)
  }

  #undone() {
    this.#recalled.undone()
    this.#awake.serials.distrust()
    this.driver.undone()
  }

  #committed() {
    this.#recalled.committed()
    this.driver.committed()
    if (!this.#eventsWaiting) return
    this.#eventsWaiting = false
    this.#tellFollowers()
  }

  #tellFollowers() {
    for (const listener of this.#listeners) listener()
  }
}

const era = fact<number>('era', (written) => written ?? 0)
