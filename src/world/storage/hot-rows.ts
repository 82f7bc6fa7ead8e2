import type { Journal } from './journal.ts'
import type { Param, Statement } from './statement.ts'

/** A table whose rows change several times soon after they were added. */
export interface HotTable<Row> {
  readonly table: string
  /** All columns; the first is the integer key. */
  readonly columns: readonly (keyof Row & string)[]
  /** A column of unique texts, which finds rows too. */
  readonly unique?: keyof Row & string
  /** True where no further change is expected. */
  isSettled(row: Row): boolean
}

/** The connection, as hot rows need it. */
export interface HotOwner {
  /** Undefined for a database that ends with the process. */
  readonly journal: Journal | undefined
  /** Prepares a statement that sees the table itself, without the rows in memory. */
  prepareDirect<Row = unknown>(sql: string): Statement<Row>
  execDirect(sql: string): void
  /** Called after each change. */
  changed(): void
}

interface Entry<Row> {
  readonly row: Row
  /** The table holds an earlier state. */
  readonly isStored: boolean
  /** The journal's first record of this row. */
  readonly since: number
}

/** Rows for each INSERT statement. */
const AT_ONCE = 8
/**
 * The number of settled rows at which the oldest of them are written. Rows of neighbouring keys share pages, and messages settle
 * in another order than they were sent.
 */
const MANY_SETTLED = 8_192
const SETTLED_AT_ONCE = 1_024
/** The most rows in the memory of a process, 700 bytes each. */
const MOST_ROWS = 40_000
const SPILLED_AT_ONCE = 2_000

/** All rows in memory, of every world of the process. */
let rowsInMemory = 0

/**
 * Keeps rows in memory while they change, and writes each to its table once: when it is settled, when a statement names the
 * table, or when memory is short. The journal secures them. The steps of a message take two thirds of the CPU with it
 * (docs/decisions/hot-rows.md).
 */
export class HotRows<Row extends object> {
  readonly table: string
  readonly #owner: HotOwner
  readonly #columns: HotTable<Row>['columns']
  readonly #key: keyof Row & string
  readonly #unique: (keyof Row & string) | undefined
  readonly #isSettled: (row: Row) => boolean
  readonly #byKey: Statement<Row>
  readonly #byUnique: Statement<Row> | undefined
  readonly #highest: Statement<{ key: number | null }>
  readonly #insertOne: Statement<unknown>
  readonly #insertMany: Statement<unknown>
  readonly #update: Statement<unknown>
  readonly #delete: Statement<unknown>
  readonly #deleteAll: Statement<unknown>
  /** In the order of {@link Entry.since}. Entries are replaced, never changed. */
  readonly #entries = new Map<number, Entry<Row>>()
  readonly #keys = new Map<unknown, number>()
  /** The number of settled rows in memory. */
  #settled = 0
  /** A key and its previous entry for each change of this transaction. */
  #undo: (number | Entry<Row> | undefined)[] = []
  #nextKey: number | undefined

