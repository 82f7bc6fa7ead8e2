import type { Readable } from 'node:stream'
import type { CsvError, Info } from 'csv-parse'
import { suggest } from '../../words/suggest.ts'
import { usage } from '../process/exit.ts'
import { parserOf } from '../process/parser-of.ts'

/** The separator of the cells of a CSV file. */
export const delimiterOf = parserOf((text) => {
  const character = text === '\\t' || text === 'tab' ? '\t' : text
  return /^[^\w"\r\n]$/.test(character) ? character : undefined
}, 'It must be one character, such as ";".')

/** The columns that a CSV file may have. */
interface Columns {
  names: readonly string[]
  /** Begins the name of any further column: `var.`. */
  prefix: string
  /** All of them, for people. */
  listed: string
}

/** Reads the first line of a CSV file. Of two equal columns the later would replace the earlier, and an unknown one would be lost. */
export function columnsIn(header: readonly string[], file: string, { names, prefix, listed }: Columns): string[] {
  const columns = header.map((name) => name.trim())
  for (const [i, name] of columns.entries()) {
    if (columns.indexOf(name) !== i) throw usage(`${file} has two columns "${name}".`)
    if (names.includes(name) || (name.startsWith(prefix) && name.length > prefix.length)) continue
    throw usage(
      `${file} has an unknown column "${name}"${suggest(name, names) || '.'}`,
      delimiterHint(name) ?? `${isValue(name) ? 'The first line must name the columns. ' : ''}Columns: ${listed}.`,
    )
  }
  return columns
}

/** A phone number or an email address: the file has no first line with names. */
const isValue = (name: string) => /^\+?\d+$|@/.test(name)

/** A column name with another separator in it is the whole first line. */
function delimiterHint(column: string): string | undefined {
  const other = /[;\t]/.exec(column)?.[0]
  return other && `Is it separated by "${other}"? Pass --delimiter "${other}".`
}

interface CsvOptions {
  delimiter: string
  maxRowBytes?: number
  /** Checks the first line, before the following ones, which may be broken only because they have another separator. */
  columnsOf(header: string[]): string[]
  /** The failure for a text that is not CSV. */
  faultOf(error: CsvError): Error | Promise<Error>
}

interface CsvRow {
  columns: readonly string[]
  cells: readonly string[]
  /** The line in which it begins, from 1. */
  line: number
  /** The length of the file up to its end. */
  bytes: number
}

interface Parsed {
  record: string[]
  raw: string
  info: Info
}

/** Streams the rows of a CSV file, whose first line names the columns. */
export async function* csvRows(
  source: Readable,
  { delimiter, maxRowBytes, columnsOf, faultOf }: CsvOptions,
): AsyncGenerator<CsvRow> {
  const { CsvError, parse } = await import('csv-parse')
  let columns: string[] | undefined
  let breaks = 0
  const parser = parse({
    ...{ bom: true, delimiter, info: true, raw: true, relax_column_count: true, skip_empty_lines: true, trim: true },
    ...(maxRowBytes === undefined ? {} : { max_record_size: maxRowBytes }),
    on_record(row) {
      if (columns) return row
      const { record, raw } = row as unknown as Parsed
      columns = columnsOf(record)
      breaks = breaksIn(raw)
      return null
    },
  })
  source.on('error', (error) => parser.destroy(error)).pipe(parser)
  try {
    for await (const { record: cells, raw, info } of parser as AsyncIterable<Parsed>) {
      // Empty lines before a row are a part of its text.
      const line = 1 + breaks + breaksIn(raw) - breaksIn(raw.trimStart())
      breaks += breaksIn(raw)
      yield { columns: columns!, cells, line, bytes: info.bytes }
    }
  } catch (error) {
    throw error instanceof CsvError ? await faultOf(error) : error
  }
}

/** The parser counts a break of two characters within a cell twice, and leaves the second out of the text of a row. */
const breaksIn = (text: string) => text.match(/\r\n?|\n/g)?.length ?? 0
