import { problem } from '../../words/problem.ts'
import type { Database } from '../storage/database.ts'
import { metaStore } from '../storage/meta.ts'
import type { World } from '../world.ts'
import { type Clock, END_OF_TIME, isRunning } from './clock.ts'
import { DueQueue } from './due-queue.ts'
import { after, machineMs, stopwatch, yieldToRequests } from './machine-time.ts'
import { isStorageProblem, NetworkQueue, STORAGE_RETRY_MS } from './network-queue.ts'
import { Lane, type Timer, timerStore } from './timer-store.ts'

/** How long due work may keep requests waiting, in ms of the machine. */
const SLICE_MS = 10
/**
 * How long a clock that runs lets due work gather once all of it is done, in ms of the machine: each slice is a commit of its
 * own. Every row still has its own instant.
 */
const BATCH_MS = 5
/** How often a slice looks at the machine's clock, in rows. */
const LOOK_EVERY = 16
/** How many firings a report lists; the rest is counted. */
const REPORT_ROWS = 10_000

const NEVER = Number.POSITIVE_INFINITY

export interface Firing {
  at: number
  what: string
  subject: string
}

export interface Report {
  fired: Firing[]
  total: number
}

/**
 * Makes time pass: runs due rows in order of due time, each at its own instant. A clock that runs brings them about by
 * itself; one that is advanced, or jumps, moves from row to row and waits for network work at each.
 */
export class Driver {
  readonly #world: World
  readonly #clock: Clock
  readonly #timers
  readonly #meta
  readonly #queue: DueQueue
  readonly #network: NetworkQueue
  readonly #stopping = new AbortController()
  #started = false
  #cancelTick: (() => void) | undefined
  #armedFor = NEVER
  #armedBy: unknown
  #advancing: Promise<unknown> = Promise.resolve()
  #advances = 0
  #report: Report | undefined
  #reportsAfter = Number.NEGATIVE_INFINITY
  #running = false
  /** When all that was due had been done, in ms of the machine. */
  #caughtUpAt = Number.NEGATIVE_INFINITY
  /** Requests that time must not overtake. */
  #requestsUnderWay = 0
  /** A clock that jumps has something to jump to; may be true where there is nothing, never false where there is. */
  #mayJump = true

