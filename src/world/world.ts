import type { Pace } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import type { Host, WorldStorage, WorldSummary } from './host.ts'
import { type OpenWorld, WorldLifecycle } from './lifecycle.ts'
import { seededNumber, seededText, seededUuids, serialOf } from './random.ts'
import { setting } from './setting.ts'
import { type Database, isStorageFault } from './storage/database.ts'
import { imageOf, writeSavedMoment } from './storage/image.ts'
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
  storage: WorldStorage
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
  readonly #lifecycle: WorldLifecycle
  readonly #storage: WorldStorage
  readonly #stores = new Map<unknown, unknown>()
  readonly #recalled = new Recalled()
  readonly #followers = new Set<() => void>()
  #hasNewEvents = false
  #unsavedRequests = 0

  constructor(namespace: string, { host, storage, onFault }: WorldOptions) {
    this.namespace = namespace
    this.host = host
    this.onFault = onFault
    this.#storage = storage
    this.#lifecycle = new WorldLifecycle(this, storage, {
      read: (db) => this.#read(db),
      discard: () => this.#discard(),
      isFollowed: () => this.#followers.size > 0,
      notifyFollowers: () => this.#callFollowers(),
    })
  }

  /** What happens in it; there once the concepts are read in, see {@link Host.loadNouns}. */
  get nouns(): CombinedNouns {
    return this.host.nouns
  }

  get db(): Database {
    return this.#opened.db
  }

  get seed(): string {
    return this.#opened.seed
  }

  get clock(): Clock {
    return this.#opened.clock
  }

  get driver(): Driver {
    return this.#opened.driver
  }

  get isEvicted(): boolean {
    return this.#lifecycle.isEvicted
  }

  /** It was deleted, or the sandbox has stopped: whoever still holds it holds nothing. */
  get isGone(): boolean {
    return this.#lifecycle.isGone
  }

  /** Rises when the world becomes another one, or its log is begun anew: what was told before means nothing then. */
  get generation(): number {
    return era.of(this)
  }

  set generation(value: number) {
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
    return prefix + this.#uuidsOf(prefix)(this.#opened.serials.next(prefix))
  }

  /** This id is given away, and if it is one that {@link newId} would make, then so are those before it. */
  claimId(id: string) {
    const [, prefix, uuid] = /^([a-z_]*)([0-9a-f]{8}-[0-9a-f-]{27})$/.exec(id) ?? []
    if (prefix === undefined || uuid === undefined) return
    const n = serialOf(uuid, this.#uuidsOf(prefix))
    if (n !== undefined) this.#opened.serials.skipTo(prefix, n)
  }

  /** An id for a request. Given even when nothing can be written, so that the refusal can be traced. */
  newRequestId(): string {
    try {
      return this.newId('req_')
    } catch (error) {
      if (!isStorageFault(error)) throw error
      return `req_${this.#uuidsOf('unsaved')(++this.#unsavedRequests)}`
    }
  }

  /** New letters and digits, for secrets and tokens. */
  newSecret(prefix: string, length: number): string {
    return prefix + seededText(this.seed, `${prefix}\n${this.#opened.serials.next(prefix)}`, length)
  }

  /** A secret that is always the same in this world. */
  fixedSecret(purpose: string, length: number): string {
    return seededText(this.seed, purpose, length)
  }

  /** A number in [0, 1), keyed by what it decides. */
  share(...key: string[]): number {
    return seededNumber(this.seed, key.join('\n'))
  }

  /** Does some work all or nothing, and keeps it. Inside another transaction it becomes part of that one. */
  transaction<T>(work: () => T): T {
    return this.#opened.transactions.run(() => this.#atOneInstant(work))
  }

  /** The same for a request: kept together with others of the same moment, once {@link whenCommitted} says so. */
  join<T>(work: () => T, how?: { decidesFirst?: boolean | undefined }): T {
    return this.#opened.transactions.join(() => this.#atOneInstant(work), how)
  }

  /** Resolves when all that was written so far is kept; undefined when it is already. */
  whenCommitted(): Promise<void> | undefined {
    return this.#opened.transactions.whenCommitted()
  }

  /** Work for later, in the transaction that deletes its row. */
  schedule(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#schedule(Lane.local, kind, subject, dueAt, payload)
  }

  /** Work for later that speaks to the network. */
  scheduleNetwork(kind: string, subject: string, dueAt: number, payload: string | null = null): number {
    return this.#schedule(Lane.network, kind, subject, dueAt, payload)
  }

  cancel(timerId: number): boolean {
    return this.store(timerStore).remove(timerId)
  }

  /** Cancels all work for later of some kinds. */
  cancelAll(kinds: readonly string[]) {
    this.store(timerStore).removeKinds(kinds)
  }

  /** Tells those who follow the event log that it has grown, once the transaction holds. */
  notifyFollowers() {
    this.#hasNewEvents = true
    if (!this.#opened.transactions.isOpen) this.#committed()
  }

  /** Calls back whenever the event log has grown; the returned function ends it. */
  followEvents(listener: () => void): () => void {
    this.#followers.add(listener)
    return () => this.#followers.delete(listener)
  }

  setClock(at: number, pace?: Pace) {
    this.clock.set(at, pace)
    this.store(metaStore).set('clock', this.clock.state)
  }

  /** Writes down what is kept in memory, so that a copy of the database is whole, and tells of when it is. */
  persist() {
    this.transaction(() => {
      this.#opened.serials.persist()
      writeSavedMoment(this.db, { namespace: this.namespace, at: this.now() })
    })
  }

  /** Work of a request that takes longer than a turn: it ends before another state takes the place of this one, or begins after. */
  async trackRequest<T>(work: (replaced: AbortSignal) => Promise<T>): Promise<T> {
    while (this.#lifecycle.replaced) await this.#lifecycle.replaced
    const { signal } = this.#lifecycle.inFlight
    return this.#lifecycle.inFlight.track(() => work(signal))
  }

  /** Wakes the world, if it sleeps. */
  open() {
    void this.#opened
  }

  /** Where it stands, without waking it; undefined when it has not been opened in this process yet. */
  summary(): WorldSummary | undefined {
    return this.#lifecycle.summary()
  }

  /** Puts the world on its shelf, unless something is under way or about to happen in it. True when it sleeps. */
  evict(): boolean {
    return this.#lifecycle.evict()
  }

  /**
   * Becomes another world: after a reset or a restore. What is under way ends first, those who follow the event log stay.
   * `put` lays the other state where this one has lain; `begin` settles what is to be settled before anything happens.
   */
  async replace(put: () => void, begin: (world: World) => void): Promise<void> {
    await this.#lifecycle.replace(() => {
      const generation = this.generation + 1
      return () => {
        put()
        this.#storage.onNextOpen(this, (world) => {
          begin(world)
          world.startGeneration(generation)
        })
      }
    })
    this.notifyFollowers()
  }

  /** The world is another one than it was: whoever keeps something of the old one lets go of it. */
  startGeneration(era: number) {
    this.generation = era
    for (const begun of this.nouns.onReplaced) begun(this)
  }

  /** A copy of the whole world, as the bytes of a database. */
  copy(): Buffer {
    this.#opened.transactions.flush()
    this.persist()
    return imageOf(this.db)
  }

  /** Ends for good. Those who follow the event log are told, and whoever comes later is refused. */
  remove(erase: () => void): Promise<void> {
    return this.#lifecycle.remove(erase)
  }

  /** Ends all that is under way, keeps what is still to happen, and closes the file. */
  close(): Promise<void> {
    return this.#lifecycle.close()
  }

  get #opened(): OpenWorld {
    return this.#lifecycle.opened
  }

  #discard() {
    this.#stores.clear()
    this.#recalled.forgetAll()
  }

  #uuidsOf(kind: string): (n: number) => string {
    const known = this.#opened.uuids.get(kind)
    if (known) return known
    const uuids = seededUuids(this.seed, kind)
    this.#opened.uuids.set(kind, uuids)
    return uuids
  }

  #read(db: Database): OpenWorld {
    const meta = metaStore(db)
    const clock = new Clock(meta.get<ClockState>('clock')!)
    return {
      db,
      clock,
      seed: meta.get<string>('seed')!,
      serials: new Serials(meta),
      uuids: new Map(),
      driver: new Driver(this, db, clock),
      transactions: new Transactions(db, { committed: () => this.#committed(), rolledBack: () => this.#rolledBack() }),
    }
  }

  #schedule(lane: number, kind: string, subject: string, dueAt: number, payload: string | null): number {
    const known = lane === Lane.local ? this.nouns.localWork : this.nouns.networkWork
    if (!known[kind]) throw new Error(`no work is known as ${kind}`)
    // Nothing happens before now, so what is being done always comes first of all that is left.
    const due_at = Math.max(dueAt, this.now())
    const id = this.store(timerStore).insert({ due_at, kind, subject, payload }, lane)
    this.driver.scheduled(lane, due_at, kind, id)
    return id
  }

  #atOneInstant<T>(work: () => T): T {
    return this.clock.during(this.clock.now(), work)
  }

  #rolledBack() {
    this.#recalled.undone()
    this.#opened.serials.rolledBack()
    this.driver.rolledBack()
  }

  #committed() {
    this.#recalled.committed()
    this.driver.committed()
    if (!this.#hasNewEvents) return
    this.#hasNewEvents = false
    this.#callFollowers()
  }

  #callFollowers() {
    for (const listener of this.#followers) listener()
  }
}

const era = setting<number>('era', (written) => written ?? 0)
