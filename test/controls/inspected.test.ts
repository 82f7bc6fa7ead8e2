import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox } from '../sandbox.ts'

/** The control calls that the inspector reads. */

const U = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const RCS = { agent_id: `ag_live_${U(1)}`, message_type: 'MESSAGE', traffic_type: 'TRANSACTION' } as const
const OBSERVER = { 'X-Sandbox-Observer': 'test' }

test('an observer does not create a namespace, and every other request does', async () => {
  await using sandbox = await createSandbox()
  const headers = { ...OBSERVER, Authorization: 'Bearer sk_sandbox_typo-ns' }
  for (const path of ['/_sandbox/messages', '/_sandbox/clock', '/_sandbox/events/stream', '/v1/billing/balance'])
    expect(await ask(sandbox, 'GET', path, { headers })).toMatchObject({
      status: 401,
      json: { error: 'unauthorized', message: expect.stringContaining('no namespace typo-ns') },
    })
  const names = async () => (await sandbox.client.namespaces.list()).namespaces.map(({ name }) => name)
  expect(await names()).not.toContain('typo-ns')
  const { Authorization } = headers
  expect(await ask(sandbox, 'GET', '/_sandbox/clock', { headers: { Authorization } })).toMatchObject({ status: 200 })
  expect(await names()).toContain('typo-ns')
  expect(await ask(sandbox, 'GET', '/_sandbox/clock', { headers })).toMatchObject({ status: 200 })
})

test('a search finds visible texts, but no JSON keys or hidden values', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.messages.send({
    ...RCS,
    to: '+491713920050',
    content: {
      rich_card: {
        standalone: {
          orientation: 'VERTICAL',
          content: {
            title: 'A "blue" kettle',
            description: 'Boils quickly',
            suggestions: [{ reply: { text: 'Order it', postback_data: 'b3JkZXI=' } }],
          },
        },
      },
    },
  })
  await sandbox.client.messages.send({
    channel_id: `ch_${U(1)}`,
    to: 'ada@example.com',
    subject: 'Your order',
    content: { html: '<p class="lead">Thank you</p>', text: 'Thank you' },
  })
  const totalOf = async (text: string) => (await sandbox.client.messages.search({ text })).total
  for (const key of ['orientation', 'VERTICAL', 'postback', 'script', 'rich_card', 'b3JkZXI', 'lead'])
    expect([key, await totalOf(key)]).toEqual([key, 0])
  for (const text of ['"BLUE" ket', 'boils', 'Order it', 'thank you', '3920050', '100%'])
    expect([text, await totalOf(text)]).toEqual([text, text === '100%' ? 0 : 1])
  expect(await totalOf('your order')).toBe(1)
  expect((await sandbox.client.messages.search({ channel: 'EMAIL' })).total).toBe(1)
})

test('recipients are listed with their newest message, phones and mailboxes apart', async () => {
  await using sandbox = await createSandbox()
  for (const text of ['One', 'Two'])
    await sandbox.client.messages.send({ ...RCS, to: '+491713920050', content: { text } })
  await sandbox.client.messages.send({ ...RCS, to: '+491713920051', content: { text: 'Three' } })
  await sandbox.client.messages.send({
    channel_id: `ch_${U(1)}`,
    to: 'ada@example.com',
    subject: 'Your order',
    content: { html: '<p>Thank you</p>' },
  })
  expect(await sandbox.client.inbox.recipients({ kind: 'phone' })).toMatchObject({
    total: 2,
    recipients: [
      { address: '+491713920051', messages: 1, text: 'Three' },
      { address: '+491713920050', messages: 2, text: 'Two', status: 'queued' },
    ],
  })
  expect(await sandbox.client.inbox.recipients({ text: 'ADA@' })).toMatchObject({
    total: 1,
    recipients: [{ address: 'ada@example.com', text: 'Your order', channel_type: 'EMAIL' }],
  })
  expect(await sandbox.client.inbox.recipients({ limit: '1', offset: '2' } as never)).toMatchObject({
    total: 3,
    recipients: [{ address: '+491713920050' }],
  })
})

