import { isRecord } from '../../words/json.ts'
import type { Format } from './output.ts'
import { jsonOf } from './printable.ts'
import { listIn } from './rows.ts'

/** Writes values in a format for programs. */
export interface Writer {
  /** The answer of a command. `isTerminal` says that a person may look at it. */
  answer(value: unknown, isTerminal: boolean): string
  /** One item of several. */
  item(value: unknown): string
  /** The format has no place for the fields beside the list, such as the cursor. */
  leavesOutRest?: boolean
}

export const writerOf = (format: Exclude<Format, 'table'>): Promise<Writer> => WRITERS[format]()

const WRITERS: Readonly<Record<Exclude<Format, 'table'>, () => Promise<Writer>>> = {
  json: async () => ({ answer: (value, isTerminal) => jsonOf(value, isTerminal ? 2 : undefined), item: jsonOf }),
  // One line for each record of a list, which the next program in a pipe can read directly.
  ndjson: async () => ({
    answer: (value) =>
      recordsIn(value)
        .map((row) => `${jsonOf(row)}\n`)
        .join(''),
    item: jsonOf,
    leavesOutRest: true,
  }),
  async yaml() {
    const { stringify } = await import('yaml')
    // Long texts must not be folded: they would change.
    const yamlOf = (value: unknown) => stringify(value, { lineWidth: 0 })
    return { answer: yamlOf, item: (value) => `---\n${yamlOf(value)}` }
  },
  async csv() {
    const { stringify } = await import('csv-stringify/sync')
    let columns: string[] | undefined
    const rowsOf = (rows: readonly unknown[]) => {
      const isFirst = columns === undefined
      columns ??= [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : ['value'])))]
      const records = rows.map((row) => (isRecord(row) ? row : { value: row }))
      return stringify(records, { header: isFirst, columns, cast: CELLS })
    }
    return { answer: (value) => rowsOf(recordsIn(value)), item: (value) => rowsOf([value]), leavesOutRest: true }
  },
}

/** Nested values are JSON in their cell; unset fields are empty. */
const CELLS = { boolean: String, object: (value: object) => jsonOf(value) }

const recordsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : (listIn(value)?.rows ?? [value])
