import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorCommand } from '../../src/evidence/github.ts'
import { locationIn, placeOf } from '../../src/evidence/place.ts'
import { type KeepOptions, keepFailure, remark } from '../../src/runners/failure.ts'
import { matchers, type SandboxMatchers } from '../../src/runners/matchers.ts'
import { assertDelivered } from '../../src/runners/node-test.ts'
import { createSuite } from '../../src/runners/suite.ts'
import { folder } from '../folder.ts'
import { holdLimits } from '../machine-clock.ts'
import { agents, phone, phones } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } } as const
const failed = { title: 'a shop tells its customer', file: join(process.cwd(), 'test/orders/shop.test.ts') }

async function kept({ observer }: Sandbox, options: Partial<KeepOptions> = {}) {
  const place = await folder()
  const { remark, page } = await keepFailure({ observer, folder: place, test: failed, failure: {}, ...options })
  return { place, remark, page, html: page === undefined ? '' : await readFile(page, 'utf8') }
}

test('evidence of a failed test has the path of its file and its name, and no colours of its runner', async () => {
  await using sandbox = await createSandbox()
  const { place, remark, html } = await kept(sandbox, {
    failure: { message: '\u001b[31mexpected 1\u001b[39m to be 2' },
  })
  const files = await readdir(join(place, 'test/orders/shop.test-ts'))
  expect(files.map((name) => name.replace(/(-\d+)?(?=\.\w+$)/, ''))).toEqual([
    'a-shop-tells-its-customer.html',
    'a-shop-tells-its-customer.snapshot',
  ])
  expect(remark).toContain(join(place, 'test/orders/shop.test-ts', files[0]!))
  expect(html).toContain('expected 1 to be 2')
})

test('the page may be read by everybody, the world with its secrets by its user alone', async () => {
  await using sandbox = await createSandbox()
  const { page } = await kept(sandbox)
  expect((await stat(page!)).mode & 0o044).toBe(0o044 & ~process.umask())
  expect((await stat(page!.replace('.html', '.snapshot'))).mode & 0o777).toBe(0o600)
})

test('faults of a test do not affect its evidence', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { read: 1 } })
  await sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone(1) })
  await sandbox.faults.add({ routes: ['messages.list'], latency: '60s' })
  await sandbox.faults.add({ routes: ['billing.transactions'], status: 503 })
  expect((await kept(sandbox)).remark).toContain('npx sandbox start')
  expect((await sandbox.faults.list()).faults).toMatchObject([{ hits: 0 }, { hits: 0 }])
})

test('an unanswered webhook is reported only if its receiver is slow', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const quick = await sandbox.receiver()
  await using slow = await sandbox.receiver({ delay: '10s' })
  // A phone that is off: nothing happens after the first event.
  await sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phones.off })
  await expect.poll(async () => (await sandbox.client.events.deliveries({ status: 'delivered' })).data.length).toBe(1)
  const { remark } = await kept(sandbox)
  expect(remark).toContain(`an event → no answer yet from ${slow.url}`)
  expect(remark).not.toContain(quick.url)
})

test('a test that exceeds its time limit reports what it was waiting for', async () => {
  expect.extend(matchers)
  const suite = createSuite({ clock: 'real', failures: false })
  const world = await suite.open({ title: 'waits' })
  const [phone, receiver] = [await world.phone(), await world.receiver()]
  await world.sandbox.client.handsets.set(phone.address, { on: false })
  const checks = [
    (expect(receiver) as never as SandboxMatchers).toHaveReceived('message.read'),
    assertDelivered(
      (await world.sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone.address })).message_id,
      world.sandbox,
    ),
    phone.link(/confirm/, { within: '1h' }),
    world.sandbox.waitFor('message.failed', { to: phone.address }, { within: '1h' }),
  ].map((check) => check.catch(() => {}))
  // The last look at each wait ends with its answer here, not with its time limit.
  holdLimits(500)
  const kept = await world.keep({ message: 'Test timed out in 5000ms.' })
  await world.close()
  await Promise.all(checks)
  await suite.stop()
  expect(kept?.remark).toMatch(
    /^Still waiting when the test ended: toHaveReceived\("message\.read"\): no such event was received\.$/m,
  )
  expect(kept?.remark).toMatch(
    /^Still waiting when the test ended: assertDelivered\(\): the message \S+ is (queued|dispatched)/m,
  )
  expect(kept?.remark).toMatch(
    /^Still waiting when the test ended: No link that matches \S+ arrived at \+1\d+ .*so far\./m,
  )
  expect(kept?.remark).toMatch(
    /^Still waiting when the test ended: message\.failed did not arrive .*The nearest was message\.queued/m,
  )
  expect(kept?.remark).not.toMatch(/not awaited|Refused/)
})

