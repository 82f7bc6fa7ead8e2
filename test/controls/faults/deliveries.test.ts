import { verify } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventSubscription, Sandbox } from '../../../src/index.ts'
import { oddlySpelled } from '../../../src/service/webhooks/spelling.ts'
import { folder } from '../../folder.ts'
import { phones, rcsText } from '../../magic.ts'
import { type Received, startReceiver } from '../../receiver.ts'
import { createSandbox } from '../../sandbox.ts'

const secret = 'whsec_test'

async function subscribed(sandbox: Sandbox, url: string, events: EventSubscription[] = ['message.*']) {
  return (await sandbox.client.webhooks.create({ url, events, secret })).id
}

/** One message that is delivered and read within ten seconds. */
async function sendOne({ client, clock }: Sandbox) {
  await client.messages.send({ ...rcsText, to: phones.readsAll })
  await clock.advance('10s')
}

const names = (received: readonly Received[]) => received.map(({ event }) => event.event)
const numbers = (received: readonly Received[]) => received.map(({ headers }) => headers['x-service-delivery-attempt'])
const isSigned = ({ body, headers }: Received) => verify(secret, body, headers['x-service-signature']!)

const deliveriesOf = async ({ client }: Sandbox, event: string) =>
  (await client.events.deliveries()).data.filter((delivery) => delivery.event === event)

test('a dropped attempt never arrives and is made again after a minute', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['message.delivered'])
  const fault = await sandbox.client.faults.add({ events: ['message.delivered'], drop: true, times: 1 })
  await sendOne(sandbox)
  expect(receiver.received).toHaveLength(0)
  expect(await deliveriesOf(sandbox, 'message.delivered')).toMatchObject([
    {
      status: 'pending',
      attempts: [{ number: 1, status_code: null, error: expect.stringContaining('dropped'), fault: fault.id }],
    },
  ])
  await sandbox.clock.advance('1m')
  expect(numbers(receiver.received)).toEqual(['2'])
  const [delivery] = await deliveriesOf(sandbox, 'message.delivered')
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ fault: fault.id }, { error: null, fault: null }] })
  expect((await sandbox.client.faults.list()).faults).toMatchObject([
    { target: 'webhooks', does: 'drops the attempt, once', seen: 1, hits: 1, active: false },
  ])
})

test('a delayed attempt is made later, and later events of the record wait', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url)
  const fault = await sandbox.client.faults.add({ events: ['message.delivered'], delay: '30s' })
  await sendOne(sandbox)
  expect(names(receiver.received)).toEqual(['message.queued'])
  const [late] = await deliveriesOf(sandbox, 'message.delivered')
  expect(late).toMatchObject({ status: 'pending', attempts: [] })
  expect(Date.parse(late!.next_attempt_at!) - Date.parse(late!.created_at)).toBe(30_000)
  await sandbox.clock.advance('30s')
  expect(names(receiver.received)).toEqual(['message.queued', 'message.delivered', 'message.read'])
  const [made] = await deliveriesOf(sandbox, 'message.delivered')
  expect(made!.attempts).toMatchObject([{ at: late!.next_attempt_at, fault: fault.id }])
  expect((await sandbox.client.faults.show(fault.id)).hits).toBe(1)
})

test('a duplicate is the same event twice: id, bytes and signature', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['message.delivered', 'message.read'])
  await sandbox.client.faults.add({ events: ['message.delivered'], duplicate: true })
  await sendOne(sandbox)
  const [first, second, third] = receiver.received
  expect(names(receiver.received)).toEqual(['message.delivered', 'message.delivered', 'message.read'])
  expect(second).toEqual(first)
  expect(await isSigned(second!)).toBe(true)
  expect(third!.event.id).not.toBe(first!.event.id)
  expect(await deliveriesOf(sandbox, 'message.delivered')).toMatchObject([
    { status: 'delivered', attempts: [{ number: 1 }] },
  ])
})

test('one 2xx answer is enough for a duplicate', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 200 : 409))
  await subscribed(sandbox, receiver.url, ['message.delivered'])
  await sandbox.client.faults.add({ events: ['*'], duplicate: true })
  await sendOne(sandbox)
  expect(await deliveriesOf(sandbox, 'message.delivered')).toMatchObject([{ status: 'delivered' }])
})

test('a wrong signature fails verification, the body is correct, and the next attempt is signed correctly', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? 401 : 200))
  await subscribed(sandbox, receiver.url, ['message.delivered'])
  await sandbox.client.faults.add({ events: ['message.delivered'], bad_signature: true, times: 1 })
  await sendOne(sandbox)
  await sandbox.clock.advance('1m')
  const [bad, good] = receiver.received
  expect(bad!.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
  expect(await Promise.all([isSigned(bad!), isSigned(good!)])).toEqual([false, true])
  expect(good!.body).toBe(bad!.body)
})

