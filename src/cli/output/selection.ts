import { isRecord } from '../../words/json.ts'
import { sentence } from '../../words/sentence.ts'
import { nearest } from '../../words/suggest.ts'
import { usage } from '../process/exit.ts'
import type { Output } from './output.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { render } from './render.ts'
import { isRecords, listIn } from './rows.ts'

interface Selection {
  /** A JMESPath expression. */
  query?: string | undefined
  quiet: boolean
}

interface SelectedOutput extends Output {
  /** Called after the last value: warns if the query matched none of several. */
  ended(): void
}

/** Applies --query and --quiet to the output of a command. */
export async function selecting(output: Output, { query, quiet }: Selection): Promise<SelectedOutput> {
  if (quiet) return { ...idsOnly(output), ended() {} }
  if (query === undefined) return { ...output, ended() {} }
  const { take, fields, compared, isFilter } = await queryOf(query)
  /** The fields of all values that it did not match. */
  let skipped: object | undefined
  let isMatched = false
  return {
    ...output,
    isSelected: true,
    data(value) {
      const part = take(value)
      // What an empty list would hold is not known.
      const isOfRecords = !fields.some((field) => isEmptyList((value as Record<string, unknown> | null)?.[field]))
      const existing = fieldsIn(value)
      const unknown = isOfRecords ? fields.find((field) => !existing.has(field)) : undefined
      const selectsNone = isFilter && isOfRecords && Array.isArray(part) && part.length === 0
      const guess = unknown === undefined ? '' : guessFor(unknown, [...existing], compared)
      if ((part === null && isOfRecords && !hasNull(value, fields.at(-1))) || (selectsNone && unknown === undefined))
        warnOfFields(output, `--query ${query} matches nothing.${guess}`, value)
      else if (unknown !== undefined)
        warnOfFields(output, `--query: no record has the field ${unknown}.${guess}`, value)
      output.data(part, inWords)
    },
    item(value) {
      const part = take(value)
      isMatched ||= part !== null
      if (part === null) skipped = { ...skipped, ...(value as object) }
      else output.item(part, inWords)
    },
    ended() {
      if (skipped === undefined || isMatched || hasNull(skipped, fields.at(-1))) return
      const existing = fieldsIn(skipped)
      const unknown = fields.find((field) => !existing.has(field))
      const guess = unknown === undefined ? '' : guessFor(unknown, [...existing], compared)
      warnOfFields(output, `--query ${query} matches nothing.${guess}`, skipped)
    },
  }
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0

const isContainer = (value: unknown): value is object => Array.isArray(value) || isRecord(value)

/** The names of all fields of records at any depth. */
function fieldsIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (isRecord(value)) for (const name of Object.keys(value)) names.add(name)
  if (isContainer(value)) for (const one of Object.values(value)) fieldsIn(one, names)
  return names
}

/** A field without a value is not missing. */
const hasNull = (value: unknown, field = ''): boolean =>
  (isRecord(value) && value[field] === null) ||
  (isContainer(value) && Object.values(value).some((one) => hasNull(one, field)))

/** The one field whose name has more words, or fewer, such as `agent_id` for `id`; otherwise the nearest. */
function guessFor(field: string, fields: readonly string[], compared: readonly string[]): string {
  if (compared.includes(field)) return ` Write a text in single quotes: '${field}'.`
  const longer = fields.filter((one) => one.endsWith(`_${field}`) || field.endsWith(`_${one}`))
  const guess = longer.length === 1 ? longer[0] : nearest(field, fields)
  return guess === undefined ? '' : ` Did you mean ${guess}?`
}

