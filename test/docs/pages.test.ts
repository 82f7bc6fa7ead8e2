import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { problemCodes } from '../../scripts/docs/errors.ts'
import { unkeptLimits } from '../../scripts/docs/limits.ts'
import { pages, withParts } from '../../scripts/docs/pages.ts'
import { operationAt } from '../../src/client/operation-of.ts'
import { operationsOf } from '../../src/openapi/document.ts'
import { type EventName, eventNames } from '../../src/service/events/catalogue.ts'
import { eventEnvelopes } from '../../src/service/events/envelope.contract.ts'
import { problemsOf } from '../../src/words/operation.ts'
import { ROOT } from '../paths.ts'

const page = (name: string) => readFileSync(`${ROOT}docs/${name}`, 'utf8')
const everyOperation = () => [...operationsOf('service'), ...operationsOf('control')].map(({ operation }) => operation)

test.each(pages())('docs/$name is up to date (npm run docs writes it)', ({ file, text }) => {
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the table of errors has every code, and no other', () => {
  const rows = [...page('errors.md').matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map((match) => match[1]!)
  expect(rows.toSorted()).toEqual(problemCodes.toSorted())
})

test('every code is thrown somewhere, and no code is thrown that does not exist', () => {
  const sources = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !/(contract|words\/(problem|operation)|openapi\/problems)\.ts$/.test(path),
  )
  const text = sources.map((path) => readFileSync(`${ROOT}${path}`, 'utf8')).join('\n')
  const codes = new Set([...text.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]!))
  expect(problemCodes.filter((code) => !codes.has(code))).toEqual([])
})

test('every code is one that some operation answers, or that any call can meet', () => {
  const documented = new Set(everyOperation().flatMap((operation) => [...problemsOf(operation)]))
  // No operation has the method that this one speaks of.
  expect(problemCodes.filter((code) => !documented.has(code))).toEqual(['method_not_allowed'])
})

test('the list of events has every name with an example that its schema accepts', () => {
  const examples = [...page('events.md').matchAll(/^### ([\w.]+)\n[\s\S]*?```json\n([\s\S]*?)```/gm)]
  expect(examples.map((match) => match[1])).toEqual(eventNames)
  for (const [, name, text] of examples) {
    const event = JSON.parse(text!)
    expect(event.event).toBe(name)
    expect(eventEnvelopes[name as EventName].safeParse(event).error).toBeUndefined()
  }
})

test('the list of calls has every operation', () => {
  const rows = [...page('api.md').matchAll(/^\| `([A-Z]+) (\S+)` \|/gm)].map((match) => `${match[1]} ${match[2]}`)
  const calls = everyOperation().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(rows.toSorted()).toEqual(calls.toSorted())
})

test('every call that a page names exists', () => {
  const probes = ['/_sandbox/live', '/_sandbox/ready']
  const calls = ['README.md', ...globSync('{docs,fixtures}/**/*.md', { cwd: ROOT })].flatMap((file) =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`?]*)/g)].map(
      ([, method, path]) => ({ file, method: method!, path: path!.replace(/^\/ns\/[^/]+/, '') }),
    ),
  )
  expect(calls.length).toBeGreaterThan(300)
  expect(calls.filter(({ method, path }) => !(probes.includes(path) || operationAt(method, path)))).toEqual([])
})

test('every limit that the table omits is a limit of the schemas', () => {
  expect(unkeptLimits()).toEqual([])
})

test('the page of choices names every call, field and event that was chosen', () => {
  const text = page('choices.md')
  for (const { choice, section, method, path } of everyOperation())
    if (choice && section !== undefined) expect(text).toContain(`\`${method.toUpperCase()} ${path}\``)
  expect(text).toMatch(/^\| Message \| .*`direction`.*`cost`/m)
})

test('handwritten text around generated parts is kept', () => {
  const before = 'Above\n<!-- generated: a -->\nold\n<!-- end of a -->\nBelow\n'
  expect(withParts(before, { a: () => 'new $1' })).toBe(
    'Above\n<!-- generated: a -->\n\nnew $1\n\n<!-- end of a -->\nBelow\n',
  )
  expect(() => withParts(before, { b: () => '' })).toThrow('no markers for the generated part "b"')
})

test('docs/api.md lists a reused idempotency key for every call that takes one', () => {
  const taking = everyOperation().filter(({ idempotency }) => idempotency)
  const rows = page('api.md').split('\n')
  const lists = (id: string) =>
    rows.some((row) => row.includes(`| \`${id}\` |`) && row.includes('`idempotency_key_reused`'))
  expect(taking.length).toBeGreaterThan(2)
  expect(taking.filter(({ id }) => !lists(id)).map(({ id }) => id)).toEqual([])
})

test('docs/cli.md shows for each command an example of itself', () => {
  const rows = [...page('cli.md').matchAll(/^### `sandbox ([a-z -]+?)(?: [<[].*)?`\n\n.*: `sandbox (.*)`$/gm)]
  expect(rows.length).toBeGreaterThan(100)
  const ofOthers = rows.filter(([, command, example]) => {
    const short = command!.split(' ').at(-1)! // messages explain: sandbox explain
    return !example!.startsWith(command!) && !example!.startsWith(short)
  })
  expect(ofOthers.map(([, command]) => command)).toEqual([])
})
