import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { Detail } from '../../words/problem.ts'

/** A fault of a file, with the place where an editor finds it; lines and columns count from 1. */
export interface FileFault extends Detail {
  line: number
  column: number
}

/** What a YAML file says. */
export interface Yaml {
  content: unknown
  /** Faults of its syntax; the content is worth nothing then. */
  faults: FileFault[]
  /** The same faults of content, each with its place. */
  placed(details: readonly Detail[]): FileFault[]
}

/** Anchors may be used as often as one likes, as long as the content does not become larger than this many values. */
const MOST_VALUES = 2_000_000

export function readYaml(text: string): Yaml {
  try {
    return read(text)
  } catch (error) {
    // Every step of reading goes down into what is nested.
    if ((error as Error).name !== 'RangeError') throw error
    return unreadable([{ ...fault('too_deep', 'is nested too deeply'), line: 1, column: 1 }])
  }
}

function read(text: string): Yaml {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  // A tag that is not known would otherwise be passed over with a warning.
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    ...fault('invalid_yaml', inWords(error, text)),
    ...at(error.pos[0]),
  }))
  for (const [name, offset] of unknownAnchors(document))
    faults.push({ ...fault('invalid_yaml', `there is no anchor &${name} before this`), ...at(offset) })
  if (faults.length > 0) return unreadable(faults)
  // The count below takes the place of the package's count of aliases, which forbids the 101st use of an anchor.
  const content: unknown = document.toJS({ maxAliasCount: -1 })
  const count = countOf(content)
  if (count > MOST_VALUES) return unreadable([{ ...fault('too_big', tooBig(count)), line: 1, column: 1 }])
  const placed = (details: readonly Detail[]) =>
    details.map((detail) => {
      const { node, offset } = find(document, detail)
      return { ...detail, message: withQuotes(detail.message, node), ...at(offset) }
    })
  return { content, faults, placed }
}

const unreadable = (faults: FileFault[]): Yaml => ({ content: undefined, faults, placed: () => faults })

const fault = (code: string, message: string): Detail => ({ field: '', code, message })

const tooBig = (count: number) =>
  count === Number.POSITIVE_INFINITY
    ? 'has an anchor that contains itself'
    : `expands to ${count.toLocaleString('en')} values by its anchors; ${MOST_VALUES.toLocaleString('en')} are the most`

function unknownAnchors(document: Document.Parsed): [name: string, offset: number][] {
  const found: [string, number][] = []
  // In one go: to resolve each alias by itself goes through the whole file each time.
  const known = new Set<string>()
  visit(document, {
    Node(_, node) {
      if (!isAlias(node)) known.add(node.anchor ?? '')
      else if (!known.has(node.source)) found.push([node.source, node.range?.[0] ?? 0])
    },
  })
  return found
}

/** How many values there are when every alias is written out. What is shared is counted once and added each time. */
function countOf(value: unknown, known = new Map<object, number>()): number {
  if (typeof value !== 'object' || value === null) return 1
  const before = known.get(value)
  if (before !== undefined) return before
  // Whoever comes by here again before it is counted is inside of itself.
  known.set(value, Number.POSITIVE_INFINITY)
  const count = Object.values(value).reduce<number>((sum, item) => sum + countOf(item, known), 1)
  known.set(value, count)
  return count
}

interface SyntaxFault {
  code: string
  message: string
  pos: [number, number]
}

function inWords({ code, message, pos }: SyntaxFault, text: string): string {
  if (code === 'DUPLICATE_KEY') return `the key ${/^[^:\s]+/.exec(text.slice(pos[0]))?.[0] ?? ''} is there twice`
  if (code === 'MULTIPLE_DOCS') return 'a world file is one document; take out what follows the second ---'
  if (code === 'TAG_RESOLVE_FAILED')
    return `${message.replace(/^Unresolved tag: /, 'unknown tag ')}; tags have no use here`
  return `is not YAML: ${message}`
}

interface Found {
  /** The value that the fault is about, where there is one. */
  node: Node | undefined
  offset: number
}

/** Goes as far along the path of a fault as the file does. An unknown field is shown at its name, all else at its value. */
function find(document: Document.Parsed, { field, code }: Detail): Found {
  let node: Node | null | undefined = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  let rest = field
  let isShared = false
  while (rest !== '') {
    // What stands at an anchor is right in one place and wrong in another, so a fault is shown where it is used.
    isShared ||= isAlias(node)
    if (isAlias(node)) node = node.resolve(document)
    const step = stepInto(node, rest)
    if (!step) return { node: undefined, offset }
    rest = step.rest
    if (!isShared) offset = code === 'unknown_field' && rest === '' ? step.keyAt : (step.node?.range?.[0] ?? step.keyAt)
    node = step.node
  }
  return { node: node ?? undefined, offset }
}

interface Step {
  node: Node | null
  keyAt: number
  rest: string
}

function stepInto(node: Node | null | undefined, path: string): Step | undefined {
  if (isSeq(node)) {
    const [head, index] = /^\[(\d+)\]\.?/.exec(path) ?? []
    const item = index === undefined ? undefined : (node.items[Number(index)] as Node | undefined)
    return item && { node: item, keyAt: item.range?.[0] ?? 0, rest: path.slice(head!.length) }
  }
  if (!isMap(node)) return undefined
  // Names may have dots in them: the longest that fits is meant.
  const fits = node.items
    .map(({ key, value }) => ({
      key: key as Node,
      value: value as Node | null,
      name: String(isScalar(key) ? key.value : key),
    }))
    .filter(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .sort((a, b) => b.name.length - a.name.length)
  const [fit] = fits
  return (
    fit && { node: fit.value, keyAt: fit.key.range?.[0] ?? 0, rest: path.slice(fit.name.length).replace(/^\./, '') }
  )
}

/** `+491713920000` without quotes is a number in YAML. */
function withQuotes(message: string, node: Node | undefined): string {
  if (message !== 'must be a string' || !isScalar(node) || node.source === undefined || node.value === null)
    return message
  return `${message}: write "${node.source}" in quotes`
}
