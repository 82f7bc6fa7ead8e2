import { Problem } from '../words/problem.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import { after, breathe, stopwatch } from './machine-time.ts'
import { Lane, type Timer, timerStore } from './timers.ts'
import type { World } from './world.ts'

/** How long due work may keep requests waiting, in ms of the machine. */
const SLICE_MS = 10
/** How often a slice looks at the machine's clock, in rows. */
const LOOK_EVERY = 16
/** Network work under way at once, per world. */
const MOST_IN_FLIGHT = 32
/** When the data folder cannot be written, in ms of the machine. */
const STORAGE_RETRY_MS = 1_000
/** How many firings a report lists; the rest is counted. */
const REPORT_ROWS = 10_000

export interface Firing {
  at: number
  what: string
  subject: string
}

export interface Report {
  fired: Firing[]
  total: number
}

/** Makes time pass: runs due rows in order of due time, each at its own instant, and moves the clock when told. */
export class Driver {
  readonly #world: World
  readonly #clock: Clock
  readonly #timers
  readonly #inFlight = new Map<number, Promise<void>>()
  /** No row of the lane is due before this instant; may be too early, never too late. */
  readonly #earliest: Record<number, number> = { [Lane.inside]: 0, [Lane.outside]: 0 }
  readonly #stopping = new AbortController()
  #started = false
  #disarm: (() => void) | undefined
  #armedFor = Number.POSITIVE_INFINITY
  #advancing: Promise<unknown> = Promise.resolve()
  #advances = 0
  #report: Report | undefined
  #running = false

  constructor(world: World, db: Database, clock: Clock) {
    this.#world = world
    this.#clock = clock
    this.#timers = timerStore(db)
  }

  /** From now on due rows are run as the clock reaches them. */
  start() {
    this.#started = true
    this.#refresh()
    this.wake()
  }

