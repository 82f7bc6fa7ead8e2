import { problem } from '../../words/problem.ts'
import { machineMs, stopwatch, yieldToRequests } from '../machine-time.ts'
import type { Database } from '../storage/database.ts'
import type { World } from '../world.ts'
import { type Clock, END_OF_TIME, isRunning } from './clock.ts'
import { DueWork } from './due-work.ts'
import { STORAGE_RETRY_MS } from './network-queue.ts'
import type { Report } from './report.ts'
import { Tick } from './tick.ts'

/**
 * A clock that runs lets due work gather for so long once all of it is done, in ms of the machine, because each slice is a
 * commit of its own. Every row still has its own instant.
 */
const BATCH_MS = 5

const NEVER = Number.POSITIVE_INFINITY

/**
 * Makes time pass: runs due rows in order of due time, each at its own instant. A clock that runs brings them about by
 * itself; one that is advanced, or jumps, moves from row to row and waits for network work at each.
 */
export class Driver {
  readonly #world: World
  readonly #clock: Clock
  readonly #stopping = new AbortController()
  readonly #work: DueWork
  readonly #tick = new Tick(() => this.#onTick())
  #isStarted = false
  #isTicking = false
  #lastAdvance: Promise<unknown> = Promise.resolve()
  /** When all due work had been done, in ms of the machine. */
  #caughtUpAt = Number.NEGATIVE_INFINITY
  /** Until when requests go first, in ms of the machine. */
  #restsUntil = Number.NEGATIVE_INFINITY
  /** A request has come since the last look at due work. */
  #isAsked = false
  /** A clock that jumps has something to jump to. May be true where there is nothing, never false where there is. */
  #mayJump = true

  constructor(world: World, db: Database, clock: Clock) {
    this.#world = world
    this.#clock = clock
    this.#work = new DueWork(world, db, clock, this.#stopping.signal, () => this.reschedule())
  }

  /** From now on due rows are run as the clock reaches them. */
  start() {
    this.#isStarted = true
    this.#work.refresh()
    this.reschedule()
  }

  /** A request has come. While they do, due work is begun in no more than a third of the time. */
  noteRequest() {
    this.#isAsked = true
  }

