import { isRecord } from '../../words/json.ts'
import { escapedLines, isUnprintable, jsonOf, printableLines } from './printable.ts'
import { listIn } from './rows.ts'

/** The values of --output. */
export const FORMATS = ['table', 'json', 'yaml', 'ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

/** Writes values in a format for programs. */
export interface Writer {
  /** The answer of a command. */
  answer(value: unknown): string
  /** One item of several. */
  item(value: unknown): string
  /** The format cannot contain the fields next to the list, such as the cursor. */
  leavesOutRest?: boolean
}

type ProgramFormat = Exclude<Format, 'table'>

/** On a terminal no format writes control characters, which would steer it. */
export const writerOf = (format: ProgramFormat, isTerminal: boolean): Promise<Writer> => WRITERS[format](isTerminal)

const WRITERS: Readonly<Record<ProgramFormat, (isTerminal: boolean) => Promise<Writer>>> = {
  json: async (isTerminal) => ({
    answer: (value) => jsonOf(value, isTerminal ? 2 : undefined),
    item: (value) => jsonOf(value),
  }),
  // One line for each record of a list, which the next program in a pipe can read directly.
  ndjson: async () => ({
    answer: (value) =>
      recordsIn(value)
        .map((row) => `${jsonOf(row)}\n`)
        .join(''),
    item: (value) => jsonOf(value),
    leavesOutRest: true,
  }),
  async yaml(isTerminal) {
    const { Document, visit } = await import('yaml')
    const yamlOf = (value: unknown) => {
      const document = new Document(value)
      // Escapes exist between double quotes only.
      if (isTerminal)
        visit(document, {
          Scalar(_, scalar) {
            if (isUnprintable(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
          },
        })
      // Long texts must not be folded: they would change.
      const text = document.toString({ lineWidth: 0 })
      return isTerminal ? escapedLines(text) : text
    }
    return { answer: yamlOf, item: (value) => `---\n${yamlOf(value)}` }
  },
  async csv(isTerminal) {
    const { stringify } = await import('csv-stringify/sync')
    let columns: string[] | undefined
    const rowsOf = (rows: readonly unknown[]) => {
      const isFirst = columns === undefined
      columns ??= [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : ['value'])))]
      const records = rows.map((row) => (isRecord(row) ? row : { value: row }))
      const text = stringify(records, { header: isFirst, columns, cast: CELLS })
      return isTerminal ? printableLines(text) : text
    }
    return { answer: (value) => rowsOf(recordsIn(value)), item: (value) => rowsOf([value]), leavesOutRest: true }
  },
}

/** Nested values are JSON in their cell; unset fields are empty. */
const CELLS = { boolean: String, object: (value: object) => jsonOf(value) }

const recordsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : (listIn(value)?.rows ?? [value])
