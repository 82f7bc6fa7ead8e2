import { expect, test } from 'vitest'
import { worldLikeDefault } from '../../folder.ts'
import { ask } from '../../http.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const START = '2026-01-01T00:00:00.000Z'
const mail = { channel_id: channels.email, to: emails.delivered, subject: 'Hi', content: { text: 'Hi' } }

const billingWorld = (terms: object) => worldLikeDefault((file) => Object.assign(file.billing, terms))

const eventsOf = async ({ client }: Sandbox) =>
  (await client.events.list({ subject: 'billing' })).events.map(({ event, data }) => ({ event, data }))

test('usage says what the month has cost, by channel and classification', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.neverReads })
  await client.messages.send({ ...rcsText, to: phones.unknownUser })
  await client.messages.send({ ...rcsText, to: phones.off })
  await client.messages.send({ ...rcsText, to: phones.neverReads, content: { text: 'x'.repeat(161) } })
  const newsletter = {
    ...rcsText,
    message_type: 'NEWSLETTER',
    traffic_type: 'PROMOTION',
    to: phones.neverReads,
  } as const
  await client.messages.send(newsletter)
  await client.messages.send(newsletter)
  await client.messages.send(mail)
  await clock.advance('1m')
  const amounts = (messages: number, held_amount: number, charged_amount: number, released_amount: number) => ({
    messages,
    held_amount,
    charged_amount,
    released_amount,
  })
  expect(await client.billing.usage()).toEqual({
    month: '2026-01',
    currency: 'EUR',
    usage: [
      { channel: 'RCS', message_type: 'basic_message', ...amounts(3, 0.15, 0.05, 0.05) },
      { channel: 'RCS', message_type: 'mau', ...amounts(2, 0.2, 0.2, 0) },
      { channel: 'RCS', message_type: 'single_message', ...amounts(1, 0.08, 0.08, 0) },
      { channel: 'EMAIL', message_type: 'basic_message', ...amounts(1, 0.005, 0.005, 0) },
    ],
    total: amounts(7, 0.435, 0.335, 0.05),
  })
})

test('a message sent in one month and settled in the next is held in the first and charged in the second', async () => {
  await using sandbox = await createSandbox({ now: '2026-01-31T23:59:00.000Z' })
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.after1Hour })
  await clock.advance('2h')
  expect((await client.billing.usage({ month: '2026-01' })).total).toEqual({
    messages: 1,
    held_amount: 0.05,
    charged_amount: 0,
    released_amount: 0,
  })
  expect((await client.billing.usage()).total).toMatchObject({ messages: 0, held_amount: 0, charged_amount: 0.05 })
  expect((await client.billing.usage({ month: '2025-12' })).usage).toEqual([])
})

test('an invalid month is refused', async () => {
  await using sandbox = await createSandbox()
  for (const month of ['2026', '2026-13', '2026-00', '2026-1', '0000-01', 'now', '2026-01-01'])
    expect(await ask(sandbox, 'GET', `/v1/billing/usage?month=${month}`)).toMatchObject({
      status: 400,
      json: { details: [{ field: 'month' }] },
    })
})

test('a top-up is free balance at once, and an entry of the ledger', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const done = await client.billing.topup({ amount: 49.99 })
  expect(done).toEqual({
    transaction_id: 'txn_2',
    amount: 49.99,
    currency: 'EUR',
    balance: { free: 1049.99, reserved: 0, total: 1049.99 },
    created_at: START,
  })
  expect(await client.billing.balance()).toEqual(done.balance)
  expect((await client.billing.transactions()).data[0]).toEqual({
    id: 'txn_2',
    type: 'topup',
    amount: 49.99,
    free_after: 1049.99,
    reserved_after: 0,
    message_id: null,
    created_at: START,
  })
})