test('the history of the balance covers all movements, and the balance is known at any time', async () => {
  await using sandbox = await createSandbox({ now: '2026-01-01T09:00:00Z' })
  const before = await sandbox.client.billing.balance()
  const { message_id } = await sandbox.client.messages.send({ ...RCS, to: '+491713920050', content: { text: 'One' } })
  await sandbox.client.clock.advance({ by: '1m' })
  const { data } = await sandbox.client.billing.transactions()
  const whole = await sandbox.client.billing.history()
  expect(whole.total).toBe(data.length)
  expect(whole.points.map(({ free }) => free)).toEqual(data.map(({ free_after }) => free_after).reverse())
  const short = await sandbox.client.billing.history({ points: '2' } as never)
  expect(short.points).toHaveLength(2)
  expect(short.points.reduce((sum, { movements }) => sum + movements, 0)).toBe(data.length)
  expect(short.points.at(-1)).toMatchObject({ free: data[0]!.free_after, reserved: data[0]!.reserved_after })
  const { created_at } = await sandbox.client.messages.get(message_id)
  const at = await sandbox.client.billing.balanceAt({ at: created_at })
  expect(at.reserved).toBeGreaterThan(0)
  expect(at.total).toBe(before.total)
  expect(await sandbox.client.billing.balanceAt({ at: '2026-01-02T00:00:00.000Z' })).toEqual(
    await sandbox.client.billing.balance(),
  )
})

test('deliveries are filtered and counted, and one shows what its attempts sent', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { id: endpoint_id } = await sandbox.client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  const { message_id } = await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text: 'One' } })
  await sandbox.client.messages.send({ ...RCS, to: '+491713920000', content: { text: 'Two' } })
  await sandbox.client.clock.advance({ by: '1m' })
  const all = await sandbox.client.events.deliveries({ limit: '1' } as never)
  expect(all.total).toBeGreaterThan(4)
  const read = await sandbox.client.events.deliveries({ event: 'message.read', subject: message_id } as never)
  expect(read).toMatchObject({ total: 1, data: [{ event: 'message.read', subject: message_id, status: 'delivered' }] })
  expect((await sandbox.client.events.deliveries({ status: 'failed' })).total).toBe(0)
  const { id, event_id } = read.data[0]!
  const { request, delivery } = await sandbox.client.events.delivery(id)
  const received = receiver.received.find(({ headers }) => headers['x-service-event-id'] === event_id)!
  expect(delivery).toEqual(read.data[0])
  expect(request).toMatchObject({ url: receiver.url, body: received.body })
  for (const name of ['X-Service-Signature', 'X-Service-Delivery-Attempt'])
    expect(request!.headers[name]).toBe(received.headers[name.toLowerCase()])
  const edited = await sandbox.client.events.sendEdited(event_id, { endpoint_id, body: '{"event":"edited"}' })
  expect(edited).toMatchObject({ delivered: true, status_code: 200 })
  expect(receiver.received.at(-1)!.body).toBe('{"event":"edited"}')
  await expect(sandbox.client.events.delivery('dlv_none')).rejects.toMatchObject({ status: 404 })
  await sandbox.client.webhooks.delete(endpoint_id)
  expect((await sandbox.client.events.delivery(id)).request).toBeNull()
})

test('scheduled work is listed in order, and the log of requests page by page', async () => {
  await using sandbox = await createSandbox()
  for (const text of ['One', 'Two'])
    await sandbox.client.messages.send({ ...RCS, to: '+491713920050', content: { text } })
  const { due, total } = await sandbox.client.clock.due()
  expect(total).toBe(due.length)
  expect(due.map(({ at }) => at)).toEqual(due.map(({ at }) => at).sort())
  expect(due.filter(({ what }) => what === 'message.dispatch')).toHaveLength(2)
  expect((await sandbox.client.clock.show()).next_due_at).toBe(due[0]!.at)
  const first = await sandbox.client.logs.list({ path: '/v1/messages', limit: '1' } as never)
  expect(first).toMatchObject({ total: 2, has_more: true })
  const older = await sandbox.client.logs.list({ path: '/v1/messages', before: first.requests[0]!.seq } as never)
  expect(older).toMatchObject({ total: 2, has_more: false })
  expect(older.requests).toHaveLength(1)
})

test('contacts are listed newest first and found by name and address', async () => {
  await using sandbox = await createSandbox()
  const before = await sandbox.client.contacts.list()
  expect(before.total).toBeGreaterThan(10)
  await sandbox.client.contacts.create({ email: 'grace@example.com', first_name: 'Grace', last_name: 'Hopper' })
  expect(await sandbox.client.contacts.list({ limit: '1' } as never)).toMatchObject({
    total: before.total + 1,
    contacts: [{ first_name: 'Grace' }],
  })
  for (const text of ['grace hop', 'GRACE@'])
    expect(await sandbox.client.contacts.list({ text })).toMatchObject({ total: 1 })
  expect(await sandbox.client.contacts.list({ text: '%' })).toMatchObject({ total: 0 })
})
