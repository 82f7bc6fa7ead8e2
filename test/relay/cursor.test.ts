import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Dispatcher } from '../../src/relay/dispatch.ts'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { follow } from './follow.ts'

const addContact = (sandbox: Pick<Sandbox, 'client'>, n: number) =>
  sandbox.client.contacts.create({ email: `n${n}@example.com` })
const emails = (received: readonly { event: { data: Record<string, unknown> } }[]) =>
  received.map(({ event }) => event.data.email)
const cursorOf = async (sandbox: Pick<Sandbox, 'client'>) => (await sandbox.client.events.cursor('dev')).seq

test('the emulator stores a new cursor before its first event, so that a killed reader misses nothing', async () => {
  await using sandbox = await createSandbox()
  await addContact(sandbox, 1)
  await using relay = follow(sandbox, { cursor: 'dev' })
  await relay.until('connected')
  expect(await cursorOf(sandbox)).toBe(1)
})

test('a reader that is refused, or reads the head only, holds no cursor', async () => {
  await using sandbox = await createSandbox()
  await addContact(sandbox, 1)
  const path = `${sandbox.url}/_sandbox/events/stream?cursor=dev`
  expect((await fetch(`${path}&since=evt_00000000-0000-4000-8000-00000000dead`)).status).toBe(404)
  expect((await fetch(path, { method: 'HEAD' })).status).toBe(200)
  const answer = await fetch(path)
  expect(answer.status).toBe(200)
  await answer.body!.cancel()
})

test('a new cursor can begin at the start; an existing one continues', async () => {
  await using sandbox = await createSandbox()
  for (let n = 1; n <= 3; n++) await addContact(sandbox, n)
  const first = follow(sandbox, { cursor: 'dev', since: 'start' })
  await first.until('event', 3)
  await first.stop()
  await addContact(sandbox, 4)
  await using second = follow(sandbox, { cursor: 'dev', since: 'start' })
  await second.until('event')
  expect(second.events[0]!.event.seq).toBe(4)
})

test('the cursor moves only when the target has answered', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  let answer = (_status: number) => {}
  receiver.answer(() => new Promise((resolve) => (answer = resolve)))
  await using relay = follow(sandbox, { to: receiver.url, cursor: 'dev' })
  await relay.until('connected')
  await addContact(sandbox, 1)
  await receiver.until(1)
  expect(await cursorOf(sandbox)).toBe(0)
  answer(200)
  await relay.until('event')
  await expect.poll(() => cursorOf(sandbox)).toBe(1)
})

test.each(['all', 'events'] as const)(
  'a reset of %s during a delivery ends no stream and loses no event',
  async (scope) => {
    await using sandbox = await createSandbox()
    await using receiver = await startReceiver()
    receiver.answer(async (_, n) => {
      if (n === 2) await sandbox.client.world.reset({ scope })
      return 200
    })
    await using relay = follow(sandbox, { to: receiver.url, cursor: 'dev' })
    await relay.until('connected')
    await addContact(sandbox, 1)
    await addContact(sandbox, 2)
    await relay.until('new log')
    await relay.until('event', 2)
    await addContact(sandbox, 3)
    await relay.until('event', 3)
    expect(emails(receiver.received)).toEqual(['n1@example.com', 'n2@example.com', 'n3@example.com'])
    expect(relay.reported).toContain('new log 0')
    await expect.poll(() => cursorOf(sandbox)).toBe(1)
  },
)

test('events that wait for a target are dropped when their world is reset', async () => {
  await using sandbox = await createSandbox()
  const gone = await startReceiver()
  await gone[Symbol.asyncDispose]()
  await using relay = follow(sandbox, { to: gone.url, cursor: 'dev' })
  await relay.until('connected')
  for (let n = 1; n <= 3; n++) await addContact(sandbox, n)
  await relay.until('target down')
  await sandbox.client.world.reset({ scope: 'all' })
  await relay.until('new log')
  await addContact(sandbox, 4)
  await using receiver = await startReceiver({ port: Number(new URL(gone.url).port) })
  // The first one was started.
  await receiver.until(2)
  expect(emails(receiver.received)).toEqual(['n1@example.com', 'n4@example.com'])
})

test('after a restore, every cursor is at the end of the restored log, with and without a reader', async () => {
  await using sandbox = await createSandbox()
  const first = follow(sandbox, { cursor: 'dev' })
  await first.until('connected')
  await first.stop()
  for (let n = 1; n <= 3; n++) await addContact(sandbox, n)
  await sandbox.client.snapshots.save({ name: 'three' })
  await sandbox.client.snapshots.restore('three')
  await addContact(sandbox, 4)
  await using second = follow(sandbox, { cursor: 'dev' })
  await second.until('event')
  expect(second.reported).toEqual(['connected 3', 'event contact.created'])
  await sandbox.client.snapshots.restore('three')
  await second.until('new log 3')
  await addContact(sandbox, 5)
  await second.until('event', 2)
  expect(JSON.parse(second.events[1]!.event.body).data.email).toBe('n5@example.com')
})

