import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { VERSION } from '../../src/words/version.ts'
import { pack } from '../pack.ts'
import { answerOf } from './command.ts'
import { tellStory } from './story.ts'

/** The versions of `engines`, each from the registry package `node`. */
const NODES = ['22', '24', '26']
/**
 * A larger package fails the check, so that growth is decided and not overlooked. It contains documented types for ES modules
 * and for CommonJS, 2 MB for the pages at /docs, images of the supplied worlds, an entry for each of four
 * test runners, 2.6 MB for a copy of the library that bundlers can follow, and 17 MB for SQLite on eight platforms.
 */
const BUDGET = { tarballKb: 13_300, unpackedKb: 34_000 }

const CONSUMERS = {
  'consumer.mts': `import { createSandbox, type Sandbox, type SandboxEvent, type SandboxOptions } from 'messaging-sandbox'`,
  'consumer.cts': `import { createSandbox, type Sandbox, type SandboxEvent, type SandboxOptions } from 'messaging-sandbox'`,
}

/** A program for both module systems: the client is fully typed without zod being installed. */
const USE = `
const options: SandboxOptions = { clock: 'frozen' }
export async function use(): Promise<string> {
  const sandbox: Sandbox = await createSandbox(options)
  const { message_id } = await sandbox.client.messages.send({ to: '+491713920000', content: { text: 'Hi' } })
  const { status } = await sandbox.client.messages.get(message_id)
  // @ts-expect-error there is no such field
  await sandbox.client.messages.send({ too: '+491713920000' })
  await sandbox.client.webhooks.create({ url: 'http://localhost:3000', events: ['message.*', 'email.bounced'] })
  // @ts-expect-error there is no such event
  await sandbox.client.webhooks.create({ url: 'http://localhost:3000', events: ['message.deliverd'] })
  await sandbox.stop()
  const known: 'queued' | 'read' | string = status
  return known
}
export const toldBy = (event: SandboxEvent): string =>
  event.event === 'message.failed' ? event.data.failure_reason : event.id
`