test('a repeated key tops up once, in header or body, whatever its text', async () => {
  await using sandbox = await createSandbox()
  const topup = (body: object, key?: string) =>
    ask(sandbox, 'POST', '/v1/billing/topup', { body, headers: key === undefined ? {} : { 'Idempotency-Key': key } })
  const key = 'order 7/a b'
  const first = await topup({ amount: 20 }, key)
  const again = await topup({ amount: 20, idempotency_key: key })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.text).toBe(first.text)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect((await topup({ amount: 30 }, key)).json).toMatchObject({ error: 'idempotency_key_reused' })
  expect((await topup({ amount: 20 }, 'x'.repeat(256))).status).toBe(400)
  expect((await topup({ amount: 20, idempotency_key: '' })).status).toBe(400)
  expect((await topup({ amount: 20 }, 'x'.repeat(255))).status).toBe(201)
  expect((await sandbox.client.billing.balance()).free).toBe(1040)
})

test('a top-up is at least 10 EUR in whole cents, and the balance at most 5,000 EUR', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const topup = (body: object) => ask(sandbox, 'POST', '/v1/billing/topup', { body })
  for (const amount of [0, -10, 9.99, 10.001, '50', null, 1e9, undefined])
    expect(await topup({ amount })).toMatchObject({ status: 400, json: { details: [{ field: 'amount' }] } })
  expect(await topup({ amount: 10, currency: 'USD' })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'currency' }] },
  })
  await client.messages.send({ ...rcsText, to: phones.off })
  expect(await topup({ amount: 4000.01 })).toMatchObject({
    status: 422,
    json: {
      error: 'limit_exceeded',
      details: [{ field: 'amount', code: 'too_big' }],
      balance: { free: 999.95, reserved: 0.05, total: 1000 },
      max_balance: 5000,
    },
  })
  expect((await client.billing.transactions()).data).toHaveLength(2)
  expect(await client.billing.topup({ amount: 4000 })).toMatchObject({ balance: { total: 5000 } })
  expect(await topup({ amount: 10 })).toMatchObject({ status: 422 })
})

test('the world file sets the limits of a top-up', async () => {
  await using sandbox = await createSandbox({ world: await billingWorld({ topup: { min: 1, max_balance: 1002 } }) })
  const { client } = sandbox
  await client.billing.topup({ amount: 1 })
  await expect(client.billing.topup({ amount: 0.99 })).rejects.toMatchObject({ status: 400 })
  await expect(client.billing.topup({ amount: 1.01 })).rejects.toMatchObject({ code: 'limit_exceeded' })
})

test('a low balance raises one event each time it falls below the threshold', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  expect(await client.billing.setAlerts({ enabled: true, threshold: 999.9 })).toEqual({
    enabled: true,
    threshold: 999.9,
  })
  const send = async () => (await client.messages.send({ ...rcsText, to: phones.off })).message_id
  const first = await send()
  await send()
  expect(await eventsOf(sandbox)).toEqual([])
  await send()
  const low = {
    event: 'billing.balance_low',
    data: { balance: { free: 999.85, reserved: 0.15, total: 1000 }, threshold: 999.9, at: START },
  }
  expect(await eventsOf(sandbox)).toEqual([low])
  await send()
  expect(await eventsOf(sandbox)).toEqual([low])
  // Back up to the threshold, and down again.
  await client.messages.revoke(first)
  await client.messages.revoke((await client.messages.list({ limit: 1 })).messages[0]!.id)
  expect((await client.billing.balance()).free).toBe(999.9)
  await send()
  expect(await eventsOf(sandbox)).toEqual([low, low])
  expect(await client.billing.setAlerts({ enabled: false })).toEqual({ enabled: false, threshold: null })
  await client.billing.topup({ amount: 10 })
  for (let i = 0; i < 3; i++) await send()
  expect(await eventsOf(sandbox)).toHaveLength(2)
})

test('setting the alert raises an event if the balance is already low, and setting it again does not', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.billing.setAlerts({ enabled: true, threshold: 2000 })
  await sandbox.client.billing.setAlerts({ enabled: true, threshold: 2000 })
  expect(await eventsOf(sandbox)).toMatchObject([{ event: 'billing.balance_low', data: { threshold: 2000 } }])
})

