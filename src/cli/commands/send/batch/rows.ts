import { Readable } from 'node:stream'
import { isRecord } from '../../../../words/json.ts'
import { quantity } from '../../../../words/number-text.ts'
import { strictJson } from '../../../../words/strict-json.ts'
import { suggest } from '../../../../words/suggest.ts'
import { columnsIn, csvRows } from '../../../generate/csv.ts'
import { formOf } from '../../../generate/form.ts'
import { usage } from '../../../process/exit.ts'
import { inputName, textOf } from '../../../process/files.ts'
import type { Io } from '../../../process/io.ts'
import type { SendFields } from '../request.ts'

export interface BatchRow {
  /** Its line in the file, from 1. */
  line: number
  request?: SendFields
  /** Why the row is no request. */
  fault?: string
}

/** Columns that become part of the content. */
const PARTS = ['text', 'html']
const VARIABLE = 'var.'

/** Reads JSON lines or CSV, distinguished by the first character, from a file or stdin for `-`. */
export async function rowsOf(io: Io, file: string, delimiter: string): Promise<BatchRow[]> {
  const text = await textOf(io, file)
  if (/^\s*\[/.test(text))
    throw usage(
      `${inputName(file)} begins with "[", like a JSON array; it must be JSON lines or CSV.`,
      `Write each message on a line of its own: jq -c ".[]" messages.json > messages.ndjson`,
    )
  const rows = /^\s*\{/.test(text) ? jsonRows(text) : await requestRows(text, file, delimiter)
  if (rows.length === 0) throw usage(`${inputName(file)} holds no messages.`)
  return rows
}

function jsonRows(text: string): BatchRow[] {
  return text.split('\n').flatMap((json, i) => {
    if (json.trim() === '') return []
    const line = i + 1
    try {
      const value = strictJson(json)
      return [{ line, ...(isRecord(value) ? requestOrFault(value) : { fault: 'It is not a JSON object.' }) }]
    } catch (error) {
      return [{ line, fault: `It ${(error as Error).message}.` }]
    }
  })
}

function requestOrFault(row: Record<string, unknown>): Pick<BatchRow, 'request' | 'fault'> {
  const fields = [...formOf('messages.send').map(({ name }) => name), ...PARTS]
  const unknownField = Object.keys(row).find((name) => !fields.includes(name) && !isVariable(name))
  if (unknownField === undefined) return { request: requestIn(row) }
  return { fault: `It has an unknown field "${unknownField}"${suggest(unknownField, fields) || '.'}` }
}

const isVariable = (name: string) => name.startsWith(VARIABLE) && name.length > VARIABLE.length

/** Empty cells are left out. */
async function requestRows(text: string, file: string, delimiter: string): Promise<BatchRow[]> {
  const rows = csvRows(Readable.from([text]), {
    delimiter,
    columnsOf: (header) => columnsIn(header, file, columns()),
    faultOf: ({ message }) => usage(`${file} is neither JSON lines nor CSV: ${message}.`),
  })
  return Array.fromAsync(rows, ({ columns, cells, line }) => {
    if (cells.length !== columns.length)
      throw usage(
        `Line ${line} of ${file} has ${quantity(cells.length, 'cells')}, but the first line has ${columns.length}.`,
        `Write a cell that contains "${delimiter}" in quotes, and leave a cell empty rather than out.`,
      )
    const filled = columns.flatMap((name, i) => (cells[i] === '' ? [] : [[name, cells[i]]]))
    return { line, request: requestIn(Object.fromEntries(filled)) }
  })
}

function columns() {
  const names = [...formOf('messages.send').flatMap(({ name, kind }) => (PLAIN.has(kind) ? [name] : [])), ...PARTS]
  return {
    ...{ names, prefix: VARIABLE },
    listed: `${names.join(', ')}, and ${VARIABLE}<name> for the variables of a template`,
  }
}
const PLAIN = new Set(['text', 'choice', 'number', 'boolean', 'flag'])

/** Turns a row into a request: text columns become content, variables the template's data. */
function requestIn(row: Record<string, unknown>): SendFields {
  const fields = Object.entries(row)
  const content = Object.fromEntries(fields.filter(([name]) => PARTS.includes(name)))
  const variables = fields.flatMap(([name, value]) =>
    name.startsWith(VARIABLE) ? [[name.slice(VARIABLE.length), value] as const] : [],
  )
  const rest = fields.filter(([name]) => !PARTS.includes(name) && !name.startsWith(VARIABLE))
  return {
    ...Object.fromEntries(rest),
    ...(Object.keys(content).length > 0 ? { content: { ...(row.content as object | undefined), ...content } } : {}),
    ...(variables.length > 0
      ? { template_data: { ...(row.template_data as object | undefined), ...Object.fromEntries(variables) } }
      : {}),
  }
}

/** Merges the flags, which hold for all rows, under a row. */
export function withFlags(all: SendFields, row: SendFields): SendFields {
  const merged = (name: string) =>
    isRecord(all[name]) && isRecord(row[name]) ? { [name]: { ...all[name], ...row[name] } } : {}
  return { ...all, ...row, ...merged('content'), ...merged('template_data') }
}
