import { sign as independentSign, verify } from '@octokit/webhooks-methods'
import { expect, test } from 'vitest'
import { sign } from '../../../src/http/signature.ts'
import type { Sandbox } from '../../../src/index.ts'
import { startReceiver } from '../../receiver.ts'
import { makeContact, settle, start } from './empty-world.ts'

type WebhookRequest = Parameters<Sandbox['client']['webhooks']['create']>[0]

test('an event reaches a subscribed endpoint, signed so that an independent library accepts it', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  const { secret } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'grüße 🎉' })
  const [request] = await receiver.until(1)
  expect(request!.method).toBe('POST')
  expect(request!.event).toMatchObject({ event: 'contact.created', data: { contact_id: id, external_id: 'grüße 🎉' } })
  expect(request!.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^messaging-sandbox\/\d+\.\d+\.\d+/),
    'x-service-event-id': request!.event.id,
    'x-service-delivery-attempt': '1',
  })
  const signature = request!.headers['x-service-signature']!
  expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/)
  expect(await verify(secret, request!.body, signature)).toBe(true)
  expect(await verify(`${secret}x`, request!.body, signature)).toBe(false)
  expect(await verify(secret, `${request!.body} `, signature)).toBe(false)
})

test('a signature is the one that an independent library makes', async () => {
  const body = JSON.stringify({ text: 'Zoë ✓ 🎉' })
  expect(sign('whsec_secret', body)).toBe(await independentSign('whsec_secret', body))
  expect(sign('whsec_secret', Buffer.from(body))).toBe(sign('whsec_secret', body))
})

test('the envelope contains id, event, timestamp and data only', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  const [request] = await receiver.until(1)
  expect(request!.event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
    event: 'contact.created',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: expect.any(Object),
  })
})

test('an endpoint gets the events to which it is subscribed, each once', async () => {
  const all = ['contact.created', 'contact.updated', 'contact.deleted']
  const subscriptions: [events: WebhookRequest['events'], heard: string[]][] = [
    [['contact.updated'], ['contact.updated']],
    [
      ['contact.created', 'contact.deleted'],
      ['contact.created', 'contact.deleted'],
    ],
    [['contact.*'], all],
    [['*'], all],
    [['contact.*', '*', 'contact.created'], all],
    [['message.*', 'email.*', 'consent.*'], []],
  ]
  await using sandbox = await start()
  await using receiver = await startReceiver()
  for (const [i, [events]] of subscriptions.entries())
    await sandbox.client.webhooks.create({ url: `${receiver.url}/${i}`, events })
  const id = await makeContact(sandbox)
  await sandbox.client.contacts.update(id, { first_name: 'Ada' })
  await sandbox.client.contacts.delete(id)
  await settle(sandbox)
  for (const [i, [events, heard]] of subscriptions.entries()) {
    const received = receiver.received.filter(({ path }) => path.endsWith(`/${i}`))
    expect(
      received.map(({ event }) => event.event),
      events.join(),
    ).toEqual(heard)
  }
})

test('two endpoints get the same bytes, each signed with its own secret', async () => {
  await using sandbox = await start()
  await using one = await startReceiver()
  await using two = await startReceiver()
  const first = await sandbox.client.webhooks.create({ url: one.url, events: ['*'] })
  const second = await sandbox.client.webhooks.create({ url: two.url, events: ['contact.*'] })
  await makeContact(sandbox)
  const [a] = await one.until(1)
  const [b] = await two.until(1)
  expect(a!.body).toBe(b!.body)
  expect(await verify(first.secret, a!.body, a!.headers['x-service-signature']!)).toBe(true)
  expect(await verify(second.secret, b!.body, b!.headers['x-service-signature']!)).toBe(true)
})

test('an endpoint gets no events from before its registration or after its deletion', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await makeContact(sandbox, 'before@example.com')
  const { id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox, 'between@example.com')
  await settle(sandbox)
  await sandbox.client.webhooks.delete(id)
  await makeContact(sandbox, 'after@example.com')
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.data.email)).toEqual(['between@example.com'])
})

