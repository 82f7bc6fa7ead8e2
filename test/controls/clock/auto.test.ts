import { createServer, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/index.ts'
import { agents, phone, phones, rcsText } from '../../magic.ts'
import { startReceiver } from '../../receiver.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { urlOf } from '../../url-of.ts'

const START = '2026-01-01T00:00:00.000Z'
const auto = (options = {}) => createSandbox({ clock: 'auto', ...options })

const comesTo = (client: Client, id: string, status: string) =>
  expect.poll(async () => (await client.messages.get(id)).status, { interval: 2 }).toBe(status)

const later = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

test('a send is answered with queued, and all later steps happen at once, each at its own instant', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  expect(await client.clock.show()).toMatchObject({ mode: 'auto', now: START })
  const { message_id, status, created_at } = await client.messages.send({ ...rcsText, to: phones.after1Hour })
  expect({ status, created_at }).toEqual({ status: 'queued', created_at: START })
  await comesTo(client, message_id, 'delivered')
  const { events, sent_at, delivered_at } = await client.messages.get(message_id)
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['queued', 'sent', 'delivered'])
  expect(delivered_at).toBe(later(sent_at!, 3_600_000))
  const second = await client.messages.send({ ...rcsText, to: phones.readsAll })
  await comesTo(client, second.message_id, 'read')
  // It stops when no work is scheduled any more.
  expect(await sandbox.clock.now()).toBe((await client.messages.get(second.message_id)).read_at)
})

test('a message to a phone that is switched off expires at once on an auto clock', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  const { message_id, created_at } = await client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })
  await comesTo(client, message_id, 'expired')
  expect(await client.messages.get(message_id)).toMatchObject({ expired_at: later(created_at, 60_000) })
  expect(await client.billing.balance()).toMatchObject({ reserved: 0 })
})

test('an auto clock produces the same events as advancing a frozen clock', async () => {
  const run = async (clock: 'auto' | 'frozen', settle: (sandbox: Sandbox, id: string) => Promise<unknown>) => {
    await using sandbox = await createSandbox({ clock, seed: 'again' })
    const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await settle(sandbox, message_id)
    return [await sandbox.client.messages.get(message_id), (await sandbox.client.events.list({ limit: 100 })).events]
  }
  expect(await run('auto', ({ client }, id) => comesTo(client, id, 'read'))).toEqual(
    await run('frozen', ({ clock }) => clock.advance('1h')),
  )
})

test('an endpoint that fails is tried five times over a day, at once', async () => {
  await using sandbox = await auto()
  await using receiver = await startReceiver()
  receiver.answer(500)
  const { client } = sandbox
  await client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  const { created_at } = await client.contacts.create({ email: 'ada@example.com' })
  await receiver.until(5)
  await expect.poll(async () => (await client.events.deliveries()).data[0]!.status, { interval: 2 }).toBe('failed')
  const { attempts } = (await client.events.deliveries()).data[0]!
  expect(attempts.map(({ at }) => at)).toEqual(
    [0, 60, 300, 3_600, 86_400].map((seconds) => later(created_at, seconds * 1000)),
  )
  expect(await sandbox.clock.now()).toBe(later(created_at, 86_400_000))
})

/** A receiver that lets a test look at the world while a delivery is in progress. */
async function receiverThat(looks: (event: { data: { message_id: string } }) => Promise<unknown>): Promise<string> {
  const server = createServer(async (req, res: ServerResponse) => {
    let body = ''
    for await (const chunk of req) body += chunk
    await looks(JSON.parse(body)).catch((error) => res.writeHead(500).end(String(error)))
    if (!res.writableEnded) res.writeHead(200).end()
  })
  return `${await urlOf(server)}/hook`
}

/** Time in which the emulator could do something wrong. */
async function seenOverAWhile(look: () => Promise<string>): Promise<Set<string>> {
  const seen = new Set<string>()
  for (let i = 0; i < 20; i++) seen.add(await look())
  return seen
}

test('the clock is frozen while a webhook is being delivered', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  const seen: Set<string>[] = []
  const url = await receiverThat(async ({ data: { message_id } }) => {
    seen.push(
      await seenOverAWhile(
        async () => `${(await client.messages.get(message_id)).status} ${await sandbox.clock.now()}`,
      ),
    )
  })
  await client.webhooks.create({ url, events: ['message.*'] })
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  await expect.poll(() => seen.length, { interval: 5 }).toBe(3)
  const { created_at, delivered_at, read_at } = await client.messages.get(message_id)
  expect(seen).toEqual([
    new Set([`queued ${created_at}`]),
    new Set([`delivered ${delivered_at}`]),
    new Set([`read ${read_at}`]),
  ])
})

