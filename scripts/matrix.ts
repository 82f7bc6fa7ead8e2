import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pack } from './pack.ts'

/**
 * Installs the packed package beside each version of each runner that it supports, with npm and without
 * --legacy-peer-deps, runs a story of two tests, and checks the types of Vitest. Needs the npm registry:
 *
 *   node scripts/matrix.ts [filter …]
 */
const PASSES = `
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920001',
    message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } })
  await sandbox.clock.advance('1h')
  await expect(message_id).toHaveBeenDelivered()
  await expect(receiver).toHaveReceived('message.delivered', { message_id })`
const FAILS = `
  await sandbox.client.messages.send({ to: '12' }).catch(() => {})
  await expect(undefined).toHaveBeenDelivered()`

const fixtures = (body: string) => `async ({ sandbox, receiver }) => {${body}\n}`
const wrapped = (body: string) => `withSandbox(async ({ sandbox, receiver }) => {${body}\n})`
const story = (wrap: (body: string) => string) => `test('passes', ${wrap(PASSES)})\ntest('fails', ${wrap(FAILS)})\n`
/** The matchers of node:test are functions. */
const asserted = (source: string) =>
  source
    .replace(/expect\((\w+)\)\.toHaveBeenDelivered\(\)/g, 'assertDelivered($1)')
    .replace(/expect\((\w+)\)\.toHaveReceived\(/g, 'assertReceived($1, ')
const NODE_TEST = "import { assertDelivered, assertReceived, withSandbox } from 'messaging-sandbox/node-test'\n"

const TYPES = `import { expect, test } from 'messaging-sandbox/vitest'
test('types', async ({ receiver, phone }) => {
  await expect(receiver).toHaveReceived('message.delivered', { message_id: 'x' })
  await expect(phone).not.toHaveReceived('message.read')
  await expect('msg_1').toHaveBeenDelivered()
  // @ts-expect-error a misspelled event
  await expect(receiver).toHaveReceived('message.deliverd')
  // @ts-expect-error a misspelled field
  await expect(receiver).toHaveReceived('message.delivered', { mesage_id: 'x' })
})
`
const TSC = [
  'npx',
  'tsc',
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--lib',
  'es2023,dom,esnext.disposable',
  '--types',
  'node',
  'types.test-d.ts',
]

interface Version {
  packages: string[]
  files: Record<string, string>
  run: string[]
  check?: string[]
}

const vitest = (version: string): Version => ({
  packages: [`vitest@${version}`, 'typescript@5.9', '@types/node@24'],
  files: {
    'story.test.ts': `import { expect, test } from 'messaging-sandbox/vitest'\n${story(fixtures)}`,
    'types.test-d.ts': TYPES,
  },
  run: ['npx', 'vitest', 'run'],
  check: TSC,
})
const jest = (version: string): Version => ({
  packages: [`jest@${version}`],
  files: {
    'story.test.cjs': `const { expect, test } = require('@jest/globals')
const { withSandbox } = require('messaging-sandbox/jest')\n${story(wrapped)}`,
    'jest.config.cjs': 'module.exports = { testMatch: ["**/*.test.cjs"], transform: {} }',
  },
  run: ['npx', 'jest'],
})
const playwright = (version: string): Version => ({
  packages: [`@playwright/test@${version}`],
  files: { 'story.spec.ts': `import { expect, test } from 'messaging-sandbox/playwright'\n${story(fixtures)}` },
  run: ['npx', 'playwright', 'test', '--reporter=line'],
})
const inNodeTest = (head: string) => head + NODE_TEST + asserted(story(wrapped))

const VERSIONS: Record<string, Version> = {
  'vitest 3.2': vitest('3.2'),
  'vitest 4': vitest('4'),
  'vitest 5': vitest('5'),
  'jest 28': jest('28'),
  'jest 29': jest('29'),
  'jest 30': jest('30'),
  'playwright 1.45': playwright('1.45'),
  'playwright 1.65': playwright('1.65'),
  'node:test': {
    packages: [],
    files: { 'story.test.mjs': inNodeTest("import { test } from 'node:test'\n") },
    run: ['node', '--test', '--test-reporter=spec'],
  },
  mocha: {
    packages: ['mocha@12'],
    files: { 'test/story.mjs': inNodeTest("import { it as test } from 'mocha'\n") },
    run: ['npx', 'mocha'],
  },
  bun: {
    packages: ['bun@1'],
    files: { 'story.test.js': inNodeTest("import { test } from 'bun:test'\n") },
    run: ['npx', 'bun', 'test'],
  },
  deno: {
    packages: ['deno@2'],
    files: { 'story.test.mjs': inNodeTest("import { test } from 'node:test'\n") },
    run: ['npx', 'deno', 'test', '--allow-all', '--no-check', 'story.test.mjs'],
  },
}

interface Ended {
  code: number | null
  output: string
}

function run(cwd: string, [program, ...args]: string[]): Ended {
  const env = { ...process.env, NO_COLOR: '1', CI: '' }
  const { status, stdout, stderr } = spawnSync(program!, args, { cwd, env, encoding: 'utf8', timeout: 300_000 })
  return { code: status, output: stdout + stderr }
}

/** What is wrong with a version; undefined if it does what it should. */
function faultOf(home: string, tarball: string, { packages, files, run: command, check }: Version): string | undefined {
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  const install = run(home, ['npm', 'install', '--save-dev', '--no-audit', '--no-fund', tarball, ...packages])
  if (install.code !== 0) return `npm install failed\n${install.output}`
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  const tests = run(home, command)
  const expected = [
    /\b1 pass(ed|ing)?\b|pass 1\b/,
    /\b1 fail(ed|ing)?\b|fail 1\b/,
    /Refused in this world/,
    /sandbox-failures\//,
  ]
  const missing = expected.filter((it) => !it.test(tests.output))
  if (missing.length > 0) return `${missing.join(', ')} is missing\n${tests.output}`
  const types = check && run(home, check)
  return types && types.code !== 0 ? `the types are wrong\n${types.output}` : undefined
}

const filters = process.argv.slice(2)
const built = run('.', ['node', 'scripts/build.ts'])
if (built.code !== 0) throw new Error(built.output)
const top = mkdtempSync(join(tmpdir(), 'sandbox-matrix-'))
try {
  const tarball = join(top, pack(top).filename)
  for (const [name, version] of Object.entries(VERSIONS)) {
    if (filters.length > 0 && !filters.some((filter) => name.includes(filter))) continue
    const home = join(top, name.replace(/\W/g, '-'))
    mkdirSync(home)
    const fault = faultOf(home, tarball, version)
    process.stdout.write(fault === undefined ? `✓ ${name}\n` : `✗ ${name}: ${fault.slice(0, 3_000)}\n`)
    if (fault !== undefined) process.exitCode = 1
  }
} finally {
  rmSync(top, { recursive: true, force: true, maxRetries: 5 })
}
