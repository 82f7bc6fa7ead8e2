import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
import { getOrAdd } from '../../words/get-or-add.ts'
import type { Detail } from '../../words/problem.ts'

export interface YamlPlace {
  /** The faulty value; undefined if the file has none. */
  node: Node | undefined
  offset: number
}

interface Entry {
  key: Node
  value: Node | null
}

/** Finds the places of faults in a document; each map is indexed once. */
export class Places {
  readonly #document: Document.Parsed
  readonly #entries = new Map<YAMLMap, ReadonlyMap<string, Entry>>()

  constructor(document: Document.Parsed) {
    this.#document = document
  }

  /**
   * Follows a fault's path as far as the file does. An unknown field is shown at its name, other faults at the value.
   */
  find({ field, code }: Detail): YamlPlace {
    let node: Node | null | undefined = this.#document.contents
    let offset = node?.range?.[0] ?? 0
    let rest = field
    let isShared = false
    while (rest !== '') {
      // A value behind an anchor may be wrong in one use only, so the fault is shown at the use.
      isShared ||= isAlias(node)
      if (isAlias(node)) node = node.resolve(this.#document)
      const step = this.#stepInto(node, rest)
      if (!step) return { node: undefined, offset }
      rest = step.rest
      if (!isShared)
        offset = code === 'unknown_field' && rest === '' ? step.keyAt : (step.node?.range?.[0] ?? step.keyAt)
      node = step.node
    }
    return { node: node ?? undefined, offset }
  }

  #stepInto(node: Node | null | undefined, path: string) {
    if (isSeq(node)) {
      const [head, index] = /^\[(\d+)\]\.?/.exec(path) ?? []
      const item = index === undefined ? undefined : (node.items[Number(index)] as Node | undefined)
      return item && { node: item, keyAt: item.range?.[0] ?? 0, rest: path.slice(head!.length) }
    }
    if (!isMap(node)) return undefined
    const entries = this.#entriesOf(node)
    // Names may contain dots, so the longest match wins.
    for (
      let end = path.length;
      end > 0;
      end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1))
    ) {
      const entry = entries.get(path.slice(0, end))
      if (entry)
        return { node: entry.value, keyAt: entry.key.range?.[0] ?? 0, rest: path.slice(end).replace(/^\./, '') }
    }
    return undefined
  }

  #entriesOf(map: YAMLMap): ReadonlyMap<string, Entry> {
    const entryOf = ({ key, value }: YAMLMap['items'][number]) =>
      [String(isScalar(key) ? key.value : key), { key: key as Node, value: value as Node | null }] as const
    return getOrAdd(this.#entries, map, () => new Map(map.items.map(entryOf)))
  }
}
