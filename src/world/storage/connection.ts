import type Sqlite from 'better-sqlite3'
import { getOrAdd } from '../../words/get-or-add.ts'
import { type Problem, problem } from '../../words/problem.ts'
import { type Cache, Caches } from './cache.ts'
import { leaveCachePool } from './cache-pool.ts'
import { damagedFile, isDamage, isUnreadable } from './damage.ts'
import { type HotOwner, HotRows, type HotTable } from './hot-rows.ts'
import { Journal } from './journal.ts'
import { LazyStatement, type Params, type Statement } from './statement.ts'
import { isStorageFault } from './storage-fault.ts'
import { BufferedCounts, BufferedRows, type BufferOwner, type WriteBuffer } from './write-buffer.ts'

export interface OpenedFile {
  readonly path: string
  /** The file outlives the process. */
  readonly isKept: boolean
  /** A file that lost its name: this one or its log, so that writes would not be found again, or the lock of the folder. */
  missing(): string | undefined
}

/** A cache that a write invalidates. */
type Stale = Pick<Cache<unknown>, 'invalidate'>

/** A field as a parameter of a statement. */
const named = (field: string) => `:${field}`

const gone = (file: string): Problem =>
  problem(
    'storage_unavailable',
    `${file} was removed or replaced while the sandbox used it. The request was rolled back. Restart the sandbox.`,
  )

/** A better-sqlite3 database with lazily compiled statements, write buffers and caches. */
export class Connection implements BufferOwner, HotOwner {
  /** True after {@link begin}; SQLite itself may end the transaction, for example on a full disk. */
  inTransaction = false
  /** Counts executed statements that write. */
  writes = 0
  readonly #db: Sqlite.Database
  readonly #beginStatement = this.prepareDirect('BEGIN IMMEDIATE')
  readonly #commitStatement = this.prepareDirect('COMMIT')
  readonly #rollbackStatement = this.prepareDirect('ROLLBACK')
  readonly #savepointStatement = this.prepareDirect('SAVEPOINT work')
  readonly #releaseStatement = this.prepareDirect('RELEASE work')
  readonly #rollbackToStatement = this.prepareDirect('ROLLBACK TO work')
  readonly #buffers = new Map<string, WriteBuffer>()
  readonly #caches = new Caches()
  /** Buffers with rows to write. */
  readonly #pending = new Set<WriteBuffer>()
  /** By table; the largest rows first, because they are the first to leave the memory. */
  #hot = new Map<string, HotRows<object>>()
  /** Rows that statements read through a view, see {@link HotRows.show}. */
  readonly #shown = new Set<HotRows<object>>()
  readonly journal: Journal | undefined
  /** The lengths of journal and undo logs at the savepoint; a table that was first used after it has none. */
  #savedLengths = new Map<object, number>()

  /** Called when something damaged is found; returns the error to report. `isByRead`: a failed read may be the cause. */
  #onDamaged = (damage: Problem, _isByRead: boolean): Problem => damage
  /** Called when everything is written, before the write-ahead log is deleted. */
  #beforeClose = () => {}
  readonly #file: OpenedFile | undefined

  constructor(db: Sqlite.Database, file?: OpenedFile) {
    this.#db = db
    this.#file = file
    this.journal = file?.isKept ? new Journal((sql) => this.prepareDirect(sql)) : undefined
  }

  /** The error for content that is not a world. */
  damage(): Error {
    return this.#file ? damagedFile(this.#file.path) : new Error('a world without seed or clock')
  }

  whenDamaged(callback: (damage: Problem, isByRead: boolean) => Problem) {
    this.#onDamaged = callback
  }

  beforeClose(callback: () => void) {
    this.#beforeClose = callback
  }

  prepare<Row = unknown>(sql: string): Statement<Row> {
    return new LazyStatement<Row>(this, sql, this)
  }

  /** Prepares a statement that sees tables without their rows in memory. */
  prepareDirect<Row = unknown>(sql: string): Statement<Row> {
    return new LazyStatement<Row>(this, sql)
  }

  /**
   * A statement as a function of its parameters, in order or by name: its first row. More arguments than parameters, such as
   * those that `map` passes, are an error.
   */
  one<Row, P extends unknown[] = []>(sql: string): (...params: P) => Row | undefined {
    const statement = this.prepare<Row>(sql)
    return (...params) => statement.get(...(params as Params[]))
  }

