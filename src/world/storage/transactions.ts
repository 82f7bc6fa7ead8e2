import { Problem, problem } from '../../words/problem.ts'
import { after } from '../machine-time.ts'
import { isDamage } from './damage.ts'
import { type Database, isOutOfFiles, isStorageFault } from './database.ts'

export interface TransactionListener {
  /** Before the work of a transaction. */
  begun?(): void
  committed(): void
  /** What was read since the last commit may be wrong. */
  rolledBack(): void
}

/** The requests of one turn of the event loop, which share a transaction. */
interface Batch {
  /** Resolves when all of them are committed; rejects when none is. */
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
  readonly cancel: () => void
}

/**
 * Runs work all or nothing. A commit to disk costs as much as a send itself, so requests that arrive in the same turn of
 * the event loop share one: each is rolled back alone when it is refused, and answered when the batch is committed
 * (`npm run bench send`; docs/decisions/speed-mechanisms.md).
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

  /** Something may be written that is not committed yet. */
  get isOpen(): boolean {
    return this.#working || this.#batch !== undefined
  }

  /** Some work runs at this moment. */
  get isWorking(): boolean {
    return this.#working
  }

  /** Runs the work and commits it. Inside other work it becomes part of that. */
  run<T>(work: () => T): T {
    if (this.#working) return work()
    this.flush()
    return this.#guard(() => {
      this.#begin()
      const result = this.#work(work)
      this.#db.commit()
      this.#listener.committed()
      return result
    })
  }

  /**
   * Runs the work and commits it with the others of this turn; {@link whenCommitted} tells when. Work that `decidesFirst`
   * refuses before it writes, so it needs no savepoint, which would copy every page that is written: a fifth of a send
   * (`npm run bench send`).
   */
  runBatched<T>(work: () => T, { decidesFirst = false }: { decidesFirst?: boolean | undefined } = {}): T {
    if (this.#working) return work()
    if (this.#batch && !this.#db.inTransaction) this.#faulted()
    this.#batch ??= this.#guard(() => this.#open())
    if (decidesFirst) return this.#runWithoutSavepoint(work)
    this.#db.savepoint()
    try {
      const result = this.#work(work)
      this.#db.release()
      return result
    } catch (error) {
      this.#rollBackOne(error)
      throw asProblem(error)
    }
  }

  /** Runs the work and takes back all that it has written, so that what it found out is all that remains. */
  rehearse<T>(work: () => T): T {
    this.flush()
    try {
      this.#begin()
      return this.#work(work)
    } catch (error) {
      throw asProblem(error)
    } finally {
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.rolledBack()
    }
  }

  /** Resolves when everything written so far is committed; undefined when it is already. */
  whenCommitted(): Promise<void> | undefined {
    return this.#batch?.committed
  }

  /** Commits the batch now. */
  flush() {
    const batch = this.#batch
    if (!batch) return
    if (!this.#db.inTransaction) return this.#faulted()
    this.#batch = undefined
    batch.cancel()
    try {
      this.#guard(() => this.#db.commit())
      batch.resolve()
    } catch (error) {
      batch.reject(error)
      return
    }
    this.#listener.committed()
  }

  #open(): Batch {
    this.#begin()
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>()
    // A batch of refusals has nobody who waits for it.
    committed.catch(() => undefined)
    return { committed, resolve, reject, cancel: after(0, () => this.flush()) }
  }

  #begin() {
    this.#db.begin()
    this.#listener.begun?.()
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
      this.#listener.rolledBack()
      throw asProblem(error)
    }
  }

  #runWithoutSavepoint<T>(work: () => T): T {
    const before = this.#db.writes
    try {
      return this.#work(work)
    } catch (error) {
      if (this.#db.writes === before && this.#db.inTransaction) throw asProblem(error)
      // A bug, or a disk that fails half way. Nobody of the batch has an answer yet, so all are told.
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.rolledBack()
      this.#rejectBatch(error)
      throw error instanceof Problem
        ? new Error(`refused after writing: ${error.code}`, { cause: error })
        : asProblem(error)
    }
  }

  /** A fault while something was read has ended the transaction. */
  #faulted() {
    this.#listener.rolledBack()
    this.#rejectBatch(
      problem(
        'storage_unavailable',
        'The data folder cannot be read or written; nothing of the request was kept. Repeat it.',
      ),
    )
  }

  #rejectBatch(error: unknown) {
    const batch = this.#batch
    this.#batch = undefined
    batch?.cancel()
    batch?.reject(asProblem(error))
  }

  #rollBackOne(error: unknown) {
    this.#listener.rolledBack()
    if (this.#db.inTransaction) {
      this.#db.rollbackTo()
      return
    }
    this.#rejectBatch(error)
  }
}

/** A data folder that cannot be written, or a process that may open nothing more, is no bug: the caller is told what to do. */
export function asProblem(error: unknown): unknown {
  if (isOutOfFiles(error)) return problem('too_many_open_files')
  // Files of worlds are told by their connections; what else is read is the bytes of a snapshot.
  if (isDamage(error))
    return problem('world_damaged', 'The snapshot is damaged. Delete it: sandbox snapshots delete <name>')
  if (!isStorageFault(error)) return error
  return problem(
    'storage_unavailable',
    `The data folder cannot be written (${error.code}). Free space or release the lock, then repeat the request; nothing of it was kept.`,
  )
}