  constructor(owner: HotOwner, { table, columns, unique, isSettled }: HotTable<Row>) {
    const [key, ...others] = columns as [keyof Row & string, ...(keyof Row & string)[]]
    const where = `FROM main.${table} WHERE`
    this.table = table
    this.#owner = owner
    this.#columns = columns
    this.#key = key
    this.#unique = unique
    this.#isSettled = isSettled
    this.#byKey = owner.prepareDirect(`SELECT * ${where} ${key} = ?`)
    this.#byUnique = unique && owner.prepareDirect(`SELECT * ${where} ${unique} = ?`)
    this.#highest = owner.prepareDirect(`SELECT max(${key}) AS key FROM main.${table}`)
    this.#insertOne = this.#insertInto(`main.${table}`, 1)
    this.#insertMany = this.#insertInto(`main.${table}`, AT_ONCE)
    this.#update = owner.prepareDirect(
      `UPDATE main.${table} SET ${others.map((column) => `${column} = ?`)} WHERE ${key} = ?`,
    )
    this.#delete = owner.prepareDirect(`DELETE ${where} ${key} = ?`)
    this.#deleteAll = owner.prepareDirect(`DELETE FROM main.${table}`)
    owner.journal?.describe(table, columns)
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The journal's first record that a row in memory needs. */
  get neededFrom(): number {
    for (const { since } of this.#entries.values()) return since
    return Number.POSITIVE_INFINITY
  }

  /** Adds a row and returns its key. The key of the argument is ignored. */
  add(values: Row): number {
    const key = this.nextKey()
    const row = { ...values, [this.#key]: key }
    this.#put(key, { row, isStored: false, since: this.#place })
    this.#owner.journal?.note([this.table, key, this.#valuesOf(row)])
    this.#owner.changed()
    return key
  }

  /** Returns an unused key for a row that the caller writes to the table. */
  nextKey(): number {
    this.#nextKey ??= this.#highestKey() + 1
    return this.#nextKey++
  }

  get(key: number): Row | undefined {
    const entry = this.#entries.get(key)
    return entry ? { ...entry.row } : this.#byKey.get(key)
  }

  /** Finds a row by its unique text. */
  find(text: string): Row | undefined {
    const key = this.#keys.get(text)
    return key === undefined ? this.#byUnique!.get(text) : this.get(key)
  }

  /** Returns whether the row exists. */
  change(key: number, changes: Partial<Row>): boolean {
    const before = this.#entries.get(key)
    const row = before?.row ?? this.#byKey.get(key)
    if (!row) return false
    const { isStored, since } = before ?? { isStored: true, since: this.#place }
    this.#put(key, { row: { ...row, ...changes }, isStored, since })
    this.#owner.journal?.note([this.table, key, changes as Record<string, Param>])
    this.#owner.changed()
    return true
  }

  /** Returns whether the row existed. */
  remove(key: number): boolean {
    const entry = this.#entries.get(key)
    const existed = entry?.isStored === false || this.#delete.run(key).changes === 1
    if (entry) {
      this.#drop(key, entry)
      this.#owner.journal?.note([this.table, key, null])
    }
    this.#owner.changed()
    return existed
  }

  /** Deletes all rows. Keys start with 1 again. */
  clear() {
    this.flush()
    this.#deleteAll.run()
    this.#nextKey = undefined
    this.#owner.changed()
  }

  /** The rows that the table does not hold in any state. */
  *unwritten(): IterableIterator<Row> {
    for (const { row, isStored } of this.#entries.values()) if (!isStored) yield row
  }

  /** Writes all rows to the table. */
  flush() {
    this.#write([...this.#entries.keys()])
  }

  /** Writes the oldest rows where many are settled or memory is short. */
  spill() {
    if (this.#settled >= MANY_SETTLED) this.#write(this.#oldest(SETTLED_AT_ONCE, this.#isSettled))
    if (rowsInMemory > MOST_ROWS) this.#write(this.#oldest(SPILLED_AT_ONCE, () => true))
  }

  /**
   * Shows statements the rows in memory although the table cannot be written: a temporary view takes its place until
   * {@link hide}.
   */
  show() {
    const { table } = this
    const key = this.#key
    this.#owner.execDirect(
      `CREATE TEMP TABLE hot_${table} AS SELECT * FROM main.${table} WHERE FALSE;
       CREATE TEMP VIEW ${table} AS
         SELECT * FROM main.${table} WHERE ${key} NOT IN (SELECT ${key} FROM hot_${table})
         UNION ALL SELECT * FROM hot_${table}`,
    )
    const insert = this.#insertInto(`hot_${table}`, 1)
    for (const { row } of this.#entries.values()) insert.run(...this.#paramsOf(row))
  }

  hide() {
    this.#owner.execDirect(`DROP VIEW IF EXISTS temp.${this.table}; DROP TABLE IF EXISTS temp.hot_${this.table}`)
  }

  committed() {
    if (this.#undo.length > 0) this.#undo = []
  }

  /** Frees the memory, because the database is closed. */
  closed() {
    rowsInMemory -= this.#entries.size
    this.#entries.clear()
  }

  /** The length of the undo log, for {@link rollbackTo}. */
  get length(): number {
    return this.#undo.length
  }

  /** Takes back the changes since the undo log had this length. */
  rollbackTo(length: number) {
    if (this.#undo.length === length) return
    while (this.#undo.length > length) {
      const entry = this.#undo.pop() as Entry<Row> | undefined
      const key = this.#undo.pop() as number
      const current = this.#entries.get(key)
      if (current) this.#forget(key, current)
      if (entry) this.#remember(key, entry)
    }
    this.#nextKey = undefined
    const inOrder = [...this.#entries].sort(([, one], [, other]) => one.since - other.since)
    this.#entries.clear()
    for (const [key, entry] of inOrder) this.#entries.set(key, entry)
  }

  get #place(): number {
    return this.#owner.journal?.place ?? 0
  }

  #highestKey(): number {
    // Reads the index too, so that damage is noticed before a row is acknowledged.
    this.#byUnique?.get('')
    let highest = this.#highest.get()!.key ?? 0
    for (const key of this.#entries.keys()) if (key > highest) highest = key
    return highest
  }

  #oldest(most: number, isWanted: (row: Row) => boolean): number[] {
    const keys: number[] = []
    for (const [key, { row }] of this.#entries) if (isWanted(row) && keys.push(key) === most) break
    return keys
  }

  #put(key: number, entry: Entry<Row>) {
    this.#undo.push(key, this.#entries.get(key))
    this.#remember(key, entry)
  }

  #drop(key: number, entry: Entry<Row>) {
    this.#undo.push(key, entry)
    this.#forget(key, entry)
  }

  #remember(key: number, entry: Entry<Row>) {
    const before = this.#entries.get(key)
    if (!before) rowsInMemory++
    else if (this.#isSettled(before.row)) this.#settled--
    if (this.#isSettled(entry.row)) this.#settled++
    this.#entries.set(key, entry)
    if (this.#unique) this.#keys.set(entry.row[this.#unique], key)
  }

  #forget(key: number, { row }: Entry<Row>) {
    rowsInMemory--
    if (this.#isSettled(row)) this.#settled--
    this.#entries.delete(key)
    if (this.#unique) this.#keys.delete(row[this.#unique])
  }

  #write(keys: number[]) {
    if (keys.length === 0) return
    keys.sort((one, other) => one - other)
    const added: Param[] = []
    for (const key of keys) {
      const entry = this.#entries.get(key)!
      const params = this.#paramsOf(entry.row)
      if (entry.isStored) this.#update.run(...params.slice(1), key)
      else added.push(...params)
      this.#drop(key, entry)
    }
    const one = this.#columns.length
    const many = one * AT_ONCE
    let from = 0
    for (; from + many <= added.length; from += many) this.#insertMany.run(...added.slice(from, from + many))
    for (; from < added.length; from += one) this.#insertOne.run(...added.slice(from, from + one))
    this.#owner.journal?.note([this.table, keys])
    this.#owner.changed()
  }

  #insertInto(table: string, rows: number): Statement<unknown> {
    const row = `(${this.#columns.map(() => '?')})`
    return this.#owner.prepareDirect(
      `INSERT INTO ${table} (${this.#columns}) VALUES ${Array.from({ length: rows }, () => row)}`,
    )
  }

  #paramsOf(row: Row): Param[] {
    return this.#columns.map((column) => row[column] as Param)
  }

  /** Without the nulls at the end. */
  #valuesOf(row: Row): Param[] {
    const values = this.#paramsOf(row)
    while (values.at(-1) === null) values.pop()
    return values
  }
}
