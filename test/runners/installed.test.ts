import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { installedPackage, runNode, runShellIn } from '../installed.ts'
import { readPage, shellBlocks } from '../page.ts'

const SHOP = fileURLToPath(new URL('../../fixtures/examples/shop', import.meta.url))

const SEND = `
  const { message_id } = await sandbox.client.messages.send({
    agent_id: 'ag_live_00000000-0000-4000-8000-000000000001', to: '+491713920001',
    message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } })
  await sandbox.clock.advance('1h')`

/** A passing test, a failing one, and one that exceeds its time limit, for each runner. */
const matched = (wrap: (body: string) => string) => `
test('arrives', ${wrap(`{${SEND}
  await sandbox.faults.add({ routes: ['messages.get'], status: 503, times: 1 })
  await expect(message_id).toHaveBeenDelivered()
  if ((await sandbox.faults.list()).faults[0].hits > 0) throw new Error('The matcher has met the fault.')
  await expect(receiver).toHaveReceived('message.delivered', { message_id })
  expect(receiver.deliveries[0]).toBeSignedWith(receiver.secret)
}`)})
test('is read', ${wrap(`{${SEND}
  await expect(receiver).toHaveReceived('message.read', { message_id })
}`)})
test('forgets a check', ${wrap(`{${SEND.replace("await sandbox.clock.advance('1h')", '')}
  expect(message_id).toHaveBeenDelivered()
}`)})
test('forgets the clock', ${wrap(`{${SEND.replace('await sandbox.clock', 'sandbox.clock')}
  await expect(message_id).toHaveBeenDelivered()
}`)})
test('is refused', ${wrap(`{
  await sandbox.clock.advance('5 minutes')
}`)})
test('comes after them', ${wrap(`{${SEND}
  await expect(message_id).toHaveBeenDelivered()
}`)})
`
/** A check that has failed when its test ends, and one that has passed. Playwright does not give its own promises to the kit. */
const endedEarlier = (wrap: (body: string) => string) => `
test('forgets what fails', ${wrap(`{${SEND}
  expect(message_id).toHaveStatus('failed')
  await new Promise((done) => setTimeout(done, 700))
}`)})
test('forgets what passes', ${wrap(`{${SEND}
  expect(message_id).toHaveBeenDelivered()
  await new Promise((done) => setTimeout(done, 700))
}`)})
`
/** A check whose promise is used counts as awaited, and the package adds nothing to the assertions of a test. */
const awaited = (wrap: (body: string) => string, more = '') => `
test('counts its assertions', ${wrap(`{
  expect.assertions(1)${SEND}
  await expect(message_id).toHaveBeenDelivered()
}`)})
test('awaits in every way', ${wrap(`{${SEND}
  const passes = () => expect(message_id).toHaveBeenDelivered()
  const fails = () => expect(message_id).toHaveStatus('failed')
  const soon = () => new Promise((done) => setTimeout(done, 300))
  await Promise.all([passes(), passes()])
  await Promise.race([passes(), soon().then(soon)])
  await Promise.allSettled([passes(), fails()])
  await passes().then(() => {}).finally(() => {})
  await new Promise((done) => passes().then(done))
  // As compilers write await in a generator.
  await new Promise((done, failed) => passes().then((value) => done(value), failed))
  await expect(fails()).rejects.toThrow('is delivered')
  await fails().catch(() => {})
  await expect(Promise.resolve(message_id)).resolves.toHaveBeenDelivered()
  await expect(message_id).not.toHaveStatus('failed')
  const later = passes()
  await soon()
  await later${more}
  return passes()
}`)})
`
const asFixtures = (body: string) => `async ({ sandbox, receiver }) => ${body}`
const asBody = (body: string) => `withSandbox(async ({ sandbox, receiver }) => ${body})`

/** Stops what a runner and the sandbox need to go on. Of node:test, because Vitest sometimes restores a faked nextTick. */
const FAKES = `import { test } from 'node:test'
import FakeTimers from '@sinonjs/fake-timers'
import { withSandbox } from 'messaging-sandbox/node-test'
const fakes = { timeout: 4_000 }
test('starts the sandbox, which may take longer than the time limit of the next test', withSandbox(async ({ sandbox }) => {
  await sandbox.client.billing.balance()
}))
// The application speaks to the sandbox, and nothing is answered: the body never ends. Its world is open long before the limit.
test('fakes everything', fakes, withSandbox(async ({ sandbox }) => {
  FakeTimers.install()
  await fetch(sandbox.url + '/v1/billing/balance')
}))
test('calls the sandbox', withSandbox(async ({ sandbox }) => {
  FakeTimers.install()
  await sandbox.client.billing.balance()
}))
test('comes after them', withSandbox(async ({ sandbox }) => {
  await sandbox.client.billing.balance()
}))`