test('a request in progress does not see time jump, though what is sent meanwhile has far to go', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  let id = ''
  let seen = new Set<string>()
  const url = await receiverThat(async () => {
    id = (await client.messages.send({ ...rcsText, to: phones.off, ttl: '60s' })).message_id
    seen = await seenOverAWhile(async () => `${(await client.messages.get(id)).status} ${await sandbox.clock.now()}`)
  })
  const endpoint = await client.webhooks.create({ url, events: ['webhook.test'] })
  expect(await client.webhooks.test(endpoint.id)).toMatchObject({ delivered: true })
  expect(seen).toEqual(new Set([`queued ${START}`]))
  await comesTo(client, id, 'expired')
})

test('an auto clock does not jump to the end of a month or session or to the date of a campaign', async () => {
  await using sandbox = await auto({ now: '2026-01-20T00:00Z' })
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.repliesHello })
  await expect
    .poll(async () => (await client.events.list({ event: 'conversation.started' })).events.length, { interval: 2 })
    .toBe(1)
  // The session is open, so it can be used.
  expect(
    await client.messages.send({ ...rcsText, message_type: 'CONVERSATION', to: phones.repliesHello }),
  ).toMatchObject({ status: 'queued' })
  await comesTo(client, message_id, 'read')
  expect((await sandbox.clock.now()).slice(0, 10)).toBe('2026-01-20')
  expect((await client.billing.invoices()).data).toEqual([])

  // A message that expires in February leads past both, in their order; the campaign's day in 2030 is not reached.
  const waiting = await client.messages.send({ ...rcsText, to: phones.off })
  await comesTo(client, waiting.message_id, 'expired')
  expect((await sandbox.clock.now()).slice(0, 10)).toBe('2026-02-19')
  expect((await client.billing.invoices()).data).toMatchObject([
    { month: '2026-01', issued_at: '2026-02-01T00:00:00.000Z' },
  ])
  expect((await client.events.list({ event: 'conversation.ended' })).events).toHaveLength(1)
  expect(await client.campaigns.status('00000000-0000-4000-8000-000000000102')).toMatchObject({ status: 'SCHEDULED' })
  // An advance reaches them.
  expect((await sandbox.clock.next()).fired[0]).toMatchObject({
    at: '2030-01-01T09:00:00.000Z',
    what: 'campaign.start',
  })
})

test('an auto clock advances during a burst of sends', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  const ids: string[] = []
  const times = new Set<string>()
  let left = 400
  const sendOn = async () => {
    while (left-- > 0) {
      const { message_id, created_at } = await client.messages.send({ ...rcsText, to: phone(50 + (left % 50)) })
      ids.push(message_id)
      times.add(created_at)
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendOn))
  expect(ids).toHaveLength(400)
  expect(times.size).toBeGreaterThan(10)
  await expect
    .poll(async () => (await client.messages.list({ status: 'delivered', limit: 200 })).messages.length, {
      interval: 5,
    })
    .toBeGreaterThan(0)
  await expect.poll(async () => (await client.billing.balance()).reserved, { interval: 5 }).toBe(0)
})

test('an auto clock can be advanced, and continues to jump from there', async () => {
  await using sandbox = await auto()
  const { client, clock } = sandbox
  expect(await clock.advance('24h')).toMatchObject({ now: '2026-01-02T00:00:00.000Z', total: 0 })
  expect(await clock.advanceTo('2026-01-03T00:00Z')).toMatchObject({ now: '2026-01-03T00:00:00.000Z' })
  const { message_id, created_at } = await client.messages.send({ ...rcsText, to: phones.off, ttl: '1s' })
  expect(created_at).toBe('2026-01-03T00:00:00.000Z')
  await comesTo(client, message_id, 'expired')
})

test('a frozen clock that is started runs the waiting work; a clock that is frozen leaves it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(await clock.mode('auto')).toMatchObject({ mode: 'auto', now: START })
  await comesTo(client, message_id, 'read')
  const stopped = await clock.mode('frozen')
  const second = await client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(await seenOverAWhile(async () => (await client.messages.get(second.message_id)).status)).toEqual(
    new Set(['queued']),
  )
  expect(await clock.now()).toBe(stopped.now)
})

test('an agent is reviewed and launched everywhere as soon as it is submitted', async () => {
  await using sandbox = await auto()
  const { client } = sandbox
  await client.agents.submit(agents.draft)
  await expect
    .poll(async () => (await client.agents.launch(agents.draft)).carriers.map(({ status }) => status), { interval: 2 })
    .toEqual(['LAUNCHED', 'LAUNCHED', 'LAUNCHED'])
})

test('the auto clocks of several worlds jump independently', async () => {
  await using sandbox = await auto()
  const other = sandbox.as('other')
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.off, ttl: '3600s' })
  await comesTo(sandbox.client, message_id, 'expired')
  expect(await other.clock.show()).toMatchObject({ mode: 'auto', now: START })
})