  /** A row was scheduled. */
  scheduled(lane: number, dueAt: number, kind: string, id: number) {
    this.#work.scheduled(lane, dueAt, id)
    if (!this.#world.nouns.passive.has(kind)) this.#mayJump = true
  }

  committed() {
    this.#work.committed()
    this.reschedule()
  }

  /** What was seen since the last commit may be wrong. */
  rolledBack() {
    this.#work.rolledBack()
    this.reschedule()
  }

  /** Something may be due earlier than thought, or the clock may have been put. */
  reschedule() {
    if (!this.#isStarted || this.#isTicking || this.#work.movement.isAdvancing || this.#stopping.signal.aborted) return
    const dueAt = this.#work.earliest
    const { state } = this.#clock
    if (this.#tick.isSetFor(dueAt, state)) return
    this.#tick.cancel()
    const waitMs = this.#waitMs
    if (waitMs !== NEVER) this.#tick.set(Math.max(waitMs, this.#batchingMs), dueAt, state)
  }

  /** How long the machine takes until there is something to do, in ms; for ever where the clock stands before it. */
  idleMs(): number {
    this.#work.refresh()
    return this.#waitMs
  }

  /** The instant of the next row, if there is one. */
  nextDueAt(): number | undefined {
    const dueAt = this.#work.nextDueAt()
    return dueAt === NEVER ? undefined : dueAt
  }

  /** No due work, no network work and no advance is under way. */
  get isQuiet(): boolean {
    return !this.#isTicking && !this.#work.movement.isAdvancing && !this.#work.network.isUnderWay
  }

  /** Nothing more happens before somebody does something: the clock stands or has nothing to jump to. */
  get isAtRest(): boolean {
    if (isRunning(this.#clock.pace) || !this.isQuiet || this.#work.isHeldUp) return false
    if (this.#work.movement.isJumping && this.#mayJump) return false
    return this.#work.nextDueAt() > this.#clock.now()
  }

  /**
   * Moves the clock to an instant, running all that falls due on the way, network work and its retries included.
   * Resolves when it is quiet.
   */
  async advance(targetOf: () => number): Promise<Report> {
    try {
      return await this.#work.movement.duringAdvance(() => {
        const done = this.#lastAdvance.then(() => this.#advance(targetOf))
        this.#lastAdvance = done.catch(() => undefined)
        return done
      })
    } finally {
      this.#mayJump = true
      this.reschedule()
    }
  }

  /** Does work of a request that a clock which jumps waits for. */
  async whileTimeStands<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#work.movement.duringRequest(work)
    } finally {
      this.reschedule()
    }
  }

  /** From now on nothing is run. */
  halt() {
    this.#stopping.abort()
    this.#tick.cancel()
  }

  /** Ends what is under way. Network work that has no answer yet stays due. */
  async stop(): Promise<void> {
    this.halt()
    await Promise.allSettled([this.#lastAdvance, ...this.#work.network.underWay])
  }

  get #waitMs(): number {
    const dueAt = this.#work.earliest
    if (dueAt === NEVER) return NEVER
    if (this.#work.movement.isJumping && this.#mayJump && !this.#work.isHeldUp) return 0
    return this.#clock.machineMsUntil(dueAt)
  }

  get #batchingMs(): number {
    return isRunning(this.#clock.pace) ? Math.max(this.#caughtUpAt + BATCH_MS, this.#restsUntil) - machineMs() : 0
  }

  #onTick() {
    if (this.#work.movement.isAdvancing) return
    const loading = this.#world.host.loadNouns()
    if (loading) return this.#tickAfter(loading)
    this.#isTicking = true
    try {
      if (this.#work.movement.isJumping) this.#jump()
      else this.#catchUp()
    } catch (error) {
      this.#isTicking = false
      this.#retry(error, 'running due work')
      return
    }
    this.#isTicking = false
    this.reschedule()
  }

  /** After a start with due work that an earlier process left, the nouns that do it may not be loaded yet. */
  #tickAfter(loading: Promise<unknown>) {
    loading.then(
      () => this.reschedule(),
      (error) => this.#retry(error, 'loading what does due work'),
    )
  }

  #retry(error: unknown, doing: string) {
    // Of a damaged world it was told when it was abandoned.
    if (this.#stopping.signal.aborted) return
    this.#world.onFault(error, doing)
    this.#tick.set(STORAGE_RETRY_MS)
  }

  #catchUp() {
    const elapsed = stopwatch()
    const now = this.#clock.now()
    if (!this.#work.runSlice(now)) this.#caughtUpAt = machineMs()
    this.#work.network.start(now)
    if (this.#isAsked) this.#restsUntil = machineMs() + 2 * elapsed()
    this.#isAsked = false
  }

  /** A part of what a clock that jumps does by itself, short enough for requests to go between two of them. */
  #jump() {
    const limit = this.#work.isHeldUp ? this.#clock.now() : END_OF_TIME
    if (this.#work.runSlice(limit) || this.#work.startNextNetworkWork(limit)) return
    if (!this.#work.isHeldUp) this.#mayJump = false
  }

  async #advance(targetOf: () => number): Promise<Report> {
    const clock = this.#clock
    clock.hold(clock.now())
    try {
      this.#work.refresh()
      const report = this.#work.reporter.open(clock.now())
      // What happens now comes first: then it is clear what comes next.
      await this.#stepUntil(clock.now())
      const target = targetOf()
      await this.#stepUntil(target)
      const { aborted } = this.#stopping.signal
      const reached = aborted ? clock.now() : Math.max(target, clock.now())
      this.#world.transaction(() => this.#world.setClock(reached))
      if (aborted) throw problem('shutting_down')
      return report
    } catch (error) {
      // What was run so far has happened; time goes on from there.
      clock.set(clock.now())
      throw error
    } finally {
      this.#work.reporter.close()
    }
  }

  /** Runs all that falls due up to an instant, and ends when it is quiet. */
  async #stepUntil(target: number): Promise<void> {
    while (!this.#stopping.signal.aborted && (await this.#step(target)));
  }

  async #step(target: number): Promise<boolean> {
    if (this.#work.runSlice(this.#work.isHeldUp ? this.#clock.now() : target)) await yieldToRequests()
    else if (this.#work.isHeldUp) {
      this.#work.network.start(this.#clock.now())
      await Promise.race(this.#work.network.underWay)
    } else return this.#work.startNextNetworkWork(target)
    return true
  }
}