test('the balance is reloaded when it falls below the threshold, and the send shows it', async () => {
  await using sandbox = await createSandbox({ world: await billingWorld({ balance: 0.12 }) })
  const { client } = sandbox
  const settings = { enabled: true, threshold: 0.05, amount: 10 }
  expect(await client.billing.setAutoReload(settings)).toEqual(settings)
  await client.messages.send({ ...rcsText, to: phones.off })
  expect((await client.billing.balance()).total).toBe(0.12)
  const { billing } = await client.messages.send({ ...rcsText, to: phones.off })
  expect(billing.balance).toEqual({ free: 10.02, reserved: 0.1, total: 10.12 })
  expect(await eventsOf(sandbox)).toEqual([
    { event: 'billing.auto_reload_success', data: { amount: 10, balance: billing.balance, at: START } },
  ])
  expect((await client.billing.transactions()).data.slice(0, 2)).toMatchObject([
    { type: 'topup', amount: 10, free_after: 10.02, reserved_after: 0.1 },
    { type: 'hold', amount: 0.05, free_after: 0.02 },
  ])
})

test('a declined reload, or one beyond the highest balance, raises an event and changes nothing', async () => {
  for (const [terms, reason] of [
    [{ balance: 1, payment: 'declined' }, /declined/],
    [{ balance: 1, topup: { min: 10, max_balance: 10.5 } }, /10\.5/],
  ] as const) {
    await using sandbox = await createSandbox({ world: await billingWorld(terms) })
    const { client } = sandbox
    await client.billing.setAutoReload({ enabled: true, threshold: 0.98, amount: 10 })
    for (let i = 0; i < 3; i++) await client.messages.send({ ...rcsText, to: phones.off })
    expect(await client.billing.balance()).toEqual({ free: 0.85, reserved: 0.15, total: 1 })
    expect(await eventsOf(sandbox)).toEqual([
      {
        event: 'billing.auto_reload_failed',
        data: {
          amount: 10,
          balance: { free: 0.95, reserved: 0.05, total: 1 },
          reason: expect.stringMatching(reason),
          at: START,
        },
      },
    ])
  }
})

test('switched on below its threshold the reload happens at once, and once', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.billing.setAutoReload({ enabled: true, threshold: 2000, amount: 10 })
  await client.billing.setAutoReload({ enabled: true, threshold: 2000, amount: 10 })
  expect((await client.billing.balance()).free).toBe(1010)
  expect(await client.billing.setAutoReload({ enabled: false })).toEqual({
    enabled: false,
    threshold: null,
    amount: null,
  })
})

test('settings that are switched on need their values', async () => {
  await using sandbox = await createSandbox()
  const put = (path: string, body: object) => ask(sandbox, 'PUT', `/v1/billing/${path}`, { body })
  const cases: readonly [path: string, body: object, fields: string[]][] = [
    ['auto-reload', { enabled: true }, ['threshold', 'amount']],
    ['auto-reload', { enabled: true, threshold: 5 }, ['amount']],
    ['auto-reload', { enabled: true, threshold: 5, amount: 9.99 }, ['amount']],
    ['auto-reload', { enabled: true, threshold: 0, amount: 10 }, ['threshold']],
    ['auto-reload', { enabled: true, treshold: 5, threshold: 5, amount: 10 }, ['treshold']],
    ['auto-reload', {}, ['enabled']],
    ['alerts', { enabled: true }, ['threshold']],
    ['alerts', { enabled: true, threshold: 0.00001 }, ['threshold']],
    ['alerts', { enabled: 'yes' }, ['enabled']],
  ]
  for (const [path, body, fields] of cases) {
    const { status, json } = await put(path, body)
    expect({ path, body, status, fields: (json.details as { field: string }[]).map(({ field }) => field) }).toEqual({
      path,
      body,
      status: 400,
      fields,
    })
  }
})

test('a send refused for an insufficient balance causes no reload and no alert', async () => {
  await using sandbox = await createSandbox({ world: await billingWorld({ balance: 0.06 }) })
  const { client } = sandbox
  await client.billing.setAutoReload({ enabled: true, threshold: 0.03, amount: 10 })
  await expect(
    client.messages.send({ ...rcsText, to: phones.off, content: { text: 'x'.repeat(161) } }),
  ).rejects.toMatchObject({
    code: 'insufficient_balance',
  })
  expect(await eventsOf(sandbox)).toEqual([])
  expect((await client.billing.balance()).free).toBe(0.06)
})
