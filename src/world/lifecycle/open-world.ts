import { Problem } from '../../words/problem.ts'
import { IDENTITY } from '../generation.ts'
import type { WorldSummary } from '../host.ts'
import { Ids } from '../ids.ts'
import type { Database } from '../storage/database.ts'
import { imageOf, savedMomentStore } from '../storage/image.ts'
import { metaStore } from '../storage/meta.ts'
import { Serials } from '../storage/serials.ts'
import { Transactions } from '../storage/transactions.ts'
import { usedBytes } from '../storage/used-bytes.ts'
import { Clock, type ClockState, isClockState } from '../time/clock.ts'
import { ClockMark } from '../time/clock-mark.ts'
import { Driver } from '../time/driver.ts'
import type { World } from '../world.ts'

/** The parts of a world that exist while its database is open. */
export class OpenWorld {
  readonly db: Database
  readonly seed: string
  readonly clock: Clock
  readonly mark: ClockMark
  readonly ids: Ids
  driver: Driver
  readonly transactions: Transactions
  readonly #world: World
  readonly #serials: Serials
  readonly #stores = new Map<unknown, unknown>()

  constructor(world: World, db: Database) {
    const meta = metaStore(db)
    const seed = meta.get<string>('seed')
    const clock = meta.get<ClockState>('clock')
    if (typeof seed !== 'string' || !isClockState(clock)) throw db.damage()
    this.#world = world
    this.#serials = new Serials(meta)
    this.db = db
    this.seed = seed
    this.clock = new Clock(clock)
    this.mark = new ClockMark(world, this.clock)
    this.ids = new Ids(this.seed, meta.get<string>(IDENTITY) ?? '', this.#serials)
    this.driver = new Driver(world, db, this.clock)
    this.transactions = new Transactions(db, {
      started: () => this.mark.raise(),
      committed: () => {
        this.driver.committed()
        world.followers.committed()
      },
      rolledBack: () => {
        this.#serials.rolledBack()
        this.mark.rolledBack()
        this.driver.rolledBack()
      },
    })
  }

  /** Continues due work after its driver was stopped. */
  restart() {
    this.driver = new Driver(this.#world, this.db, this.clock)
    this.driver.start()
  }

  store<S>(make: (db: Database) => S): S {
    let store = this.#stores.get(make) as S | undefined
    if (store === undefined) {
      store = make(this.db)
      this.#stores.set(make, store)
    }
    return store
  }

  /** Runs work and rolls it back. */
  rehearse<T>(work: () => T): T {
    return this.#serials.givingBack(() => this.transactions.rehearse(work))
  }

  /** Moves the mark of the clock past an answer that no transaction covers. A full disk does not prevent the answer. */
  coverAnswer() {
    if (!this.mark.isBehind) return
    try {
      this.transactions.run(() => undefined)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }

  summary(): WorldSummary {
    const { clock, driver, db } = this
    return { pace: clock.pace, now: clock.now(), nextDueAt: driver.nextDueAt(), bytes: usedBytes(db) }
  }

  /** Writes in-memory counters and the current instant, so that a copy of the database is complete. */
  persist() {
    const { namespace } = this.#world
    this.#world.transaction(() => {
      this.#serials.persist()
      this.mark.put(this.clock.now())
      this.store(savedMomentStore).write({ namespace, at: this.clock.now() })
    })
  }

  image(): Buffer {
    this.transactions.flush()
    this.persist()
    return imageOf(this.db)
  }
}
