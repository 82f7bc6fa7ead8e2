import type { Pace } from '../words/pace.ts'
import type { CombinedNouns } from './combined-nouns.ts'
import { Followers } from './followers.ts'
import type { Host, WorldStorage } from './host.ts'
import type { Ids } from './ids.ts'
import { WorldLifecycle } from './lifecycle/lifecycle.ts'
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
 * One isolated state: a database, a clock, a seed, and all scheduled work. The database of an unused world may be closed
 * (eviction); the next access, or the next due row, opens it again.
 */
export class World {
  readonly namespace: string
  readonly host: Host
  readonly onFault: FaultListener
  readonly lifecycle: WorldLifecycle
  readonly timers = new Timers(this)
  readonly followers = new Followers(() => this.lifecycle.opened.transactions.isOpen)
  /** Rises with each use; orders worlds for eviction. */
  usedAt = 0
  readonly #backend: WorldStorage['backend']

  constructor(namespace: string, { host, storage, onFault }: WorldOptions) {
    this.namespace = namespace
    this.host = host
    this.onFault = onFault
    this.lifecycle = new WorldLifecycle(this, storage)
    this.#backend = storage.backend
  }

  /** The loaded nouns. Throws before {@link Host.loadNouns}. */
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

  get ids(): Ids {
    return this.lifecycle.opened.ids
  }

  /** Returns the world's instance of a store, created on first use. */
  store<S>(make: (db: Database) => S): S {
    return this.lifecycle.opened.store(make)
  }

  /** World time in ms since 1970. */
  now(): number {
    return this.clock.now()
  }

  /** World time in ISO 8601. */
  timestamp(): string {
    return isoTime(this.now())
  }

  setClock(at: number, pace?: Pace) {
    this.clock.set(at, pace)
    this.store(metaStore).set('clock', this.clock.state)
    this.lifecycle.opened.mark.put(at)
  }

  /** A number in [0, 1) derived from the seed and the key. */
  random(...key: string[]): number {
    let text = this.ids.drawKey(key[0]!)
    for (let i = 1; i < key.length; i++) text += `\n${this.ids.drawKey(key[i]!)}`
    return seededNumber(this.seed, text)
  }

  /** Runs and commits work as one transaction, or as part of the enclosing one. */
  transaction<T>(work: () => T): T {
    return this.lifecycle.opened.transactions.run(() => this.#atOneInstant(work))
  }

  /** Runs a request's work and commits it with other requests of this turn, see {@link whenCommitted}. */
  batchedTransaction<T>(work: () => T, options?: { decidesFirst?: boolean | undefined }): T {
    return this.lifecycle.opened.transactions.runBatched(() => this.#atOneInstant(work), options)
  }

  /** Runs work and rolls it back. */
  rehearse<T>(work: () => T): T {
    return this.lifecycle.opened.rehearse(() => this.#atOneInstant(work))
  }

  /** Resolves when everything written so far is committed and may be shown; undefined if it already may. */
  whenCommitted(): Promise<void> | undefined {
    const committed = this.lifecycle.opened.transactions.whenCommitted()
    if (!this.#backend.whenDurable) return committed
    return committed ? committed.then(() => this.#whenDurable()) : this.#whenDurable()
  }

  /** Like {@link whenCommitted}, for data that is shown outside a request's work. Undefined outside a cluster. */
  whenShowable(): Promise<void> | undefined {
    return this.#backend.whenDurable && this.whenCommitted()
  }

  /** Commits the requests of this turn, so that what is read next is never rolled back. */
  commit() {
    this.lifecycle.opened.transactions.flush()
  }

  /** Keeps the clock from falling behind an answer that was read outside a transaction. */
  coverAnswer() {
    this.lifecycle.opened.coverAnswer()
  }

  /** A world that has ended does not own the current log of its namespace. */
  #whenDurable(): Promise<void> | undefined {
    const { end } = this.lifecycle
    return end ? Promise.reject(end) : this.#backend.whenDurable!(this.namespace)
  }

  #atOneInstant<T>(work: () => T): T {
    return this.clock.during(this.clock.now(), work)
  }
}
