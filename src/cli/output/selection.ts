import { isRecord } from '../../words/json.ts'
import { usage } from '../process/exit.ts'
import type { Output } from './output.ts'
import type { Paint } from './paint.ts'
import { render } from './render.ts'
import { isRecords, listIn } from './rows.ts'

interface Selection {
  /** A JMESPath expression. */
  query?: string | undefined
  quiet: boolean
}

/** Applies --query and --quiet to the output of a command. */
export async function selecting(output: Output, { query, quiet }: Selection): Promise<Output> {
  if (quiet) return idsOnly(output)
  if (query === undefined) return output
  const take = await queryOf(query)
  return {
    ...output,
    data(value) {
      const part = take(value)
      if (isNothing(part)) warnOfFields(output, query, value)
      output.data(part, inWords)
    },
    item(value) {
      const part = take(value)
      if (part !== null) output.item(part, inWords)
    },
  }
}

const isNothing = (part: unknown) => part === null || (Array.isArray(part) && part.length === 0)

/** An unknown field is not an error in JMESPath, so a note lists the fields of the answer. */
function warnOfFields(output: Output, query: string, value: unknown) {
  const { rows: [first] = [], name } = listIn(value) ?? {}
  const fields = [
    ...(isRecord(value) ? Object.keys(value) : []),
    ...Object.keys(first ?? {}).map((key) => `${name}[].${key}`),
  ]
  if (fields.length === 0) return
  const message = `--query ${query} matches nothing. Fields: ${fields.join(', ')}.`
  output.warn({ warning: 'query_matches_nothing', message, fields }, (paint, shown) =>
    paint.yellow(`! ${shown.message}`),
  )
}

function inWords(paint: Paint, part: unknown): string {
  if (!Array.isArray(part)) return render(part)(paint)
  return isRecords(part) ? render({ records: part })(paint) : part.map((one) => render(one)(paint)).join('\n')
}

/** Compiles first, so that a broken expression is refused before any call is made. */
async function queryOf(expression: string): Promise<(value: unknown) => unknown> {
  const { compile, search } = await import('@jmespath-community/jmespath')
  type Json = Parameters<typeof search>[0]
  const misread = (error: unknown) =>
    usage(`--query: ${(error as Error).message.replace(/\.?$/, '.')}`, 'It is JMESPath: https://jmespath.site')
  try {
    compile(expression)
  } catch (error) {
    throw misread(error)
  }
  return (value) => {
    try {
      return search(value as Json, expression) ?? null
    } catch (error) {
      throw misread(error)
    }
  }
}

/** Fields that identify a record, the most specific first. */
const ID_FIELDS = ['message_id', 'id', 'run_id', 'agent_id', 'contact_id', 'campaign_id', 'phone', 'address', 'name']

function idsOnly(output: Output): Output {
  const show = (value: unknown) => {
    for (const row of listIn(value)?.rows ?? [value]) {
      const id = isRecord(row) ? ID_FIELDS.map((name) => row[name]).find((it) => typeof it === 'string') : undefined
      if (id !== undefined) output.raw(`${id}\n`)
    }
  }
  return { ...output, data: show, item: show, note: () => {} }
}