test('an odd spelling is the same event with a valid signature, which fails on a re-serialised body', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['message.delivered'])
  await sandbox.client.faults.add({ events: ['message.delivered'], odd_spelling: true, times: 1 })
  await sendOne(sandbox)
  await sendOne(sandbox)
  const [odd, plain] = receiver.received
  expect(await Promise.all([isSigned(odd!), isSigned(plain!)])).toEqual([true, true])
  expect(Object.keys(odd!.event).sort()).toEqual(Object.keys(plain!.event).sort())
  expect(odd!.event).toMatchObject({ event: 'message.delivered', data: { status: 'delivered' } })
  const reserialised = JSON.stringify(odd!.event)
  expect(reserialised).not.toBe(odd!.body)
  expect(await isSigned({ ...odd!, body: reserialised })).toBe(false)
  expect(await isSigned({ ...plain!, body: JSON.stringify(plain!.event) })).toBe(true)
  // The log has the original.
  const { body } = await sandbox.client.events.show(odd!.event.id)
  expect(JSON.parse(body)).toEqual(odd!.event)
  expect(body).not.toBe(odd!.body)
})

test('unusual JSON keeps the meaning of any text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value)
      expect(JSON.parse(oddlySpelled(json))).toEqual(JSON.parse(json))
    }),
  )
})

test('a lost acknowledgement makes the receiver see the event again', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['message.delivered'])
  await sandbox.client.faults.add({ events: ['message.delivered'], lost_acknowledgement: true, times: 1 })
  await sendOne(sandbox)
  await sandbox.clock.advance('1m')
  expect(numbers(receiver.received)).toEqual(['1', '2'])
  expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body)
  const [delivery] = await deliveriesOf(sandbox, 'message.delivered')
  expect(delivery!.attempts).toMatchObject([
    {
      status_code: null,
      error: expect.stringMatching(/^The receiver answered 200, and the fault flt_.* lost the answer\.$/),
    },
    { status_code: 200, error: null },
  ])
})

test('two events of one message swap: the first waits until the one behind it was delivered', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url)
  const fault = await sandbox.client.faults.add({ events: ['message.delivered'], reorder: true })
  await sendOne(sandbox)
  expect(names(receiver.received)).toEqual(['message.queued', 'message.read', 'message.delivered'])
  const [swapped] = await deliveriesOf(sandbox, 'message.delivered')
  expect(swapped).toMatchObject({ status: 'delivered', attempts: [{ number: 1, fault: fault.id }] })
  // At the instant at which the other one was, and not a minute later.
  const [read] = await deliveriesOf(sandbox, 'message.read')
  expect(swapped!.ended_at).toBe(read!.ended_at)
})

test('events swap in pairs if the fault matches all of them', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['contact.*'])
  await sandbox.client.faults.add({ events: ['*'], reorder: true })
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  for (const first_name of ['B', 'C', 'D']) await sandbox.client.contacts.update(id, { first_name })
  await sandbox.clock.advance('1s')
  const seqs = new Map((await sandbox.client.events.list()).events.map((event) => [event.id, event.seq]))
  expect(receiver.received.map(({ event }) => seqs.get(event.id))).toEqual([2, 1, 4, 3])
})

test('an event without a successor waits no longer than its limit', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  await subscribed(sandbox, receiver.url, ['contact.created'])
  await sandbox.client.faults.add({ events: ['*'], reorder: true, delay: '20s' })
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.clock.advance('19s')
  expect(receiver.received).toHaveLength(0)
  expect(await deliveriesOf(sandbox, 'contact.created')).toMatchObject([
    { status: 'held', next_attempt_at: '2026-01-01T00:00:20.000Z' },
  ])
  await sandbox.clock.advance('1s')
  expect(names(receiver.received)).toEqual(['contact.created'])
})

test('a held event waits for the one that passed it, even while that is tried again', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n <= 2 ? 500 : 200))
  await subscribed(sandbox, receiver.url, ['message.delivered', 'message.read'])
  await sandbox.client.faults.add({ events: ['message.delivered'], reorder: true, delay: '30s' })
  await sendOne(sandbox)
  await sandbox.clock.advance('10m')
  expect(names(receiver.received)).toEqual(['message.read', 'message.read', 'message.read', 'message.delivered'])
})

