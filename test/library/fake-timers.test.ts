import { expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'
import { runConsumer, STORY } from './consumer.ts'

const text = {
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  to: '+491713920000',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
} as const

function fakeAllTimers() {
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'setImmediate',
      'clearImmediate',
      'Date',
      'performance',
      'queueMicrotask',
    ],
    now: new Date('2031-05-05T05:05:05Z'),
  })
  onTestFinished(() => void vi.useRealTimers())
}

test('a test with fake timers sends, advances, hears webhooks and stops', async () => {
  await using receiver = await startReceiver()
  fakeAllTimers()
  const sandbox = await createSandbox()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.delivered'] })
  const { message_id } = await sandbox.client.messages.send(text)
  await sandbox.clock.advance('1m')
  expect(receiver.received.map(({ event }) => event.data.message_id)).toEqual([message_id])
  await sandbox[Symbol.asyncDispose]()
})

test('a running clock uses the real time, not the faked time of a test', async () => {
  fakeAllTimers()
  await using sandbox = await createSandbox({ clock: 'real' })
  expect(Date.now()).toBe(Date.parse('2031-05-05T05:05:05Z'))
  expect(await sandbox.clock.now()).not.toMatch(/^2031-05-05T05:05/)
})

test.each([
  ['consumer.mjs', 'after', "import { createSandbox } from 'messaging-sandbox'; fake(); await story(createSandbox)"],
  ['consumer.mjs', 'before', "fake(); await story((await import('messaging-sandbox')).createSandbox)"],
  ['consumer.cjs', 'after', "const { createSandbox } = require('messaging-sandbox/cjs'); fake(); story(createSandbox)"],
  ['consumer.cjs', 'before', "fake(); story(require('messaging-sandbox/cjs').createSandbox)"],
])('%s: a story with the timers of node:test, faked %s the library is read in', async (name, _, source) => {
  const mock = name.endsWith('.mjs') ? "import { mock } from 'node:test'" : "const { mock } = require('node:test')"
  const fake = 'const fake = () => mock.timers.enable({ now: 0 })'
  const cjs = JSON.stringify(new URL('../../dist/index.cjs', import.meta.url).pathname)
  const ended = await runConsumer(name, [mock, fake, STORY, source.replace("'messaging-sandbox/cjs'", cjs)].join('\n'))
  expect(ended).toMatchObject({ code: 0, stdout: 'expired\n' })
})

test('a faked process.nextTick is named at once, with what to do', async () => {
  const source = `import FakeTimers from ${JSON.stringify(import.meta.resolve('@sinonjs/fake-timers'))}
import { connectSandbox, createSandbox } from 'messaging-sandbox'
const emulator = await createSandbox()
const connected = await connectSandbox({ url: emulator.url })
const clock = FakeTimers.install()
const outcomes = []
const balance = '/v1/billing/balance'
const calls = [() => emulator.client.billing.balance(), () => connected.client.billing.balance(), () => emulator.fetch(balance)]
for (const call of calls) await call().catch(({ message }) => outcomes.push(message))
clock.uninstall()
FakeTimers.install({ toNotFake: ['nextTick', 'queueMicrotask'] })
outcomes.push((await emulator.client.billing.balance()).total)
await emulator.stop()
console.log(outcomes.join('\\n'))`
  const { code, stdout } = await runConsumer('ticks.mjs', source)
  const sentence = expect.stringMatching(
    /process\.nextTick is faked.*: pass toNotFake: \['nextTick', 'queueMicrotask'\]/,
  )
  expect([code, stdout.trim().split('\n')]).toEqual([0, [sentence, sentence, sentence, '1000']])
})
