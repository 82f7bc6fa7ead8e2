import { expect, test } from 'vitest'
import { EventMissing } from '../../src/index.ts'
import { phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const send = async (sandbox: Sandbox, to: string) => (await sandbox.client.messages.send({ ...rcsText, to })).message_id

const missing = (wait: Promise<unknown>): Promise<EventMissing> =>
  wait.then(
    () => Promise.reject(new Error('it came')),
    (error) => (error instanceof EventMissing ? error : Promise.reject(error)),
  )

test.each(['auto', 'scaled:3600'] as const)('on a clock that is %s waitFor resolves to the event', async (clock) => {
  await using sandbox = await createSandbox({ clock })
  const message_id = await send(sandbox, phones.readsAll)
  const event = await sandbox.waitFor('message.read', { message_id }, { within: '30d' })
  expect(event).toMatchObject({ event: 'message.read', data: { message_id, to: phones.readsAll } })
  expect(Date.parse(event.data.read_at)).not.toBeNaN()
})

test('on a frozen clock waitFor fails at once and names the next scheduled work', async () => {
  await using sandbox = await createSandbox()
  const message_id = await send(sandbox, phones.readsAll)
  const error = await missing(sandbox.waitFor('message.delivered', { message_id }, { within: '1h' }))
  const { next_due_at } = await sandbox.client.clock.show()
  expect(error.message).toContain(
    'message.delivered did not arrive, and the clock does not advance beyond 2026-01-01T00:00:00.000Z.',
  )
  expect(error.message).toContain(`The next work is due at ${next_due_at}: advance the clock.`)
  expect(error).toMatchObject({ nextDueAt: next_due_at, nearest: { event: { event: 'message.queued' } } })
  await sandbox.clock.advance('1h')
  expect(await sandbox.waitFor('message.delivered', { message_id })).toMatchObject({ data: { message_id } })
})

test('waitFor names the nearest event, and the event that ends the wait', async () => {
  await using sandbox = await createSandbox()
  const message_id = await send(sandbox, phones.rejectedAsSpam)
  await sandbox.clock.advance('1h')
  const ended = await missing(sandbox.waitFor('message.delivered', { message_id }))
  expect(ended.message).toBe(
    `message.delivered did not arrive, and cannot arrive any more after message.failed of ${message_id} (REJECTED_SPAM).`,
  )
  const other = await missing(sandbox.waitFor('message.failed', { failure_reason: 'MESSAGE_EXPIRED' }))
  expect(other.message).toContain('with data.failure_reason "REJECTED_SPAM" instead of "MESSAGE_EXPIRED"')
  // The scheduled campaign of the default world.
  expect(other.nextDueAt).toBe('2030-01-01T09:00:00.000Z')
})

test.each([
  [/^\+1/, 'to: is a RegExp, which no field can be: use expect.stringMatching() with toHaveReceived().'],
  [{ part: /^\+1/ }, 'to.part: is a RegExp'],
  [['x', () => 'x'], 'to.1: is a function, which no field can be.'],
  [Symbol('x'), 'to: is a symbol'],
  [1n, 'to: is a bigint'],
  [Number.NaN, 'to: is NaN'],
  [new Map([['x', 1]]), 'to: is an instance of Map'],
  [new (class Phone {})(), 'to: is an instance of Phone'],
  [expect.any(String), 'to: is an asymmetric matcher, which only toHaveReceived() takes.'],
])('waitFor refuses what is not JSON, which would match every event: %s', async (to, message) => {
  await using sandbox = await createSandbox()
  const message_id = await send(sandbox, phones.readsAll)
  await sandbox.clock.advance('1h')
  await expect(sandbox.waitFor('message.delivered', { to } as object)).rejects.toThrow(message)
  await using lease = await sandbox.lease.phone()
  await expect(lease.waitFor('message.delivered', { to } as object)).rejects.toThrow(message)
  const { data } = await sandbox.waitFor('message.delivered', { message_id })
  // A Date is its text in JSON.
  const delivered_at = new Date(data.delivered_at) as never
  expect((await sandbox.waitFor('message.delivered', { delivered_at })).data).toEqual(data)
})

test('waitFor compares an object field by field', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox, phones.readsAll)
  await sandbox.clock.advance('1h')
  await sandbox.handset(phones.readsAll).reply('On my way')
  const { data } = await sandbox.waitFor('conversation.started', { user_message: { text: 'On my way' } })
  expect(data.from).toBe(phones.readsAll)
  const error = await missing(sandbox.waitFor('conversation.started', { user_message: { text: 'No' } }))
  expect(error.message).toContain('with data.user_message.text "On my way" instead of "No"')
})

test('waitFor ends at its time limit on the clock of the world, and can be limited to new events', async () => {
  await using sandbox = await createSandbox({ clock: 'scaled:3600' })
  const message_id = await send(sandbox, phones.neverReads)
  await sandbox.waitFor('message.delivered', { message_id }, { within: '30d' })
  const { last_seq } = await sandbox.events.list({ limit: 1 })
  const error = await missing(sandbox.waitFor('message.delivered', { message_id }, { within: '5m', after: last_seq }))
  expect(error.message).toContain('message.delivered did not arrive within 5m.')
  await expect(sandbox.waitFor('message.delivered', {}, { within: 'long' })).rejects.toThrow(
    'within: must be a duration',
  )
})

test('a wait leaves nothing in the request log', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const { clock, lease, events, client } = sandbox
  await using phone = await lease.phone({ consent: true })
  const message_id = await send(sandbox, phone.address)
  await sandbox.waitFor('message.delivered', { message_id })
  await phone.waitFor('message.delivered')
  await sandbox.settle()
  expect(await Array.fromAsync(events)).not.toHaveLength(0)
  expect(await Array.fromAsync(phone.events)).not.toHaveLength(0)
  expect(await clock.now()).not.toBe('2026-01-01T00:00:00.000Z')
  const reads = async () => (await client.logs.list({ method: 'GET' })).requests.map(({ operation }) => operation)
  expect(await reads()).toEqual([])
  await phone.handset.inbox()
  expect(await reads()).toEqual(['handsets.inbox'])
})

test('waitFor continues in the log that replaces the one of its start', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  await send(sandbox, phones.readsAll)
  const isOpen = sandbox.waitFor('contact.created', { email: 'ada@example.com' }, { within: '1h' })
  await sandbox.client.clock.settle()
  await sandbox.client.world.reset({ scope: 'events' })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  expect(await isOpen).toMatchObject({ data: { email: 'ada@example.com' } })
})