interface Runner {
  /** A file of tests of each kind: see `matched`. */
  story: string
  source: string
  /** Files beside it. One worker runs all tests, on a machine with many cores too: workers forward what tests print. */
  others?: Record<string, string>
  /** The project that runs the story, in front of its titles. */
  project?: string
  /** Results of all files, in the words of the runner. */
  totals: RegExp
  /** The test of docs/testing.md has passed. */
  documented: RegExp
  /** The example for this runner in fixtures/examples/shop has passed. */
  example?: RegExp
}

const RUNNERS: Record<string, Runner> = {
  Vitest: {
    story: 'story.test.ts',
    source: `import { expect, test } from 'messaging-sandbox/vitest'
${matched(asFixtures)}${endedEarlier(asFixtures)}${awaited(
  asFixtures,
  `
  await expect.soft(message_id).toHaveBeenDelivered()
  await expect.poll(() => message_id).toHaveBeenDelivered()`,
)}
test('has an expect of its own', async ({ sandbox, expect }) => {${SEND}
  await expect(message_id).toHaveBeenDelivered()
})
test('never ends', ({ sandbox }) => new Promise(() => {}), 500)`,
    others: {
      'vitest.config.mjs': `export default { test: { projects: ['shop', { test: { name: 'own', exclude: ['shop/**'] } }] } }`,
    },
    project: 'own',
    // The story, the test of the page, and the shop.
    totals: /7 failed \| 9 passed/,
    documented: /✓ .*table\.test\.ts \(1 test\)/,
    example: /✓ .*shop\.vitest\.ts \(3 tests\)/,
  },
  Jest: {
    story: 'story.test.cjs',
    source: `const { expect, test } = require('@jest/globals')
const { withSandbox } = require('messaging-sandbox/jest')
${matched(asBody)}${endedEarlier(asBody)}${awaited(asBody)}
test('never ends', withSandbox(() => new Promise(() => {})), 500)`,
    others: {
      'jest.config.cjs': `module.exports = { maxWorkers: 1, projects: ['<rootDir>/shop',
        { displayName: 'page', testMatch: ['**/table.test.js'] },
        { displayName: 'story', testMatch: ['**/story.test.cjs'], transform: {} }] }`,
    },
    totals: /7 failed, 9 passed/,
    documented: /PASS .*table\.test\.js/,
    example: /PASS shop\/shop\.jest\.ts/,
  },
  'node:test': {
    story: 'story.test.mts',
    source: `import { test } from 'node:test'
import { assertDelivered, assertReceived, assertSignedWith, assertStatus, withSandbox } from 'messaging-sandbox/node-test'
${(matched(asBody) + endedEarlier(asBody))
  .replace(/expect\((message_id)\)\.toHaveBeenDelivered\(\)/g, 'assertDelivered($1)')
  .replace(/expect\((message_id)\)\.toHaveStatus\(/g, 'assertStatus($1, ')
  .replace(/expect\((receiver)\)\.toHaveReceived\(/g, 'assertReceived($1, ')
  .replace(/expect\(([^)]*)\)\.toBeSignedWith\(/, 'assertSignedWith($1, ')}
test('never ends', { timeout: 500 }, withSandbox(() => new Promise(() => {})))`,
    others: { 'fakes.test.mts': FAKES },
    totals: /pass 5\b.*fail 7\b.*cancelled 2\b/s,
    documented: /✔ a customer hears that the table is free/,
  },
  Playwright: {
    story: 'story.spec.ts',
    source: `import { expect, test } from 'messaging-sandbox/playwright'
${matched(asFixtures)}
test('never ends', ({ sandbox }) => {
  test.setTimeout(500)
  return new Promise(() => {})
})`,
    others: { 'playwright.config.ts': `export default { workers: 1, reporter: [['line'], ['html']] }` },
    totals: /5 failed\n.*3 passed/s,
    // With the two of the story.
    documented: /3 passed/,
  },
}

