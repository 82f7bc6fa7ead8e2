import { Problem } from '../../words/problem.ts'
import { pause } from '../machine-time.ts'
import { asProblem } from '../storage/transactions.ts'
import type { World } from '../world.ts'
import { type Clock, isRunning, NEVER } from './clock.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** Concurrent network work: of a queue on a running clock, of a world on others, whose order is that of the due times. */
const MAX_IN_FLIGHT = 32
/** Concurrent network work of all queues of a world, which leaves files for its connections. */
const MAX_OF_ALL_QUEUES = 256
/** Work that has not started for this time is late, world ms. Late local work no longer lets requests go first. */
export const LATE_MS = 100
/** Pause while the data folder cannot be written, machine ms. */
export const STORAGE_RETRY_MS = 1_000

export interface NetworkListener {
  done(row: Timer): void
  /** Work has ended, so that other work can start. */
  freed(): void
}

/** Starts due network work and tracks it. */
export class NetworkQueue {
  readonly #world: World
  readonly #clock: Clock
  readonly #timers: ReturnType<typeof timerStore>
  readonly #stopping: AbortSignal
  readonly #listener: NetworkListener
  readonly #inFlight = new Map<string, { row: Timer; isOver: Promise<void> }>()
  /** Those in flight that have their answer, and wait until those before them have theirs. */
  readonly #answered = new Set<Timer>()
  /** Resolves when the last started work has taken effect. */
  #lastStarted = Promise.resolve()
  /** A lower bound of the first due time of rows not in progress. */
  #earliest = 0
  /** At the last start, more work was due than could start, and the first of it was late. */
  #isLate = false
  /** Read in a transaction that may be rolled back. */
  #wasReadUncommitted = false

  constructor(
    world: World,
    clock: Clock,
    timers: ReturnType<typeof timerStore>,
    stopping: AbortSignal,
    listener: NetworkListener,
  ) {
    this.#world = world
    this.#clock = clock
    this.#timers = timers
    this.#stopping = stopping
    this.#listener = listener
  }

  get earliest(): number {
    return this.#earliest
  }

  get isLate(): boolean {
    return this.#isLate
  }

