import { verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { startReceiver } from '../../receiver.ts'
import { settle, start, startImpatient } from './empty-world.ts'

test('a test event is sent at once, signed, and the answer contains that of the receiver', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  const { id, secret } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['email.opened'] })
  expect(await sandbox.client.webhooks.test(id)).toEqual({
    delivered: true,
    status_code: 200,
    duration_ms: expect.any(Number),
    error: null,
  })
  const [request] = receiver.received
  expect(request!.event).toMatchObject({ event: 'webhook.test', data: { endpoint_id: id } })
  expect(await verify(secret, request!.body, request!.headers['x-service-signature']!)).toBe(true)
})

test('a test event goes to no other endpoint, not even one subscribed to all', async () => {
  await using sandbox = await start()
  await using tested = await startReceiver()
  await using other = await startReceiver()
  await sandbox.client.webhooks.create({ url: other.url, events: ['*'] })
  const { id } = await sandbox.client.webhooks.create({ url: tested.url, events: ['*'] })
  await sandbox.client.webhooks.test(id)
  await sandbox.client.events.replay(tested.received[0]!.event.id, {})
  await settle(sandbox)
  expect(tested.received).toHaveLength(2)
  expect(other.received).toEqual([])
})

test('a test event is in the log, with its one attempt', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer({ status: 500, body: 'broken' })
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  expect(await sandbox.client.webhooks.test(id)).toMatchObject({ delivered: false, status_code: 500 })
  await sandbox.clock.advance('2d')
  expect(receiver.received).toHaveLength(1)
  expect((await sandbox.client.events.list()).events).toMatchObject([{ seq: 1, event: 'webhook.test' }])
  expect((await sandbox.client.events.deliveries()).data).toMatchObject([
    { event: 'webhook.test', endpoint_id: id, status: 'failed', attempts: [{ number: 1, response: 'broken' }] },
  ])
})

test('a test event is no delivery of another event where the log is reset before its answer', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  const { client } = sandbox
  const answered = Promise.withResolvers<number>()
  receiver.answer(() => answered.promise)
  const { id } = await client.webhooks.create({ url: receiver.url, events: ['email.opened'] })
  const tested = client.webhooks.test(id)
  await receiver.until(1)
  await sandbox.reset('events')
  await client.contacts.create({ email: 'ada@example.com' })
  answered.resolve(200)
  expect(await tested).toMatchObject({ delivered: true })
  expect(await client.events.deliveries()).toMatchObject({ data: [], total: 0 })
})

test('a test event to a receiver that is down says so', async () => {
  await using sandbox = await start()
  const { id } = await sandbox.client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] })
  expect(await sandbox.client.webhooks.test(id)).toMatchObject({
    delivered: false,
    status_code: null,
    error: expect.stringContaining('ECONNREFUSED'),
  })
})

test('a test event to a receiver that never answers is given up', async () => {
  await using sandbox = await startImpatient()
  await using receiver = await startReceiver()
  receiver.answer('never')
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  expect(await sandbox.client.webhooks.test(id)).toMatchObject({
    delivered: false,
    error: expect.stringContaining('400 ms'),
  })
})

test('a caller who leaves before the receiver has answered causes no error', async () => {
  const faults: unknown[] = []
  await using sandbox = await start({ onFault: (error) => faults.push(error) })
  await using receiver = await startReceiver()
  receiver.answer('never')
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const stop = new AbortController()
  const call = sandbox.client.webhooks.test(id, { signal: stop.signal })
  await receiver.until(1)
  stop.abort()
  await expect(call).rejects.toThrow()
  await sandbox.stop()
  expect(faults).toEqual([])
})