test('a failure names the work that a frozen clock has not reached, once', async () => {
  await using sandbox = await createSandbox()
  await sandbox.receiver({ status: 500 })
  await sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone(1) })
  const due =
    /The clock is frozen at \S+ message\.dispatch is due at \S+ await sandbox\.clock\.next\(\), or advance\('1s'\)\./
  expect((await kept(sandbox)).remark).toMatch(due)
  const message = 'The next work is due at 2026-01-01T00:00:00.536Z: advance the clock.'
  expect((await kept(sandbox, { failure: { message } })).remark).not.toMatch(due)
  await sandbox.clock.advance('5m')
  // What is left is another attempt at a webhook that has failed, and that is reported.
  expect((await kept(sandbox)).remark).not.toContain('The clock is frozen')
})

test('a failure says that the application has not called the sandbox', async () => {
  await using sandbox = await createSandbox()
  const { url } = sandbox
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const hint = `No call of the application reached this sandbox: does it use the address ${url}?`
  expect((await kept(sandbox, { url })).remark).toContain(hint)
  await sandbox.fetch('/v1/billing/balance', { headers: { Authorization: `Bearer ${sandbox.apiKey}` } })
  expect((await kept(sandbox, { url })).remark).not.toContain(hint)
})

test('a failure names a call that did nothing because of its idempotency key, unless its answer was lost', async () => {
  await using sandbox = await createSandbox()
  const send = (idempotency_key: string) =>
    sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone(1), idempotency_key })
  const [stale, repeated] = [crypto.randomUUID(), crypto.randomUUID()]
  await send(stale)
  await send(stale)
  await sandbox.faults.add({ routes: ['messages.send'], reset: 'after', times: 1 })
  await send(repeated).catch(() => {})
  await send(repeated)
  const { remark } = await kept(sandbox)
  expect(remark).toContain(
    `Nothing was done again, because the idempotency key was used before: POST /v1/messages → 200, key ${stale}\n`,
  )
  expect(remark).not.toContain(repeated)
})

test('the page that a framework answers for an error is shown as its text', async () => {
  await using sandbox = await createSandbox()
  const page = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>
<pre>TypeError: Cannot read &#39;order&#39; of &lt;none&gt;<br> &nbsp; &nbsp;at /shop/hook.js:8:41</pre>\n</body>\n</html>`
  await using _ = await sandbox.receiver({ handler: () => new Response(page, { status: 500 }) })
  await sandbox.client.messages.send({ agent_id: agents.multi, ...text, to: phone(1) })
  await sandbox.settle()
  expect((await kept(sandbox)).remark).toContain(
    `answer: "TypeError: Cannot read 'order' of <none> at /shop/hook.js:8:41"`,
  )
})

test('a test that exceeds its time limit names fake timers that have not fired', async () => {
  const suite = createSuite({ failures: false })
  const world = await suite.open({ title: 'fakes timers' })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  setTimeout(() => {}, 1_000)
  const { remark } = (await world.keep({ message: 'Test timed out in 5000ms.' }))!
  expect(remark).toBe('1 fake timer has not fired: advance it, or leave the application its real timers.')
  expect(await world.keep({ message: 'expected 1 to be 2' })).toBeUndefined()
  await world.close()
  await suite.stop()
})

test('a folder that is not writable hides no failure', async () => {
  await using sandbox = await createSandbox()
  const file = join(await folder(), 'file')
  await writeFile(file, '')
  const { remark } = await kept(sandbox, { folder: join(file, 'failures') })
  expect(remark).toMatch(/The page of this test could not be written: E/)
})

test('a note is added to the message of an error and to its stack', () => {
  const error = new Error('expected 1 to be 2')
  remark(error, 'see failures/shop.html')
  expect(error.message).toBe('expected 1 to be 2\n\nsee failures/shop.html')
  expect(error.stack).toMatch(/^Error: expected 1 to be 2\n\nsee failures\/shop\.html\n {4}at /)
})

test('an error whose message cannot be assigned stays the error of its test', () => {
  const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  remark(late, 'see failures/shop.html')
  expect(late.message).toBe('The operation was aborted due to timeout\n\nsee failures/shop.html')
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  remark(Object.freeze(new Error('frozen')), 'see failures/shop.html')
  expect(write.mock.calls).toEqual([['see failures/shop.html\n']])
  write.mockRestore()
})

