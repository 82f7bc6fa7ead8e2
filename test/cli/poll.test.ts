import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { channels, emails, phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { sandboxCommand } from './terminal.ts'

interface Seen {
  event: string
  data: Record<string, unknown>
}

/** Listening at a service without a control plane. `steps` go on with each line of stdout that fits. */
async function polling(sandbox: Sandbox, argv: readonly string[], steps: [fits: string, go: () => unknown][]) {
  const left = [...steps]
  await using service = await startService({ of: sandbox })
  return await sandboxCommand(['listen', '--poll', '--interval', '20ms', '--base-url', service.url, ...argv], {
    onOutput(text, stop) {
      const step = left[0]
      if (!step || !text.includes(step[0])) return
      left.shift()
      void Promise.resolve(step[1]()).then(() => left.length === 0 && stop('SIGINT'))
    },
  })
}

test('what the message log shows becomes events, in order and once, signed here and labelled', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.clock.advance('1m')
  const sent: string[] = []
  const send = async (to: string) => sent.push((await sandbox.client.messages.send({ ...rcsText, to })).message_id)
  const got = await polling(
    sandbox,
    ['--forward-to', receiver.url, '--secret', 'of this test'],
    [
      ['"ready"', () => send(phones.readsAll)],
      ['message.queued', () => sandbox.clock.advance('1m')],
      ['message.read', () => send(phones.rejectedAsSpam)],
      ['message.queued', () => sandbox.clock.advance('1m')],
      ['message.failed', () => {}],
    ],
  )
  expect(got).toMatchObject({ code: 0, stderr: '' })
  expect(got.lines[0]).toMatchObject({ type: 'ready', source: 'poll', messages: 1 })
  const events = receiver.received.map(({ event }) => [event.data.message_id, event.event])
  expect(events).toEqual([
    [sent[0], 'message.queued'],
    [sent[0], 'message.delivered'],
    [sent[0], 'message.read'],
    [sent[1], 'message.queued'],
    [sent[1], 'message.failed'],
  ])
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(5)
  const last = receiver.received[4]!
  expect(last.event.data).toMatchObject({
    failure_reason: 'REJECTED_SPAM',
    status: 'failed',
    to: phones.rejectedAsSpam,
  })
  expect(await verify('of this test', last.body, last.headers['x-service-signature']!)).toBe(true)
  expect(last.headers).toMatchObject({ 'x-sandbox-source': 'poll', 'x-service-event-id': last.event.id })
  expect(got.lines.at(-2)).toMatchObject({ type: 'event', source: 'poll', delivered: true })
})

test('events have the data that the service itself puts into them, as far as its log shows it', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.messages.send({
    channel_id: channels.email,
    to: emails.opened,
    subject: 'Your order',
    content: { text: 'Hello' },
  })
  await sandbox.clock.advance('1h')
  const argv = ['--forward-to', receiver.url, '--secret', 's', '--since', 'start']
  const { events } = await sandbox.client.events.list({ event: 'message.*,email.*' })
  await polling(sandbox, argv, [...events.map((): [string, () => void] => ['"event"', () => {}])])
  for (const { event, data } of events as Seen[]) {
    const made = receiver.received.find(
      (one) => one.event.event === event && one.event.data.message_id === data.message_id,
    )!.event
    const { subject: _, ...shown } = data
    expect(made.data).toEqual(shown)
  }
  expect(receiver.received).toHaveLength(events.length)
})

test('a look waits where the limits are nearly used up', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { read: 6 } })
  const got = await sandboxCommand(['listen', '--poll', '--interval', '1ms', '--base-url', sandbox.url], {
    onError: (text, stop) => void (text.includes('"sparing"') && stop('SIGINT')),
  })
  expect(got.code).toBe(0)
  expect(got.error).toMatchObject({ type: 'sparing', wait_ms: expect.any(Number) })
  expect((await sandbox.client.logs.list({ path: '/v1/messages' })).requests.length).toBeLessThan(6)
})

test('what a message log does not show is not waited for, and nothing is signed with no key', async () => {
  await using sandbox = await createSandbox()
  const codeOf = async (...argv: string[]) =>
    (await sandboxCommand(['listen', '--poll', '--base-url', sandbox.url, ...argv])).code
  expect(await codeOf('--events', 'contact.created')).toBe(2)
  expect(await codeOf('--events', 'message.deliverd')).toBe(2)
  expect(await codeOf('--since', '2h')).toBe(2)
  expect(await codeOf('--cursor', 'dev')).toBe(2)
  expect(await codeOf('--public-url', 'https://abc.example.dev')).toBe(2)
  expect(await codeOf('--forward-to', '3000')).toBe(3)
})
