import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { type Detail, type Problem, problem } from '../../words/problem.ts'
import { faultsOf } from './yaml-limits.ts'
import { Places } from './yaml-places.ts'

/** A fault with line and column, counted from 1. */
export interface FileFault extends Detail {
  line: number
  column: number
}

/** A parsed YAML file. */
export interface Yaml {
  content: unknown
  /** Syntax faults; with any, the content is unusable. */
  faults: FileFault[]
  /** Adds places to faults of content. */
  placed(details: readonly Detail[]): FileFault[]
  /** The text of a value as the file has it; undefined for lists and maps. */
  sourceOf(field: string): string | undefined
}

export function readYaml(text: string): Yaml {
  try {
    return read(text)
  } catch (error) {
    // Reading recurses into nested values.
    if ((error as Error).name !== 'RangeError') throw error
    return unreadable([{ ...fault('too_deep', 'is nested too deeply'), line: 1, column: 1 }])
  }
}

function read(text: string): Yaml {
  // As text in UTF-16 without a mark at its start.
  if (text.includes('\0')) return unreadable([{ ...fault('unreadable', 'is not UTF-8 text'), line: 1, column: 1 }])
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    // Comparing many keys with each other would take very long; yaml-limits.ts finds duplicates.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  // An unknown tag would only cause a warning.
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    ...fault('invalid_yaml', inWords(error)),
    ...at(error.pos[0]),
  }))
  if (faults.length > 0) return unreadable(faults)
  for (const { code, message, field = '', offset } of faultsOf(document))
    faults.push({ field, code, message, ...at(offset) })
  if (faults.length > 0) return unreadable(faults)
  const content: unknown = document.toJS({ maxAliasCount: -1 })
  const places = new Places(document)
  const placed = (details: readonly Detail[]) =>
    details.map((detail) => {
      const { node, offset } = places.find(detail)
      return { ...detail, message: withQuotes(detail.message, node, text), ...at(offset) }
    })
  const sourceOf = (field: string) => {
    const { node } = places.find({ ...fault('', ''), field })
    return isScalar(node) ? node.source : undefined
  }
  return { content, faults, placed, sourceOf }
}

const unreadable = (faults: FileFault[]): Yaml => ({
  content: undefined,
  faults,
  placed: () => faults,
  sourceOf: () => undefined,
})

const fault = (code: string, message: string): Detail => ({ field: '', code, message })

interface SyntaxFault {
  code: string
  message: string
  pos: [number, number]
}

function inWords({ code, message }: SyntaxFault): string {
  // The parser reports the overflow of the stack where it happens, sometimes in a regular expression.
  if (/^Maximum call stack|: Stack overflow$/.test(message)) return 'is nested too deeply'
  if (code === 'MULTIPLE_DOCS') return 'a file must be one document: remove everything after the first one'
  if (code === 'TAG_RESOLVE_FAILED') return `${message.replace(/^Unresolved tag: /, 'unknown tag ')}; remove the tag`
  return `is not YAML: ${message}`
}

/** Advises quotes for `+491713920000`, which YAML reads as a number, and `{{name}}`, a mapping. */
function withQuotes(message: string, node: Node | undefined, text: string): string {
  if (message !== 'must be a string' || !node?.range) return message
  const source = text.slice(node.range[0], node.range[1])
  const isText = isScalar(node) ? node.value !== null : isMap(node) && /^\{[^:,\n]+\}$/.test(source)
  return isText ? `${message}: write "${source}" in quotes` : message
}

/** The refusal of a file with faults. Its message lists the first of them, its details all. */
export function refusalOf(file: string, faults: readonly FileFault[], maxLines = Number.POSITIVE_INFINITY): Problem {
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const lines = sorted.map(({ line, column, field, message }) =>
    [`${file}:${line}:${column}`, field, message].filter(Boolean).join(': '),
  )
  const more = lines.length > maxLines ? [`… and ${lines.length - maxLines} more`] : []
  return problem('validation_error', [...lines.slice(0, maxLines), ...more].join('\n'), { details: sorted, file })
}
