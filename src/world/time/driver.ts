import { END_OF_TIME } from '../../words/instant-text.ts'
import { afterPart, problem } from '../../words/problem.ts'
import { machineMs, stopwatch, yieldToRequests } from '../machine-time.ts'
import type { Database } from '../storage/database.ts'
import { Turns } from '../turns.ts'
import type { World } from '../world.ts'
import { type Clock, isoTime, isRunning, NEVER } from './clock.ts'
import { DueWork } from './due-work.ts'
import { LATE_MS, STORAGE_RETRY_MS } from './network-queue.ts'
import type { Report } from './report.ts'
import { Tick } from './tick.ts'

/**
 * On a running clock, due work is collected for this time (machine ms), because each slice is a commit. Every row still
 * has its own instant.
 */
const BATCH_MS = 5

/** What the driver was doing when a tick failed. */
const DOING = 'running due work'

/**
 * While requests arrive, network work rests for this many times the duration of its start, so that it takes about a
 * quarter of the time: what follows a start takes twice as long. Late work rests too, because ten endpoints cause ten
 * times the work of a send (`npm run bench webhooks`).
 */
const NETWORK_REST = 8

/**
 * Runs due rows in order of due time, each at its own instant. A running clock reaches them by itself; an advance or an
 * auto clock moves from row to row and waits for network work at each.
 */
export class Driver {
  readonly #world: World
  readonly #clock: Clock
  readonly #stopping = new AbortController()
  readonly #work: DueWork
  readonly #tick = new Tick(() => this.#onTick())
  #isStarted = false
  #isTicking = false
  readonly #advances = new Turns()
  /** The machine time when all due work was done. */
  #caughtUpAt = Number.NEGATIVE_INFINITY
  /** Until this machine time requests have priority over local work. */
  #restsUntil = Number.NEGATIVE_INFINITY
  /** Until this machine time requests and local work have priority over network work. */
  #networkRestsUntil = Number.NEGATIVE_INFINITY
  /** A request has arrived since the last check of due work. */
  #hasNewRequest = false
  /** The last fault of due work, until due work succeeds. */
  #fault: string | undefined
  /** After a fault, due work waits until this machine time, whatever requests do. */
  #retriesAt = Number.NEGATIVE_INFINITY
  /** An auto clock has something to jump to. May be wrongly true, never wrongly false. */
  #mayJump = true

  constructor(world: World, db: Database, clock: Clock) {
    this.#world = world
    this.#clock = clock
    this.#work = new DueWork(world, db, clock, this.#stopping.signal, () => this.reschedule())
  }

  /** Starts running due rows. */
  start() {
    this.#isStarted = true
    this.#work.refresh()
    this.reschedule()
  }

  /** Notes a request. While requests arrive, local work that is not late takes a third of the time at most. */
  noteRequest() {
    this.#hasNewRequest = true
  }

