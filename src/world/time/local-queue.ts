import { END_OF_TIME } from '../../words/instant-text.ts'
import { stopwatch } from '../machine-time.ts'
import type { World } from '../world.ts'
import type { Clock } from './clock.ts'
import { DueQueue } from './due-queue.ts'
import type { Movement } from './movement.ts'
import { isStorageProblem, type NetworkQueue } from './network-queue.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** The longest slice of due work, beside which requests wait, machine ms. On disk, its commit takes several times as long. */
const SLICE_MS = 4
/** A slice checks the machine's clock after this many rows. */
const CHECK_EVERY = 4

interface LocalQueueParts {
  world: World
  clock: Clock
  movement: Movement
  timers: ReturnType<typeof timerStore>
  network: Pick<NetworkQueue, 'earliest' | 'refresh'>
}

/** Runs local work by due time, each row at its own instant, in slices that let requests in. */
export class LocalQueue {
  readonly rows: DueQueue
  readonly #world: World
  readonly #clock: Clock
  readonly #movement: Movement
  readonly #timers: ReturnType<typeof timerStore>
  readonly #network: LocalQueueParts['network']

  constructor({ world, clock, movement, timers, network }: LocalQueueParts) {
    this.rows = new DueQueue(timers)
    this.#world = world
    this.#clock = clock
    this.#movement = movement
    this.#timers = timers
    this.#network = network
  }

  /**
   * Runs rows until none is due, network work is next, or the slice is used up (`isUsedUp`). On a running clock, it shares the
   * commit of the requests that arrive in this turn.
   */
  runSlice(until: number): { fired: readonly Timer[]; isUsedUp: boolean } {
    const fired: Timer[] = []
    if (this.rows.earliest > until) return { fired, isUsedUp: false }
    let isUsedUp = true
    try {
      const work = () => {
        isUsedUp = this.#runRows(until, fired)
        if (fired.length > 0) this.#movement.persist(fired.at(-1)!.due_at)
      }
      if (this.#movement.isByWork) this.#world.transaction(work)
      else this.#world.batchedTransaction(work, { decidesFirst: true })
    } catch (error) {
      this.rows.peek()
      this.#network.refresh()
      if (isStorageProblem(error)) throw error
      fired.length = 0
      this.#runOneByOne(until, fired)
    }
    if (fired.length > 0) this.#movement.to(fired.at(-1)!.due_at)
    return { fired, isUsedUp }
  }

  #runRows(until: number, fired: Timer[]): boolean {
    const elapsed = stopwatch()
    const isReached = this.#reach(until)
    for (let row = this.rows.peek(); row && isReached(row); row = this.rows.peek()) {
      this.#run(row)
      fired.push(row)
      if (fired.length % CHECK_EVERY === 0 && elapsed() > SLICE_MS) return true
    }
    return false
  }

  /** After a bug: runs rows singly, sets the failing one aside, and continues. */
  #runOneByOne(until: number, fired: Timer[]) {
    const isReached = this.#reach(until)
    for (let left = CHECK_EVERY; left > 0; left--) {
      const row = this.rows.peek()
      if (!row || !isReached(row)) return
      try {
        this.#world.transaction(() => {
          this.#run(row)
          this.#movement.persist(row.due_at)
        })
        fired.push(row)
      } catch (error) {
        if (isStorageProblem(error)) throw error
        this.#world.onFault(error, `${row.kind} for ${row.subject}`)
        this.#world.transaction(() => this.#timers.quarantine(row.id))
      }
    }
  }

  #run(row: Timer) {
    this.rows.remove(row)
    this.#clock.during(row.due_at, () => this.#world.nouns.localWork[row.kind]!(this.#world, row))
  }

  /** Returns a function that decides whether the clock reaches a row in this slice. */
  #reach(until: number): (row: Timer) => boolean {
    if (!this.#movement.isByWork) return (row) => row.due_at <= until
    let target = this.#movement.isJumping ? this.#clock.now() : until
    return (row) => {
      if (row.due_at > until || row.due_at > this.#network.earliest) return false
      if (row.due_at > target) target = this.#jumpTarget(row)
      return row.due_at <= target
    }
  }

  /** The target of an auto clock before this row. It passes passive work without jumping to it. */
  #jumpTarget({ kind, due_at }: Timer): number {
    const { passive } = this.#world.nouns
    if (!passive.has(kind)) return due_at
    const next = Math.min(this.#timers.nextLocalDueAtBut([...passive]) ?? END_OF_TIME + 1, this.#network.earliest)
    return next > END_OF_TIME ? this.#clock.now() : next
  }
}
