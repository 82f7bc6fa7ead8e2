import { Problem, problem } from '../../words/problem.ts'
import { after } from '../machine-time.ts'
import { isDamage } from './damage.ts'
import { type Database, isStorageFault } from './database.ts'
import { isForeignFile } from './own-files.ts'
import { lacksFiles } from './storage-fault.ts'

export interface TransactionListener {
  /** Called before the work of a transaction. */
  started?(): void
  committed(): void
  /** Data read since the last commit may be wrong. */
  rolledBack(): void
}

/** The requests of one turn of the event loop; they share a transaction. */
interface Batch {
  /** Resolves with the common commit; rejects if it fails. */
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
  readonly cancel: () => void
}

/**
 * Runs transactions. A commit to disk costs as much as a send, so requests of one turn of the event loop share one: a
 * refused request is rolled back alone, and answers wait for the commit (`npm run bench send`;
 * docs/decisions/speed-mechanisms.md).
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

  /** Uncommitted writes may exist. */
  get isOpen(): boolean {
    return this.#working || this.#batch !== undefined
  }

  get isWorking(): boolean {
    return this.#working
  }

  /** Runs and commits work, or makes it part of the work around it. */
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
   * Runs work that is committed with others of this turn, see {@link whenCommitted}. With `decidesFirst` the work never
   * refuses after writing and needs no savepoint, which would copy every written page: a fifth of a send (`npm run
   * bench send`).
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
      throw this.#problemOf(error)
    }
  }

  /** Runs work and rolls it back; only its result remains. */
  rehearse<T>(work: () => T): T {
    this.flush()
    try {
      this.#begin()
      return this.#work(work)
    } catch (error) {
      throw this.#problemOf(error)
    } finally {
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.rolledBack()
    }
  }

  /** Resolves when everything written so far is committed; undefined if it already is. */
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
    // Nobody awaits the commit if all requests were refused.
    committed.catch(() => undefined)
    return { committed, resolve, reject, cancel: after(0, () => this.flush()) }
  }

  #begin() {
    this.#db.begin()
    this.#listener.started?.()
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
      // SQLite ends the transaction itself on a full disk.
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.rolledBack()
      throw this.#problemOf(error)
    }
  }

  #runWithoutSavepoint<T>(work: () => T): T {
    const before = this.#db.writes
    try {
      return this.#work(work)
    } catch (error) {
      if (this.#db.writes === before && this.#db.inTransaction) throw this.#problemOf(error)
      // A bug or a failing disk. No request of the batch is answered yet, so all are rejected.
      if (this.#db.inTransaction) this.#db.rollback()
      this.#listener.rolledBack()
      this.#rejectBatch(error)
      if (error instanceof Problem && error.code !== 'world_damaged')
        throw new Error(`refused after writing: ${error.code}`, { cause: error })
      throw this.#problemOf(error)
    }
  }

  /** A failed read has ended the transaction. */
  #faulted() {
    this.#listener.rolledBack()
    this.#rejectBatch(
      problem(
        'storage_unavailable',
        'The data folder cannot be read or written. The request was rolled back; repeat it.',
      ),
    )
  }

  #rejectBatch(error: unknown) {
    const batch = this.#batch
    this.#batch = undefined
    batch?.cancel()
    batch?.reject(this.#problemOf(error))
  }

  #problemOf(error: unknown): unknown {
    return asProblem(this.#db.failed(error))
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

/** An unwritable data folder and too many open files are not bugs: the error tells the caller what to do. */
export function asProblem(error: unknown): unknown {
  if (lacksFiles(error)) return problem('too_many_open_files')
  if (isForeignFile(error)) return problem('world_damaged', error.message, { file: error.file })
  // Connections report damaged world files, so this is a damaged snapshot.
  if (isDamage(error))
    return problem('world_damaged', 'The snapshot is damaged. Delete it: sandbox snapshots delete <name>')
  if (!isStorageFault(error)) return error
  return problem('storage_unavailable', `${storageFaultInWords(error.code)}, then try again. Nothing was changed.`)
}

const storageFaultInWords = (code: string): string =>
  /FULL|NOSPC|DQUOT/.test(code)
    ? `The disk of the data folder is full (${code}). Free space`
    : /BUSY|LOCKED/.test(code)
      ? `Another program has locked the data folder (${code}). Wait until it releases the lock, or end it`
      : /IO/.test(code)
        ? `The disk of the data folder reports an error (${code}). Free space, or check the disk`
        : `The data folder cannot be written (${code}). Make it writable`