  /** A row was scheduled. */
  expect(lane: number, dueAt: number) {
    if (dueAt < this.#earliest[lane]!) this.#earliest[lane] = dueAt
  }

  /** Something may be due earlier than thought. */
  wake() {
    if (!this.#started || this.#running || this.#advances > 0 || this.#stopping.signal.aborted) return
    const dueAt = Math.min(this.#earliest[Lane.inside]!, this.#earliest[Lane.outside]!)
    if (dueAt === this.#armedFor && this.#disarm) return
    this.#disarm?.()
    this.#disarm = undefined
    this.#armedFor = dueAt
    const waitMs = dueAt - this.#world.now()
    if (waitMs > 0 && (dueAt === Number.POSITIVE_INFINITY || this.#clock.mode === 'frozen')) return
    this.#arm(waitMs)
  }

  /**
   * Moves the clock to an instant, running all that falls due on the way, network work and its retries included.
   * Resolves when it is quiet.
   */
  advance(targetOf: () => number): Promise<Report> {
    this.#advances++
    const done = this.#advancing.then(() => this.#advance(targetOf()))
    this.#advancing = done.catch(() => undefined)
    return done.finally(() => {
      this.#advances--
      this.wake()
    })
  }

  /** The instant of the next row that waits, if any. */
  nextDueAt(): number | undefined {
    this.#refresh()
    const dueAt = Math.min(this.#earliest[Lane.inside]!, this.#earliest[Lane.outside]!)
    return dueAt === Number.POSITIVE_INFINITY ? undefined : dueAt
  }

  /** Ends what is under way. Network work that has no answer yet stays due. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#disarm?.()
    this.#disarm = undefined
    await Promise.allSettled([this.#advancing, ...this.#inFlight.values()])
  }

  #arm(waitMs: number) {
    this.#disarm = after(waitMs, () => {
      this.#disarm = undefined
      this.#armedFor = Number.POSITIVE_INFINITY
      this.#tick()
    })
  }

  #tick() {
    if (this.#advances > 0) return
    this.#running = true
    try {
      const now = this.#world.now()
      this.#runSlice(now)
      this.#startOutside(now)
    } catch (error) {
      this.#running = false
      this.#world.onFault(error, 'running due work')
      if (!this.#stopping.signal.aborted) this.#arm(STORAGE_RETRY_MS)
      return
    }
    this.#running = false
    this.wake()
  }

  async #advance(target: number): Promise<Report> {
    const clock = this.#clock
    const report: Report = { fired: [], total: 0 }
    this.#report = report
    clock.hold(clock.now())
    try {
      this.#refresh()
      while (!this.#stopping.signal.aborted && (await this.#step(target)));
      const reached = this.#stopping.signal.aborted ? clock.now() : Math.max(target, clock.now())
      this.#world.transaction(() => this.#world.setClock(reached))
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
    const clock = this.#clock
    // What is under way happens now: nothing later may overtake it.
    const horizon = () => (this.#inFlight.size > 0 ? clock.now() : Math.min(target, this.#earliest[Lane.outside]!))
    const reached = this.#runSlice(horizon())
    if (reached !== undefined) clock.hold(Math.max(clock.now(), reached))
    if (this.#earliest[Lane.inside]! <= horizon()) await breathe()
    else if (this.#inFlight.size > 0) {
      this.#startOutside(clock.now())
      await Promise.race(this.#inFlight.values())
    } else if (this.#earliest[Lane.outside]! <= target) {
      clock.hold(Math.max(clock.now(), this.#earliest[Lane.outside]!))
      this.#startOutside(clock.now())
    } else return false
    return true
  }

  /**
   * Runs rows that are due, until none is, network work comes first, or the slice is used up.
   * Returns the instant of the last one.
   */
  #runSlice(until: number): number | undefined {
    if (this.#earliest[Lane.inside]! > until) return undefined
    const fired: Firing[] = []
    try {
      this.#world.transaction(() => this.#runRows(until, fired))
    } catch (error) {
      this.#refresh()
      if (isStorageProblem(error)) throw error
      fired.length = 0
      this.#runOneByOne(until, fired)
    }
    for (const firing of fired) this.#note(firing)
    return fired.at(-1)?.at
  }

  #runRows(until: number, fired: Firing[]) {
    const elapsed = stopwatch()
    for (let row = this.#nextInside(); row && row.due_at <= until; row = this.#nextInside()) {
      if (this.#advances > 0 && row.due_at > this.#earliest[Lane.outside]!) return
      this.#runRow(row)
      fired.push({ at: row.due_at, what: row.kind, subject: row.subject })
      if (fired.length % LOOK_EVERY === 0 && elapsed() > SLICE_MS) return
    }
  }

  #nextInside(): Timer | undefined {
    const row = this.#timers.nextInside()
    this.#earliest[Lane.inside] = row?.due_at ?? Number.POSITIVE_INFINITY
    return row
  }

  #runRow(row: Timer) {
    this.#timers.remove(row.id)
    this.#clock.during(row.due_at, () => this.#world.works.inside[row.kind]!(this.#world, row))
  }

  /** After a bug: finds the row that has it, sets it aside, and lets the others through. */
  #runOneByOne(until: number, fired: Firing[]) {
    for (let left = LOOK_EVERY; left > 0; left--) {
      const row = this.#nextInside()
      if (!row || row.due_at > until) return
      try {
        this.#world.transaction(() => this.#runRow(row))
        fired.push({ at: row.due_at, what: row.kind, subject: row.subject })
      } catch (error) {
        if (isStorageProblem(error)) throw error
        this.#world.onFault(error, `${row.kind} for ${row.subject}`)
        this.#world.transaction(() => this.#timers.quarantine(row.id))
      }
    }
  }

  #startOutside(now: number) {
    if (this.#earliest[Lane.outside]! > now) return
    for (const row of this.#timers.dueOutside(now, MOST_IN_FLIGHT * 2)) {
      if (this.#inFlight.size >= MOST_IN_FLIGHT) break
      if (!this.#inFlight.has(row.id)) this.#inFlight.set(row.id, this.#goOutside(row))
    }
    this.#refreshOutside()
  }

  async #goOutside(row: Timer): Promise<void> {
    try {
      const settle = await this.#world.works.outside[row.kind]!(this.#world, row, this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      this.#world.transaction(() => {
        this.#timers.remove(row.id)
        settle()
      })
      this.#note({ at: this.#world.now(), what: row.kind, subject: row.subject })
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#world.onFault(error, `${row.kind} for ${row.subject}`)
      await this.#holdBack(row, error)
    } finally {
      this.#inFlight.delete(row.id)
      this.#refreshOutside()
      this.wake()
    }
  }

  async #holdBack(row: Timer, error: unknown) {
    if (isStorageProblem(error)) {
      await new Promise<void>((resume) => after(STORAGE_RETRY_MS, resume))
      return
    }
    this.#world.transaction(() => this.#timers.quarantine(row.id))
  }

  #note(firing: Firing) {
    if (!this.#report) return
    this.#report.total++
    if (this.#report.fired.length < REPORT_ROWS) this.#report.fired.push(firing)
  }

  #refresh() {
    this.#earliest[Lane.inside] = this.#timers.nextInside()?.due_at ?? Number.POSITIVE_INFINITY
    this.#refreshOutside()
  }

  /** The earliest network work that is not under way. With all places taken none can start before one is free. */
  #refreshOutside() {
    if (this.#stopping.signal.aborted) return
    const waiting =
      this.#inFlight.size >= MOST_IN_FLIGHT
        ? undefined
        : this.#timers
            .dueOutside(Number.MAX_SAFE_INTEGER, MOST_IN_FLIGHT + 1)
            .find((row) => !this.#inFlight.has(row.id))
    this.#earliest[Lane.outside] = waiting?.due_at ?? Number.POSITIVE_INFINITY
  }
}

const isStorageProblem = (error: unknown) => error instanceof Problem && error.code === 'storage_unavailable'
