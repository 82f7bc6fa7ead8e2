import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { phone, phones, rcsText } from '../../magic.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox } from '../../sandbox.ts'

const START = '2026-01-01T00:00:00.000Z'

test('an advance to the next scheduled work stops at its instant, step by step', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  const seen: string[] = []
  for (let i = 0; i < 3; i++) {
    const { next_due_at } = await client.clock.show()
    const { now, fired, total } = await clock.next()
    expect({ now, total, at: fired[0]!.at }).toEqual({ now: next_due_at, total: 1, at: next_due_at })
    seen.push(`${fired[0]!.what} ${(await client.messages.get(message_id)).status}`)
  }
  expect(seen).toEqual(['message.dispatch dispatched', 'message.deliver delivered', 'message.read read'])
})

test('all that belongs to the instant happens: equal rows, what they cause at once, and webhooks', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { client, clock } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['message.expired'] })
  for (let i = 0; i < 3; i++) await client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })
  let report = await clock.next()
  while (report.fired[0]!.what === 'message.dispatch') report = await clock.next()
  expect(report.now).toBe('2026-01-01T00:01:00.000Z')
  expect(report.fired.map(({ what }) => what)).toEqual([
    ...Array(3).fill('message.expire'),
    ...Array(3).fill('webhook.attempt'),
  ])
  expect(receiver.received).toHaveLength(3)
})

test('without scheduled work, the time does not change', async () => {
  await using sandbox = await createSandbox({ world: 'empty' })
  expect(await sandbox.clock.next()).toEqual({ now: START, fired: [], counts: {}, total: 0, next_due_at: null })
})

test('an answer names the time of the next scheduled work', async () => {
  await using sandbox = await createSandbox()
  const { created_at } = await sandbox.client.messages.send({ ...rcsText, to: phones.off, ttl: '3600s' })
  const { next_due_at } = await sandbox.clock.advance('1m')
  expect(Date.parse(next_due_at!) - Date.parse(created_at)).toBe(3_600_000)
})

test('on a clock that runs, the next thing is brought forward', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  await clock.next()
  await clock.next()
  expect(await client.messages.get(message_id)).toMatchObject({ status: 'delivered' })
  const { mode, ahead_ms } = await client.clock.show()
  expect(mode).toBe('real')
  expect(ahead_ms).toBeGreaterThan(3_500_000)
})

test('an instant may be given without seconds and with any offset, but not without one', async () => {
  await using sandbox = await createSandbox()
  const advance = (to: string) => ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { to } })
  expect((await advance('2026-02-01T00:00Z')).json).toMatchObject({ now: '2026-02-01T00:00:00.000Z' })
  expect((await advance('2026-03-01T00:30+01:00')).json).toMatchObject({ now: '2026-02-28T23:30:00.000Z' })
  expect((await advance('2027-01-01T00:00:00.5Z')).json).toMatchObject({ now: '2027-01-01T00:00:00.500Z' })
  for (const [to, message] of [
    ['2028-01-01T00:00', /for UTC write 2028-01-01T00:00Z/],
    ['2028-01-01T00:00:00.000', /for UTC write/],
    ['2028-01-01', /such as 2027-01-01T00:00Z/],
    ['2028-02-30T00:00Z', /such as/],
    ['next year', /such as/],
    ['2026-01-01T00:00Z', /backwards/],
  ] as const)
    expect({ to, ...(await advance(to)) }).toMatchObject({
      to,
      status: 400,
      json: { details: [{ field: 'to', message: expect.stringMatching(message) }] },
    })
})

test('an advance takes exactly one of by, to and next', async () => {
  await using sandbox = await createSandbox()
  for (const body of [{}, { by: '1s', next: true }, { to: '2027-01-01T00:00Z', next: true }, { by: '1s', to: START }])
    expect({ body, ...(await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body })) }).toMatchObject({
      body,
      status: 400,
      json: { message: expect.stringMatching(/by.*to.*next/) },
    })
  expect(await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body: { next: false } })).toMatchObject({
    status: 400,
    json: { details: [{ field: 'next' }] },
  })
})

test('messages and webhook attempts of many instants come in one order', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n % 3 === 0 ? 200 : 503))
  const { client, clock } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['message.*'] })
  for (let nn = 50; nn < 60; nn++) await client.messages.send({ ...rcsText, to: phone(nn) })
  await client.messages.send({ ...rcsText, to: phones.off, ttl: '240s' })
  const { fired } = await clock.advance('25h')
  const times = fired.map(({ at }) => at)
  expect(times).toEqual([...times].sort())
  const kinds = new Set(fired.map(({ what }) => what))
  expect(kinds).toContain('message.expire')
  // The last steps of messages lie between the attempts, not before or after them.
  const attempts = fired.flatMap(({ what }, i) => (what === 'webhook.attempt' ? [i] : []))
  const expiry = fired.findIndex(({ what }) => what === 'message.expire')
  expect(attempts[0]!).toBeLessThan(expiry)
  expect(attempts.at(-1)!).toBeGreaterThan(expiry)
})

test('webhooks that wait for a slot are the next work, for any number in progress', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const { client } = sandbox
  receiver.answer('never')
  await client.webhooks.create({ url: receiver.url, events: ['message.queued'] })
  for (let i = 0; i < 40; i++) await client.messages.send({ ...rcsText, to: phone(50 + i) })
  await receiver.until(32)
  expect(receiver.received).toHaveLength(32)
  expect((await client.clock.show()).next_due_at).toBe(START)
})
