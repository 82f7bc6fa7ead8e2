import type { Param, Statement } from './statement.ts'

/**
 * Secures rows that are kept in memory (hot-rows.ts): the changes of each transaction become one row here, committed with it.
 * After a kill, {@link recover} applies them to the tables.
 */
export const journalSchema = `
CREATE TABLE journal (seq INTEGER PRIMARY KEY, changes TEXT NOT NULL) STRICT;
`

/** All values of a new row, the changed columns of a row, or null for a deleted row. */
type Values = readonly Param[] | Readonly<Record<string, Param>> | null
type Change = readonly [table: string, key: number, values: Values]
/** The keys of rows that were written to their table, which completes earlier changes. */
type Written = readonly [table: string, keys: readonly number[]]

/** The row that names the columns of each table. */
const COLUMNS_SEQ = 0
/** The number of rows that no hot row needs at which the journal is cut, and the most that are cut at once: 4,096 take 20 ms. */
const CUT_AFTER = 64
const CUT_AT_ONCE = 256
/**
 * The number and size of the newest rows that a waiting row may keep, so that one message to a switched-off phone does not keep
 * those of all later transactions. The slices of an advance have few but large ones.
 */
const RECENT_ROWS = 4_096
const RECENT_BYTES = 64_000_000

export class Journal {
  readonly #insert: Statement<unknown>
  readonly #cut: Statement<unknown>
  readonly #columns: Record<string, readonly string[]> = {}
  #areColumnsWritten = false
  #changes: (Change | Written)[] = []
  /** The first row that was not cut. */
  #first = COLUMNS_SEQ + 1
  #next = COLUMNS_SEQ + 1
  /** The first row that is still needed after this transaction. */
  #neededFrom = 0
  /** The sizes of the rows from {@link recentFrom} on, and their sum. */
  #sizes: number[] = []
  #size = 0
  /** The size of the row of this transaction. */
  #written = 0

  constructor(prepare: (sql: string) => Statement<unknown>) {
    this.#insert = prepare('INSERT OR REPLACE INTO journal (seq, changes) VALUES (?, ?)')
    this.#cut = prepare(`DELETE FROM journal WHERE seq < ? AND seq > ${COLUMNS_SEQ}`)
  }

  /** Names the columns of a table, in the order of {@link Values}. */
  describe(table: string, columns: readonly string[]) {
    this.#columns[table] = columns
    this.#areColumnsWritten = false
  }

  /** The row for the changes of this transaction. */
  get place(): number {
    return this.#next
  }

  /** The first of the recent rows. Rows in memory that need earlier ones are written. */
  get recentFrom(): number {
    return this.#next - this.#sizes.length
  }

  /** The number of changes of this transaction, for {@link rollbackTo}. */
  get length(): number {
    return this.#changes.length
  }

  /** Notes a change. The caller no longer changes its values. */
  note(change: Change | Written) {
    this.#changes.push(change)
  }

  rollbackTo(length: number) {
    this.#changes.length = length
  }

  /** Writes the changes of this transaction, and deletes rows before the first one that is still needed. */
  write(neededFrom: number) {
    if (this.#changes.length === 0) return
    if (!this.#areColumnsWritten) this.#insert.run(COLUMNS_SEQ, JSON.stringify(this.#columns))
    const changes = JSON.stringify(this.#changes)
    this.#insert.run(this.#next, changes)
    this.#written = changes.length
    this.#neededFrom = Math.min(neededFrom, this.#next + 1, this.#first + CUT_AT_ONCE)
    if (this.#isCut) this.#cut.run(this.#neededFrom)
  }

  committed() {
    if (this.#changes.length === 0) return
    this.#changes = []
    this.#areColumnsWritten = true
    this.#next++
    this.#sizes.push(this.#written)
    this.#size += this.#written
    while (this.#sizes.length > RECENT_ROWS || this.#size > RECENT_BYTES) this.#size -= this.#sizes.shift()!
    if (this.#isCut) this.#first = this.#neededFrom
  }

  get #isCut(): boolean {
    return this.#neededFrom - this.#first >= CUT_AFTER
  }
}

interface RecoveryDb {
  exec(sql: string): void
  prepare<Row = unknown>(sql: string): Statement<Row>
}

/** Applies the journal of a killed process to the tables and empties it. */
export function recover(db: RecoveryDb) {
  const columns = db.prepare<{ changes: string }>(`SELECT changes FROM journal WHERE seq = ${COLUMNS_SEQ}`).get()
  if (!columns) return
  const columnsOf = JSON.parse(columns.changes) as Record<string, string[]>
  const tables = new Map(Object.keys(columnsOf).map((table) => [table, new Map<number, Values>()]))
  const journal = db.prepare<{ changes: string }>(`SELECT changes FROM journal WHERE seq > ${COLUMNS_SEQ} ORDER BY seq`)
  // The loop ends the statement if a row is damaged. Otherwise, the database could not be closed.
  for (const { changes } of journal.iterate())
    for (const change of JSON.parse(changes) as (Change | Written)[]) {
      const rows = tables.get(change[0])!
      if (isWritten(change)) for (const key of change[1]) rows.delete(key)
      else rows.set(change[1], merged(rows.get(change[1]), change[2], columnsOf[change[0]]!))
    }
  db.exec('BEGIN IMMEDIATE')
  for (const [table, rows] of tables)
    for (const [key, values] of rows) writeRow(db, { table, columns: columnsOf[table]!, key, values })
  db.exec('DELETE FROM journal; COMMIT')
}

const isWritten = (change: Change | Written): change is Written => Array.isArray(change[1])
const isWhole = (values: Values): values is readonly Param[] => Array.isArray(values)

function merged(before: Values | undefined, values: Values, columns: readonly string[]): Values {
  if (!before || values === null || isWhole(values)) return values
  if (!isWhole(before)) return { ...before, ...values }
  const row = [...before]
  for (const [column, value] of Object.entries(values)) row[columns.indexOf(column)] = value
  return row
}

interface RecoveredRow {
  table: string
  columns: readonly string[]
  key: number
  values: Values
}

function writeRow(db: RecoveryDb, { table, columns, key, values }: RecoveredRow) {
  const where = `WHERE ${columns[0]} = ?`
  if (values === null) db.prepare(`DELETE FROM ${table} ${where}`).run(key)
  else if (isWhole(values))
    db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map(() => '?')})`).run(
      ...columns.map((_, i) => values[i] ?? null),
    )
  else {
    const changed = Object.entries(values)
    db.prepare(`UPDATE ${table} SET ${changed.map(([column]) => `${column} = ?`)} ${where}`).run(
      ...changed.map(([, value]) => value),
      key,
    )
  }
}
