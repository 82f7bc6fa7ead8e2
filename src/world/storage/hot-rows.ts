import type { Journal } from './journal.ts'
import type { Param, Statement } from './statement.ts'
import { rowInserter } from './write-buffer.ts'

/** A table whose rows change several times soon after they were added. */
export interface HotTable<Row, Changing extends keyof Row & string = keyof Row & string> {
  readonly table: string
  /** All columns, in the order of a row's fields; the first is the integer key. */
  readonly columns: readonly (keyof Row & string)[]
  /** A column of unique texts, or null, that also identifies rows. */
  readonly unique?: keyof Row & string
  /** The memory of a typical row. */
  readonly bytes: number
  /** True if no further change is expected. */
  isSettled(row: Readonly<Row>): boolean
  /** The columns that {@link HotRows.change} may change; all by default. */
  readonly changing?: readonly Changing[]
  /** Rows are written with each commit, because few of them change very often: then the journal need not secure them. */
  readonly isWrittenAtCommit?: boolean
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

/** A row in memory. */
interface Entry<Row> {
  readonly key: number
  /** Changed in place: a new object for each change would survive the collection of young objects. */
  readonly row: Row
  isSettled: boolean
  /** The table holds the row, perhaps in an earlier state. */
  readonly isStored: boolean
  /** The table does not hold this state. */
  isChanged: boolean
  /** The journal's first record of this row. */
  readonly since: number
}

/** In place of a column in the undo log. */
const ADDED = 0
const DROPPED = 1

/**
 * The number of settled rows at which some of them are written. Rows of neighbouring keys share pages, and messages settle
 * in another order than they were sent. Few at once, because requests wait meanwhile.
 */
const MANY_SETTLED = 8_192
const SPILLED_AT_ONCE = 256
/** The most memory for rows in a process, by {@link HotTable.bytes}. */
const MAX_BYTES = 28_000_000

/** The memory of all rows, of every world of the process. */
let bytesInMemory = 0
const isShort = () => bytesInMemory > MAX_BYTES

/**
 * Keeps rows in memory while they change, and writes each to its table once: when it is settled, when a statement names the
 * table, or when memory is short. The journal secures them. The steps of a message take two thirds of the CPU with it
 * (docs/decisions/hot-rows.md).
 */
export class HotRows<Row extends object, Changing extends keyof Row & string = keyof Row & string> {
  readonly table: string
  readonly bytes: number
  readonly #owner: HotOwner
  readonly #journal: Journal | undefined
  readonly #isWrittenAtCommit: boolean
  readonly #columns: HotTable<Row>['columns']
  readonly #key: keyof Row & string
  readonly #unique: (keyof Row & string) | undefined
  readonly #isSettled: (row: Readonly<Row>) => boolean
  readonly #byKey: Statement<Row>
  readonly #byUnique: Statement<Row> | undefined
  readonly #highest: Statement<{ key: number | null }>
  readonly #insert: (values: readonly Param[]) => void
  readonly #changing: HotTable<Row>['columns']
  readonly #update: Statement<unknown>
  readonly #delete: Statement<unknown>
  readonly #deleteAll: Statement<unknown>
  /** In the order of {@link Entry.since}. */
  readonly #entries = new Map<number, Entry<Row>>()
  readonly #byText = new Map<unknown, Entry<Row>>()
  /** The key up to which the settled rows were written; 0 at the beginning. */
  #writtenUpTo = 0
  /** The number of settled rows in memory. */
  #settled = 0
  /** For each change of this transaction: its entry, its column, {@link ADDED} or {@link DROPPED}, and the previous value. */
  #undo: unknown[] = []
  #nextKey: number | undefined
  /** Read in a transaction that may be rolled back, which restores rows that it has deleted. */
  #isNextKeyUncommitted = false

