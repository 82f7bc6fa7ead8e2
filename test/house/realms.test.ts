import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../paths.ts'
import { visitSource } from './syntax.ts'

/** The command line runs in a process of its own; all else may be read in by a test runner, into a realm for each test file. */
const ALONE = /^src\/cli\//

/** Objects of Node and SQLite belong to the main realm, and are no instances of the same classes in another one. */
function foreignClasses(source: string): string[] {
  const found: string[] = []
  visitSource(source, ['instanceof'], (node) => {
    if (node.type !== 'BinaryExpression' || node.operator !== 'instanceof') return
    const right = node.right as { value?: string; object?: { value?: string }; property?: { value?: string } }
    if (right.value !== undefined && right.value in globalThis) found.push(right.value)
    if (right.object?.value === 'Sqlite') found.push(`Sqlite.${right.property?.value}`)
  })
  return found
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