/** The part of docs/testing.md about a runner: the lines that install and run it, and its test. */
async function documented(name: string) {
  const page = await readPage('docs/testing.md')
  const part = page.slice(page.indexOf(`### ${name}\n`)).split(/^### /m)[1]!
  const [, file, source] = /<!-- file (\S+) -->\n```\w+\n([\s\S]*?)```/.exec(part)!
  const [install, run] = shellBlocks(part)[0]!.trim().split('\n')
  const [, otherwiseAs] = /The test is that of \[(\w+)\]\(\S+\) with another first line:/.exec(part) ?? []
  const rest = otherwiseAs ? (await sourceOf(otherwiseAs)).replace(/^.*\n/, '') : ''
  return { install: install!, run: run!, file: file!, source: source! + rest }
}

const sourceOf = async (name: string): Promise<string> => (await documented(name)).source

/** Runs all files of a runner at once, by the command of docs/testing.md, as in a workflow of GitHub. */
async function start(name: string) {
  const { story, source, others = {}, example } = RUNNERS[name]!
  const page = await documented(name)
  const folder = join(await installedPackage(), `runner-${name.replace(':', '-')}`)
  await mkdir(folder)
  const manifest = { 'package.json': '{ "private": true, "type": "commonjs" }' }
  for (const [file, text] of Object.entries({ ...manifest, [page.file]: page.source, [story]: source, ...others }))
    await writeFile(join(folder, file), text)
  if (example) await cp(SHOP, join(folder, 'shop'), { recursive: true })
  const [summary, report] = [join(folder, 'summary.md'), join(folder, 'report')]
  const ended = await runShellIn(folder, page.run, {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    ...{ PLAYWRIGHT_HTML_OUTPUT_DIR: report, PLAYWRIGHT_HTML_OPEN: 'never' },
  })
  return { ...ended, folder, summary, report }
}

const started: Record<string, ReturnType<typeof start>> = {}
const runOf = (name: string) => (started[name] ??= start(name))

test.each(Object.entries(RUNNERS))('%s gives each test its sandbox, and says why one fails', async (name, runner) => {
  const { code, output, folder, summary, report } = await runOf(name)
  expect(output).toContain('No message.read has happened. The newest events are message.delivered, message.queued.')
  expect(output).toContain('planned: read false, which overrides all settings')
  expect(output).toMatch(runner.totals)
  expect(output).toMatch(/(toHaveBeenDelivered|assertDelivered)\(\) was not awaited: write await before the call/)
  expect(output).toContain("sandbox.clock.advance('1h') was not awaited: write await before the call")
  expect(code).toBe(1)
  const place = join('sandbox-failures', runner.story.replace(/\.(\w+)$/, '-$1'))
  const group = runner.project === undefined ? '' : `${runner.project}-`
  const filesOf = (title: string) => [`${group}${title}.html`, `${group}${title}.snapshot`] as const
  const [page, snapshot] = filesOf('is-read')
  const ofEndless = filesOf('never-ends')
  const forgotten = ['a-check', 'the-clock', ...(name === 'Playwright' ? [] : ['what-fails', 'what-passes'])]
  const ofForgotten = forgotten.flatMap((it) => filesOf(`forgets-${it}`))
  const ofRefused = filesOf('is-refused')
  expect(await readdir(join(folder, place))).toEqual([...ofForgotten, page, snapshot, ...ofRefused, ...ofEndless])
  for (const file of ofEndless) expect(output).toContain(file)
  expect(output).toContain(`What happened in this test: ${place}/${page}`)
  expect(output).toContain(`npx sandbox start --memory --snapshot ${place}/${snapshot}`)
  const pageOf = (name: string) => readFile(join(folder, place, name), 'utf8')
  const lineOf = (text: string) => runner.source.split('\n').findIndex((line) => line.includes(text)) + 1
  const html = await pageOf(page)
  expect(html).toContain('No message.read has happened')
  expect(html).toContain(`"location":"${runner.story}:${lineOf("'message.read'")}"`)
  if (name !== 'Playwright')
    expect(output).toMatch(/(toHaveStatus|assertStatus)\(\) was not awaited: write await .* It failed: .* is delivered/)
  for (const [it, text] of [
    ['forgets-a-check', /^ {2}(expect|assertDelivered)\(message_id/m.exec(runner.source)![0]],
    ['forgets-the-clock', "  sandbox.clock.advance('1h')"],
    ['is-refused', "sandbox.clock.advance('5 minutes')"],
  ] as const)
    expect(await pageOf(filesOf(it)[0])).toContain(`"location":"${runner.story}:${lineOf(text)}"`)
  for (const [text, reason] of [
    ["'message.read'", 'No message.read'],
    ["'5 minutes'", 'must be a duration'],
  ] as const)
    expect(output).toMatch(
      new RegExp(`^::error file=\\S*${runner.story},(title=.*,)?line=${lineOf(text)}[,:].*${reason}`, 'm'),
    )
  expect(await readFile(summary, 'utf8')).toMatch(
    new RegExp(`^### ${group.replace('-', ' ')}is read\n\n[^#]*Page: \`sandbox-failures.*${page}\``, 'm'),
  )
  if (name === 'Vitest') expect(output).toContain(`↳ What happened in this test: ${place}/${page}`)
  if (name === 'Playwright') {
    const data = join(report, 'data')
    const attached = (await readdir(data)).filter((it) => it.endsWith('.html'))
    const titles = await Promise.all(
      attached.map(async (it) => /<title>(.*?)</.exec(await readFile(join(data, it), 'utf8'))?.[1]),
    )
    expect(titles).toContainEqual(expect.stringContaining('is read'))
  }
})

test.each(Object.entries(RUNNERS))('the test for %s on docs/testing.md passes', async (name, runner) => {
  const { install } = await documented(name)
  expect(install).toMatch(/^npm install --save-dev ([\w@/-]+ )?messaging-sandbox$/)
  expect((await runOf(name)).output).toMatch(runner.documented)
})

test.each(['Vitest', 'Jest'])('the story of the shop passes in %s', async (name) => {
  expect((await runOf(name)).output).toMatch(RUNNERS[name]!.example!)
})

test('the story of the shop passes in node:test', async () => {
  const shop = join(await installedPackage(), 'shop')
  await cp(SHOP, shop, { recursive: true })
  const { code, output } = await runNode(shop, ['--test', '--test-reporter=spec', 'shop.node.ts'])
  expect(output).toMatch(/pass 3/)
  expect(code).toBe(0)
})

test('a test that leaves process.nextTick faked does not hold up its runner', async () => {
  const { output } = await runOf('node:test')
  // One line each, besides the annotations: the error of a call is not repeated.
  const named = output.match(/^(?!::).*process\.nextTick is faked, so no request is answered: pass toNotFake:/gm) ?? []
  expect(named, output).toHaveLength(2)
  expect(output).toMatch(/✖ calls the sandbox \(.*\n✔ comes after them /)
  // 4 s of the test, and a teardown of 2 s at most. A busy machine may take longer, but nothing waits for an answer.
  const [, ms] = /✖ fakes everything \((\d+)/.exec(output) ?? []
  expect(Number(ms)).toBeLessThan(10_000)
  // The connection of its request stays open until the sandbox ends it.
  expect(Number(/^ℹ duration_ms (\d+)/m.exec(output)?.[1])).toBeLessThan(40_000)
})

/** The values that files have printed, as in `<emulator http://…>`. */
const printedIn = (output: string, what: string) =>
  [...output.matchAll(new RegExp(`<${what} (.*?)>`, 'g'))].map(([, it]) => it)

/** A file of Jest that prints the emulator of its tests, and demands a world of its own. */
const jestFile = (before = '') => `const { afterAll, expect, test } = require('@jest/globals')
const { withSandbox } = require('messaging-sandbox/jest')
const print = (what, value) => process.stderr.write('<' + what + ' ' + value + '>')
${before}
test('begins', withSandbox(async ({ sandbox }) => {
  print('emulator', sandbox.url)
  const { client } = sandbox
  expect((await client.namespaces.list()).namespaces.map(({ name }) => name)).toEqual(['begins', 'default'])
  expect(await client.snapshots.list()).toStrictEqual({ snapshots: [], damaged: [] })
  expect(await sandbox.as('default').billing.balance()).toStrictEqual({ free: 1000, reserved: 0, total: 1000 })
  await sandbox.as('default').billing.topup({ amount: 50, currency: 'EUR' })
  await sandbox.snapshot('before')
  await sandbox.fork('other', 'before')
}))
test('has objects of its own realm, with fake timers too', withSandbox(async ({ sandbox, receiver }) => {
  jest.useFakeTimers({ now: new Date('2031-05-05T05:05:05Z') })
  expect(await sandbox.client.messages.get('msg_none').catch((error) => error)).toBeInstanceOf(Error)
  ${SEND}
  await expect(receiver).toHaveReceived('message.delivered', { message_id })
  jest.useRealTimers()
}))
test('shares it with a test that keeps no failures', withSandbox({ failures: false }, async ({ sandbox }) => {
  print('emulator', sandbox.url)
  print('sees-other', (await sandbox.client.namespaces.list()).namespaces.some(({ name }) => name === 'other'))
}))
test('has the ids of its seed', withSandbox({ seed: '7' }, async ({ sandbox }) => {
  print('id', (await sandbox.client.contacts.create({ email: 'ada@example.com' })).id)
}))`

/** Takes away how a file of Jest reaches what Node itself has loaded. */
const NO_WAY_OUT = `const nodes = require('node:vm').runInThisContext('process')
const { getBuiltinModule } = nodes
nodes.getBuiltinModule = () => undefined
afterAll(() => void (nodes.getBuiltinModule = getBuiltinModule))`

test('the files of a Jest worker share an emulator, but no data', async () => {
  const home = join(await installedPackage(), 'jest-files')
  await mkdir(home)
  for (const name of ['one', 'two']) await writeFile(join(home, `${name}.test.cjs`), jestFile())
  await writeFile(join(home, 'alone.test.cjs'), jestFile(NO_WAY_OUT))
  const config = '{"testMatch":["**/*.test.cjs"],"transform":{}}'
  const jest = ['../node_modules/jest/bin/jest.js', '--config', config, '--runInBand', '--detectOpenHandles']
  const { code, output } = await runNode(home, jest)
  expect(output).toContain('12 passed')
  expect(output).not.toMatch(/did not exit|open handle/)
  expect(code).toBe(0)
  const printed = (what: string) => printedIn(output, what)
  expect([printed('emulator').length, new Set(printed('emulator')).size]).toEqual([6, 3])
  expect(printed('sees-other').sort()).toEqual(['false', 'true', 'true'])
  expect([printed('id').length, new Set(printed('id')).size]).toEqual([3, 1])
})

test('sandbox.fetch and functions as receivers work in a Jest environment without the Fetch API, as jsdom is', async () => {
  const home = join(await installedPackage(), 'jest-without-fetch')
  await mkdir(home)
  const environment = `const { createRequire } = require('node:module')
    const { TestEnvironment } = createRequire(require.resolve('jest'))('jest-environment-node')
    module.exports = class extends TestEnvironment {
      async setup() {
        await super.setup()
        for (const name of ['fetch', 'ReadableStream', 'Request', 'Response']) delete this.global[name]
      }
    }`
  const source = `const { expect, test } = require('@jest/globals')
    const { connectSandbox } = require('messaging-sandbox')
    const { withSandbox } = require('messaging-sandbox/jest')
    test('reads and receives', withSandbox(async ({ sandbox }) => {
      expect(typeof fetch).toBe('undefined')
      const headers = { Authorization: 'Bearer ' + sandbox.apiKey }
      const connected = await connectSandbox({ url: sandbox.url, apiKey: sandbox.apiKey })
      for (const reach of [sandbox.fetch, connected.fetch])
        expect((await (await reach('/v1/billing/balance', { headers })).json()).free).toBe(1000)
      const handler = async (request) => ({ status: 204, arrayBuffer: () => request.arrayBuffer() })
      const receiver = await sandbox.receiver({ handler })${SEND.replace('const { message_id } =', '')}
      expect(receiver.events.length).toBeGreaterThan(0)
    }))`
  await writeFile(join(home, 'environment.cjs'), environment)
  await writeFile(join(home, 'one.test.cjs'), source)
  const config = '{"testEnvironment":"./environment.cjs","testMatch":["**/*.test.cjs"],"transform":{}}'
  const { output } = await runNode(home, ['../node_modules/jest/bin/jest.js', '--config', config, '--runInBand'])
  expect(output).toContain('1 passed')
})

test('the files of a Vitest worker with isolation share an emulator too', async () => {
  const home = join(await installedPackage(), 'vitest-files')
  await mkdir(home)
  const source = `import { expect, test } from 'messaging-sandbox/vitest'
    test('begins', async ({ sandbox }) => {
      process.stderr.write('<emulator ' + sandbox.url + '>')
      expect(await sandbox.client.billing.balance()).toStrictEqual({ free: 1000, reserved: 0, total: 1000 })
    })`
  for (const name of ['one', 'two']) await writeFile(join(home, `${name}.test.ts`), source)
  const vitest = ['../node_modules/vitest/vitest.mjs', 'run', '--pool=vmThreads', '--maxWorkers=1']
  const { code, output } = await runNode(home, vitest)
  expect([code, new Set(printedIn(output, 'emulator')).size, printedIn(output, 'emulator').length]).toEqual([0, 1, 2])
})
