import type Sqlite from 'better-sqlite3'
import { LateStatement, type Statement } from './statement.ts'
import { Counts, type Gathered, type Owner, Rows } from './write-buffer.ts'

/** A database of better-sqlite3, with statements that are compiled late and rows that are written together. */
export class Connection implements Owner {
  /** Since {@link begin}; a fault such as a full disk may end it. */
  inTransaction = false
  /** How many statements have been run that write. */
  writes = 0
  readonly #db: Sqlite.Database
  readonly #begin = this.prepare('BEGIN IMMEDIATE')
  readonly #commit = this.prepare('COMMIT')
  readonly #rollback = this.prepare('ROLLBACK')
  readonly #mark = this.prepare('SAVEPOINT work')
  readonly #release = this.prepare('RELEASE work')
  readonly #undo = this.prepare('ROLLBACK TO work')
  readonly #gathered = new Map<string, Gathered>()
  /** Those of them that have something to write. */
  readonly #waiting = new Set<Gathered>()

  constructor(db: Sqlite.Database) {
    this.#db = db
  }

  prepare<Row = unknown>(sql: string): Statement<Row> {
    return new LateStatement<Row>(this, sql)
  }

  /** New rows of a table, of which the first column is its integer key: written together with others. */
  rows(table: string, columns: readonly string[]): Pick<Rows, 'add' | 'clear'> {
    return this.#gather(table, () => new Rows(this, table, columns))
  }

  /** A column that counts, in a table with one row for each key: written together with others. */
  counts(table: string, keys: readonly string[], column: string): Pick<Counts, 'add'> {
    return this.#gather(`${table}.${column}`, () => new Counts(this, table, keys, column))
  }

  expect(gathered: Gathered) {
    this.writes++
    this.#waiting.add(gathered)
    if (!this.inTransaction) this.settle()
  }

  exec(sql: string) {
    this.settle()
    this.#db.exec(sql)
  }

  /** The whole database as the bytes of its file. */
  serialize(): Buffer {
    this.settle()
    return this.#db.serialize()
  }

  begin() {
    this.#begin.run()
    this.inTransaction = true
  }

  commit() {
    this.settle()
    this.#commit.run()
    this.inTransaction = false
  }

  /** Undoes all since {@link begin}, unless a fault has done so. */
  rollback() {
    this.inTransaction = false
    this.#forget()
    if (this.#db.inTransaction) this.#rollback.run()
  }

  /** Everything from here to {@link release} can be undone by itself. */
  mark() {
    this.settle()
    this.#mark.run()
  }

  release() {
    this.#release.run()
  }

  /** Undoes all since {@link mark}. */
  undo() {
    this.#forget()
    this.#undo.run()
    this.#release.run()
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

  /** Writes what waits for a table that a statement names; without one, all that waits. */
  settle(sql?: string) {
    try {
      for (const one of this.#waiting)
        if (sql === undefined || sql.includes(one.table)) {
          this.#waiting.delete(one)
          one.write()
        }
    } catch (error) {
      // Whoever added it was told that it is in the transaction, so without it there is none.
      this.rollback()
      throw error
    }
  }

  /** A fault may have ended the transaction by itself. */
  look() {
    if (this.inTransaction && !this.#db.inTransaction) this.rollback()
  }

  #gather<G extends Gathered>(name: string, make: () => G): G {
    const known = this.#gathered.get(name) as G | undefined
    if (known) return known
    const gathered = make()
    this.#gathered.set(name, gathered)
    return gathered
  }

  #forget() {
    this.#waiting.clear()
    for (const one of this.#gathered.values()) one.forget()
  }
}
