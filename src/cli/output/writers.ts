import type { Format } from './output.ts'
import { jsonOf } from './printable.ts'
import { isRecord, listIn } from './rows.ts'

/** How values are written in a format that programs read. */
export interface Writer {
  /** The answer of a command. `isTerminal`: a person looks at it all the same. */
  answer(value: unknown, isTerminal: boolean): string
  /** One of several. */
  item(value: unknown): string
  /** Of a list it writes the records alone, and nothing that says where the list goes on. */
  leavesOutRest?: boolean
}

export const writerOf = (format: Exclude<Format, 'table'>): Promise<Writer> => WRITERS[format]()

const WRITERS: Readonly<Record<Exclude<Format, 'table'>, () => Promise<Writer>>> = {
  json: async () => ({ answer: (value, isTerminal) => jsonOf(value, isTerminal ? 2 : undefined), item: jsonOf }),
  // One line for each record of a list, so that what follows need not take it apart.
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
    // Long texts stay on their line, as they were sent.
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

/** What has parts is JSON in its cell; what is unset is empty. */
const CELLS = { boolean: String, object: (value: object) => jsonOf(value) }

const recordsIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : (listIn(value)?.rows ?? [value])
