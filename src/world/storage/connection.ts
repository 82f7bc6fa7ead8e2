import type Sqlite from 'better-sqlite3'
import { type Problem, problem } from '../../words/problem.ts'
import { type Cache, Caches } from './cache.ts'
import { damagedFile, isDamage } from './damage.ts'
import { LazyStatement, type Statement } from './statement.ts'
import { BufferedCounts, BufferedRows, type BufferOwner, type WriteBuffer } from './write-buffer.ts'

export interface OpenedFile {
  readonly path: string
  /** The file still has its name, so writes to it will be found again. */
  isInPlace(): boolean
}

const gone = (file: string): Problem =>
  problem(
    'storage_unavailable',
    `${file} was removed or replaced while the sandbox used it; nothing of the request was kept. Stop the sandbox, and start it again.`,
  )

/** A better-sqlite3 database with lazily compiled statements, write buffers and caches. */
export class Connection implements BufferOwner {
  /** True after {@link begin}; SQLite itself may end the transaction, for example on a full disk. */
  inTransaction = false
  /** Counts executed statements that write. */
  writes = 0
  readonly #db: Sqlite.Database
  readonly #beginStatement = this.prepare('BEGIN IMMEDIATE')
  readonly #commitStatement = this.prepare('COMMIT')
  readonly #rollbackStatement = this.prepare('ROLLBACK')
  readonly #savepointStatement = this.prepare('SAVEPOINT work')
  readonly #releaseStatement = this.prepare('RELEASE work')
  readonly #rollbackToStatement = this.prepare('ROLLBACK TO work')
  readonly #buffers = new Map<string, WriteBuffer>()
  readonly #caches = new Caches()
  /** Buffers with rows to write. */
  readonly #pending = new Set<WriteBuffer>()

  /** Called when SQLite finds a damaged page. */
  #onDamaged = (_: Problem) => {}
  readonly #file: OpenedFile | undefined

  constructor(db: Sqlite.Database, file?: OpenedFile) {
    this.#db = db
    this.#file = file
  }

  /** Reports content that is not a world's. */
  damage(): Error {
    return this.#file ? damagedFile(this.#file.path) : new Error('a world without seed or clock')
  }

  whenDamaged(callback: (damage: Problem) => void) {
    this.#onDamaged = callback
  }

  prepare<Row = unknown>(sql: string): Statement<Row> {
    return new LazyStatement<Row>(this, sql)
  }

  /** Buffers new rows of a table whose first column is its integer key. */
  rows(table: string, columns: readonly string[]): Pick<BufferedRows, 'add' | 'clear'> {
    return this.#buffer(table, () => new BufferedRows(this, table, columns))
  }

  /** Buffers increments of a column, in a table with one row for each key. */
  counts(table: string, keys: readonly string[], column: string): Pick<BufferedCounts, 'add'> {
    return this.#buffer(`${table}.${column}`, () => new BufferedCounts(this, table, keys, column))
  }

  /** Caches a value, or one for each key. The store that owns it invalidates it. */
  cached<T, K = void>(read: (key: K) => T): Cache<T, K> {
    return this.#caches.make(read)
  }

  enqueue(buffer: WriteBuffer) {
    this.writes++
    this.#pending.add(buffer)
    if (!this.inTransaction) this.flush()
  }

  exec(sql: string) {
    this.flush()
    this.#db.exec(sql)
  }

  serialize(): Buffer {
    this.flush()
    return this.#db.serialize()
  }

  begin() {
    if (this.#file && !this.#file.isInPlace()) throw gone(this.#file.path)
    this.#beginStatement.run()
    this.inTransaction = true
  }

  commit() {
    this.flush()
    this.#commitStatement.run()
    this.inTransaction = false
    this.#caches.transactionEnded()
  }

  /** Rolls back all since {@link begin}, unless a fault has done so. */
  rollback() {
    this.inTransaction = false
    this.#discard()
    if (this.#db.inTransaction) this.#rollbackStatement.run()
    this.#caches.rolledBack()
    this.#caches.transactionEnded()
  }

  /** Starts a part that can be rolled back alone, up to {@link release}. */
  savepoint() {
    this.flush()
    this.#savepointStatement.run()
  }

  release() {
    this.#releaseStatement.run()
  }

  /** Rolls back to {@link savepoint}. */
  rollbackTo() {
    this.#discard()
    this.#rollbackToStatement.run()
    this.#caches.rolledBack()
    this.#releaseStatement.run()
  }

  pragma(sql: string): unknown {
    return this.#db.pragma(sql, { simple: true })
  }

  close() {
    this.#db.close()
  }

  compile<Row>(sql: string): Sqlite.Statement<unknown[], Row> {
    return this.#db.prepare<unknown[], Row>(sql)
  }

  /** Flushes buffers of the tables that a statement names; without a statement, all. */
  flush(sql?: string) {
    try {
      for (const one of this.#pending)
        if (sql === undefined || sql.includes(one.table)) {
          this.#pending.delete(one)
          one.flush()
        }
    } catch (error) {
      // The row counts as written, so a failure to write it fails the transaction.
      this.rollback()
      throw error
    }
  }

  /** Checks after a failed statement whether the transaction has ended. */
  failed(error: unknown): unknown {
    if (this.inTransaction && !this.#db.inTransaction) this.rollback()
    if (!this.#file || !isDamage(error)) return error
    const damage = damagedFile(this.#file.path)
    this.#onDamaged(damage)
    return damage
  }

  #buffer<G extends WriteBuffer>(name: string, make: () => G): G {
    const known = this.#buffers.get(name) as G | undefined
    if (known) return known
    const buffer = make()
    this.#buffers.set(name, buffer)
    return buffer
  }

  #discard() {
    this.#pending.clear()
    for (const one of this.#buffers.values()) one.discard()
  }
}
