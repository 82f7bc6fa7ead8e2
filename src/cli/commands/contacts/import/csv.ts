import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { columnsIn, csvRows } from '../../../generate/csv.ts'
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

/** Streams the rows of a CSV file or stdin. */
export async function* contactRows(io: Io, path: string, delimiter: string): AsyncGenerator<ContactFileRow> {
  const { source, size } = await bytesOf(io, path)
  const rows = csvRows(source, {
    ...{ delimiter, maxRowBytes: MAX_ROW_BYTES, columnsOf: (header) => columnsOf(header, path) },
    async faultOf({ code, message, lines }) {
      if (code === 'CSV_MAX_RECORD_SIZE')
        return usage(
          `${path} has a row of more than ${MAX_ROW_BYTES / 1e6} MB, which ends at line ${lines} or later.`,
          'Is a quote of this row not closed?',
        )
      const isJson = path !== '-' && (await recogniseFormat(io, path)).kind === 'json'
      return usage(`${path} is not CSV: ${message}.`, isJson ? 'If it is JSON, pass --format json.' : undefined)
    },
  })
  try {
    for await (const { columns, cells, line, bytes } of rows)
      yield { place: { line }, share: size === undefined ? undefined : bytes / size, ...contactOf(columns, cells) }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall ? refuseUnreadable(path)(error as NodeJS.ErrnoException) : error
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
