import type { Param, Statement } from './statement.ts'

/**
 * Writes to one table that wait for others of their transaction: those of a send, each by itself, are a fifth of its work.
 * They are done before anybody reads the table and before the transaction is kept, so nobody sees that they waited.
 */
export interface WriteBuffer {
  readonly table: string
  /** Writes what waits. */
  flush(): void
  /** Drops what waits: it is undone, and perhaps something with it that was written. */
  discard(): void
}

/** What buffer writes ask of their database. */
export interface BufferOwner {
  prepare<Row = unknown>(sql: string): Statement<Row>
  /** It has one more thing to write. */
  enqueue(buffer: WriteBuffer): void
}

/** How many rows one statement writes, where there are so many. */
const AT_ONCE = 8

/** New rows of a table whose first column is its integer key. */
export class BufferedRows implements WriteBuffer {
  readonly table: string
  readonly #owner: BufferOwner
  /** Values of a row, its key included. */
  readonly #width: number
  readonly #insertOne: Statement<unknown>
  readonly #insertMany: Statement<unknown>
  readonly #deleteAll: Statement<unknown>
  readonly #highest: Statement<{ key: number | null }>
  /** Key and values of one row after the other. */
  #waiting: Param[] = []
  #nextKey: number | undefined

  constructor(owner: BufferOwner, table: string, columns: readonly string[]) {
    const insert = (rows: number) =>
      owner.prepare(`INSERT INTO ${table} (${columns}) VALUES ${times(rows, `(${times(columns.length, '?')})`)}`)
    this.#owner = owner
    this.table = table
    this.#width = columns.length
    this.#insertOne = insert(1)
    this.#insertMany = insert(AT_ONCE)
    this.#deleteAll = owner.prepare(`DELETE FROM ${table}`)
    this.#highest = owner.prepare(`SELECT max(${columns[0]}) AS key FROM ${table}`)
  }

  /** Takes the values of all columns but the key, and returns the key. */
  add(...values: Param[]): number {
    this.#nextKey ??= (this.#highest.get()!.key ?? 0) + 1
    const key = this.#nextKey++
    this.#waiting.push(key, ...values)
    this.#owner.enqueue(this)
    return key
  }

  /** Removes all rows; keys begin with 1 again. */
  clear() {
    this.discard()
    this.#deleteAll.run()
  }

  flush() {
    const values = this.#waiting
    this.#waiting = []
    const one = this.#width
    const many = one * AT_ONCE
    let from = 0
    for (; from + many <= values.length; from += many) this.#insertMany.run(...values.slice(from, from + many))
    for (; from < values.length; from += one) this.#insertOne.run(...values.slice(from, from + one))
  }

  discard() {
    this.#waiting = []
    this.#nextKey = undefined
  }
}

/** A column that counts, in a table with one row for each key. */
export class BufferedCounts implements WriteBuffer {
  readonly table: string
  readonly #owner: BufferOwner
  readonly #upsert: Statement<unknown>
  #waiting: { key: Param[]; more: number }[] = []

  constructor(owner: BufferOwner, table: string, keys: readonly string[], column: string) {
    this.#owner = owner
    this.table = table
    this.#upsert = owner.prepare(
      `INSERT INTO ${table} (${[...keys, column]}) VALUES (${times(keys.length + 1, '?')})
       ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`,
    )
  }

  /** One more. */
  add(...key: Param[]) {
    const known = this.#waiting.find((one) => one.key.every((value, i) => value === key[i]))
    if (known) known.more++
    else this.#waiting.push({ key, more: 1 })
    this.#owner.enqueue(this)
  }

  flush() {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { key, more } of waiting) this.#upsert.run(...key, more)
  }

  discard() {
    this.#waiting = []
  }
}

const times = (many: number, what: string) => Array.from({ length: many }, () => what).join(', ')
