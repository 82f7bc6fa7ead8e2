import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../paths.ts'
import { type Node, visitSource } from './syntax.ts'

/** Time and randomness belong to the world; http, relay, client and the page in a browser use real networks. */
const MAY = /^src\/(world|http|relay|client|inspector\/api)\//

const CLOCKS = ['setTimeout', 'setInterval', 'setImmediate', 'performance', 'hrtime', 'uptime']
const DICE = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'randomFillSync']
const MODULES = ['timers', 'timers/promises', 'perf_hooks'].flatMap((name) => [name, `node:${name}`])
const WORDS = [...CLOCKS, ...DICE, ...MODULES, 'Date', 'random']

/** The uses of the machine's clock and of randomness in a source, as they are written there. */
function readings(source: string, tsx = false): string[] {
  const found: string[] = []
  const visit = (node: Node) => {
    if (node.type === 'Identifier' && [...CLOCKS, ...DICE].includes(nameOf(node))) found.push(nameOf(node))
    if (node.type === 'StringLiteral' && MODULES.includes(nameOf(node))) found.push(nameOf(node))
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date') found.push('new Date')
    if (node.type === 'CallExpression' && nameOf(node.callee) === 'Date') found.push('Date()')
    if (node.type === 'MemberExpression') {
      const name = `${nameOf(node.object)}.${nameOf(node.property)}`
      if (name === 'Date.now' || name === 'Math.random') found.push(name)
    }
  }
  visitSource(source, WORDS, visit, tsx)
  return [...new Set(found)]
}

const nameOf = (node: unknown): string => String((node as { value?: unknown } | undefined)?.value ?? '')

test('only the world, and code for real networks, reads the machine clock and randomness', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((path) => !MAY.test(path))
  const askers = sources.map(
    (path) => [path, readings(readFileSync(join(ROOT, path), 'utf8'), path.endsWith('.tsx'))] as const,
  )
  expect(Object.fromEntries(askers.filter(([, found]) => found.length > 0))).toEqual({})
  expect(sources.length).toBeGreaterThan(20)
})

test.each([
  ['const at = Date.now()', 'Date.now'],
  ['const at = new Date()', 'new Date'],
  ['const at = Date()', 'Date()'],
  ['globalThis.setTimeout(done, 5)', 'setTimeout'],
  ['setInterval(done, 5)', 'setInterval'],
  ['const later = setImmediate', 'setImmediate'],
  ["import { setTimeout as sleep } from 'node:timers/promises'", 'node:timers/promises'],
  ['const luck = Math.random()', 'Math.random'],
  ["import { randomUUID } from 'node:crypto'", 'randomUUID'],
  ['const id = crypto.randomUUID()', 'randomUUID'],
  ['const at = performance.now()', 'performance'],
  ['const at = process.hrtime.bigint()', 'hrtime'],
])('%s is reported', (source, reading) => {
  expect(readings(source)).toContain(reading)
})

test('comments, texts, types and fixed dates about time are not reported', () => {
  const source =
    "// Date.now() is not used\nconst text = 'new Date() and setTimeout'\nlet at: Date = given\nDate.parse(text)"
  expect(readings(source)).toEqual([])
})
