import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import type { Plugin } from 'esbuild'
import { abouts } from '../../src/cli/generate/abouts.ts'
import { bodyExamples, forms } from '../../src/cli/generate/forms.ts'
import { withProgramName } from '../../src/cli/generate/with-program-name.ts'
import { PROGRAM } from '../../src/cli/help/first-page.ts'
import { rootPage } from '../../src/cli/help/pages.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Run } from '../../src/cli/session/session.ts'
import { answerShapes } from '../../src/client/answer-shapes.ts'
import type { OperationInfo } from '../../src/client/call.ts'
import { operations } from '../../src/client/operations.ts'
import { targets } from '../../src/server/targets.ts'
import { EVENT_NAMES } from '../../src/service/events/subscriptions.ts'
import { VERSION } from '../../src/words/version.ts'

/**
 * Exports that sources compute when they run, and the build computes beforehand as plain values. A map stands for an object
 * whose fields are read one by one: a process needs few of them, and parses no other.
 */
const values: Record<string, () => Record<string, unknown> | Promise<Record<string, unknown>>> = {
  'cli/help/first-page.ts': async () => ({ PROGRAM, FIRST_PAGE: await firstPage() }),
  'client/answer-shapes.ts': () => ({ answerShapes: new Map(Object.entries(answerShapes)) }),
  'client/operations.ts': () => ({ operations: withoutSchemas() }),
  'cli/generate/forms.ts': () => ({
    forms: new Map(Object.entries(forms)),
    bodyExamples: new Map(Object.entries(bodyExamples)),
  }),
  'cli/generate/abouts.ts': () => ({ abouts }),
  'server/targets.ts': () => ({ targets }),
  'service/events/subscriptions.ts': () => ({ EVENT_NAMES }),
  'words/version.ts': () => ({ VERSION, BUILD: { commit: commit(), sqlite: sqliteVersion() } }),
}

export function baked(): Plugin {
  const modules = new Map(
    Object.entries(values).map(([path, value]) => [
      fileURLToPath(new URL(`../../src/${path}`, import.meta.url)),
      value,
    ]),
  )
  return {
    name: 'baked',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const value = modules.get(path)
        return value && { contents: exported(await value()), loader: 'js' }
      })
    },
  }
}

/** Writes values as JSON text, which JSON.parse reads faster than the compiler reads code. */
const exported = (value: Record<string, unknown>) =>
  Object.entries(value)
    .map(([name, it]) => `export const ${name} = ${it instanceof Map ? eachParsedOnUse(it) : parsed(it)}`)
    .join('\n')

const parsed = (value: unknown) => `/* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))})`

const eachParsedOnUse = (fields: ReadonlyMap<string, unknown>) =>
  `/* @__PURE__ */ ((texts, values) => new Proxy(texts, {
    get: (_, id) => (values[id] ??= texts[id] && JSON.parse(texts[id])),
  }))(${JSON.stringify(Object.fromEntries([...fields].map(([id, it]) => [id, JSON.stringify(it)])))}, { __proto__: null })`

const firstPage = async () => withProgramName(rootPage(await createProgram([], {} as Run)), PROGRAM)

/** Replaces schemas by a mark that they exist. */
const withoutSchemas = () => mapValues(operations, (verbs) => mapValues(verbs, (operation) => withoutSchema(operation)))

function withoutSchema(operation: OperationInfo): OperationInfo {
  const {
    id,
    section,
    summary,
    details,
    method,
    path,
    bodyOptional,
    idempotency,
    accepts,
    media,
    destroys,
    body,
    query,
  } = operation
  const all: { [Field in keyof Required<OperationInfo>]: unknown } = {
    ...{ id, section, summary, details, method, path, bodyOptional, idempotency, accepts, media, destroys },
    ...{ body: body && true, query: query && true },
  }
  return all as OperationInfo
}

const mapValues = <V, W>(object: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))

/** Returns `1a2b3c4`, with `-dirty` where the tree differs; nothing in a source archive without history. */
function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=7', '--exclude=*'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}

function sqliteVersion(): string {
  const db = new Sqlite(':memory:')
  try {
    return db.prepare('SELECT sqlite_version()').pluck().get() as string
  } finally {
    db.close()
  }
}
