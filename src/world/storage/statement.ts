import type Sqlite from 'better-sqlite3'

export type Param = string | number | bigint | Buffer | null
/** Named, or in order. */
export type Params = Record<string, Param | undefined> | Param

export interface Statement<Row> {
  run(...params: Params[]): { changes: number; lastInsertRowid: number }
  get(...params: Params[]): Row | undefined
  all(...params: Params[]): Row[]
  iterate(...params: Params[]): IterableIterator<Row>
}

/** The connection, as a statement needs it. */
interface StatementOwner {
  writes: number
  compile<Row>(sql: string): Sqlite.Statement<unknown[], Row>
  /** Writes the buffered rows of tables that the statement names. */
  flush(sql: string): void
  /** Called when the statement has failed; returns the error to throw. */
  failed(error: unknown): unknown
}

/**
 * A statement that is compiled at its first use. A world prepares hundreds and runs few: 200 worlds take two thirds of the
 * memory with it (`npm run bench namespaces`).
 */
export class LazyStatement<Row> implements Statement<Row> {
  readonly #owner: StatementOwner
  readonly #sql: string
  readonly #flusher: Pick<StatementOwner, 'flush'> | undefined
  readonly #isPlucked: boolean
  #compiled: Sqlite.Statement<unknown[], Row> | undefined
  #isWrite = false

  /** `isPlucked`: its rows are the values of their first column. */
  constructor(owner: StatementOwner, sql: string, flusher?: Pick<StatementOwner, 'flush'>, isPlucked = false) {
    this.#owner = owner
    this.#sql = sql
    this.#flusher = flusher
    this.#isPlucked = isPlucked
  }

  run(...params: Params[]) {
    try {
      return this.#ready().run(...params) as { changes: number; lastInsertRowid: number }
    } catch (error) {
      throw this.#failed(error)
    }
  }

  get(...params: Params[]) {
    try {
      return this.#ready().get(...params)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  all(...params: Params[]) {
    try {
      return this.#ready().all(...params)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  *iterate(...params: Params[]) {
    try {
      yield* this.#ready().iterate(...params)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #ready(): Sqlite.Statement<unknown[], Row> {
    const owner = this.#owner
    this.#flusher?.flush(this.#sql)
    if (!this.#compiled) {
      this.#compiled = owner.compile<Row>(this.#sql)
      this.#isWrite = !this.#compiled.readonly
      if (this.#isPlucked) this.#compiled.pluck()
    }
    if (this.#isWrite) owner.writes++
    return this.#compiled
  }

  #failed(error: unknown): unknown {
    return this.#owner.failed(error)
  }
}
