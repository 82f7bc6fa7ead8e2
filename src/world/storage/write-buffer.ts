import type { Param, Statement } from './statement.ts'

/**
 * Buffers writes to one table until the table is read or the transaction is committed, and writes eight rows per
 * statement. A stream of sends is an eighth faster with it: `npm run bench send`
 * (docs/decisions/speed-mechanisms.md).
 */
export interface WriteBuffer {
  readonly table: string
  /** Writes the buffered rows. */
  flush(): void
  /** Drops the buffered rows, because the transaction was rolled back. */
  discard(): void
}

/** The connection, as a buffer needs it. */
export interface BufferOwner {
  prepareDirect<Row = unknown>(sql: string): Statement<Row>
  /** The buffer has something to write. */
  enqueue(buffer: WriteBuffer): void
}

/** New rows of a table whose first column is its integer key. */
export class BufferedRows implements WriteBuffer {
  readonly table: string
  readonly #owner: BufferOwner
  readonly #insert: (values: readonly Param[]) => void
  readonly #deleteAll: Statement<unknown>
  readonly #highest: Statement<{ key: number | null }>
  /** Key and values of one row after the other. */
  #waiting: Param[] = []
  #nextKey: number | undefined

  constructor(owner: BufferOwner, table: string, columns: readonly string[]) {
    this.#owner = owner
    this.table = table
    this.#insert = rowInserter(owner, table, columns)
    this.#deleteAll = owner.prepareDirect(`DELETE FROM ${table}`)
    this.#highest = owner.prepareDirect(`SELECT max(${columns[0]}) AS key FROM ${table}`)
  }

  /** Takes the values of all columns except the key, and returns the key. */
  add(...values: Param[]): number {
    this.#nextKey ??= (this.#highest.get()!.key ?? 0) + 1
    const key = this.#nextKey++
    this.put(key, ...values)
    return key
  }

  /** Takes the values of all columns, for a table whose keys the caller knows. */
  put(...values: Param[]) {
    this.#waiting.push(...values)
    this.#owner.enqueue(this)
  }

  /** Deletes all rows; keys start with 1 again. */
  clear() {
    this.discard()
    this.#deleteAll.run()
  }

  flush() {
    const values = this.#waiting
    this.#waiting = []
    this.#insert(values)
  }

  discard() {
    this.#waiting = []
    this.#nextKey = undefined
  }
}

/** Increments of a column, in a table with one row for each key. */
export class BufferedCounts implements WriteBuffer {
  readonly table: string
  readonly #owner: BufferOwner
  readonly #upsert: Statement<unknown>
  #waiting: { key: Param[]; more: number }[] = []

  constructor(owner: BufferOwner, table: string, keys: readonly string[], column: string) {
    this.#owner = owner
    this.table = table
    this.#upsert = owner.prepareDirect(
      `INSERT INTO ${table} (${[...keys, column]}) VALUES (${times(keys.length + 1, '?')})
       ON CONFLICT DO UPDATE SET ${column} = ${column} + excluded.${column}`,
    )
  }

  /** Adds one to the row of a key. */
  add(...key: Param[]) {
    const existing = this.#waiting.find((one) => one.key.every((value, i) => value === key[i]))
    if (existing) existing.more++
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

/** Rows per statement, if there are enough. */
const AT_ONCE = 8

/** Returns a function that inserts rows, given the values of one after the other. */
export function rowInserter(owner: Pick<BufferOwner, 'prepareDirect'>, table: string, columns: readonly string[]) {
  const insert = (rows: number) =>
    owner.prepareDirect(`INSERT INTO ${table} (${columns}) VALUES ${times(rows, `(${times(columns.length, '?')})`)}`)
  const [one, many, width] = [insert(1), insert(AT_ONCE), columns.length]
  return (values: readonly Param[]) => {
    let from = 0
    for (; from + width * AT_ONCE <= values.length; from += width * AT_ONCE)
      many.run(...values.slice(from, from + width * AT_ONCE))
    for (; from < values.length; from += width) one.run(...values.slice(from, from + width))
  }
}

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(', ')