  /** All its rows. */
  all<Row, P extends unknown[] = []>(sql: string): (...params: P) => Row[] {
    const statement = this.prepare<Row>(sql)
    return (...params) => statement.all(...(params as Params[]))
  }

  /** The first column of its first row. */
  value<T, P extends unknown[] = []>(sql: string): (...params: P) => T | undefined {
    const statement = new LazyStatement<T>(this, sql, this, true)
    return (...params) => statement.get(...(params as Params[]))
  }

  /** The first column of all its rows. */
  values<T, P extends unknown[] = []>(sql: string): (...params: P) => T[] {
    const statement = new LazyStatement<T>(this, sql, this, true)
    return (...params) => statement.all(...(params as Params[]))
  }

  /** Writes, and invalidates caches. Returns the number of changed rows. */
  run<P extends unknown[] = []>(sql: string, ...stale: Stale[]): (...params: P) => number {
    const statement = this.prepare(sql)
    return (...params) => {
      for (const cache of stale) cache.invalidate()
      return statement.run(...(params as Params[])).changes
    }
  }

  /**
   * Reads the rows that meet the conditions of those fields that a filter gives; lists are bound as JSON. `rest` may name
   * further parameters. Each combination of fields has its own statement.
   */
  filtered<Row, Filter extends object>(
    select: string,
    conditions: Readonly<Record<keyof Filter, string>>,
    rest = '',
  ): (filter: Filter, further?: object) => Row[] {
    const statements = new Map<string, Statement<Row>>()
    return (filter, further) => {
      const fields = Object.entries(filter).filter(([, value]) => value !== undefined)
      const where = fields.map(([field]) => conditions[field as keyof Filter]).join(' AND ') || 'TRUE'
      const statement = getOrAdd(statements, where, () => this.prepare<Row>(`${select} WHERE ${where} ${rest}`))
      const values = fields.map(([field, value]) => [field, Array.isArray(value) ? JSON.stringify(value) : value])
      return statement.all({ ...Object.fromEntries(values), ...further })
    }
  }

  /** Inserts a row, whose fields are the columns, and invalidates caches. */
  insert<Row extends object>(table: string, ...stale: Stale[]): (row: Row) => number {
    return this.#byFields(stale, (fields) => `INSERT INTO ${table} (${fields}) VALUES (${fields.map(named)})`)
  }