test('another world in the same place has a cursor of its own', async () => {
  const [one, other] = [await folder(), await folder()]
  const there = await createSandbox({ data: other })
  const port = Number(new URL(there.url).port)
  for (let n = 1; n <= 3; n++) await addContact(there, n)
  const seen = follow(there, { cursor: 'dev', since: 'start' })
  await seen.until('event', 3)
  await seen.stop()
  await addContact(there, 4)
  await there.stop()
  const here = await createSandbox({ data: one, port })
  await using relay = follow(here, { cursor: 'dev' })
  await relay.until('connected')
  await here.stop()
  await relay.until('lost')
  await using again = await createSandbox({ data: other, port })
  await relay.until('event')
  expect(relay.reported.slice(2)).toEqual(['new log 3', 'connected 3', 'event contact.created'])
  await expect.poll(() => cursorOf(again)).toBe(4)
})

test('a position that was kept for another log moves nothing in this one', async () => {
  await using sandbox = await createSandbox()
  await addContact(sandbox, 1)
  const move = (log: string) => sandbox.client.events.moveCursor('dev', { seq: 1, log })
  await expect(move('log_of-another.world')).rejects.toMatchObject({ code: 'world_replaced' })
  expect(await cursorOf(sandbox)).toBeNull()
})

test('two readers with one cursor take turns, and no event reaches both', async () => {
  await using sandbox = await createSandbox()
  const first = follow(sandbox, { cursor: 'dev' })
  await first.until('connected')
  await using second = follow(sandbox, { cursor: 'dev' })
  await second.until('waiting The cursor dev is in use by reader')
  await addContact(sandbox, 1)
  await first.until('event')
  await expect(sandbox.client.events.moveCursor('dev', { seq: 0 })).rejects.toMatchObject({ code: 'cursor_in_use' })
  await first.stop()
  await second.until('connected 1')
  await addContact(sandbox, 2)
  await second.until('event')
  expect(second.events.map(({ event }) => event.seq)).toEqual([2])
})

/** A reader that has read as far ahead of its target as it does. The target answers its first event on demand. */
async function farBehind(sandbox: Sandbox) {
  await sandbox.client.contacts.import({
    contacts: Array.from({ length: 1_200 }, (_, n) => ({ email: `n${n}@example.com` })),
  })
  const receiver = await startReceiver()
  const [first, others] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
  receiver.answer((_, n) => (n === 1 ? first : others).promise)
  const started = Promise.withResolvers<Dispatcher>()
  const reader = follow(sandbox, { to: receiver.url, cursor: 'dev', since: 'start', started: started.resolve })
  const dispatcher = await started.promise
  await expect.poll(() => Promise.race([dispatcher.room().then(() => true), setImmediate(false)])).toBe(false)
  const stack = new AsyncDisposableStack()
  stack.use(receiver)
  stack.use(reader)
  return {
    ...{ receiver, reader },
    answerFirst: () => first.resolve(200),
    answerOthers: () => others.resolve(200),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('a reader far behind stops delivering when another one has taken its cursor after a restart', async () => {
  const data = await folder()
  const before = await createSandbox({ data })
  await using behind = await farBehind(before)
  await before.stop()
  await using again = await createSandbox({ data, port: Number(new URL(before.url).port) })
  await using second = follow(again, { cursor: 'dev' })
  await second.until('connected 0')
  behind.answerFirst()
  await behind.reader.until('waiting The cursor dev is in use by reader')
  behind.answerOthers()
  await second.until('event', 1_200)
  expect(emails(behind.receiver.received)).toEqual(['n0@example.com', 'n1@example.com'])
})

test('a reader far behind delivers nothing of the old log after a reset', async () => {
  await using sandbox = await createSandbox()
  await using behind = await farBehind(sandbox)
  await sandbox.reset()
  behind.answerFirst()
  await behind.reader.until('new log 0')
  behind.answerOthers()
  await sandbox.client.contacts.create({ email: 'new@example.com' })
  await behind.receiver.until(3)
  expect(emails(behind.receiver.received)).toEqual(['n0@example.com', 'n1@example.com', 'new@example.com'])
})

test('readers with other cursors, or in other namespaces, do not wait for each other', async () => {
  await using sandbox = await createSandbox()
  await using one = follow(sandbox, { cursor: 'dev' })
  await using two = follow(sandbox, { cursor: 'ci' })
  await using three = follow({ url: sandbox.url, apiKey: 'sk_sandbox_other' }, { cursor: 'dev' })
  await Promise.all([one, two, three].map((relay) => relay.until('connected')))
})

test.each([
  ['reset', (sandbox: Sandbox) => sandbox.reset()],
  ['restored', (sandbox: Sandbox) => sandbox.restore('before')],
])('a reader that does not run while the world is %s misses no later event', async (_, replace) => {
  await using sandbox = await createSandbox()
  await sandbox.snapshot('before')
  await addContact(sandbox, 1)
  const first = follow(sandbox, { cursor: 'dev' })
  await first.until('connected')
  await first.stop()
  await replace(sandbox)
  await addContact(sandbox, 2)
  await using second = follow(sandbox, { cursor: 'dev' })
  await second.until('event')
  const [newest] = (await sandbox.client.events.list({ order: 'newest', limit: 1 })).events
  expect(second.events.map(({ event }) => event.seq)).toEqual([newest!.seq])
})