/** Packs the package and installs it as users do: into an empty folder, then from the lockfile. */
export async function smokePackage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'))
  try {
    const tarball = measured(folder)
    inspect(tarball)
    const home = await install(folder, tarball)
    await compile(home)
    await compileSuites(home)
    await Promise.all(NODES.map((version) => withNode(folder, home, version)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measured(folder: string): string {
  const packed = pack(folder)
  const [tarballKb, unpackedKb] = [packed.size / 1e3, packed.unpackedSize / 1e3].map(Math.round) as [number, number]
  console.log(`package: ${tarballKb} kB, ${unpackedKb} kB unpacked`)
  assert.ok(tarballKb <= BUDGET.tarballKb, `The tarball is larger than its budget of ${BUDGET.tarballKb} kB.`)
  assert.ok(unpackedKb <= BUDGET.unpackedKb, `The package is larger than its budget of ${BUDGET.unpackedKb} kB.`)
  return join(folder, packed.filename)
}

/** Checks exports and types as Node and the compiler look them up. */
function inspect(tarball: string) {
  for (const [tool, ...args] of [
    ['publint', 'run', '--strict', tarball],
    ['attw', tarball],
  ] as const)
    execFileSync(process.execPath, [binOf(tool), ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  console.log('package: publint and attw find nothing')
}

async function install(folder: string, tarball: string): Promise<string> {
  const home = join(folder, 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  await npm(home, 'install', tarball)
  await npm(home, 'ci')
  return home
}

/** The oldest compiler that our types support. */
const OLDEST_TYPESCRIPT = '5.2'

/** Compiles without skipLibCheck, so that the contained types are checked too, and without the types of Node. */
async function compile(home: string) {
  for (const [name, text] of Object.entries(CONSUMERS)) writeFileSync(join(home, name), text + USE)
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(CONSUMERS) }))
  await npm(home, 'install', '--no-save', `typescript@${OLDEST_TYPESCRIPT}`)
  for (const folder of ['.', home])
    execFileSync(process.execPath, [resolve(folder, 'node_modules/typescript/bin/tsc'), '-p', home], {
      stdio: 'inherit',
    })
  console.log(`package: its types compile from ES modules and from CommonJS, with TypeScript ${OLDEST_TYPESCRIPT} too`)
}

/** A test for each runner; functions for a runner without `expect`. */
const SAYS = `
  // @ts-expect-error there is no such event
  await expect(receiver).toHaveReceived('message.deliverd')
  // @ts-expect-error there is no such field
  await expect(receiver).toHaveReceived('message.delivered', { mesage_id: sandbox.apiKey })
  await expect(receiver).toHaveReceived('message.delivered', { to: '+491713920000' })
  await expect('msg_1').toHaveBeenDelivered()
  await expect('msg_1').not.toHaveStatus('read', sandbox)
  // @ts-expect-error there is no such status
  await expect('msg_1').toHaveStatus('deliverd')
  expect(receiver.deliveries[0]).toBeSignedWith(receiver.secret)
`
/** What teams share between test files. */
const SHARES = `
export const own = sandboxTest({ clock: 'auto' })
export const more = test.extend<{ app: string }>({ app: async ({ sandbox }, use) => use(sandbox.url) })
`
const SUITES: Record<string, string> = {
  'client.ts': `import { createClient, createSandbox, explore } from 'messaging-sandbox'
const client = createClient({ baseUrl: 'http://localhost:7270' })
export const send = (to: string) => client.messages.send({ to })
export const rules = async () => (await createSandbox()).rules
export const search = () => explore({ handler: 'http://localhost', truth: () => ({}) })`,
  'vitest.ts': `import { expect } from 'vitest'
import { sandboxTest, test } from 'messaging-sandbox/vitest'
${SHARES}
test('types', async ({ sandbox, receiver }) => {${SAYS}})`,
  'playwright.ts': `import { expect, sandboxTest, test } from 'messaging-sandbox/playwright'
${SHARES}
test('types', async ({ sandbox, receiver, page }) => {${SAYS}
  await page.goto(sandbox.url)
})`,
  'jest.ts': `import { expect, test } from '@jest/globals'
import { withSandbox } from 'messaging-sandbox/jest'
test('types', withSandbox(async ({ sandbox, receiver }) => {${SAYS}}))
test.each([1, 2])('rows', withSandbox({ clock: 'auto' }, async ({ sandbox }, n: number) => void sandbox.as(String(n))))`,
  'handlers.ts': `import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sandbox } from 'messaging-sandbox'
export async function handlers(sandbox: Sandbox) {
  await sandbox.receiver({ handler: (req: IncomingMessage, res: ServerResponse) => void res.end(req.url) })
  await sandbox.receiver({ handler: async (request: Request) => new Response(request.url) })
  await sandbox.waitFor('conversation.started', { user_message: { text: 'STOP' } }, { within: undefined })
  await sandbox.handset('+491713920000').reply('STOP', { agent_id: undefined })
  // @ts-expect-error a webhook is no text
  await sandbox.receiver({ handler: (text: string) => text })
}`,
  'options.ts': optionsMayBeUndefined(),
  'node-test.ts': `import { test } from 'node:test'
import { assertReceived, withSandbox } from 'messaging-sandbox/node-test'
test('types', withSandbox(async ({ receiver }, t) => {
  // @ts-expect-error there is no such event
  await assertReceived(receiver, 'message.deliverd')
  t.diagnostic(receiver.url)
}))`,
}

/** Users whose compiler tells a missing field from an undefined one pass settings on that may be undefined. */
function optionsMayBeUndefined(): string {
  const exported = ['src/index.ts', 'src/library/index.ts', 'src/client/index.ts'].map((file) =>
    readFileSync(file, 'utf8'),
  )
  const names = exported.join().match(/\b[A-Z]\w*(Options|Answers)\b/g)!
  const types = [
    ...[...new Set(names)].map((name) => `import('messaging-sandbox').${name}`),
    "import('messaging-sandbox/vitest').SuiteOptions",
  ]
  return `
type OptionalField<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? K : never }[keyof T]
type NeverUndefined<T> = {
  [K in OptionalField<T>]-?: undefined extends Required<Pick<T, K>>[K] ? never : K
}[OptionalField<T>]
type None<Field extends never> = Field
${types.map((type, i) => `export type Of${i} = None<NeverUndefined<${type}>>`).join('\n')}
`
}

/** Compiles with no more than an import of each runner's face, and with declarations, for which all types need a public name. */
async function compileSuites(home: string) {
  await npm(
    home,
    'install',
    '--no-save',
    '--ignore-scripts',
    'vitest',
    '@jest/globals',
    '@playwright/test',
    '@types/node',
  )
  for (const [name, text] of Object.entries(SUITES)) writeFileSync(join(home, name), text)
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
    ...{ declaration: true, emitDeclarationOnly: true, outDir: 'declarations' },
    ...{ module: 'nodenext', target: 'es2022', types: ['node'] },
  }
  const config = { compilerOptions, files: Object.keys(SUITES) }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(config))
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', home], { stdio: 'inherit' })
  console.log('package: a suite of each runner compiles')
}

async function withNode(folder: string, home: string, version: string) {
  const place = join(folder, `node-${version}`)
  mkdirSync(place)
  await npm(place, 'install', '--no-save', `node@${version}`)
  const node = join(place, 'node_modules/node/bin/node')
  const library = "require('messaging-sandbox').createSandbox().then((it) => it.stop()); import('messaging-sandbox')"
  execFileSync(node, ['-e', library], { cwd: home, stdio: 'inherit' })
  const work = join(folder, `work-${version}`)
  mkdirSync(work)
  const bin = join(home, 'node_modules/.bin/sandbox')
  // npx runs the bin by its link, whose first line looks for node on the PATH.
  const env = {
    PATH: `${join(place, 'node_modules/node/bin')}:${process.env.PATH}`,
    HOME: join(folder, `user-${version}`),
  }
  const sandbox = { words: [bin] as const, env, cwd: work }
  assert.match(String(await answerOf(sandbox, '--version')), new RegExp(` node v${version}\\.`))
  await tellStory(sandbox, VERSION)
  console.log(`package: ok on Node ${version}`)
}

const run = promisify(execFile)

const npm = async (cwd: string, ...args: string[]): Promise<string> =>
  (await run('npm', [...args, '--no-audit', '--no-fund', '--silent'], { cwd })).stdout

function binOf(name: 'publint' | 'attw'): string {
  const folder = { publint: 'publint', attw: '@arethetypeswrong/cli' }[name]
  const root = fileURLToPath(new URL(`../../node_modules/${folder}/`, import.meta.url))
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin: Record<string, string> | string
  }
  return join(root, typeof bin === 'string' ? bin : bin[name]!)
}