test('a refused request is not delivered to any endpoint', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const id = await makeContact(sandbox)
  await makeContact(sandbox, 'other@example.com')
  await expect(sandbox.client.contacts.update(id, { email: 'other@example.com' })).rejects.toMatchObject({
    status: 409,
  })
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['contact.created', 'contact.created'])
  expect((await sandbox.client.events.list()).last_seq).toBe(2)
})

test('the events of one record arrive in order, though the first is accepted only at the second attempt', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  receiver.answer((_, n) => (n === 1 ? 500 : 200))
  const id = await makeContact(sandbox)
  for (const first_name of ['Ada', 'Bea', 'Cleo']) await sandbox.client.contacts.update(id, { first_name })
  await settle(sandbox)
  expect(receiver.received).toHaveLength(1)
  await sandbox.clock.advance('1m')
  const ids = (await sandbox.client.events.list()).events.map(({ id }) => id)
  expect(receiver.received.map(({ event }) => event.id)).toEqual([ids[0], ...ids])
})

test("one record's failing event does not hold up another's", async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const stuck = await makeContact(sandbox, 'stuck@example.com')
  await receiver.until(1)
  receiver.answer(({ event }) => (event.data.contact_id === stuck ? 500 : 200))
  await sandbox.client.contacts.update(stuck, { first_name: 'Ada' })
  const other = await makeContact(sandbox, 'other@example.com')
  await sandbox.client.contacts.update(other, { first_name: 'Bea' })
  await settle(sandbox)
  const updates = receiver.received.filter(({ event }) => event.data.contact_id === other)
  expect(updates.map(({ event }) => event.event)).toEqual(['contact.created', 'contact.updated'])
})

test('one endpoint that is down does not hold up another', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] })
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const id = await makeContact(sandbox)
  await sandbox.client.contacts.update(id, { first_name: 'Ada' })
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.event)).toEqual(['contact.created', 'contact.updated'])
})

test('on a running clock, silent endpoints do not hold up another', async () => {
  await using sandbox = await start({ clock: 'real' })
  await using silent = await startReceiver()
  await using receiver = await startReceiver()
  silent.answer('never')
  for (const url of [silent.url, `${silent.url}/too`, receiver.url])
    await sandbox.client.webhooks.create({ url, events: ['contact.imported'] })
  for (const round of [1, 2]) {
    const contacts = Array.from({ length: 100 }, (_, i) => ({ email: `contact-${round}-${i}@example.com` }))
    await sandbox.client.contacts.import({ contacts })
    await receiver.until(round * 100)
  }
  expect(await silent.until(2 * 32)).toHaveLength(2 * 32)
})

test('many events of many records all arrive, once each', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  const addresses = Array.from({ length: 100 }, (_, i) => `contact-${i}@example.com`)
  await Promise.all(addresses.map((address) => makeContact(sandbox, address)))
  await settle(sandbox)
  expect(receiver.received.map(({ event }) => event.data.email).sort()).toEqual([...addresses].sort())
})

test('after a rotation the new secret signs, for what was still to be delivered too', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 401 : 200))
  const { id, secret } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  const rotated = await sandbox.client.webhooks.update(id, { rotate_secret: true })
  await sandbox.clock.advance('1m')
  const [before, after] = receiver.received
  expect(await verify(secret, before!.body, before!.headers['x-service-signature']!)).toBe(true)
  expect(after!.body).toBe(before!.body)
  expect(await verify(rotated.secret!, after!.body, after!.headers['x-service-signature']!)).toBe(true)
})

test('after a change of URL the new one is tried, for what was still to be delivered too', async () => {
  await using sandbox = await start()
  await using receiver = await startReceiver()
  const { id } = await sandbox.client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['*'] })
  await makeContact(sandbox)
  await settle(sandbox)
  await sandbox.client.webhooks.update(id, { url: receiver.url })
  await sandbox.clock.advance('1m')
  expect(receiver.received.map(({ headers }) => headers['x-service-delivery-attempt'])).toEqual(['2'])
})