/** An unknown field is not an error in JMESPath, so a note lists the fields of the answer. */
function warnOfFields(output: Output, what: string, value: unknown) {
  const { rows: [first] = [], name } = listIn(value) ?? {}
  const outer = isRecord(value) ? Object.keys(value) : []
  const inner = Object.keys(first ?? {})
  const fields = [...outer, ...inner.map((key) => `${name}[].${key}`)]
  if (fields.length === 0) return
  // The same list without the repeated name, which would fill the screen.
  const groups = [outer.join(', '), inner.length > 0 ? `in ${name}[]: ${inner.join(', ')}` : ''].filter(Boolean)
  output.warn({ warning: 'query_matches_nothing', message: what, fields }, (paint, shown) =>
    paint.yellow(`! ${shown.message} Fields: ${printable(groups.join('; '))}.`),
  )
}

function inWords(paint: Paint, part: unknown): string {
  if (!Array.isArray(part)) return render(part, paint)
  return isRecords(part) ? render({ records: part }, paint) : part.map((one) => render(one, paint)).join('\n')
}

interface Query {
  take(value: unknown): unknown
  /** The fields that it reads, without those that it makes itself. */
  fields: string[]
  /** Those of them that stand where a comparison usually has a text. */
  compared: string[]
  /** It selects records by their values. */
  isFilter: boolean
}

/** Compiles first, so that a broken expression is refused before any call is made. */
async function queryOf(expression: string): Promise<Query> {
  const { compile, search } = await import('@jmespath-community/jmespath')
  type Json = Parameters<typeof search>[0]
  const understood = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      const guess = withoutDot(expression, compile)
      throw usage(
        sentence(`--query: ${(error as Error).message}`),
        `${guess === undefined ? '' : `Did you mean ${guess}? `}It is JMESPath: https://jmespath.site`,
      )
    }
  }
  const nodes = nodesIn(understood(() => compile(expression)))
  const isRenamed = ({ type, name, value }: Node) => type === 'KeyValuePair' && (value as Node).name !== name
  const made = new Set(nodes.filter(isRenamed).map(({ name }) => name))
  return {
    fields: nodes.flatMap(({ type, name }) => (type === 'Field' && !made.has(name) ? [String(name)] : [])),
    compared: nodes.flatMap(comparedNames),
    isFilter: nodes.some(({ type }) => type === 'FilterProjection'),
    take: (value) => understood(() => search(value as Json, expression) ?? null),
  }
}

/** The expression without the dot at its beginning, which jq has; undefined if that is invalid too. */
function withoutDot(expression: string, compile: (expression: string) => unknown): string | undefined {
  const rest = /^\.(?=\w)/.test(expression) ? expression.slice(1) : undefined
  try {
    if (rest !== undefined) compile(rest)
    return rest
  } catch {
    return undefined
  }
}

/** The name that a comparison has in place of a text: `status==read` and `status=="read"` compare two fields. */
const comparedNames = ({ type, right }: Node): string[] =>
  type === 'Comparator' && isRecord(right) && right.type === 'Field' ? [String(right.name)] : []

type Node = Record<string, unknown>

/** All nodes of a compiled expression. */
const nodesIn = (node: unknown): Node[] =>
  Array.isArray(node) ? node.flatMap(nodesIn) : isRecord(node) ? [node, ...Object.values(node).flatMap(nodesIn)] : []

/** Fields that identify a record: its own id first, since an entry of the ledger also names its message. */
const ID_FIELDS = [
  'id',
  'message_id',
  'run_id',
  'agent_id',
  'contact_id',
  'campaign_id',
  'transaction_id',
  'request_id',
  'phone',
  'address',
  'name',
]

function idsOnly(output: Output): Output {
  let last: unknown
  const show = (value: unknown) => {
    for (const row of listIn(value)?.rows ?? [value]) {
      const id = isRecord(row) ? ID_FIELDS.map((name) => row[name]).find((it) => typeof it === 'string') : undefined
      // The steps of one message have its id.
      if (id !== undefined && id !== last) output.raw(`${id}\n`)
      last = id
    }
  }
  return { ...output, data: show, item: show, note: () => {} }
}
