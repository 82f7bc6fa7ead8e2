import { isRecord } from '../../words/json.ts'
import { table } from './columns.ts'
import type { Paint } from './paint.ts'
import { isRecords, type List, listIn } from './rows.ts'

type Fields = Record<string, unknown>

/** Hints on how to print an answer. */
export interface PrintHints {
  /** The noun of a list whose field is called `data`. */
  of?: string
  /** Columns of a table, the most important first. */
  columns?: readonly string[] | undefined
  /** Fields that hold amounts in EUR. */
  money?: readonly string[] | undefined
}

/** Prints any answer whose texts are printable: a list as a table, a record as lines. */
export function render(answer: unknown, paint: Paint, hints: PrintHints = {}): string {
  if (typeof answer !== 'object' || answer === null) return String(answer ?? '')
  const shown = inEuros(answer, hints.money ?? []) as Fields
  const list = listIn(shown)
  return list ? withRest(list, hints, paint) : record(shown, paint)
}

function withRest(
  { name, rows, rest: { next_cursor, has_more, ...rest } }: List,
  { columns, of = 'items' }: PrintHints,
  paint: Paint,
): string {
  const lines = [
    rows.length === 0
      ? paint.dim(`no ${name === 'data' ? of : name.replaceAll('_', ' ')}`)
      : table(cellsOf(rows, columns), paint),
  ]
  if (Object.keys(rest).length > 0) lines.unshift(record(rest, paint), '')
  if (has_more) lines.push(paint.dim(`more: --cursor ${String(next_cursor)}`))
  return lines.join('\n')
}

const MAX_COLUMNS = 6

function cellsOf(rows: readonly Fields[], columns: readonly string[] | undefined) {
  const first = rows[0]!
  const keys = Object.keys(first).filter((key) => isShort(first[key]))
  const shared = keys.filter((key) => rows.every((row) => key in row))
  // Rows of several kinds, such as the nodes of a flow, share few fields; the others follow with their names.
  if (!columns && shared.length < keys.length) return kindsOf(rows, shared)
  const isSet = (name: string) => rows.some((row) => row[name] !== null && row[name] !== undefined)
  const names = columns?.filter(isSet) ?? keys.slice(0, MAX_COLUMNS)
  return { names, rows: rows.map((row) => names.map((name) => inline(row[name]))) }
}

/** A value, or a list of values; a record has fields of its own. */
const isShort = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((one) => !isRecord(one) && isShort(one)) : !isRecord(value)

function kindsOf(rows: readonly Fields[], shared: readonly string[]) {
  const own = (row: Fields) => Object.fromEntries(Object.entries(row).filter(([name]) => !shared.includes(name)))
  return {
    names: [...shared, 'fields'],
    rows: rows.map((row) => [...shared.map((name) => inline(row[name])), inline(own(row))]),
  }
}

/**
 * Prints a record: a line for each field, a table for each list of records, nested objects indented. Unset fields are
 * left out.
 */
export function record(fields: Fields, paint: Paint): string {
  const shown = Object.entries(fields).filter(([, value]) => !isUnset(value))
  const width = Math.max(0, ...shown.map(([name]) => paint.widthOf(name)))
  return shown
    .map(([name, value]) => {
      const inside = insideOf(value, paint)
      return inside === undefined
        ? `${paint.dim(name + ' '.repeat(width - paint.widthOf(name)))}  ${inline(value)}`
        : `${paint.dim(name)}\n${inside.replace(/^/gm, '  ')}`
    })
    .join('\n')
}

function insideOf(value: unknown, paint: Paint): string | undefined {
  const narrower = { ...paint, columns: paint.columns - 2 }
  if (isRecord(value)) return record(value, narrower)
  return isRecords(value) ? table(cellsOf(value, undefined), narrower) : undefined
}

const isUnset = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0)

export function inline(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.map(inline).join(', ') || '–'
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .filter(([, inner]) => !isUnset(inner))
    .map(([name, inner]) => `${name} ${inline(inner)}`)
    .join(', ')
}

/** 0.05 and "0.0500" → "0.0500 EUR", in fields of these names at any depth. */
export function inEuros(value: unknown, money: readonly string[]): unknown {
  if (money.length === 0) return value
  if (Array.isArray(value)) return value.map((item) => inEuros(item, money))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      money.includes(name) && isAmount(inner) ? euros(inner) : inEuros(inner, money),
    ]),
  )
}

const isAmount = (value: unknown): value is string | number => typeof value === 'number' || typeof value === 'string'

/** Prices are in 1/10,000 EUR, so up to four decimals are needed. */
export function euros(amount: string | number): string {
  const exact = Number(amount).toFixed(4)
  return `${exact.endsWith('00') ? exact.slice(0, -2) : exact} EUR`
}