  constructor(owner: HotOwner, options: HotTable<Row, Changing>) {
    const { table, columns, unique, bytes, isSettled, changing, isWrittenAtCommit = false } = options
    const [key, ...others] = columns as [keyof Row & string, ...(keyof Row & string)[]]
    const where = `FROM main.${table} WHERE`
    this.table = table
    this.#owner = owner
    this.#journal = isWrittenAtCommit ? undefined : owner.journal
    this.#isWrittenAtCommit = isWrittenAtCommit
    this.#columns = columns
    this.#key = key
    this.#unique = unique
    this.bytes = bytes
    this.#isSettled = isSettled
    this.#byKey = owner.prepareDirect(`SELECT ${columns} ${where} ${key} = ?`)
    this.#byUnique = unique && owner.prepareDirect(`SELECT ${columns} ${where} ${unique} = ?`)
    this.#highest = owner.prepareDirect(`SELECT max(${key}) AS key FROM main.${table}`)
    this.#insert = rowInserter(owner, `main.${table}`, columns)
    this.#changing = changing ?? others
    this.#update = owner.prepareDirect(
      `UPDATE main.${table} SET ${this.#changing.map((column) => `${column} = ?`)} WHERE ${key} = ?`,
    )
    this.#delete = owner.prepareDirect(`DELETE ${where} ${key} = ?`)
    this.#deleteAll = owner.prepareDirect(`DELETE FROM main.${table}`)
    this.#journal?.describe(table, columns)
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The journal's first record that a row in memory needs. */
  get neededFrom(): number {
    for (const { since } of this.#entries.values()) return since
    return Number.POSITIVE_INFINITY
  }

  /** Adds a row under a key of {@link nextKey}. The caller no longer changes it. */
  add(row: Row) {
    const key = row[this.#key] as number
    if (this.isEmpty) this.#checkOrder(row)
    this.#added({ key, row, isSettled: this.#isSettled(row), isStored: false, isChanged: true, since: this.#place })
    this.#journal?.note([this.table, key, this.#valuesOf(row)])
    this.#owner.changed()
  }

  /** The key of the next row. */
  get upcomingKey(): number {
    this.#nextKey ??= this.#readNextKey()
    return this.#nextKey
  }

  /** Returns an unused key, which is at least `least`. */
  nextKey(least = 0): number {
    const key = Math.max(this.#nextKey ?? this.#readNextKey(), least)
    this.#nextKey = key + 1
    return key
  }

  /** The current row. Later changes modify it in place. */
  get(key: number): Readonly<Row> | undefined {
    return (this.#entries.get(key) ?? this.#stored(key))?.row
  }

  /** Finds a row by its unique text, like {@link get}. */
  find(text: string): Readonly<Row> | undefined {
    const inMemory = this.#byText.get(text)
    if (inMemory) return inMemory.row
    const row = this.#byUnique!.get(text)
    // A row in memory has another text by now.
    return row && this.#entries.has(row[this.#key] as number) ? undefined : row
  }

  /** Finds a row that this transaction will change, which then need not be read again. */
  findToChange(text: string): Readonly<Row> | undefined {
    const row = this.find(text)
    if (row && !this.#byText.has(text)) this.#added(this.#entryOf(row))
    return row
  }

  /**
   * Changes a row as the caller decides, who may leave it unchanged and no longer changes the changes. Returns whether it was
   * changed.
   */
  change(key: number, decide: (row: Readonly<Row>) => Partial<Pick<Row, Changing>> | undefined): boolean {
    const inMemory = this.#entries.get(key)
    const entry = inMemory ?? this.#stored(key)
    const changes = entry && decide(entry.row)
    if (!changes) return false
    if (!inMemory) this.#added(entry)
    const { row } = entry
    entry.isChanged = true
    for (const column in changes) {
      this.#undo.push(entry, column, row[column])
      this.#set(entry, column, changes[column]!)
    }
    this.#settle(entry)
    this.#journal?.note([this.table, key, changes as Record<string, Param>])
    this.#owner.changed()
    return true
  }

  /** Returns whether the row existed. */
  remove(key: number): boolean {
    const entry = this.#entries.get(key)
    const existed = entry?.isStored === false || this.#delete.run(key).changes === 1
    if (entry) {
      this.#drop(entry)
      this.#journal?.note([this.table, key, null])
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

  /** The rows that the table does not contain in any state. */
  *unwritten(): IterableIterator<Readonly<Row>> {
    for (const { row, isStored } of this.#entries.values()) if (!isStored) yield row
  }

  /** Writes all rows to the table. */
  flush() {
    this.#write([...this.#entries.values()])
  }

  /**
   * Writes settled rows while many are settled, the oldest of all while memory is short, and those that wait for long.
   */
  spill() {
    if (this.#isWrittenAtCommit) return this.flush()
    const recentFrom = this.#journal?.recentFrom ?? 0
    while (this.neededFrom < recentFrom) this.#write(this.#oldest(() => true).filter(({ since }) => since < recentFrom))
    while (this.#settled >= (isShort() ? SPILLED_AT_ONCE : MANY_SETTLED)) this.#write(this.#nextSettled())
    while (isShort() && !this.isEmpty) this.#write(this.#oldest(() => true))
  }

  /**
   * Makes the rows in memory visible to statements although the table cannot be written: a temporary view replaces the
   * table until {@link hide}.
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
    const insert = rowInserter(this.#owner, `hot_${table}`, this.#columns)
    for (const { row } of this.#entries.values()) insert(this.#paramsOf(row))
  }

  hide() {
    this.#owner.execDirect(`DROP VIEW IF EXISTS temp.${this.table}; DROP TABLE IF EXISTS temp.hot_${this.table}`)
  }

  committed() {
    if (this.#undo.length > 0) this.#undo = []
    this.#isNextKeyUncommitted = false
  }

  /** Frees the memory, because the database is closed. */
  closed() {
    bytesInMemory -= this.#entries.size * this.bytes
    this.#entries.clear()
    this.#byText.clear()
  }

  /** The length of the undo log, for {@link rollbackTo}. */
  get length(): number {
    return this.#undo.length
  }

  /** Undoes the changes since the undo log had this length. */
  rollbackTo(length: number) {
    if (this.#isNextKeyUncommitted) this.#nextKey = undefined
    if (this.#undo.length === length) return
    while (this.#undo.length > length) {
      const before = this.#undo.pop()
      const column = this.#undo.pop()
      const entry = this.#undo.pop() as Entry<Row>
      if (column === ADDED) this.#forget(entry)
      else if (column === DROPPED) this.#remember(entry)
      else {
        this.#set(entry, column as keyof Row & string, before as Row[keyof Row & string])
        this.#settle(entry)
      }
    }
    this.#nextKey = undefined
    const inOrder = [...this.#entries].sort(([, one], [, other]) => one.since - other.since)
    this.#entries.clear()
    for (const [key, entry] of inOrder) this.#entries.set(key, entry)
  }

  get #place(): number {
    return this.#journal?.place ?? 0
  }

  #readNextKey(): number {
    this.#isNextKeyUncommitted = true
    // Also reads the index, to detect damage before a row is acknowledged.
    this.#byUnique?.get('')
    let highest = this.#highest.get()!.key ?? 0
    for (const key of this.#entries.keys()) if (key > highest) highest = key
    return highest + 1
  }

  #checkOrder(row: Row) {
    if (Object.keys(row).join() !== this.#columns.join()) throw new Error(`a row of ${this.table} has other columns`)
  }

  #oldest(isWanted: (entry: Entry<Row>) => boolean): Entry<Row>[] {
    const oldest: Entry<Row>[] = []
    for (const entry of this.#entries.values()) if (isWanted(entry) && oldest.push(entry) === SPILLED_AT_ONCE) break
    return oldest
  }

  /**
   * The next settled rows after those that were written before, because neighbours share pages. From the oldest each time, a page
   * would be written for each of its rows that settles later. Starts again at the end, and where fewer rows are settled.
   */
  #nextSettled(): Entry<Row>[] {
    const found: Entry<Row>[] = []
    let passed = 0
    for (const entry of this.#entries.values()) {
      if (entry.key <= this.#writtenUpTo) continue
      passed++
      if (entry.isSettled && found.push(entry) === SPILLED_AT_ONCE) break
    }
    const share = found.length / passed
    const usual = this.#settled / this.#entries.size
    this.#writtenUpTo = found.length === SPILLED_AT_ONCE && share > usual / 2 ? found.at(-1)!.key : 0
    return found
  }

  /** The row in the table, as an entry that is not in memory yet. */
  #stored(key: number): Entry<Row> | undefined {
    const row = this.#byKey.get(key)
    return row && this.#entryOf(row)
  }

  #entryOf(row: Row): Entry<Row> {
    const key = row[this.#key] as number
    return { key, row, isSettled: this.#isSettled(row), isStored: true, isChanged: false, since: this.#place }
  }

  #added(entry: Entry<Row>) {
    this.#undo.push(entry, ADDED, undefined)
    this.#remember(entry)
  }

  #drop(entry: Entry<Row>) {
    this.#undo.push(entry, DROPPED, undefined)
    this.#forget(entry)
  }

  #set(entry: Entry<Row>, column: keyof Row & string, value: Row[keyof Row & string]) {
    const { row } = entry
    if (column !== this.#unique) row[column] = value
    else {
      this.#byText.delete(row[column])
      row[column] = value
      if (value !== null) this.#byText.set(value, entry)
    }
  }

  /** After a change of the row. */
  #settle(entry: Entry<Row>) {
    const isSettled = this.#isSettled(entry.row)
    this.#settled += Number(isSettled) - Number(entry.isSettled)
    entry.isSettled = isSettled
  }

  #remember(entry: Entry<Row>) {
    bytesInMemory += this.bytes
    this.#settled += Number(entry.isSettled)
    this.#entries.set(entry.key, entry)
    const text = this.#unique && entry.row[this.#unique]
    if (text != null) this.#byText.set(text, entry)
  }

  #forget({ key, row, isSettled }: Entry<Row>) {
    bytesInMemory -= this.bytes
    this.#settled -= Number(isSettled)
    this.#entries.delete(key)
    if (this.#unique) this.#byText.delete(row[this.#unique])
  }

  #write(entries: Entry<Row>[]) {
    if (entries.length === 0) return
    entries.sort((one, other) => one.key - other.key)
    const added: Param[] = []
    for (const entry of entries) {
      const { key, row, isStored, isChanged } = entry
      if (!isStored) for (const param of this.#paramsOf(row)) added.push(param)
      else if (isChanged) this.#update.run(...this.#changing.map((column) => row[column] as Param), key)
      this.#drop(entry)
    }
    this.#insert(added)
    this.#journal?.note([this.table, entries.map(({ key }) => key)])
    this.#owner.changed()
  }

  /** A row's fields are in the order of the columns, see {@link HotTable.columns}. */
  #paramsOf(row: Readonly<Row>): Param[] {
    return Object.values(row) as Param[]
  }

  /** Without the nulls at the end. */
  #valuesOf(row: Readonly<Row>): Param[] {
    const values = this.#paramsOf(row)
    while (values.at(-1) === null) values.pop()
    return values
  }
}
