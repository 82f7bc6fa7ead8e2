import type { ForPeople } from './output.ts'
import type { Paint } from './paint.ts'

type Fields = Record<string, unknown>

/** Any answer, for people: a list as a table, a record as lines. `columns` chooses what a table shows. */
export function render(answer: unknown, columns?: readonly string[]): ForPeople {
  return (paint) => {
    if (answer === undefined || answer === null) return paint.green('✓ done')
    if (typeof answer !== 'object') return String(answer)
    const list = listIn(answer as Fields)
    return list ? withRest(answer as Fields, list, columns, paint) : record(answer as Fields, paint)
  }
}

/** The one field of an answer that is a list of records. */
function listIn(answer: Fields): [string, Fields[]] | undefined {
  const lists = Object.entries(answer).filter(([, value]) => isRecords(value))
  const few = Object.keys(answer).length <= 5
  return lists.length === 1 && few ? (lists[0] as [string, Fields[]]) : undefined
}

function withRest(
  answer: Fields,
  [name, rows]: [string, Fields[]],
  columns: readonly string[] | undefined,
  paint: Paint,
): string {
  const { [name]: _, next_cursor, has_more, ...rest } = answer
  const lines = [
    rows.length === 0
      ? paint.dim(`no ${name === 'data' ? 'items' : name.replaceAll('_', ' ')}`)
      : table(rows, columns, paint),
  ]
  if (Object.keys(rest).length > 0) lines.unshift(record(rest, paint), '')
  if (has_more) lines.push(paint.dim(`more: --cursor ${String(next_cursor)}`))
  return lines.join('\n')
}

const MOST_COLUMNS = 6

function table(rows: Fields[], columns: readonly string[] | undefined, paint: Paint): string {
  const first = rows[0]!
  const names =
    columns ??
    Object.keys(first)
      .filter((key) => !isDeep(first[key]))
      .slice(0, MOST_COLUMNS)
  const cells = rows.map((row) => names.map((name) => inline(row[name])))
  const widths = names.map((name, i) => Math.max(name.length, ...cells.map((row) => row[i]!.length)))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [paint.dim(line(names)), ...cells.map(line)].join('\n')
}

const isDeep = (value: unknown) => typeof value === 'object' && value !== null

/** One line a field, and a table for each list of records in it; what is unset is left out. */
export function record(fields: Fields, paint: Paint): string {
  const shown = Object.entries(fields).filter(([, value]) => !isUnset(value))
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  return shown
    .map(([name, value]) =>
      isRecords(value)
        ? `${paint.dim(name)}\n${table(value, undefined, paint).replace(/^/gm, '  ')}`
        : `${paint.dim(name.padEnd(width))}  ${inline(value)}`,
    )
    .join('\n')
}

const isUnset = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0)

const isRecords = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object' && !Array.isArray(item))

function inline(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ') || '–'
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Names in one column, so that what stands beside them can be read down. */
export const aligned = (rows: readonly (readonly string[])[]) => {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]!.length))) ?? []
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  )
}

/** What others wrote must not steer the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is taken out
export const printable = (text: string) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '·')