  scheduled(dueAt: number) {
    if (!this.#isFull) this.#earliest = Math.min(this.#earliest, dueAt)
  }

  committed() {
    this.#wasReadUncommitted = false
  }

  /** Data read since the last commit may be wrong. */
  rolledBack() {
    if (this.#wasReadUncommitted) this.#earliest = 0
  }

  get isUnderWay(): boolean {
    return this.#inFlight.size > 0
  }

  /** Promises that resolve when work is over; none rejects. */
  get underWay(): Promise<void>[] {
    return [...this.#inFlight.values()].map(({ isOver }) => isOver)
  }

  /** Those whose answers are waited for. */
  get rowsAwaited(): Timer[] {
    return [...this.#inFlight.values()].flatMap(({ row }) => (this.#answered.has(row) ? [] : [row]))
  }

  /** Starts due work up to the limits. */
  start(now: number) {
    if (this.#earliest > now) return
    // Commits first, because other servers must not receive data that a full disk or a kill could undo.
    this.#world.commit()
    const { next, lateSince } = this.#waiting()
    const due = next.filter(({ due_at }) => due_at <= now)
    this.#isLate = now - lateSince > LATE_MS
    for (const row of due) this.#inFlight.set(identityOf(row), { row, isOver: this.#run(row) })
    this.#expect(this.#isFull ? NEVER : dueAtOf(next[due.length]))
  }

  /** Reads the next due row. At the limit nothing can start before some work ends. */
  refresh() {
    if (!this.#stopping.aborted) this.#expect(this.#isFull ? NEVER : dueAtOf(this.#waiting().next[0]))
  }

  /** The due time of the first row not in progress, whether it could start or not. */
  nextDueAt(): number {
    return dueAtOf(this.#timers.dueNetwork(this.#inFlight.size + 1).find((row) => this.#isWaiting(row)))
  }

  get #isFull(): boolean {
    return this.#free <= 0
  }

  get #free(): number {
    return (isRunning(this.#clock.pace) ? MAX_OF_ALL_QUEUES : MAX_IN_FLIGHT) - this.#inFlight.size
  }

  #isWaiting(row: Timer): boolean {
    return !this.#inFlight.has(identityOf(row))
  }

  #expect(dueAt: number) {
    this.#earliest = dueAt
    this.#wasReadUncommitted = true
  }

  /**
   * The next rows that can start, in order, and since when others wait that cannot. On a running clock a silent server
   * occupies its own queue only.
   */
  #waiting(): { next: Timer[]; lateSince: number } {
    const all: Timer[] = []
    let lateSince = NEVER
    for (const { first, free } of this.#queues()) {
      const waiting = first.filter((row) => this.#isWaiting(row))
      if (waiting.length > free) lateSince = Math.min(lateSince, waiting[0]!.due_at)
      all.push(...waiting.slice(0, Math.max(0, free)))
    }
    const next = all
      .sort((one, other) => one.due_at - other.due_at || one.id - other.id)
      .slice(0, Math.max(0, this.#free))
    return { next, lateSince: next.length < all.length ? Math.min(lateSince, all[0]!.due_at) : lateSince }
  }

  /** The first rows of each queue, one more than can be in progress. Rows in progress were due earlier. */
  *#queues(): IterableIterator<{ first: Timer[]; free: number }> {
    if (!isRunning(this.#clock.pace))
      return yield { first: this.#timers.dueNetwork(MAX_IN_FLIGHT + 1), free: this.#free }
    const used = Map.groupBy(this.#inFlight.values(), ({ row }) => row.payload)
    for (const queue of this.#timers.queues())
      yield {
        first: this.#timers.dueInQueue(queue, MAX_IN_FLIGHT + 1),
        free: MAX_IN_FLIGHT - (used.get(queue)?.length ?? 0),
      }
  }

  /** On a frozen or auto clock, answers take effect in the order in which their work started, so that runs repeat. */
  async #run(row: Timer): Promise<void> {
    const before = this.#lastStarted
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    this.#lastStarted = isOver
    try {
      // In a cluster, other servers must not receive data that another node might not find.
      const committed = this.#world.whenCommitted()
      if (committed) await committed
      const apply = await this.#world.nouns.networkWork[row.kind]!(this.#world, row, this.#stopping)
      this.#answered.add(row)
      if (!isRunning(this.#clock.pace)) await before
      if (this.#stopping.aborted) return
      await this.#store(row, apply)
      this.#listener.done(row)
    } catch (error) {
      if (this.#stopping.aborted) return
      this.#world.onFault(error, nameOf(row))
      await this.#holdBack(row, error)
    } finally {
      end()
      this.#answered.delete(row)
      this.#inFlight.delete(identityOf(row))
      // A running clock checks once for all work that ended in a turn.
      if (isRunning(this.#clock.pace)) this.#earliest = 0
      else this.refresh()
      this.#listener.freed()
    }
  }

  /**
   * Stores the outcome of work. While that fails, as on a full disk, it keeps the outcome and tries again: other servers
   * have answered, and would get the same once more.
   */
  async #store(row: Timer, apply: () => void) {
    for (let isFirst = true; ; isFirst = false)
      try {
        // Work that ends in one turn is committed together with the requests of that turn.
        this.#world.batchedTransaction(() => {
          const wasThere = this.#timers.removeSame(row)
          if (isFirst || wasThere) apply()
        })
        return await this.#world.whenCommitted()
      } catch (error) {
        if (this.#stopping.aborted || !isStorageProblem(error)) throw error
        if (isFirst) this.#world.onFault(error, nameOf(row))
        if (!(await pause(STORAGE_RETRY_MS, this.#stopping))) throw error
      }
  }

  /** Sets work aside that has a bug. While the storage fails, work stays due. */
  async #holdBack(row: Timer, error: unknown) {
    try {
      if (!isStorageProblem(error)) return void this.#world.transaction(() => this.#timers.quarantine(row.id))
    } catch (fault) {
      if (!isStorageProblem(fault)) throw fault
    }
    await pause(STORAGE_RETRY_MS, this.#stopping)
  }
}

const nameOf = ({ kind, subject }: Timer) => `${kind} for ${subject}`

const dueAtOf = (row: Timer | undefined): number => row?.due_at ?? NEVER

/** The storage has failed, not the work. Outside a transaction, this is an error of SQLite. */
export function isStorageProblem(error: unknown): boolean {
  const fault = asProblem(error)
  return fault instanceof Problem && STORAGE_PROBLEMS.has(fault.code)
}

const STORAGE_PROBLEMS: ReadonlySet<string> = new Set(['storage_unavailable', 'world_damaged', 'too_many_open_files'])

/** A world that is opened again reuses ids of cancelled rows, so the subject is part of the identity. */
const identityOf = ({ id, subject }: Timer) => `${id} ${subject}`
