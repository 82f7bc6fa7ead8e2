import type { Pace } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import { Followers } from './followers.ts'
import type { Host, WorldStorage } from './host.ts'
import type { Ids } from './ids.ts'
import { WorldLifecycle } from './lifecycle.ts'
import { seededNumber } from './random.ts'
import type { Database } from './storage/database.ts'
import { metaStore } from './storage/meta.ts'
import { type Clock, isoTime } from './time/clock.ts'
import type { Driver } from './time/driver.ts'
import { Timers } from './time/timers.ts'

export type FaultListener = (error: unknown, doing: string) => void

export interface WorldOptions {
  host: Host
  storage: WorldStorage
  onFault: FaultListener
}

/**
 * One isolated state: a database, a clock, a seed, and all work that is still due. The database of a world that is not
 * used may be closed (eviction); whoever touches the world, and the next row that falls due, opens it again.
 */
export class World {
  readonly namespace: string
  readonly host: Host
  readonly onFault: FaultListener
  readonly lifecycle: WorldLifecycle
  /** Work for later. */
  readonly timers = new Timers(this)
  /** Those who follow the event log. */
  readonly followers = new Followers(() => this.lifecycle.opened.transactions.isOpen)
  /** Its place in the order in which worlds were last asked for. */
  usedAt = 0

  constructor(namespace: string, { host, storage, onFault }: WorldOptions) {
    this.namespace = namespace
    this.host = host
    this.onFault = onFault
    this.lifecycle = new WorldLifecycle(this, storage)
  }

  /** What the nouns bring. Throws until they are loaded, see {@link Host.loadNouns}. */
  get nouns(): CombinedNouns {
    return this.host.nouns
  }

  get seed(): string {
    return this.lifecycle.opened.seed
  }

  get clock(): Clock {
    return this.lifecycle.opened.clock
  }

  get driver(): Driver {
    return this.lifecycle.opened.driver
  }

  /** Identifiers and secrets. */
  get ids(): Ids {
    return this.lifecycle.opened.ids
  }

  /** The one instance of a store for this world. */
  store<S>(make: (db: Database) => S): S {
    return this.lifecycle.opened.store(make)
  }

  /** Milliseconds since 1970 on the world's clock. */
  now(): number {
    return this.clock.now()
  }

  /** Now, as the service stamps it: ISO 8601. */
  timestamp(): string {
    return isoTime(this.now())
  }

  setClock(at: number, pace?: Pace) {
    this.clock.set(at, pace)
    this.store(metaStore).set('clock', this.clock.state)
    this.lifecycle.opened.mark.put(at)
  }

  /** A number in [0, 1) that follows from the seed and from what it decides. */
  random(...key: string[]): number {
    return seededNumber(this.seed, key.map((part) => this.ids.drawKey(part)).join('\n'))
  }

  /** Does some work all or nothing, and commits it. Inside another transaction it becomes part of that one. */
  transaction<T>(work: () => T): T {
    return this.lifecycle.opened.transactions.run(() => this.#atOneInstant(work))
  }

  /** The same for a request: it is committed together with others of this turn, see {@link whenCommitted}. */
  batchedTransaction<T>(work: () => T, options?: { decidesFirst?: boolean | undefined }): T {
    return this.lifecycle.opened.transactions.runBatched(() => this.#atOneInstant(work), options)
  }

  /** Does some work of a transaction to see what comes of it, and takes back all that it has written. */
  rehearse<T>(work: () => T): T {
    return this.lifecycle.opened.rehearse(() => this.#atOneInstant(work))
  }

  /** Resolves when all that was written so far is committed; undefined when it is already. */
  whenCommitted(): Promise<void> | undefined {
    return this.lifecycle.opened.transactions.whenCommitted()
  }

  /** Commits what requests of this turn have written. What is read after it and told to others is never taken back. */
  commit() {
    this.lifecycle.opened.transactions.flush()
  }

  #atOneInstant<T>(work: () => T): T {
    return this.clock.during(this.clock.now(), work)
  }
}