test('no two tests have the same file, and a test that runs again has its own', () => {
  const cwd = '/project'
  const place = (file: string, title: string, id?: string, attempt?: number) =>
    placeOf({ file: `/project/${file}`, title, id, attempt }, cwd)
  const all = [
    place('two/a/order.spec.ts', 'fails', '1'),
    place('two/b/order.spec.ts', 'fails', '2'),
    place('two/b/order.spec.js', 'fails', '3'),
    // Two of one title in one file, and two whose slugs are equal.
    place('two/a/order.spec.ts', 'fails', '4'),
    place('two/a/order.spec.ts', 'is sent / again', '5'),
    place('two/a/order.spec.ts', 'is sent again', '6'),
    place('two/a/order.spec.ts', 'is sent: again', '7'),
    place('two/a/order.spec.ts', 'fails', '1', 2),
    placeOf({ file: '/elsewhere/x.test.ts', title: 'fails', id: '8' }, cwd),
    // Bun and Deno provide no title.
    placeOf({ file: '/project/bun.test.ts', line: 7 }, cwd),
    placeOf({ file: '/project/bun.test.ts', line: 9 }, cwd),
  ]
  expect(all).toEqual([
    'two/a/order.spec-ts/fails',
    'two/b/order.spec-ts/fails',
    'two/b/order.spec-js/fails',
    'two/a/order.spec-ts/fails-2',
    expect.stringMatching(/^two\/a\/order\.spec-ts\/is-sent-again-[0-9a-f]{6}$/),
    'two/a/order.spec-ts/is-sent-again',
    expect.stringMatching(/^two\/a\/order\.spec-ts\/is-sent-again-[0-9a-f]{6}$/),
    'two/a/order.spec-ts/fails-attempt-2',
    'x.test-ts/fails',
    'bun.test-ts/line-7',
    'bun.test-ts/line-9',
  ])
  expect(new Set(all).size).toBe(all.length)
  expect(place('two/a/order.spec.ts', 'fails', '1')).toBe('two/a/order.spec-ts/fails')
})

test('node --test does not take the folder of a page for a test', () => {
  for (const file of ['shop.test.mjs', 'shop-test.cjs', 'shop_test.js', 'test-shop.ts', 'test.mjs'])
    expect(placeOf({ file: `/project/${file}`, title: 'fails' }, '/project')).not.toMatch(/\.[cm]?[jt]s\b/)
})

test('the place of an assertion is the first line of the user in its stack', () => {
  const stack = `AssertionError: no
    at hold (file:///project/node_modules/messaging-sandbox/dist/node-test.js:1:200)
    at async file:///project/shop%20a.test.mjs:12:3
    at async Test.run (node:internal/test_runner/test:1:1)`
  expect(locationIn(stack)).toEqual({ file: '/project/shop a.test.mjs', line: 12 })
  expect(locationIn('Error: no\n    at Object.<anonymous> (/project/shop.test.ts:5:9)')).toEqual({
    file: '/project/shop.test.ts',
    line: 5,
  })
  expect(locationIn(undefined)).toBeUndefined()
})

test('GitHub gets a failure as an annotation of its line, and as an entry in the summary of the job', async () => {
  expect(errorCommand({ title: 'a: b, c', message: '50% lost\nsee page', file: 'a,b.ts', line: 3 })).toBe(
    '::error file=a%2Cb.ts,line=3,title=a%3A b%2C c::50%25 lost%0Asee page',
  )
  const summary = join(await folder(), 'summary.md')
  vi.stubEnv('GITHUB_ACTIONS', 'true')
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary)
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await using sandbox = await createSandbox()
  await sandbox.client.messages.get('msg_none').catch(() => {})
  const stack = `Error: no\n    at Object.<anonymous> (${failed.file}:5:9)`
  const { page } = await kept(sandbox, { failure: { message: 'expected 1 to be 2', stack } })
  const command = written.mock.calls.map(([text]) => String(text)).find((text) => text.includes('::error'))
  expect(command).toContain('::error file=test/orders/shop.test.ts,line=5,title=a shop tells its customer::expected 1')
  expect(command).toContain('GET /v1/messages/msg_none')
  const entry = await readFile(summary, 'utf8')
  expect(entry).toMatch(
    /^### a shop tells its customer\n\n- expected 1 to be 2\n- Refused in this world: GET \/v1\/messages\/msg\\_none → 404/,
  )
  expect(entry).toContain(`Page: \`${page}\``)
  written.mockClear()
  // Some runners annotate by themselves, if the error has a place.
  await kept(sandbox, { annotates: true, failure: { message: 'expected 1 to be 2', stack } })
  expect(written.mock.calls.join('')).not.toContain('::error')
  vi.stubEnv('GITHUB_WORKSPACE', join(process.cwd(), '..'))
  await kept(sandbox, { annotates: true, failure: { message: 'it was not awaited' } })
  expect(written.mock.calls.join('')).toContain(
    `::error file=${basename(process.cwd())}/test/orders/shop.test.ts,title`,
  )
})
