import { parseSync } from '@swc/core'

export type Node = { type: string; [field: string]: unknown }

/** Visits all nodes of a source. One without these words is not parsed, because that takes far longer than a search. */
export function visitSource(source: string, words: readonly string[], visit: (node: Node) => void, tsx = false) {
  if (!new RegExp(`\\b(${words.join('|')})\\b`).test(source)) return
  walk(parseSync(source, { syntax: 'typescript', tsx, target: 'es2022' }), visit)
}

function walk(node: unknown, visit: (node: Node) => void) {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && typeof node.type === 'string') visit(node as Node)
    for (const value of Object.values(node)) walk(value, visit)
  }
}