  constructor(world: World, db: Database, clock: Clock) {
    this.#world = world
    this.#clock = clock
    this.#timers = timerStore(db)
    this.#meta = metaStore(db)
    this.#queue = new DueQueue(this.#timers)
    this.#network = new NetworkQueue(world, clock, this.#timers, this.#stopping.signal, {
      // How far network work had come when time was moved is a matter of the machine, and in no report.
      done: ({ due_at, kind: what, subject }) =>
        due_at > this.#reportsAfter && this.#note({ at: world.now(), what, subject }),
      freed: () => this.reschedule(),
    })
  }

  /** From now on due rows are run as the clock reaches them. */
  start() {
    this.#started = true
    this.#refresh()
    this.reschedule()
  }

  /** A row was scheduled. */
  scheduled(lane: number, dueAt: number, kind: string, id: number) {
    if (lane === Lane.network) this.#network.scheduled(dueAt)
    else this.#queue.add(dueAt, id)
    if (!this.#world.nouns.passive.has(kind)) this.#mayJump = true
  }

  committed() {
    this.#queue.committed()
    this.#network.committed()
    this.reschedule()
  }

  /** What was seen since the last commit may be wrong. */
  rolledBack() {
    this.#queue.rolledBack()
    this.#network.rolledBack()
    this.reschedule()
  }

  /** Something may be due earlier than thought, or the clock may have been put. */
  reschedule() {
    if (!this.#started || this.#running || this.#advances > 0 || this.#stopping.signal.aborted) return
    const dueAt = this.#earliestOfAll
    if (this.#cancelTick && dueAt === this.#armedFor && this.#clock.state === this.#armedBy) return
    this.#cancelTick?.()
    this.#cancelTick = undefined
    this.#armedFor = dueAt
    this.#armedBy = this.#clock.state
    const waitMs = this.#idleMs
    if (waitMs !== NEVER) this.#arm(Math.max(waitMs, this.#batchingMs))
  }

  /** How long the machine takes until there is something to do, in ms; for ever where the clock stands before it. */
  idleMs(): number {
    this.#refresh()
    return this.#idleMs
  }

  get #idleMs(): number {
    const dueAt = this.#earliestOfAll
    if (dueAt === NEVER) return NEVER
    if (this.#isJumping && this.#mayJump && !this.#isHeldUp) return 0
    return this.#clock.machineMsUntil(dueAt)
  }

  /**
   * Moves the clock to an instant, running all that falls due on the way, network work and its retries included.
   * Resolves when it is quiet.
   */
  advance(targetOf: () => number): Promise<Report> {
    this.#advances++
    const done = this.#advancing.then(() => this.#advance(targetOf))
    this.#advancing = done.catch(() => undefined)
    return done.finally(() => {
      this.#advances--
      this.#mayJump = true
      this.reschedule()
    })
  }

  /** Work of a request that a clock which jumps waits for. */
  async whileTimeStands<T>(work: () => Promise<T>): Promise<T> {
    this.#requestsUnderWay++
    try {
      return await work()
    } finally {
      this.#requestsUnderWay--
      this.reschedule()
    }
  }

  /** The instant of the next row that waits, if any. */
  nextDueAt(): number | undefined {
    this.#refresh()
    const dueAt = Math.min(this.#queue.earliest, this.#network.nextDueAt())
    return dueAt === NEVER ? undefined : dueAt
  }

  /** Nothing is under way: no due work, no network work, no advance. */
  get isQuiet(): boolean {
    return !this.#running && this.#advances === 0 && !this.#network.isUnderWay
  }

  /** From now on nothing is run. */
  halt() {
    this.#stopping.abort()
    this.#cancelTick?.()
    this.#cancelTick = undefined
  }

  /** Ends what is under way. Network work that has no answer yet stays due. */
  async stop(): Promise<void> {
    this.halt()
    await Promise.allSettled([this.#advancing, ...this.#network.underWay])
  }

  get #earliestOfAll(): number {
    return Math.min(this.#queue.earliest, this.#network.earliest)
  }

  /** The clock goes from row to row by itself. */
  get #isJumping(): boolean {
    return this.#clock.mode === 'auto' && this.#advances === 0
  }

  /** Something is under way that happens now. */
  get #isHeldUp(): boolean {
    return this.#network.isUnderWay || (this.#requestsUnderWay > 0 && this.#advances === 0)
  }

  /** How long what falls due now waits for what falls due with it. */
  get #batchingMs(): number {
    return isRunning(this.#clock.pace) ? this.#caughtUpAt + BATCH_MS - machineMs() : 0
  }

  #arm(waitMs: number) {
    this.#cancelTick = after(waitMs, () => {
      this.#cancelTick = undefined
      this.#armedFor = NEVER
      this.#tick()
    })
  }

  #tick() {
    if (this.#advances > 0) return
    const reading = this.#world.host.loadNouns()
    if (reading) return this.#tickAfter(reading)
    this.#running = true
    try {
      if (this.#isJumping) this.#jump()
      else this.#catchUp(this.#world.now())
    } catch (error) {
      this.#running = false
      this.#world.onFault(error, 'running due work')
      if (!this.#stopping.signal.aborted) this.#arm(STORAGE_RETRY_MS)
      return
    }
    this.#running = false
    this.reschedule()
  }

  /** What is due is done by concepts that are not read in yet, as after a start with what was left to do. */
  #tickAfter(reading: Promise<unknown>) {
    reading.then(
      () => this.reschedule(),
      (error) => {
        this.#world.onFault(error, 'reading in what is due')
        if (!this.#stopping.signal.aborted) this.#arm(STORAGE_RETRY_MS)
      },
    )
  }

  #catchUp(now: number) {
    if (!this.#runSlice(now)) this.#caughtUpAt = machineMs()
    this.#network.start(now)
  }

  /** A part of what a clock that jumps does by itself, short enough for requests to go between two of them. */
  #jump() {
    const limit = this.#isHeldUp ? this.#clock.now() : END_OF_TIME
    if (this.#runSlice(limit) || this.#startNextNetworkWork(limit)) return
    if (!this.#isHeldUp) this.#mayJump = false
  }

  async #advance(targetOf: () => number): Promise<Report> {
    const clock = this.#clock
    const report: Report = { fired: [], total: 0 }
    clock.hold(clock.now())
    try {
      this.#refresh()
      this.#report = report
      this.#reportsAfter = clock.now()
      // What happens now comes first: then it is clear what comes next.
      while (!this.#stopping.signal.aborted && (await this.#step(clock.now())));
      const target = targetOf()
      while (!this.#stopping.signal.aborted && (await this.#step(target)));
      const reached = this.#stopping.signal.aborted ? clock.now() : Math.max(target, clock.now())
      this.#world.transaction(() => this.#world.setClock(reached))
      if (this.#stopping.signal.aborted) throw problem('shutting_down')
    } catch (error) {
      // What was run so far has happened; time goes on from there.
      clock.set(clock.now())
      throw error
    } finally {
      this.#report = undefined
    }
    return report
  }

  /** One step of an advance; false once it is quiet up to the target. */
  async #step(target: number): Promise<boolean> {
    // What is under way happens now: nothing later may overtake it.
    const limit = this.#isHeldUp ? this.#clock.now() : target
    if (this.#runSlice(limit)) await yieldToRequests()
    else if (this.#isHeldUp) {
      this.#network.start(this.#clock.now())
      await Promise.race(this.#network.underWay)
    } else return this.#startNextNetworkWork(target)
    return true
  }

  /** Moves the clock to the next network work, and begins it. False where none is due by then. */
  #startNextNetworkWork(limit: number): boolean {
    const dueAt = this.#network.earliest
    if (dueAt > limit) return false
    if (dueAt > this.#clock.now()) this.#world.transaction(() => this.#persistClock(dueAt))
    this.#moveClock(dueAt)
    this.#network.start(this.#clock.now())
    return true
  }

  /** Runs rows that are due, until none is, network work comes first, or the slice is used up, which makes it true. */
  #runSlice(until: number): boolean {
    if (this.#queue.earliest > until) return false
    const fired: Firing[] = []
    let isUsedUp = true
    try {
      this.#world.transaction(() => {
        isUsedUp = this.#runRows(until, fired)
        if (fired.length > 0) this.#persistClock(fired.at(-1)!.at)
      })
    } catch (error) {
      this.#refresh()
      if (isStorageProblem(error)) throw error
      fired.length = 0
      this.#runOneByOne(until, fired)
    }
    if (fired.length > 0) this.#moveClock(fired.at(-1)!.at)
    for (const firing of fired) this.#note(firing)
    return isUsedUp
  }

  #runRows(until: number, fired: Firing[]): boolean {
    const elapsed = stopwatch()
    const mayReach = this.#reachability(until)
    for (let row = this.#queue.peek(); row && mayReach(row); row = this.#queue.peek()) {
      this.#runRow(row)
      fired.push({ at: row.due_at, what: row.kind, subject: row.subject })
      if (fired.length % LOOK_EVERY === 0 && elapsed() > SLICE_MS) return true
    }
    return false
  }

  /** Whether it can come to the instant of a row now: asked of one row after the other. */
  #reachability(until: number): (row: Timer) => boolean {
    if (!this.#movesTime) return (row) => row.due_at <= until
    let drawnTo = this.#isJumping ? this.#clock.now() : until
    return (row) => {
      if (row.due_at > until || row.due_at > this.#network.earliest) return false
      if (row.due_at > drawnTo) drawnTo = this.#jumpTarget(row)
      return row.due_at <= drawnTo
    }
  }

  /** How far a clock that jumps goes, when this row is the next: work that is patient happens on its way only. */
  #jumpTarget({ kind, due_at }: Timer): number {
    const { passive } = this.#world.nouns
    if (!passive.has(kind)) return due_at
    const inside = this.#timers.nextInsideDueAtBut([...passive]) ?? NEVER
    const next = Math.min(inside, this.#network.earliest)
    return next > END_OF_TIME ? this.#clock.now() : next
  }

  #runRow(row: Timer) {
    this.#queue.remove(row)
    this.#clock.during(row.due_at, () => this.#world.nouns.localWork[row.kind]!(this.#world, row))
  }

  /** After a bug: finds the row that has it, sets it aside, and lets the others through. */
  #runOneByOne(until: number, fired: Firing[]) {
    const mayReach = this.#reachability(until)
    for (let left = LOOK_EVERY; left > 0; left--) {
      const row = this.#queue.peek()
      if (!row || !mayReach(row)) return
      try {
        this.#world.transaction(() => {
          this.#runRow(row)
          this.#persistClock(row.due_at)
        })
        fired.push({ at: row.due_at, what: row.kind, subject: row.subject })
      } catch (error) {
        if (isStorageProblem(error)) throw error
        this.#world.onFault(error, `${row.kind} for ${row.subject}`)
        this.#world.transaction(() => this.#timers.quarantine(row.id))
      }
    }
  }

  #note(firing: Firing) {
    if (!this.#report) return
    this.#report.total++
    if (this.#report.fired.length < REPORT_ROWS) this.#report.fired.push(firing)
  }

  /** It is work that moves the clock, not the clock that brings work about. */
  get #movesTime(): boolean {
    return this.#advances > 0 || this.#clock.mode === 'auto'
  }

  /** What was done in an instant must not lie ahead after a restart, so the instant is kept in the same transaction. */
  #persistClock(at: number) {
    if (this.#movesTime && at >= this.#clock.now()) this.#meta.set('clock', this.#clock.stateAt(at))
  }

  #moveClock(at: number) {
    if (!this.#movesTime) return
    const to = Math.max(at, this.#clock.now())
    if (this.#advances > 0) this.#clock.hold(to)
    else this.#clock.set(to)
  }

  #refresh() {
    this.#queue.peek()
    this.#network.refresh()
  }
}
