import { Problem } from '../../words/problem.ts'
import { after } from '../machine-time.ts'
import { isDamageProblem } from '../storage/damage.ts'
import type { World } from '../world.ts'
import { type Clock, isRunning } from './clock.ts'
import type { Timer, timerStore } from './timer-store.ts'

/** Network work under way at once, per world. */
const MAX_IN_FLIGHT = 32
/** When the data folder cannot be written, in ms of the machine. */
export const STORAGE_RETRY_MS = 1_000

export interface NetworkListener {
  /** A row has been done. */
  done(row: Timer): void
  /** Some work is over, so that other work can start. */
  freed(): void
}

/** Starts network work that is due, and knows what is under way. */
export class NetworkQueue {
  readonly #world: World
  readonly #clock: Clock
  readonly #timers: ReturnType<typeof timerStore>
  readonly #stopping: AbortSignal
  readonly #listener: NetworkListener
  readonly #inFlight = new Map<string, Promise<void>>()
  /** Resolves when the work that was started last has taken effect. */
  #lastStarted = Promise.resolve()
  /** No row that is not under way is due before this instant. It may be too early, never too late. */
  #earliest = 0
  /** It was read in a transaction that may yet be rolled back. */
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

  /** A row was scheduled. */
  scheduled(dueAt: number) {
    if (!this.#isFull) this.#earliest = Math.min(this.#earliest, dueAt)
  }

  committed() {
    this.#wasReadUncommitted = false
  }

  /** What was read since the last commit may be wrong. */
  rolledBack() {
    if (this.#wasReadUncommitted) this.#earliest = 0
  }

  get isUnderWay(): boolean {
    return this.#inFlight.size > 0
  }

  /** Each resolves when its work is over. None rejects. */
  get underWay(): Iterable<Promise<void>> {
    return this.#inFlight.values()
  }

  /** Starts what is due, as far as the limit of work under way allows. */
  start(now: number) {
    if (this.#earliest > now) return
    // Others must hear of nothing that a full disk or a kill could still take back.
    this.#world.commit()
    const waiting = this.#waiting()
    const free = MAX_IN_FLIGHT - this.#inFlight.size
    const due = waiting.slice(0, free).filter(({ due_at }) => due_at <= now)
    this.#expect(due.length === free ? NEVER : dueAtOf(waiting[due.length]))
    for (const row of due) this.#inFlight.set(identityOf(row), this.#run(row))
  }

  /** Reads anew what is due next. At the limit of work under way nothing can start before some of it is over. */
  refresh() {
    if (!this.#stopping.aborted) this.#expect(this.#isFull ? NEVER : this.nextDueAt())
  }

  /** When the first row is due that is not under way, whether or not it could start. */
  nextDueAt(): number {
    return dueAtOf(this.#waiting()[0])
  }

  get #isFull(): boolean {
    return this.#inFlight.size >= MAX_IN_FLIGHT
  }

  #expect(dueAt: number) {
    this.#earliest = dueAt
    this.#wasReadUncommitted = true
  }

  /** The first rows that are not under way: as many as could start, and one more. What is under way was due before. */
  #waiting(): Timer[] {
    return this.#timers
      .dueNetwork(Number.MAX_SAFE_INTEGER, MAX_IN_FLIGHT + 1)
      .filter((row) => !this.#inFlight.has(identityOf(row)))
  }

  /**
   * While time stands, answers take effect in the order in which the work was started, whichever comes first, so that
   * equal runs stay equal.
   */
  async #run(row: Timer): Promise<void> {
    const before = this.#lastStarted
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    this.#lastStarted = isOver
    try {
      const apply = await this.#world.nouns.networkWork[row.kind]!(this.#world, row, this.#stopping)
      if (!isRunning(this.#clock.pace)) await before
      if (this.#stopping.aborted) return
      // What ends in one turn is committed together, and with the requests of that turn.
      this.#world.batchedTransaction(() => {
        this.#timers.removeSame(row)
        apply()
      })
      await this.#world.whenCommitted()
      this.#listener.done(row)
    } catch (error) {
      if (this.#stopping.aborted) return
      this.#world.onFault(error, `${row.kind} for ${row.subject}`)
      await this.#holdBack(row, error)
    } finally {
      end()
      this.#inFlight.delete(identityOf(row))
      // A clock that runs looks once for all that has ended in a turn.
      if (isRunning(this.#clock.pace)) this.#earliest = 0
      else this.refresh()
      this.#listener.freed()
    }
  }

  async #holdBack(row: Timer, error: unknown) {
    if (isStorageProblem(error)) {
      await new Promise<void>((resume) => after(STORAGE_RETRY_MS, resume))
      return
    }
    this.#world.transaction(() => this.#timers.quarantine(row.id))
  }
}

const NEVER = Number.POSITIVE_INFINITY

const dueAtOf = (row: Timer | undefined): number => row?.due_at ?? NEVER

/** The data, not the work, is at fault. */
export const isStorageProblem = (error: unknown) =>
  isDamageProblem(error) || (error instanceof Problem && error.code === 'storage_unavailable')

/** The id of a row that was cancelled may be given to another. */
const identityOf = ({ id, subject }: Timer) => `${id} ${subject}`
