import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import config from '../../.dependency-cruiser.ts'

const MANIFEST = {
  type: 'module',
  devDependencies: { 'better-sqlite3': '*', chalk: '*', express: '*', zod: '*', 'fast-check': '*', vitest: '*' },
}

/** One file for each rule, so that a rule which no longer refuses anything is noticed. */
const HOUSE: [path: string, source: string, breaks?: string][] = [
  ['src/index.ts', "import './server/app.ts'\nimport './service/contacts/actions.ts'\nimport './world/world.ts'"],
  ['src/server/app.ts', "import express from 'express'\nimport '../service/contacts/contract.ts'"],
  ['src/world/world.ts', "import Sqlite from 'better-sqlite3'\nimport '../words/money.ts'"],
  ['src/words/money.ts', "import { z } from 'zod'"],
  ['src/service/contacts/contract.ts', "import '../../words/money.ts'"],
  ['src/service/contacts/store.ts', 'export interface Row { id: string }'],
  ['src/service/contacts/rules.ts', "import type { Row } from './store.ts'\nimport '../../words/money.ts'"],
  ['src/service/contacts/actions.ts', "import './store.ts'\nimport './rules.ts'"],
  [
    'src/cli/main.ts',
    "import chalk from 'chalk'\nimport './commands/start/run.ts'\nimport '../service/contacts/contract.ts'",
  ],
  ['src/cli/commands/start/run.ts', "import '../../../server/app.ts'"],

  ['src/words/clock.ts', "import { readFile } from 'node:fs/promises'", 'a-word-is-pure'],
  ['src/words/up.ts', "import type { World } from '../world/world.ts'", 'words-knows-what-is-below'],
  ['src/world/seed.ts', "import '../service/contacts/contract.ts'", 'world-knows-what-is-below'],
  ['src/http/exchange.ts', "import type { Row } from '../service/contacts/store.ts'", 'http-knows-what-is-below'],
  ['src/waiting/until.ts', "import '../cli/main.ts'", 'waiting-knows-what-is-below'],
  ['src/network/queue.ts', "import type { Row } from '../service/contacts/store.ts'", 'network-knows-what-is-below'],
  [
    'src/service/campaigns/worker.ts',
    "import type { Fault } from '../../controls/faults.ts'",
    'service-knows-what-is-below',
  ],
  ['src/controls/faults.ts', "import '../client/call.ts'", 'controls-knows-what-is-below'],
  ['src/client/call.ts', "import '../server/app.ts'", 'client-knows-what-is-below'],
  ['src/server/banner.ts', "import '../client/call.ts'", 'server-knows-what-is-below'],
  ['src/receiving/index.ts', "import '../client/call.ts'", 'receiving-knows-what-is-below'],
  ['src/registry/routes.ts', 'export const routes = []'],
  ['src/display/lint.ts', "import '../cli/main.ts'", 'display-knows-what-is-below'],
  ['src/registry/nouns.ts', "import '../openapi/document.ts'", 'registry-knows-what-is-below'],
  ['src/openapi/document.ts', "import '../server/app.ts'", 'openapi-knows-what-is-below'],
  ['src/relay/relay.ts', "import '../library/sandbox.ts'", 'relay-knows-what-is-below'],
  ['src/inspector/page.tsx', "import '../relay/relay.ts'", 'inspector-knows-what-is-below'],
  ['src/inspector/list.tsx', "import '../service/messages/actions.ts'", 'the-inspector-runs-in-a-browser'],
  ['src/evidence/save.ts', "import '../library/sandbox.ts'", 'evidence-knows-what-is-below'],
  ['src/library/sandbox.ts', "import '../cli/main.ts'", 'library-knows-what-is-below'],
  ['src/runners/suite.ts', "import '../cli/main.ts'", 'runners-knows-what-is-below'],
  ['src/runners/matchers.ts', "import 'vitest'", 'a-runner-in-its-face'],
  ['src/scenarios/run.ts', "import '../cli/main.ts'", 'scenarios-knows-what-is-below'],
  ['src/handlers/post.ts', "import '../cli/main.ts'", 'handlers-knows-what-is-below'],
  ['src/cli/whole.ts', "import '../index.ts'", 'cli-knows-what-is-below'],
  ['src/service/agents/contract.ts', "import './fields.ts'", 'contracts-reach-words-only'],
  ['src/service/agents/fields.ts', "import '../../world/world.ts'"],
  ['src/service/agents/rules.ts', "import type { World } from '../../world/world.ts'", 'states-and-rules-are-pure'],
  ['src/service/agents/states.ts', "import { hash } from 'node:crypto'", 'states-and-rules-are-pure'],
  ['src/service/agents/launch.rules.ts', "import '../../world/world.ts'", 'states-and-rules-are-pure'],
  ['src/service/billing/store.ts', 'export const one = 1'],
  ['src/service/billing/execution.store.ts', 'export const two = 2'],
  ['src/service/billing/rules.ts', "import { one } from './store.ts'", 'of-a-store-rules-know-the-types'],
  ['src/service/messages/actions.ts', "import type { Row } from '../contacts/store.ts'", 'a-store-is-private'],
  ['src/service/messages/answer.ts', "import '../billing/execution.store.ts'", 'a-store-is-private'],
  ['src/service/messages/seed.ts', "import type Sqlite from 'better-sqlite3'", 'sqlite-in-stores-and-world'],
  ['src/service/messages/index.ts', "import type { Request } from 'express'", 'express-in-the-server'],
  ['src/world/storage/database.ts', "import pg from 'pg'", 'postgres-in-the-cluster'],
  ['src/server/colours.ts', "import chalk from 'chalk'", 'the-terminal-in-the-cli'],
  ['src/relay/forward.ts', "import '../service/contacts/actions.ts'", 'the-cli-speaks-http'],
  ['src/cli/commands/exec/run.ts', "import '../../../world/world.ts'", 'start-knows-the-server-only'],
  ['src/openapi/operations.ts', "import '../service/contacts/actions.ts'", 'documents-know-contracts'],
  ['src/world/time/clock.ts', 'export class Clock {}'],
  [
    'src/network/rules/consult.rules.ts',
    "import { Clock } from '../../world/time/clock.ts'",
    'states-and-rules-are-pure',
  ],
  ['src/network/carriers/presets.ts', "import '../../world/time/clock.ts'", 'states-and-rules-are-pure'],
  ['src/notes/notes.ts', "import '../words/money.ts'", 'every-folder-is-a-layer'],
  ['src/network/phones/actions.ts', "import '../post/rules.ts'", 'no-folder-circle'],
  ['src/network/phones/rules.ts', 'export {}'],
  ['src/network/post/actions.ts', "import '../phones/rules.ts'", 'no-folder-circle'],
  ['src/network/post/rules.ts', 'export {}'],
  ['src/network/one.ts', "import './two.ts'", 'no-circle'],
  ['src/network/two.ts', "import './one.ts'"],
  ['src/network/five.ts', "import type { Six } from './six.ts'\nexport type Five = Six", 'no-file-circle'],
  ['src/network/six.ts', "import type { Five } from './five.ts'\nexport type Six = Five"],
  ['src/service/alone.ts', 'export {}', 'no-orphan'],
  ['src/service/flow.ts', "import './gone.ts'", 'no-unresolvable'],
  ['src/service/check.ts', "import 'fast-check'", 'only-bundled-packages'],
]

let folder: string
let result: ICruiseResult

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'house-'))
  const root = fileURLToPath(new URL('../../', import.meta.url))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), JSON.stringify(MANIFEST))
  for (const [path, source] of HOUSE) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), source)
  }
  const { forbidden, options } = config
  const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden }, validate: true, baseDir: folder })
  result = output as ICruiseResult
})

afterAll(() => rm(folder, { recursive: true }))

const broken = () => result.summary.violations.map(({ rule, from }) => `${from}: ${rule.name}`)

const violations = HOUSE.flatMap(([path, source, breaks]) => (breaks ? [{ path, source, breaks }] : []))
const lawful = HOUSE.slice(0, 10).map(([path]) => path)

test.each(violations)('$breaks: $path may not say $source', ({ path, breaks }) => {
  // A circle of folders is reported with the folder.
  const where = breaks === 'no-folder-circle' ? dirname(path) : path

  expect(broken()).toContain(`${where}: ${breaks}`)
})

test.each(lawful)('%s keeps every rule', (path) => {
  expect(broken().filter((line) => line.startsWith(`${path}:`))).toEqual([])
})

test('every rule is broken by some file above', () => {
  const proven = new Set(violations.map(({ breaks }) => breaks))
  expect(config.forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([])
})