test('a removed endpoint gets nothing more, held events included', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const id = await subscribed(sandbox, receiver.url, ['contact.*'])
  await sandbox.client.faults.add({ events: ['contact.created'], reorder: true })
  await sandbox.client.faults.add({ events: ['contact.updated'], delay: '1h' })
  const contact = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.clock.advance('1s')
  await sandbox.client.contacts.update(contact.id, { first_name: 'Ada' })
  await sandbox.clock.advance('1s')
  await sandbox.client.webhooks.delete(id)
  await sandbox.clock.advance('2d')
  expect(receiver.received).toHaveLength(0)
  const { data } = await sandbox.client.events.deliveries()
  expect(data.map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
})

test('a fault on one endpoint does not affect the others', async () => {
  await using sandbox = await createSandbox()
  await using failing = await startReceiver()
  await using other = await startReceiver()
  const endpoint_id = await subscribed(sandbox, failing.url, ['message.delivered'])
  await subscribed(sandbox, other.url, ['message.delivered'])
  await sandbox.client.faults.add({ events: ['*'], endpoint_id, drop: true })
  await sendOne(sandbox)
  expect([failing.received.length, other.received.length]).toEqual([0, 1])
})

test('a test event is affected by faults, but does not wait', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const id = await subscribed(sandbox, receiver.url)
  const { client } = sandbox
  await client.faults.add({ events: ['*'], reorder: true })
  await client.faults.add({ events: ['*'], delay: '1h' })
  await client.faults.add({ events: ['webhook.test'], bad_signature: true, times: 1 })
  await client.faults.add({ events: ['webhook.test'], drop: true, times: 1 })
  expect(await client.webhooks.test(id)).toMatchObject({ delivered: true })
  expect(await isSigned(receiver.received[0]!)).toBe(false)
  expect(await client.webhooks.test(id)).toMatchObject({ delivered: false, error: expect.stringContaining('dropped') })
  expect(receiver.received).toHaveLength(1)
  expect((await client.faults.list()).faults.map(({ seen }) => seen)).toEqual([0, 0, 1, 1])
})

test('chance repeats with the seed, and every attempt is counted once', async () => {
  const runs: string[] = []
  for (const seed of ['one', 'one', 'two']) {
    await using sandbox = await createSandbox({ seed })
    await using receiver = await startReceiver()
    await subscribed(sandbox, receiver.url, ['contact.created'])
    await sandbox.client.faults.add({ events: ['*'], drop: true, share: '50%' })
    for (let i = 0; i < 24; i++) await sandbox.client.contacts.create({ email: `c${i}@example.com` })
    await sandbox.clock.advance('0s')
    runs.push((await deliveriesOf(sandbox, 'contact.created')).map(({ status }) => status[0]).join(''))
    const [fault] = (await sandbox.client.faults.list()).faults
    expect(fault).toMatchObject({ seen: 24, hits: 24 - receiver.received.length })
  }
  expect(runs[0]).toMatch(/p/)
  expect(runs[0]).toMatch(/d/)
  expect(runs[1]).toBe(runs[0])
  expect(runs[2]).not.toBe(runs[0])
})

test('an attempt that a stop cut off is made again under the same fault, which counts it once', async () => {
  const data = await folder()
  await using receiver = await startReceiver()
  receiver.answer('never')
  {
    await using sandbox = await createSandbox({ data })
    await subscribed(sandbox, receiver.url, ['contact.created'])
    await sandbox.client.faults.add({ events: ['*'], bad_signature: true, times: 1 })
    await sandbox.client.contacts.create({ email: 'ada@example.com' })
    await receiver.until(1)
  }
  receiver.answer(200)
  await using sandbox = await createSandbox({ data })
  await receiver.until(2)
  await sandbox.clock.advance('0s')
  expect(await Promise.all(receiver.received.map(isSigned))).toEqual([false, false])
  expect((await sandbox.client.faults.list()).faults).toMatchObject([{ seen: 1, hits: 1 }])
})

test('events that a fault holds continue after a restart', async () => {
  const data = await folder()
  await using receiver = await startReceiver()
  {
    await using sandbox = await createSandbox({ data })
    await subscribed(sandbox, receiver.url, ['contact.*'])
    await sandbox.client.faults.add({ events: ['contact.created'], reorder: true })
    await sandbox.client.contacts.create({ email: 'ada@example.com', external_id: 'ada' })
    await sandbox.clock.advance('1s')
  }
  await using sandbox = await createSandbox({ data })
  await sandbox.client.contacts.update('ada', { first_name: 'Ada' })
  await sandbox.clock.advance('1s')
  expect(names(receiver.received)).toEqual(['contact.updated', 'contact.created'])
})
