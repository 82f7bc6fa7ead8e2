import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Info } from 'csv-parse'
import { columnsIn } from '../../../generate/csv.ts'
import { formOf } from '../../../generate/form.ts'
import { usage } from '../../../process/exit.ts'
import { refuseUnreadable } from '../../../process/files.ts'
import type { Io } from '../../../process/io.ts'
import { recogniseFormat } from './format.ts'
import { type ContactFileRow, MAX_ROW_BYTES } from './row.ts'

const CUSTOM = 'custom_fields.'
const TAG_SEPARATOR = ';'

const fields = formOf('contacts.create').filter(({ kind }) => kind !== 'pairs')
const names = fields.map(({ name }) => name)
const lists = new Set(fields.filter(({ kind }) => kind === 'list').map(({ name }) => name))

/** The names of columns, for help and hints. */
export const COLUMNS = `${names.join(', ')}, and ${CUSTOM}<name> for custom fields`

interface Parsed {
  record: string[]
  raw: string
  info: Info
}

/** Streams the rows of a CSV file or stdin, whose first line names the columns. */
export async function* csvRows(io: Io, path: string, delimiter: string): AsyncGenerator<ContactFileRow> {
  const { CsvError, parse } = await import('csv-parse')
  const bytes = await bytesOf(io, path)
  let columns: string[] = []
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    max_record_size: MAX_ROW_BYTES,
    // Before the following rows, which may be broken only because they have another separator.
    on_record(row) {
      if (columns.length > 0) return row
      columns = columnsOf((row as unknown as Parsed).record, path)
      return null
    },
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
  })
  bytes.source.on('error', (error) => parser.destroy(error)).pipe(parser)
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - (raw.trim().match(/\n/g)?.length ?? 0)
      const share = bytes.size === undefined ? undefined : info.bytes / bytes.size
      yield { place: { line }, share, ...contactOf(columns, record) }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) return refuseUnreadable(path)(error as NodeJS.ErrnoException)
    if (!(error instanceof CsvError)) throw error
    if (error.code !== 'CSV_MAX_RECORD_SIZE') {
      const isJson = path !== '-' && (await recogniseFormat(io, path)).kind === 'json'
      throw usage(`${path} is not CSV: ${error.message}.`, isJson ? 'If it is JSON, pass --format json.' : undefined)
    }
    throw usage(
      `${path} has a row of more than ${MAX_ROW_BYTES / 1e6} MB, which ends at line ${error.lines} or later.`,
      'Is a quote of this row not closed?',
    )
  }
}

async function bytesOf(io: Io, path: string): Promise<{ source: Readable; size: number | undefined }> {
  if (path === '-') return { source: Readable.from(io.stdin), size: undefined }
  const file = resolve(io.cwd, path)
  const found = await stat(file).catch(refuseUnreadable(path))
  // The size of a pipe is unknown.
  return { source: createReadStream(file), size: found.isFile() ? found.size : undefined }
}

function columnsOf(header: string[], path: string): string[] {
  if (header.some(isBroken)) throw usage(`${path} is not UTF-8 text.`)
  const columns = columnsIn(header, path, { names, prefix: CUSTOM, listed: COLUMNS })
  if (!columns.includes('email') && !columns.includes('phone'))
    throw usage(`${path} has no column email or phone.`, `Columns: ${COLUMNS}.`)
  return columns
}

/** Empty cells are left out. */
function contactOf(columns: readonly string[], cells: readonly string[]): Pick<ContactFileRow, 'contact' | 'fault'> {
  if (cells.length !== columns.length)
    return { fault: { field: '', message: `has ${cells.length} cells, but the first line has ${columns.length}` } }
  const contact: Record<string, unknown> = {}
  const custom: Record<string, string> = {}
  for (const [i, name] of columns.entries()) {
    const cell = cells[i]!.trim()
    if (isBroken(cell)) return { fault: { field: name, message: 'is not UTF-8 text' } }
    if (cell === '') continue
    if (name.startsWith(CUSTOM)) custom[name.slice(CUSTOM.length)] = cell
    else contact[name] = lists.has(name) ? listOf(cell) : cell
  }
  return { contact: Object.keys(custom).length > 0 ? { ...contact, custom_fields: custom } : contact }
}

/** Bytes that are not UTF-8 were replaced. */
const isBroken = (text: string) => text.includes('\ufffd')

const listOf = (cell: string) =>
  cell
    .split(TAG_SEPARATOR)
    .map((item) => item.trim())
    .filter(Boolean)
