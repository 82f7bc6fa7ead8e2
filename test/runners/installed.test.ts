import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { installedPackage, runNode } from '../installed.ts'

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
test('comes after them', ${wrap(`{${SEND}
  await expect(message_id).toHaveBeenDelivered()
}`)})
`
const asFixtures = (body: string) => `async ({ sandbox, receiver }) => ${body}`
const asBody = (body: string) => `withSandbox(async ({ sandbox, receiver }) => ${body})`

const JEST = ['../node_modules/jest/bin/jest.js', '--config', '{"testMatch":["**/*.test.cjs"],"transform":{}}']

const RUNNERS: Record<string, { file: string; source: string; run: string[] }> = {
  Vitest: {
    file: 'vitest/story.test.ts',
    source: `import { expect, test } from 'messaging-sandbox/vitest'
${matched(asFixtures)}
test('never ends', ({ sandbox }) => new Promise(() => {}), 500)`,
    run: ['../node_modules/vitest/vitest.mjs', 'run', '--root', '.'],
  },
  Jest: {
    file: 'jest/story.test.cjs',
    source: `const { expect, test } = require('@jest/globals')
const { withSandbox } = require('messaging-sandbox/jest')
${matched(asBody)}
test('never ends', withSandbox(() => new Promise(() => {})), 500)`,
    run: JEST,
  },
  'node:test': {
    file: 'node/story.test.ts',
    source: `import { test } from 'node:test'
import { assertDelivered, assertReceived, assertSignedWith, withSandbox } from 'messaging-sandbox/node-test'
${matched(asBody)
  .replace(/expect\((message_id)\)\.toHaveBeenDelivered\(\)/g, 'assertDelivered($1)')
  .replace(/expect\((receiver)\)\.toHaveReceived\(/g, 'assertReceived($1, ')
  .replace(/expect\(([^)]*)\)\.toBeSignedWith\(/, 'assertSignedWith($1, ')}
test('never ends', { timeout: 500 }, withSandbox(() => new Promise(() => {})))`,
    run: ['--test', '--test-reporter=spec', 'story.test.ts'],
  },
  Playwright: {
    file: 'playwright/story.spec.ts',
    source: `import { expect, test } from 'messaging-sandbox/playwright'
${matched(asFixtures)}
test('never ends', ({ sandbox }) => {
  test.setTimeout(500)
  return new Promise(() => {})
})`,
    run: ['../node_modules/@playwright/test/cli.js', 'test', '--reporter=line,html'],
  },
}

test.each(Object.entries(RUNNERS))('%s gives each test its sandbox, and says why one fails', async (name, runner) => {
  const home = await installedPackage()
  const file = join(home, runner.file)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, runner.source)
  const summary = join(dirname(file), 'summary.md')
  const report = join(dirname(file), 'report')
  const { code, output } = await runNode(dirname(file), runner.run, {
    // As in a workflow of GitHub.
    ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    ...{ PLAYWRIGHT_HTML_OUTPUT_DIR: report, PLAYWRIGHT_HTML_OPEN: 'never' },
  })
  expect(output).toContain('No message.read has happened. The newest events are message.delivered, message.queued.')
  expect(output).toContain('planned: outcome delivered, which overrides all settings')
  expect(output).toMatch(/2 passed|pass 2\b/)
  expect(output).toMatch(/4 failed|fail 3\b.*cancelled 1\b/s)
  expect(output).toMatch(/(toHaveBeenDelivered|assertDelivered)\(\) was not awaited: write await before the call/)
  expect(output).toContain("sandbox.clock.advance('1h') was not awaited: write await before the call")
  expect(code).toBe(1)
  const place = join('sandbox-failures', basename(file).replace(/\.(\w+)$/, '-$1'))
  const [page, snapshot] = ['is-read.html', 'is-read.snapshot']
  const ofEndless = ['never-ends.html', 'never-ends.snapshot']
  const ofForgotten = ['a-check', 'the-clock'].flatMap((it) => [`forgets-${it}.html`, `forgets-${it}.snapshot`])
  expect(await readdir(join(dirname(file), place))).toEqual([...ofForgotten, page, snapshot, ...ofEndless])
  for (const file of ofEndless) expect(output).toContain(file)
  expect(output).toContain(`What happened in this test: ${place}/${page}`)
  expect(output).toContain(`npx sandbox start --memory --snapshot ${place}/${snapshot}`)
  const pageOf = (name: string) => readFile(join(dirname(file), place, name), 'utf8')
  const lineOf = (text: string) => runner.source.split('\n').findIndex((line) => line.includes(text)) + 1
  const html = await pageOf(page)
  expect(html).toContain('No message.read has happened')
  const line = lineOf("'message.read'")
  expect(html).toContain(`"location":"${basename(file)}:${line}"`)
  for (const [it, text] of [
    ['forgets-a-check', /^ {2}(expect|assertDelivered)\(message_id/m.exec(runner.source)![0]],
    ['forgets-the-clock', "  sandbox.clock.advance('1h')"],
  ] as const)
    expect(await pageOf(`${it}.html`)).toContain(`"location":"${basename(file)}:${lineOf(text)}"`)
  expect(output).toMatch(
    new RegExp(`^::error file=\\S*${basename(file)},(title=.*,)?line=${line}[,:].*No message.read`, 'm'),
  )
  expect(await readFile(summary, 'utf8')).toMatch(/^### is read\n\n[^#]*Page: `sandbox-failures.*is-read\.html`/m)
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
  const { code, output } = await runNode(home, [...JEST, '--runInBand', '--detectOpenHandles'])
  expect(output).toContain('12 passed')
  expect(output).not.toMatch(/did not exit|open handle/)
  expect(code).toBe(0)
  const printed = (what: string) => printedIn(output, what)
  expect([printed('emulator').length, new Set(printed('emulator')).size]).toEqual([6, 3])
  expect(printed('sees-other').sort()).toEqual(['false', 'true', 'true'])
  expect([printed('id').length, new Set(printed('id')).size]).toEqual([3, 1])
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
  const { code, output } = await runNode(home, [...RUNNERS.Vitest!.run, '--pool=vmThreads', '--maxWorkers=1'])
  expect([code, new Set(printedIn(output, 'emulator')).size, printedIn(output, 'emulator').length]).toEqual([0, 1, 2])
})