  scheduled(lane: number, dueAt: number, kind: string, id: number) {
    this.#work.scheduled(lane, dueAt, id)
    if (!this.#world.nouns.passive.has(kind)) this.#mayJump = true
  }

  committed() {
    this.#work.committed()
    this.reschedule()
  }

  /** Data read since the last commit may be wrong. */
  rolledBack() {
    this.#work.rolledBack()
    this.reschedule()
  }

  /** Reads the next due row again: the limits of network work follow from the pace. */
  paceChanged() {
    this.#work.refresh()
    this.reschedule()
  }

  /** Checks the next due row again, after a change of rows or of the clock. */
  reschedule() {
    if (!this.#isStarted || this.#isTicking || this.#work.movement.isAdvancing || this.#stopping.signal.aborted) return
    const dueAt = this.#work.earliestByItself
    const { state } = this.#clock
    if (this.#tick.isSetFor(dueAt, state)) return
    this.#tick.cancel()
    const waitMs = this.#waitMs
    if (waitMs === NEVER) return
    this.#tick.set(Math.max(waitMs, this.#batchingMs, this.#retriesAt - machineMs()), dueAt, state)
  }

  /** Runs due work whose timer is late because the process is busy. */
  runLateTick() {
    if (!this.#tick.isLate) return
    this.#tick.cancel()
    this.#onTick()
  }

  /** Machine ms until there is work; Infinity on a frozen clock. */
  idleMs(): number {
    this.#work.refresh()
    return this.#waitMs
  }

  /** Machine ms until the next work that was read; 0 while work is in progress. */
  get dueInMs(): number {
    return this.isQuiet ? this.#waitMs : 0
  }

  nextDueAt(): number | undefined {
    const dueAt = this.#work.nextDueAt()
    return dueAt === NEVER ? undefined : dueAt
  }

  /** True while no due work, network work or advance is in progress. */
  get isQuiet(): boolean {
    return !this.#isTicking && !this.#work.movement.isAdvancing && !this.#work.network.isUnderWay
  }

  /** Network work of a running clock is late, because more of it is due than can be in progress. */
  get isNetworkLate(): boolean {
    return isRunning(this.#clock.pace) && this.#work.network.isLate
  }

  /** The subjects of network work of a kind whose answers are waited for. */
  subjectsAwaited(kind: string): string[] {
    return this.#work.network.rowsAwaited.filter((row) => row.kind === kind).map(({ subject }) => subject)
  }

  /** True if nothing more happens by itself: the clock is frozen, or has nothing to jump to. */
  get isAtRest(): boolean {
    if (isRunning(this.#clock.pace) || !this.isQuiet || this.#work.isHeldUp) return false
    if (this.#work.movement.isJumping && this.#mayJump) return false
    return this.#work.nextDueAtByItself() > this.#clock.now()
  }

  /**
   * Advances the clock and runs everything due on the way, including network work and its retries. Resolves when all of
   * it is done. `hasRun` is true if work of the current instant was waiting on a frozen clock and has run.
   */
  async advance(targetOf: (hasRun: boolean) => number): Promise<Report> {
    try {
      return await this.#work.movement.duringAdvance(() => this.#advances.run(() => this.#advance(targetOf)))
    } finally {
      this.#mayJump = true
      this.reschedule()
    }
  }

  /** Runs a request's work, for which an auto clock waits. */
  async whileClockWaits<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#work.movement.duringRequest(work)
    } finally {
      this.reschedule()
    }
  }

  halt() {
    this.#stopping.abort()
    this.#tick.cancel()
  }

  /** Ends work in progress. Unanswered network work stays due. */
  async stop(): Promise<void> {
    this.halt()
    await Promise.allSettled([this.#advances.ended, ...this.#work.network.underWay])
  }

  get #waitMs(): number {
    const dueAt = this.#work.earliestByItself
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
    let committed: Promise<void> | undefined
    try {
      if (this.#work.movement.isJumping) this.#jump()
      else committed = this.#catchUp()
    } catch (error) {
      this.#isTicking = false
      this.#retry(error, DOING)
      return
    }
    this.#isTicking = false
    this.reschedule()
    if (!committed) this.#fault = undefined
    committed?.then(
      () => {
        this.#fault = undefined
      },
      (error) => this.#retry(error, DOING),
    )
  }

  /** After a restart, the nouns of existing due work may not be loaded yet. */
  #tickAfter(loading: Promise<unknown>) {
    loading.then(
      () => this.reschedule(),
      (error) => this.#retry(error, 'loading the code of due work'),
    )
  }

  #retry(error: unknown, doing: string) {
    // The damage was reported when the world was abandoned.
    if (this.#stopping.signal.aborted) return
    const fault = `${doing}: ${(error as Error).message}`
    // A disk that is full for an hour is reported once, not with each attempt.
    if (fault !== this.#fault) this.#world.onFault(error, doing)
    this.#fault = fault
    this.#retriesAt = machineMs() + STORAGE_RETRY_MS
    this.#tick.set(STORAGE_RETRY_MS)
  }

  /** Returns the commit of local work, which it shares with the requests of this turn. */
  #catchUp(): Promise<void> | undefined {
    // A bug of this work must not reject the requests before it.
    this.#world.commit()
    const elapsed = stopwatch()
    const now = this.#clock.now()
    const isLate = now - this.#work.earliestLocal > LATE_MS
    if (this.#clock.mode !== 'frozen' && !this.#work.runSlice(now)) this.#caughtUpAt = machineMs()
    const committed = this.#world.lifecycle.opened.transactions.whenCommitted()
    if (this.#hasNewRequest && !isLate) this.#restsUntil = machineMs() + 2 * elapsed()
    this.#startNetworkWork(now)
    this.#hasNewRequest = false
    return committed
  }

  #startNetworkWork(now: number) {
    const mayRest = this.#hasNewRequest && isRunning(this.#clock.pace)
    if (mayRest && machineMs() < this.#networkRestsUntil) return
    const elapsed = stopwatch()
    this.#work.network.start(now)
    this.#networkRestsUntil = machineMs() + NETWORK_REST * elapsed()
  }

  /** One slice of an auto clock's work, short enough to let requests in. */
  #jump() {
    const limit = this.#work.isHeldUp ? this.#clock.now() : END_OF_TIME
    if (this.#work.runSlice(limit) || this.#work.startNextNetworkWork(limit)) return
    if (!this.#work.isHeldUp) this.#mayJump = false
  }

  async #advance(targetOf: (hasRun: boolean) => number): Promise<Report> {
    const clock = this.#clock
    clock.hold(clock.now())
    const report = this.#work.reporter.open(clock.now())
    try {
      this.#work.refresh()
      // Finishes the current instant first, because it decides what is next.
      await this.#stepUntil(clock.now())
      const target = targetOf(clock.mode === 'frozen' && report.total > 0)
      await this.#stepUntil(target)
      const { aborted } = this.#stopping.signal
      const reached = aborted ? clock.now() : Math.max(target, clock.now())
      this.#world.transaction(() => this.#world.setClock(reached))
      if (aborted) throw problem('shutting_down')
      return report
    } catch (error) {
      // Continues from the work that was done.
      clock.set(clock.now())
      throw afterPart(error, report.total, `The clock advanced to ${isoTime(clock.now())} only.`)
    } finally {
      this.#work.reporter.close()
    }
  }

  /** Runs everything due up to an instant. */
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
