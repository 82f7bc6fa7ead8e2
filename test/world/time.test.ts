import { expect, test } from 'vitest'
import { ask } from '../http.ts'
import { holdMachineClock, moveMachineClock } from '../machine-clock.ts'
import { phone, phones, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'

const START = '2026-01-01T00:00:00.000Z'

test('on a frozen clock nothing happens and every timestamp is the same until an advance', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ids = []
  for (let i = 0; i < 5; i++) ids.push((await client.messages.send({ ...rcsText, to: phones.readsAll })).message_id)
  await new Promise((resume) => setTimeout(resume, 30))
  expect(await client.clock.show()).toMatchObject({ mode: 'frozen', now: START })
  for (const id of ids)
    expect(await client.messages.get(id)).toMatchObject({
      status: 'queued',
      created_at: START,
      events: [{ type: 'queued', at: START }],
    })
})

test('an advance runs due work in order, each at its own instant', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  for (let nn = 50; nn < 90; nn++) await client.messages.send({ ...rcsText, to: phone(nn), ttl: '3600s' })
  await client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })
  const { now, fired, total } = await clock.advance('1h')

  expect(now).toBe('2026-01-01T01:00:00.000Z')
  expect(total).toBe(fired.length)
  const times = fired.map(({ at }) => at)
  expect(times).toEqual([...times].sort())
  expect(times[0]! > START && times.at(-1)! <= now).toBe(true)
  // The report matches the timestamps of the messages.
  for (const { id, events } of (await client.messages.list({ limit: 200 })).messages)
    expect(fired.filter(({ subject }) => subject === id).map(({ at }) => at)).toEqual(
      events.slice(1).map(({ at }) => at),
    )
  const logged = (await client.events.list({ limit: 1000 })).events.map(({ timestamp }) => timestamp)
  expect(logged).toEqual([...logged].sort())
})

test('many small advances have the same result as a large one', async () => {
  const run = async (steps: string[]) => {
    await using sandbox = await createSandbox({ seed: 'steps' })
    for (let nn = 50; nn < 70; nn++) await sandbox.client.messages.send({ ...rcsText, to: phone(nn) })
    for (const step of steps) await sandbox.clock.advance(step)
    const { events } = await sandbox.client.events.list({ limit: 1000 })
    return {
      events,
      messages: await sandbox.client.messages.list({ limit: 200 }),
      balance: await sandbox.client.billing.balance(),
    }
  }
  expect(await run(Array.from({ length: 100 }, () => '100ms'))).toEqual(await run(['10s']))
})

test('work runs when its instant is reached, not before', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.messages.send({ ...rcsText, to: phones.off })
  const { next_due_at } = await client.clock.show()
  await ask(sandbox, 'POST', '/_sandbox/clock/advance', {
    body: { to: new Date(Date.parse(next_due_at!) - 1).toISOString() },
  })
  expect((await client.messages.list()).messages[0]).toMatchObject({ status: 'queued' })
  expect(await clock.advance('1ms')).toMatchObject({
    now: next_due_at,
    total: 1,
    fired: [{ at: next_due_at, what: 'message.dispatch' }],
  })
  expect(await clock.advance('0s')).toMatchObject({ total: 0 })
})

test('an invalid advance is a 400, and the time stays unchanged', async () => {
  await using sandbox = await createSandbox()
  const faults: readonly [body: object, field: string][] = [
    [{ by: '-1s' }, 'by'],
    [{ by: '1' }, 'by'],
    [{ by: '3000000d' }, 'by'],
    [{ by: '99999999999999999999d' }, 'by'],
    [{ to: '2025-12-31T23:59:59.999Z' }, 'to'],
    [{ to: '9999-06-01T00:00:00Z' }, 'to'],
    [{ to: 'tomorrow' }, 'to'],
    [{ to: START, by: '1s' }, ''],
    [{}, ''],
  ]
  for (const [body, field] of faults)
    expect({ body, ...(await ask(sandbox, 'POST', '/_sandbox/clock/advance', { body })) }).toMatchObject({
      body,
      status: 400,
      json: { error: 'validation_error', details: [{ field }] },
    })
  expect(await sandbox.client.clock.show()).toMatchObject({ now: START })
  expect(await sandbox.client.clock.advance({ to: '9998-12-31T23:59:59.999Z' })).toMatchObject({
    now: '9998-12-31T23:59:59.999Z',
  })
  expect(await sandbox.client.messages.send({ ...rcsText, to: phones.off })).toMatchObject({
    created_at: '9998-12-31T23:59:59.999Z',
  })
})

test('work that no clock reaches is scheduled for the last instant', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.handsets.set(phone(50), { read: true, read_delay: '3000000d' })
  const { message_id } = await client.messages.send({ ...rcsText, to: phone(50) })
  await sandbox.clock.advance('1m')
  const last = { at: '9999-12-31T23:59:59.999Z', what: 'message.read' }
  expect((await client.clock.due()).due.at(-1)).toMatchObject({ ...last, subject: message_id })
  expect(await client.messages.explain(message_id)).toMatchObject({ next: last })
})

test('concurrent advances run one after another', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.after1Hour })
  const ends = await Promise.all(['20m', '20m', '30m'].map((by) => sandbox.clock.advance(by)))
  const { events } = await sandbox.client.messages.get(message_id)
  expect(ends.map(({ total }) => total).reduce((sum, total) => sum + total)).toBe(events.length - 1)
  expect(ends.map(({ now }) => now)).toContain('2026-01-01T01:10:00.000Z')
  expect(await sandbox.client.clock.show()).toMatchObject({ now: '2026-01-01T01:10:00.000Z' })
})

test('a real clock follows the machine, and an advance moves it ahead', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ clock: 'real' })
  const { client, clock } = sandbox
  const offset = async () => Date.parse((await client.clock.show()).now) - Date.now()
  expect(await offset()).toBe(0)
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  await clock.advance('2h')
  expect(await offset()).toBe(7_200_000)
  moveMachineClock(1_000)
  expect(await offset()).toBe(7_200_000)
  const { delivered_at, sent_at } = await client.messages.get(message_id)
  expect(Date.parse(delivered_at!) - Date.parse(sent_at!)).toBe(3_600_000)
})

test('on a real clock, messages are delivered without an advance', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.neverReads })
  await expect
    .poll(async () => (await sandbox.client.messages.get(message_id)).status, { interval: 25 })
    .toBe('delivered')
})

test('the clock can be unfrozen and frozen, and continues from its current time', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await clock.advance('1h')
  expect(await client.clock.mode({ mode: 'real' })).toMatchObject({
    mode: 'real',
    now: expect.stringMatching(/^2026-01-01T01:00:00/),
  })
  const stopped = await client.clock.mode({ mode: 'frozen' })
  expect(stopped.now).toMatch(/^2026-01-01T01:00:0/)
  await new Promise((resume) => setTimeout(resume, 15))
  expect(await client.clock.show()).toMatchObject(stopped)
})

test('a frozen clock can start at any time', async () => {
  await using sandbox = await createSandbox({ now: '2024-02-29T12:00:00.000Z' })
  expect(await sandbox.client.messages.send({ ...rcsText, to: phones.off })).toMatchObject({
    created_at: '2024-02-29T12:00:00.000Z',
  })
  await sandbox.clock.advance('24h')
  expect(await sandbox.client.clock.show()).toMatchObject({ now: '2024-03-01T12:00:00.000Z' })
})
