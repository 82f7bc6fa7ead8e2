import { Problem, problem } from '../../words/problem.ts'
import { after } from '../time/machine-time.ts'
import { type Database, isStorageFault } from './database.ts'

export interface TransactionListener {
  committed(): void
  /** Something was undone; what was learnt meanwhile may be wrong. */
  undone(): void
}

/** Requests that are committed together. */
interface Batch {
  /** Resolves once all of it is kept; rejects when none is. */
  readonly settled: Promise<void>
  readonly keep: () => void
  readonly lose: (reason: unknown) => void
  readonly callOff: () => void
}

/**
 * Work that is done all or nothing. A commit to disk costs as much as a send itself, so requests that arrive in the
 * same turn of the event loop share one: each is undone alone when it is refused, and answered when the batch is kept.
 */
export class Transactions {
  readonly #db: Database
  readonly #listener: TransactionListener
  #working = false
  #batch: Batch | undefined

  constructor(db: Database, listener: TransactionListener) {
    this.#db = db
    this.#listener = listener
  }

  /** Something is written that is not kept yet. */
  get isOpen(): boolean {
    return this.#working || this.#batch !== undefined
  }

  /** Some work is being done at this moment. */
  get isWorking(): boolean {
    return this.#working
  }

  /** Does the work and commits it. Inside other work it becomes part of that. */
  run<T>(work: () => T): T {
    if (this.#working) return work()
    this.flush()
    return this.#guard(() => {
      this.#db.begin()
      const result = this.#work(work)
      this.#db.commit()
      this.#listener.committed()
      return result
    })
  }

  /**
   * Does the work and commits it with the others of this turn; {@link settled} tells when. Work that `decidesFirst`
   * refuses before it writes and has nothing to undo, which spares it a savepoint: those cost a copy of every page.
   */
  join<T>(work: () => T, { decidesFirst = false }: { decidesFirst?: boolean | undefined } = {}): T {
    if (this.#working) return work()
    if (this.#batch && !this.#db.inTransaction) this.#ended()
    this.#batch ??= this.#guard(() => this.#open())
    if (decidesFirst) return this.#decided(work)
    this.#db.mark()
    try {
      const result = this.#work(work)
      this.#db.release()
      return result
    } catch (error) {
      this.#undoOne(error)
      throw asProblem(error)
    }
  }

  /** Resolves when everything written so far is kept; undefined when it is already. */
  settled(): Promise<void> | undefined {
    return this.#batch?.settled
  }

  /** Commits the batch now. */
  flush() {
    const batch = this.#batch
    if (!batch) return
    if (!this.#db.inTransaction) return this.#ended()
    this.#batch = undefined
    batch.callOff()
    try {
      this.#guard(() => this.#db.commit())
      batch.keep()
    } catch (error) {
      batch.lose(error)
      return
    }
    this.#listener.committed()
  }

  #open(): Batch {
    this.#db.begin()
    const { promise: settled, resolve: keep, reject: lose } = Promise.withResolvers<void>()
    // Whoever waits for it learns of it; a batch of refusals has nobody who waits.
    settled.catch(() => undefined)
    return { settled, keep, lose, callOff: after(0, () => this.flush()) }
  }

  #work<T>(work: () => T): T {
    this.#working = true
    try {
      return work()
    } finally {
      this.#working = false
    }
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.undone()
      throw asProblem(error)
    }
  }

  #decided<T>(work: () => T): T {
    const before = this.#db.writes
    try {
      return this.#work(work)
    } catch (error) {
      if (this.#db.writes === before && this.#db.inTransaction) throw asProblem(error)
      // A bug, or a disk that fails half way: nobody of the batch has an answer yet, and nobody gets a wrong one.
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.undone()
      this.#lose(error)
      throw error instanceof Problem
        ? new Error(`refused after writing: ${error.code}`, { cause: error })
        : asProblem(error)
    }
  }

  /** A fault while something was read has ended the transaction by itself. */
  #ended() {
    this.#listener.undone()
    this.#lose(
      problem(
        'storage_unavailable',
        'The data folder cannot be read or written; nothing of the request was kept. Repeat it.',
      ),
    )
  }

  #lose(error: unknown) {
    const batch = this.#batch
    this.#batch = undefined
    batch?.callOff()
    batch?.lose(asProblem(error))
  }

  #undoOne(error: unknown) {
    this.#listener.undone()
    if (this.#db.inTransaction) {
      this.#db.undo()
      return
    }
    this.#lose(error)
  }
}

/** A data folder that cannot be written is no bug: the caller learns what to do about it. */
export function asProblem(error: unknown): unknown {
  if (!isStorageFault(error)) return error
  return problem(
    'storage_unavailable',
    `The data folder cannot be written (${error.code}). Free space or release the lock, then repeat the request; nothing of it was kept.`,
  )
}
