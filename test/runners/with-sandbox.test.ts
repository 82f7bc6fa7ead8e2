import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type Client, createClient } from '../../src/client/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { assertDelivered, assertReceived, withSandbox as forNodeTest } from '../../src/runners/node-test.ts'
import type { Fixtures, LeaseFixtures } from '../../src/runners/suite.ts'
import { bodies } from '../../src/runners/with-sandbox.ts'
import { folder } from '../folder.ts'
import { phones, rcsText } from '../magic.ts'
import { close, listen } from '../servers.ts'

/** A runner that calls bodies, and aborts them as Jest does. */
async function runner() {
  const failures = await folder()
  const tests: object[] = []
  const { withSandbox, abandon, stop } = bodies(() => {
    const test = { title: 'a test', file: import.meta.filename }
    tests.push(test)
    return { key: test, test }
  })
  onTestFinished(stop)
  return { failures, withSandbox, abort: (nth = 0) => abandon(tests[nth]) }
}

test('a test may stop its sandbox, and its own error is reported', async () => {
  const { failures, withSandbox } = await runner()
  const stops = withSandbox({ failures }, async ({ sandbox }) => sandbox.stop())
  await expect(stops()).resolves.toBeUndefined()
  const fails = withSandbox({ failures }, async ({ sandbox }) => {
    try {
      throw new Error('the original')
    } finally {
      await sandbox.stop()
    }
  })
  await expect(fails()).rejects.toThrow('the original')
})

test('the end of a test leaves the world of another one with the same title', async () => {
  const { failures, withSandbox, abort } = await runner()
  const ends = withSandbox({ failures }, () => {})
  const goesOn = Promise.withResolvers<void>()
  const lasts = withSandbox({ failures }, async ({ sandbox }) => {
    await goesOn.promise
    await sandbox.client.messages.list()
  })
  await ends()
  const lasting = lasts()
  expect(await abort(0)).toBeUndefined()
  goesOn.resolve()
  await expect(lasting).resolves.toBeUndefined()
})

test('a call of a fork that is not awaited fails its own test', async () => {
  const { failures, withSandbox } = await runner()
  const forgets = withSandbox({ failures }, async ({ sandbox }) => {
    const copy = await sandbox.fork('copy')
    void copy.messages.list()
  })
  await expect(forgets()).rejects.toThrow('sandbox.fork(…).messages.list() was not awaited')
})

test('a check that is not awaited fails its own test, beside tests that run at once or were aborted', async () => {
  const { failures, withSandbox, abort } = await runner()
  const sent = ({ client }: Sandbox) => client.messages.send({ ...rcsText, to: phones.ordinary })
  const forgets = withSandbox({ failures }, async ({ sandbox }) => {
    const { message_id } = await sent(sandbox)
    void assertDelivered(message_id)
  })
  const awaits = withSandbox({ failures }, async ({ sandbox }) => {
    const { message_id } = await sent(sandbox)
    await sandbox.clock.advance('5m')
    await assertDelivered(message_id)
  })
  const results = await Promise.allSettled([forgets(), awaits(), forgets()])
  const reasons = results.map((it) => (it.status === 'rejected' ? (it.reason as Error).message : undefined))
  const missing = expect.stringMatching(/^assertDelivered\(\) was not awaited/)
  expect(reasons).toEqual([missing, undefined, missing])

  const goesOn = Promise.withResolvers<void>()
  const lasting = withSandbox({ failures }, () => goesOn.promise)()
  const aborted = abort(3)
  await expect(forgets()).rejects.toThrow(/^assertDelivered\(\) was not awaited/)
  await aborted
  goesOn.resolve()
  await lasting
})

test('a check that is not awaited fails its own test, in a server that an earlier test has started', async () => {
  const { failures, withSandbox } = await runner()
  const called = new EventTarget()
  const shop = createServer((_, res) => res.end(String(called.dispatchEvent(new Event('order')))))
  let url = ''
  await withSandbox({ failures }, async () => {
    url = await listen(shop)
  })()
  onTestFinished(() => close(shop))
  const forgets = withSandbox({ failures }, async ({ sandbox }) => {
    const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary })
    called.addEventListener('order', () => void assertDelivered(message_id))
    await fetch(url)
  })
  await expect(forgets()).rejects.toThrow(/^assertDelivered\(\) was not awaited/)
})

