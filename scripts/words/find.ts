import { parseSync } from '@swc/core'
import { nameParts, names, phrases, userPhrases } from './list.ts'

export interface Finding {
  readonly line: number
  readonly text: string
  readonly instead: string
}

/** Finds what the word list refuses in the text of a file. */
export function findingsIn(path: string, text: string): Finding[] {
  const flat = withoutMargins(text)
  const entries = isForUsers(path) ? [...phrases, ...userPhrases] : phrases
  const found = entries.flatMap(({ pattern, instead }) =>
    [...flat.matchAll(pattern)].map((match) => ({ at: match.index, text: match[0].replaceAll(/\s+/g, ' '), instead })),
  )
  return [...found, ...namesIn(path, text)]
    .map(({ at, ...finding }) => ({ line: text.slice(0, at).split('\n').length, ...finding }))
    .sort((a, b) => a.line - b.line)
}

const isForUsers = (path: string) => /^(README|docs\/[^/]+)\.md$/.test(path)

/** Replaces the margins of comments and quotes by blanks, so that a phrase is found across a line break. */
const withoutMargins = (text: string) =>
  text.replaceAll(/\n[ \t]*(\*(?!\/)|\/\/|#+|>)/g, (margin) => `\n${' '.repeat(margin.length - 1)}`)

function namesIn(path: string, text: string): (Omit<Finding, 'line'> & { at: number })[] {
  if (!/\.tsx?$/.test(path)) return []
  const refused = namesOf(text, path.endsWith('x')).filter(isRefused)
  return [...new Set(refused)].map((name) => ({
    at: text.search(new RegExp(`(?<![\\w.'"\`-])#?\\b${name}\\b`)),
    text: name,
    instead: 'a name that says what it holds or does',
  }))
}

const isRefused = (name: string) =>
  names.has(name) || name.split(/(?=[A-Z])|[_\d]+/).some((part) => nameParts.has(part.toLowerCase()))

/** All identifiers of a source, each as often as it occurs. */
function namesOf(text: string, tsx: boolean): string[] {
  const found: string[] = []
  walk(parseSync(text, { syntax: 'typescript', tsx, target: 'es2022' }), (node) => {
    if (node.type === 'Identifier' || node.type === 'PrivateName') found.push(String(node.value))
  })
  return found
}

/** Skips the keys of object literals, which other interfaces define: `pull` of a stream's source. */
function walk(node: unknown, visit: (node: Record<string, unknown>) => void) {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    visit(node as Record<string, unknown>)
    const inner = 'type' in node && node.type === 'KeyValueProperty' ? { ...node, key: undefined } : node
    for (const value of Object.values(inner)) walk(value, visit)
  }
}
