import type { Database } from '../storage/database.ts'
import { metaStore } from '../storage/meta.ts'
import type { World } from '../world.ts'
import type { Clock } from './clock.ts'
import { LocalQueue } from './local-queue.ts'
import { Movement } from './movement.ts'
import { NetworkQueue } from './network-queue.ts'
import { Reporter } from './report.ts'
import { Lane, timerStore } from './timer-store.ts'

/** Local and network work in one order. */
export class DueWork {
  readonly movement: Movement
  readonly reporter = new Reporter()
  readonly network: NetworkQueue
  readonly #local: LocalQueue
  readonly #world: World
  readonly #clock: Clock

  /** `onFreed` is called when network work ends; after `stopping` aborts nothing starts. */
  constructor(world: World, db: Database, clock: Clock, stopping: AbortSignal, onFreed: () => void) {
    const timers = timerStore(db)
    this.#world = world
    this.#clock = clock
    this.movement = new Movement(clock, metaStore(db))
    this.network = new NetworkQueue(world, clock, timers, stopping, {
      done: (row) => this.reporter.noteNetwork(row, world.now()),
      freed: onFreed,
    })
    this.#local = new LocalQueue({ world, clock, movement: this.movement, timers, network: this.network })
  }

  /** A lower bound of the first due time, ms; exact after {@link refresh}. */
  get earliest(): number {
    return Math.min(this.#local.rows.earliest, this.network.earliest)
  }

  get earliestLocal(): number {
    return this.#local.rows.earliest
  }

  /**
   * A lower bound of the first due time of work that starts by itself. On a frozen clock local work waits for an
   * advance; otherwise answers would depend on the speed of the machine.
   */
  get earliestByItself(): number {
    return this.#clock.mode === 'frozen' ? this.network.earliest : this.earliest
  }

  /** The due time of the next row that starts or ends by itself; Infinity without one. */
  nextDueAtByItself(): number {
    this.refresh()
    return this.#clock.mode === 'frozen' ? this.network.nextDueAt() : this.nextDueAt()
  }

  /** Work of the current instant is in progress, which later work must not overtake. */
  get isHeldUp(): boolean {
    return this.network.isUnderWay || this.movement.isHeldByRequest
  }

  scheduled(lane: number, dueAt: number, id: number) {
    if (lane === Lane.network) this.network.scheduled(dueAt)
    else this.#local.rows.add(dueAt, id)
  }

  committed() {
    this.#local.rows.committed()
    this.network.committed()
  }

  rolledBack() {
    this.#local.rows.rolledBack()
    this.network.rolledBack()
  }

  refresh() {
    this.#local.rows.peek()
    this.network.refresh()
  }

  /** The due time of the next row, in progress or not; Infinity without one. */
  nextDueAt(): number {
    this.refresh()
    return Math.min(this.#local.rows.earliest, this.network.nextDueAt())
  }

  /** Runs due local work. Returns true if the slice ended first. */
  runSlice(until: number): boolean {
    const { fired, isUsedUp } = this.#local.runSlice(until)
    for (const row of fired) this.reporter.note(row, row.due_at)
    return isUsedUp
  }

  /** Moves the clock to the next network work and starts it. Returns false if none is due by then. */
  startNextNetworkWork(limit: number): boolean {
    const dueAt = this.network.earliest
    if (dueAt > limit) return false
    if (dueAt > this.#clock.now()) this.#world.transaction(() => this.movement.persist(dueAt))
    this.movement.to(dueAt)
    this.network.start(this.#clock.now())
    return true
  }
}