/** What Mocha calls: a body with the test as `this.test`, and the hooks of the root suite, here after a time limit. */
test('a test that Mocha aborts has a page, and its error names it', async () => {
  const { failures } = await runner()
  type Hook = (this: object) => Promise<void>
  const hooks: Hook[] = []
  const root = { afterEach: (hook: Hook) => void hooks.push(hook) }
  const aborted = {
    fullTitle: () => 'shop times out',
    parent: { parent: root },
    err: new Error('Timeout of 400ms exceeded'),
  }
  const goesOn = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const body = forNodeTest({ failures }, () => {
    opened.resolve()
    return goesOn.promise
  })
  const running = body.call({ test: aborted })
  await opened.promise
  expect(hooks).toHaveLength(1)
  await hooks[0]!.call({ currentTest: aborted, timeout: () => {} })
  expect(aborted.err.message).toMatch(/^Timeout of 400ms exceeded\n\n/)
  expect(aborted.err.message).toMatch(/^What happened in this test: .*shop-times-out\.html$/m)
  goesOn.resolve()
  await running
})

test('a call of the application after the end of its test is reported in the next failure, and left to no test', async () => {
  const { failures, withSandbox } = await runner()
  let app!: Client
  const leaves = withSandbox({ failures }, ({ sandbox }) => {
    app = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
  })
  await leaves()
  await app.messages.send({ ...rcsText, to: phones.ordinary })
  const fails = withSandbox({ failures }, async ({ sandbox }) => {
    expect((await sandbox.client.messages.list()).messages).toEqual([])
    throw new Error('the test has failed')
  })
  // They have one title, so the second gets the namespace of the first.
  await expect(fails()).rejects.toThrow(/^the test has failed/)
  await app.messages.send({ ...rcsText, to: phones.ordinary })
  await expect(fails()).rejects.toThrow(
    'Calls to the namespace a-test after the end of its test "a test": POST /v1/messages. Await the calls of your',
  )
})

test('the stack of a refused call and of a failed wait shows the line of the test', async () => {
  const { withSandbox } = await runner()
  const calls: Record<string, (fixtures: Fixtures & LeaseFixtures) => Promise<unknown>> = {
    client: ({ sandbox }) => sandbox.client.messages.get('msg_1'),
    fork: async ({ sandbox }) => (await sandbox.fork('copy')).messages.get('msg_1'),
    advance: ({ sandbox }) => sandbox.clock.advance('5 minutes'),
    trigger: ({ sandbox }) => sandbox.trigger('message.read', { message_id: 'msg_1' }),
    waitFor: ({ sandbox }) => sandbox.waitFor('message.read'),
    code: ({ phone }) => phone.code(),
    link: ({ sandbox }) => sandbox.mailbox('ada@example.com').link(),
  }
  for (const [name, call] of Object.entries(calls)) {
    const fails = withSandbox({ failures: false, phone: {} }, async function theTest(fixtures) {
      await call(fixtures as never)
    })
    const { stack, message } = await fails().then(
      () => expect.unreachable(),
      (error: Error) => error,
    )
    expect(stack, name).toMatch(/theTest \(.*with-sandbox\.test\.ts/)
    expect(stack?.split(message), name).toHaveLength(2)
  }
})

test('the page of a test that is aborted within a matcher is written before its world ends', async () => {
  const { failures, withSandbox, abort } = await runner()
  const waits = Promise.withResolvers<void>()
  const body = withSandbox({ failures, clock: 'real' }, async ({ receiver }) => {
    waits.resolve()
    await assertReceived(receiver, 'message.read')
  })
  const ended = body().catch((error: Error) => error)
  await waits.promise
  expect(await abort()).toContain('What happened in this test')
  expect(await ended).toBeInstanceOf(Error)
})