  /** Writes all fields of a row that do not identify it, and invalidates caches. Returns the number of changed rows. */
  update<Row extends object>(table: string, where: string, ...stale: Stale[]): (row: Row) => number {
    return this.#byFields(stale, (fields) => {
      const keys: readonly string[] = where.match(/:\w+/g) ?? []
      const others = fields.filter((field) => !keys.includes(named(field)))
      return `UPDATE ${table} SET ${others.map((field) => `${field} = ${named(field)}`)} WHERE ${where}`
    })
  }

  /** Each combination of fields has its own statement, because SQLite ignores values that a statement does not name. */
  #byFields<Row extends object>(stale: Stale[], sqlOf: (fields: string[]) => string): (row: Row) => number {
    const statements = new Map<string, (row: Row) => number>()
    return (row) => {
      const fields = Object.keys(row)
      return getOrAdd(statements, fields.join(), () => this.run<[Row]>(sqlOf(fields), ...stale))(row)
    }
  }

  /** Keeps the rows of a table in memory while they change. */
  hotRows<Row extends object, Changing extends keyof Row & string = keyof Row & string>(
    table: HotTable<Row, Changing>,
  ): HotRows<Row, Changing> {
    const existing = this.#hot.get(table.table)
    if (existing) return existing as unknown as HotRows<Row, Changing>
    const rows = new HotRows<Row, Changing>(this, table)
    this.#hot.set(table.table, rows as unknown as HotRows<object>)
    this.#hot = new Map([...this.#hot].sort(([, one], [, other]) => other.bytes - one.bytes))
    return rows
  }

  changed() {
    this.writes++
    if (!this.inTransaction) this.flush()
  }

  /** Buffers new rows of a table whose first column is its integer key. */
  rows(table: string, columns: readonly string[]): Pick<BufferedRows, 'add' | 'put' | 'clear'> {
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
    this.execDirect(sql)
  }

  execDirect(sql: string) {
    this.#db.exec(sql)
  }

  serialize(): Buffer {
    this.flush()
    return this.#db.serialize()
  }

  /** Writes will be found again. */
  get isInPlace(): boolean {
    return this.#file?.missing() === undefined
  }

  begin() {
    const missing = this.#file?.missing()
    if (missing !== undefined) throw gone(missing)
    for (const rows of this.#shown) rows.hide()
    this.#shown.clear()
    this.#beginStatement.run()
    this.inTransaction = true
  }

  commit() {
    this.#flushBuffers()
    this.#secureHotRows()
    this.#commitStatement.run()
    this.inTransaction = false
    this.journal?.committed()
    for (const rows of this.#hot.values()) rows.committed()
    this.#caches.transactionEnded()
  }

  /** Rolls back everything since {@link begin}, unless a fault already did. */
  rollback() {
    this.inTransaction = false
    this.#discard()
    for (const log of this.#logs) log.rollbackTo(0)
    if (this.#db.inTransaction) this.#rollbackStatement.run()
    this.#caches.rolledBack()
    this.#caches.transactionEnded()
  }

  /** Starts a part that can be rolled back alone, up to {@link release}. */
  savepoint() {
    this.#flushBuffers()
    this.#savepointStatement.run()
    this.#savedLengths.clear()
    for (const log of this.#logs) this.#savedLengths.set(log, log.length)
  }

  release() {
    this.#releaseStatement.run()
  }

  /** Rolls back to {@link savepoint}. */
  rollbackTo() {
    this.#discard()
    this.#rollbackToStatement.run()
    for (const log of this.#logs) log.rollbackTo(this.#savedLengths.get(log) ?? 0)
    this.#caches.rolledBack()
    this.#releaseStatement.run()
  }

  pragma(sql: string): unknown {
    return this.#db.pragma(sql, { simple: true })
  }

  close() {
    try {
      if (this.#file) this.flush()
    } catch {
      // The journal contains what cannot be written.
    }
    // If it throws, the database stays open.
    this.#beforeClose()
    for (const rows of this.#hot.values()) rows.closed()
    this.#db.close()
    leaveCachePool(this.#db)
  }

  compile<Row>(sql: string): Sqlite.Statement<unknown[], Row> {
    // SQLite plans by the value of a bare LIMIT parameter, and compiles the statement again for each value that is bound.
    return this.#db.prepare<unknown[], Row>(sql.replaceAll(/LIMIT (\?|:\w+)/g, 'LIMIT $1 + 0'))
  }

  /** Flushes buffers of the tables that a statement names; without a statement, all. */
  flush(sql?: string) {
    // These writes were counted when the rows were added.
    const { writes } = this
    if (this.#pending.size > 0) this.#flushBuffers(sql)
    for (const rows of this.#hot.values())
      if (!rows.isEmpty && (sql === undefined || sql.includes(rows.table))) this.#writeHotRows(rows)
    this.writes = writes
  }

  #writeHotRows(rows: HotRows<object>) {
    if (this.inTransaction) return rows.flush()
    if (this.#shown.has(rows)) return
    try {
      this.begin()
      rows.flush()
      this.commit()
    } catch (error) {
      this.rollback()
      if (!isStorageFault(error)) throw error
      // Reads continue even if nothing can be written.
      this.#shown.add(rows)
      rows.show()
    }
  }

  /** Before a commit. */
  #secureHotRows() {
    let neededFrom = Number.POSITIVE_INFINITY
    for (const rows of this.#hot.values()) {
      rows.spill()
      neededFrom = Math.min(neededFrom, rows.neededFrom)
    }
    this.journal?.write(neededFrom)
  }

  #flushBuffers(sql?: string) {
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

  /** Checks after a failed statement, or work, whether the transaction has ended and whether the file is damaged. */
  failed(error: unknown): unknown {
    if (this.inTransaction && !this.#db.inTransaction) this.rollback()
    if (!this.#file || !(isDamage(error) || isUnreadable(error))) return error
    return this.#onDamaged(damagedFile(this.#file.path), isDamage(error))
  }

  #buffer<G extends WriteBuffer>(name: string, make: () => G): G {
    return getOrAdd(this.#buffers, name, make) as G
  }

  get #logs(): (Journal | HotRows<object>)[] {
    return [...(this.journal ? [this.journal] : []), ...this.#hot.values()]
  }

  #discard() {
    this.#pending.clear()
    for (const one of this.#buffers.values()) one.discard()
  }
}
