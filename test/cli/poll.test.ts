import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { folder } from '../folder.ts'
import { channels, emails, phones, rcsText } from '../magic.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

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

test('changes in the message log become signed, labelled events, in order and once', async () => {
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

test('events contain the same data as those of the service, as far as its log shows them', async () => {
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

test('a message that is not shown once is not forgotten', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await sandbox.client.messages.send({ ...rcsText, to: phones.off, ttl: '3600s' })
  // More than a page, so that the first is looked up by its id.
  for (let n = 0; n < 101; n++) await sandbox.client.messages.send({ ...rcsText, to: phones.neverReads })
  await sandbox.clock.advance('1m')
  const isLate = async () => {
    const { id } = await sandbox.client.faults.add({ routes: ['messages.get'], status: 503, times: 1 })
    await expect.poll(async () => (await sandbox.client.faults.show(id)).hits).toBe(1)
    await sandbox.clock.advance('1h')
  }
  const argv = ['--forward-to', receiver.url, '--secret', 's', '--since', 'start', '--events', 'message.expired']
  await polling(sandbox, argv, [
    ['"ready"', isLate],
    ['message.expired', () => {}],
  ])
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['message.expired'])
})

test('a message that was delivered is followed until it is read, also beyond the newest ones', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.trigger('message.delivered', { message_id })
  for (let n = 0; n < 101; n++) await sandbox.client.messages.send({ ...rcsText, to: phones.neverReads })
  const isRead = async () => {
    // The delivered message has been looked up by its id before it is read.
    const looks = async () => (await sandbox.client.logs.list({ path: `/v1/messages/${message_id}` })).requests.length
    await expect.poll(looks).toBeGreaterThan(0)
    await sandbox.trigger('message.read', { message_id })
  }
  const argv = ['--forward-to', receiver.url, '--secret', 's', '--since', 'start', '--events', 'message.read']
  await polling(sandbox, argv, [
    ['"ready"', isRead],
    ['message.read', () => {}],
  ])
  expect(receiver.received.map(({ event }) => event.data.message_id)).toEqual([message_id])
})

test('polling waits when the rate limit is nearly used up', async () => {
  await using sandbox = await createSandbox({ rateLimits: true, limits: { read: 6 } })
  const got = await sandboxCommand(['listen', '--poll', '--interval', '1ms', '--base-url', sandbox.url], {
    onError: (text, stop) => void (text.includes('"sparing"') && stop('SIGINT')),
  })
  expect(got.code).toBe(0)
  expect(got.error).toMatchObject({ type: 'sparing', wait_ms: expect.any(Number) })
  const { requests } = await sandbox.client.logs.list({ path: '/v1/messages' })
  expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a temporary refusal of the first look is retried; a wrong key or address ends polling at once', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  const poll = (url: string, ...argv: string[]) =>
    sandboxCommand(['listen', '--poll', '--base-url', url, ...argv], { onOutput: (_, stop) => stop('SIGINT') })
  service.next({ status: 503 }, { status: 429 })
  const { code, lines, stderr } = await poll(service.url)
  expect({ code, lines }).toMatchObject({ code: 0, lines: [{ type: 'ready' }, { type: 'stopped' }] })
  const reported = stderr.trim().split('\n')
  expect(reported.map((line) => JSON.parse(line).type)).toEqual(['lost', 'resumed'])
  const stranger = await poll(service.url, '--api-key', 'wrong')
  expect(stranger.error).toMatchObject({ error: 'unauthorized', exit_code: 3 })
  const nobody = await poll('http://127.0.0.1:1')
  expect(nobody.error).toMatchObject({ error: 'unreachable', exit_code: 6 })
})

test('--poll refuses events that a message log does not show, and needs a key to sign', async () => {
  await using sandbox = await createSandbox()
  const codeOf = async (...argv: string[]) =>
    (await sandboxCommand(['listen', '--poll', '--base-url', sandbox.url, ...argv])).code
  expect(await codeOf('--events', 'contact.created')).toBe(2)
  expect(await codeOf('--events', 'message.deliverd')).toBe(2)
  expect(await codeOf('--since', '2h')).toBe(2)
  expect(await codeOf('--cursor', 'a b')).toBe(2)
  expect(await codeOf('--public-url', 'https://abc.example.dev')).toBe(2)
  expect(await codeOf('--forward-to', '3000')).toBe(3)
})

test('with a cursor each event arrives in order and once, also when a process is killed', async () => {
  await using sandbox = await createSandbox()
  await using service = await startService({ of: sandbox })
  await using receiver = await startReceiver()
  const env = { XDG_CONFIG_HOME: await folder() }
  const argv = ['listen', '--poll', '--cursor', 'dev', '--interval', '20ms', '--base-url', service.url]
  const forwarding = [...argv, '--forward-to', receiver.url, '--secret', 's']
  const listen = (...more: string[]) => startCommand([...forwarding, ...more], { env })
  const send = async (times: number) => {
    for (let n = 0; n < times; n++) await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await sandbox.clock.advance('1m')
  }
  await send(3)
  const first = listen('--since', 'start')
  await first.line(1)
  await receiver.until(4)
  first.child.kill('SIGKILL')
  await first.ended
  await send(120)
  const second = listen()
  await second.line(20)
  second.child.kill('SIGKILL')
  await second.ended
  const third = listen()
  expect(await third.line(1)).toMatchObject({ cursor_name: 'dev' })
  const fourth = startHere(forwarding, { env })
  await expect.poll(fourth.stderr).toContain(`in use by process ${third.child.pid}`)
  const ids = () => receiver.received.map(({ event }) => event.id)
  while (new Set(ids()).size < 123 * 3) await receiver.until(receiver.received.length + 1)
  third.child.kill('SIGINT')
  await third.ended
  await fourth.line(1)
  fourth.stop('SIGINT')
  expect(await fourth.ended).toBe(0)
  expect(await fourth.line(2)).toMatchObject({ type: 'stopped', forwarded: 0, cursor_name: 'dev' })
  // Events in progress when a process was killed arrive again, with the same id.
  expect(ids().length - new Set(ids()).size).toBeLessThanOrEqual(2)
  const firsts = receiver.received.filter(({ event }, at) => ids().indexOf(event.id) === at)
  const byMessage = Map.groupBy(firsts, ({ event }) => event.data.message_id)
  expect(byMessage.size).toBe(123)
  for (const received of byMessage.values())
    expect(received.map(({ event }) => event.event)).toEqual(['message.queued', 'message.delivered', 'message.read'])
})

test('a cursor that is damaged or cannot be used is named, and stays unchanged', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  const env = { XDG_CONFIG_HOME: await folder() }
  const listen = () =>
    sandboxCommand(['listen', '--poll', '--cursor', 'dev', '--base-url', sandbox.url], {
      env,
      onOutput: (_, stop) => stop('SIGINT'),
    })
  expect((await listen()).code).toBe(0)
  const cursors = join(env.XDG_CONFIG_HOME, 'messaging-sandbox/cursors')
  const [name] = await readdir(cursors)
  const file = join(cursors, name!)
  await appendFile(file, '["msg_1",1,["msg_2",1,0]\n')
  const damaged = await readFile(file, 'utf8')
  const problem = `${file}:2 is not a line of a cursor.`
  expect(await listen()).toMatchObject({ code: 3, error: { error: 'configuration', message: problem } })
  expect(await readFile(file, 'utf8')).toBe(damaged)
  await rm(file)
  await mkdir(file)
  const unreadable = `The cursor ${file} cannot be read: `
  expect(await listen()).toMatchObject({ code: 3, error: { message: expect.stringContaining(unreadable) } })
})
