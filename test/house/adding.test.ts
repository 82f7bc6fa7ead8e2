import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage } from '../page.ts'
import { ROOT } from '../paths.ts'
import { createSandbox } from '../sandbox.ts'

/** The tests that hold every operation to the rules of the contracts. */
const TESTS = ['openapi/documents', 'openapi/summaries', 'server/answers']
/** Without Vite, which would transform the whole tree once more. */
const CONFIG = `export default { test: {
  pool: 'forks', isolate: false, maxWorkers: 1, testTimeout: 60_000, setupFiles: ['test/setup.ts', 'test/house/changed.ts'],
  experimental: { viteModuleRunner: false, nodeLoader: false }, execArgv: ['--import=./test/native.ts']
} }
`

/** The steps of ARCHITECTURE.md, in order. */
const STEP = /^<!-- (.+) (src\/\S+) -->\n```\w+\n([\s\S]*?)```$/gm
const steps = [...(await readPage('ARCHITECTURE.md')).matchAll(STEP)].map(([, what, file, text]) => ({
  what: what!,
  file: file!,
  text: text!,
}))

/** Runs a program of the tree, with the changed files in place of its own. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...process.env, CHANGED_FILES: changed } })

interface Found {
  server: unknown
  client: unknown
  command: unknown
  help: string
}

/** A folder with the files of the tree that the steps add or change. */
let changed: string
let found: {
  notes: Found & { refusal: unknown }
  latest: Found
  help: string
  groupHelp: string
  document: { tags: { name: string }[]; paths: Record<string, Record<string, { operationId: string }>> }
  docs: string
}

/** Runs the changed tree with data of the unchanged one. A copy of the tree would have to be compiled. */
beforeAll(async () => {
  changed = await mkdtemp(join(tmpdir(), 'sandbox-changed-'))
  const data = join(changed, '.sandbox')
  await (await createSandbox({ data })).stop()
  for (const { what, file, text } of steps) await apply(what, file, text)
  const hooks = ['./test/native.ts', './test/house/changed.ts'].map((file) => `--import=${file}`)
  const { stdout } = await run(...hooks, 'test/house/added.ts', data)
  found = JSON.parse(stdout)
})

afterAll(() => rm(changed, { recursive: true, force: true }))

/** The text of a file after the steps so far. */
const read = (file: string) => readFile(join(changed, file), 'utf8').catch(() => readFile(join(ROOT, file), 'utf8'))

async function write(file: string, text: string) {
  await mkdir(dirname(join(changed, file)), { recursive: true })
  await writeFile(join(changed, file), text)
}

async function apply(what: string, file: string, text: string) {
  if (what === 'file') {
    await expect(read(file)).rejects.toThrow('ENOENT')
    return write(file, text)
  }
  const before = await read(file)
  if (what === 'add to') return write(file, `${before}\n${text}`)
  if (what === 'a line of') return write(file, withEntry(before, text.trim()))
  if (what !== 'a migration of') throw new Error(`Nobody knows how to do "${what}".`)
  const schema = join(dirname(file), 'schema.ts')
  const constant = /SCHEMA_VERSION = (\d+)/
  const whole = await read(schema)
  const version = Number(constant.exec(whole)![1])
  await write(schema, whole.replace(constant, `SCHEMA_VERSION = ${version + 1}`))
  await write(file, withEntry(before, `${version}: \`${text}\``))
}

/** The last list of a file with one entry more. */
function withEntry(before: string, entry: string): string {
  const end = [...before.matchAll(/(?<!\[)\]|\n\}/g)].at(-1)!.index
  const list = before.slice(0, end).trimEnd()
  return `${list}${/[,[{]$/.test(list) ? '' : ','}\n  ${entry},\n${before.slice(end)}`
}

test('a new noun needs a folder, a registry line and a migration; a new operation needs a contract and an action', () => {
  const described = steps.map(({ what, file }) => `${what} ${file}`)
  expect(described).toEqual([
    'add to src/controls/inbox/contract.ts',
    'add to src/controls/inbox/actions.ts',
    'file src/controls/notes/contract.ts',
    'file src/controls/notes/store.ts',
    'file src/controls/notes/actions.ts',
    'file src/controls/notes/index.ts',
    'a line of src/registry/registry.ts',
    'a migration of src/world/storage/migrations.ts',
  ])
})

test('an added operation passes the tests of all operations', async () => {
  await write('vitest.config.ts', CONFIG)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const files = TESTS.map((name) => `test/${name}.test.ts`)
  const args = ['run', '--root', ROOT, '--config', join(changed, 'vitest.config.ts'), ...files]
  const failure = await run(vitest, ...args).catch((error) => error)
  expect(failure.code, failure.stdout).toBeUndefined()
})

test('the server answers a noun that was added, on data from before, and refuses what its contract does', () => {
  expect(found.notes.server).toEqual({ notes: ['one'] })
  expect(found.notes.refusal).toMatchObject({
    error: 'validation_error',
    details: [{ field: 'text' }, { field: 'txt' }],
  })
  expect(found.latest.server).toEqual({ message: null })
})

test('the client has an added operation', () => {
  expect(found.notes.client).toEqual({ notes: ['one', 'two'] })
  expect(found.latest.client).toEqual({ message: null })
})

test('the command line has an added operation, in help and as a command', () => {
  expect(found.help).toMatch(/^ {2}managing(\n {12}|.)*\bnotes\b/m)
  expect(found.groupHelp).toMatch(/^ {2}notes\n +Pin notes to a world/m)
  expect(found.notes.help).toContain('--text <text>')
  expect(found.notes.help).toContain('text of the note')
  expect(found.notes.command).toEqual({ notes: ['one', 'two', 'three'] })
  expect(found.latest.help).toContain('Show the newest message on a phone or mailbox')
  expect(found.latest.command).toEqual({ message: null })
})

test('the OpenAPI document and the tables of docs/ have an added operation', () => {
  const { tags, paths } = found.document
  expect(tags).toContainEqual({ name: 'notes', description: 'Pin notes to a world.' })
  expect(paths['/_sandbox/notes']!.post).toMatchObject({ operationId: 'notes_add', tags: ['notes'] })
  expect(paths['/_sandbox/inbox/{address}/latest']!.get).toMatchObject({
    operationId: 'inbox_latest',
    parameters: [
      { name: 'address', in: 'path', description: 'Phone number in international format, or email address.' },
    ],
  })
  expect(found.docs).toContain('### notes\n')
  expect(found.docs).toContain('| `POST /_sandbox/notes` | Pin a note to this world | `notes.add` |')
  expect(found.docs).toContain('`inbox.latest`')
})
