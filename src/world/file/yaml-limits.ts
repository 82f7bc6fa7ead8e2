import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml'
import { withCommas } from '../../words/number-text.ts'

/** The most values after expanding anchors. */
const MAX_VALUES = 2_000_000
/** Resolving an alias searches all others. */
const MAX_ALIASES = 5_000
/** Far deeper than any section of a world file. */
const MAX_DEPTH = 100

export interface YamlFault {
  code: string
  message: string
  field?: string
  offset: number
}

/**
 * Finds what prevents converting a document: cycles, excessive size, and values that would be lost. Visits each node
 * once without expanding anything.
 */
export function faultsOf(document: Document.Parsed): YamlFault[] {
  const faults: YamlFault[] = []
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  const merges: Pair[] = []
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (target) targets.set(node, target)
        else faults.push(faultAt(node, 'invalid_yaml', `there is no anchor &${node.source} before this`))
        return
      }
      if (node.anchor) anchors.set(node.anchor, node)
      if (isMap(node)) {
        faults.push(...keyFaults(node))
        merges.push(...node.items.filter(isMerge))
      } else if (isScalar(node) && isInexact(node.value))
        faults.push(faultAt(node, 'too_big', `${INEXACT}: write "${node.source}" in quotes`))
    },
  })
  if (targets.size > MAX_ALIASES) {
    const [last] = [...targets.keys()].slice(MAX_ALIASES)
    faults.push(faultAt(last!, 'too_big', `anchors are used more than ${withCommas(MAX_ALIASES)} times`))
  }
  faults.push(...merges.flatMap((pair) => mergeFaults(pair, targets)))
  return faults.length > 0 ? faults : sizeFaults(document.contents, targets)
}

const isMerge = ({ key }: Pair) => isScalar(key) && key.type === 'PLAIN' && key.source === '<<'

function mergeFaults({ key, value }: Pair, targets: ReadonlyMap<Alias, Node>): YamlFault[] {
  const sourceOf = (node: unknown) => (isAlias(node) ? targets.get(node) : node)
  const source = sourceOf(value)
  const all = isSeq(source) ? source.items.map(sourceOf) : [source]
  // An alias without an anchor has a fault of its own.
  if (all.every((one) => one === undefined || isMap(one))) return []
  return [
    faultAt(
      key as Node,
      'invalid_yaml',
      'merges a mapping or a list of mappings; a field of this name is "<<" in quotes',
    ),
  ]
}

const INEXACT = 'is 2^53 or more, where numbers are no longer exact'

const isInexact = (value: unknown) => Number.isFinite(value) && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER

const faultAt = (node: Node, code: string, message: string): YamlFault => ({
  code,
  message,
  offset: node.range?.[0] ?? 0,
})

/** Duplicate keys would become one field, and `__proto__` would be lost. */
function keyFaults({ items }: YAMLMap): YamlFault[] {
  const names = new Set<string>()
  const faults: YamlFault[] = []
  for (const { key } of items) {
    if (!isScalar(key)) continue
    const name = String(key.value)
    if (name === '__proto__') faults.push({ ...faultAt(key, 'unknown_field', 'unknown field'), field: name })
    else if (names.has(name)) faults.push(faultAt(key, 'invalid_yaml', `duplicate key ${name}`))
    names.add(name)
  }
  return faults
}

interface Size {
  values: number
  depth: number
}

/** The expanded size of each node. Shared nodes are measured once and added for each use. */
function sizeFaults(contents: Node | null, targets: ReadonlyMap<Alias, Node>): YamlFault[] {
  const sizes = new Map<Node, Size>()
  const faults: YamlFault[] = []
  const sizeOf = (node: Node | Pair | null): Size => {
    if (isPair(node)) return sumOf([node.key as Node | null, node.value as Node | null].map(sizeOf), 0)
    if (isAlias(node)) return sizeOf(targets.get(node)!)
    if (node === null || !('items' in node)) return { values: 1, depth: 0 }
    const measured = sizes.get(node)
    if (measured) return measured
    // A node that occurs again before it is measured contains itself.
    sizes.set(node, { values: Number.POSITIVE_INFINITY, depth: 0 })
    const size = sumOf((node.items as (Node | Pair)[]).map(sizeOf), 1)
    const message = faults.length === 0 && tooLarge(size)
    if (message) faults.push(faultAt(node, 'too_big', message))
    sizes.set(node, size)
    return size
  }
  sizeOf(contents)
  return faults
}

const sumOf = (sizes: readonly Size[], own: number): Size => ({
  values: sizes.reduce((sum, { values }) => sum + values, own),
  depth: sizes.reduce((most, { depth }) => Math.max(most, depth), 0) + own,
})

function tooLarge({ values, depth }: Size): string | undefined {
  if (values === Number.POSITIVE_INFINITY) return 'has an anchor that contains itself'
  if (values > MAX_VALUES)
    return `expands to ${withCommas(values)} values by its anchors (limit: ${withCommas(MAX_VALUES)})`
  return depth > MAX_DEPTH ? `is nested too deeply (limit: ${MAX_DEPTH} levels)` : undefined
}
