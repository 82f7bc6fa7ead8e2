import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The command line runs in a process of its own; all else may be read in by a test runner, into a realm for each test file. */
const ALONE = /^src\/cli\//

/** Objects of Node and SQLite belong to the main realm, and are no instances of the same classes in another one. */
function foreignClasses(source: string): string[] {
  const found: string[] = []
  walk(parseSync(source, { syntax: 'typescript', target: 'es2022' }), (node) => {
    if (node.type !== 'BinaryExpression' || node.operator !== 'instanceof') return
    const right = node.right as { value?: string; object?: { value?: string }; property?: { value?: string } }
    if (right.value !== undefined && right.value in globalThis) found.push(right.value)
    if (right.object?.value === 'Sqlite') found.push(`Sqlite.${right.property?.value}`)
  })
  return found
}

type Node = { type: string; [field: string]: unknown }

function walk(node: unknown, visit: (node: Node) => void) {
  if (Array.isArray(node)) for (const item of node) walk(item, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node && typeof node.type === 'string') visit(node as Node)
    for (const value of Object.values(node)) walk(value, visit)
  }
}

test('errors and bytes are recognised by their properties, as instanceof fails between realms', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !ALONE.test(path))
  const found = sources.map((path) => [path, foreignClasses(readFileSync(join(ROOT, path), 'utf8'))] as const)
  expect(Object.fromEntries(found.filter(([, classes]) => classes.length > 0))).toEqual({})
  expect(sources.length).toBeGreaterThan(100)
})

test.each([
  ['error instanceof Error', ['Error']],
  ['bytes instanceof Uint8Array', ['Uint8Array']],
  ['error instanceof Sqlite.SqliteError', ['Sqlite.SqliteError']],
  ['error instanceof Problem', []],
])('%s: %j', (source, classes) => {
  expect(foreignClasses(source)).toEqual(classes)
})
