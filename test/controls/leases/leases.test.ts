import { expect, test } from 'vitest'
import { connectSandbox } from '../../../src/index.ts'
import { fictionalPhone } from '../../../src/words/fictional-phones.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { holdMachineClock, moveMachineClock } from '../../machine-clock.ts'
import { agents, channels, phone as magicPhone, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

const suggestion = { reply: { text: 'Yes', postback_data: 'eWVz' } }

test('a leased phone has its contact and consent, and no other lease has it', async () => {
  await using sandbox = await createSandbox({ seed: 'a' })
  const leases = await Promise.all(Array.from({ length: 50 }, () => sandbox.lease.phone()))
  expect(new Set(leases.map(({ address }) => address)).size).toBe(50)
  expect(leases.every(({ address }) => /^\+1[2-9](?!11)\d\d55501\d\d$/.test(address))).toBe(true)
  const phone = await sandbox.lease.phone({ consent: true, name: 'an order' })
  const contact = await sandbox.client.contacts.get(phone.contactId!)
  expect(contact).toMatchObject({ phone: phone.address, status: 'ACTIVE' })
  expect(contact.consent_records.map(({ message_type, status }) => [message_type, status])).toEqual([
    ['MESSAGE', 'GRANTED'],
    ['NEWSLETTER', 'GRANTED'],
  ])
  expect(await sandbox.client.leases.show(phone.id)).toMatchObject({ kind: 'phone', name: 'an order' })
})

test('no phone is leased twice', () => {
  const phones = new Set(Array.from({ length: 100_000 }, (_, n) => fictionalPhone(n, 13_000)))
  expect(phones.size).toBe(100_000)
  expect([...phones].filter((phone) => !/^\+1[2-9]\d\d555(?!1212)\d{4}$/.test(phone))).toEqual([])
  expect([...phones].slice(0, 13_600).every((phone) => /55501\d\d$/.test(phone))).toBe(true)
})

test('the same seed leases the same addresses, and a contact keeps its own', async () => {
  const addresses = async (meanwhile?: string) => {
    await using sandbox = await createSandbox({ seed: 'b' })
    const first = await sandbox.lease.phone()
    if (meanwhile) await sandbox.client.contacts.create({ phone: meanwhile })
    return [first.address, (await sandbox.lease.phone()).address, (await sandbox.lease.email()).address]
  }
  const before = await addresses()
  expect(await addresses()).toEqual(before)
  const others = await addresses(before[1])
  expect(others[0]).toBe(before[0])
  expect(others[1]).not.toBe(before[1])
})

test('messages, events and waits are limited to the lease', async () => {
  await using sandbox = await createSandbox()
  const [mine, yours] = await Promise.all([0, 1].map(() => sandbox.lease.phone({ consent: true })))
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: mine!.address })
  await client.messages.send({ ...rcsText, to: yours!.address })
  await client.messages.send({ ...rcsText, to: magicPhone(0) })
  await sandbox.clock.advance('1m')
  await mine!.handset.reply('Hello')
  const messages = await mine!.messages()
  expect(messages.map(({ direction, status }) => [direction, status])).toEqual([
    ['INBOUND', 'received'],
    ['OUTBOUND', expect.stringMatching(/delivered|read/)],
  ])
  expect((await yours!.messages()).map(({ to }) => to)).toEqual([yours!.address])
  expect(await mine!.inbox()).toMatchObject([{ message_id }])
  expect(await mine!.waitFor('message.delivered')).toMatchObject({ data: { message_id } })
  expect(await mine!.waitFor('conversation.started')).toMatchObject({ data: { from: mine!.address } })
  await expect(yours!.waitFor('conversation.started')).rejects.toThrow(/conversation\.started did not arrive/)
  const received: unknown[] = []
  for await (const { data } of mine!.events) received.push('from' in data ? data.from : 'to' in data ? data.to : data)
  expect(received.length).toBeGreaterThan(2)
  expect(new Set(received)).toEqual(new Set([mine!.address]))
})

test('events of the contact of a leased address concern the lease, up to its deletion', async () => {
  await using sandbox = await createSandbox()
  const email = await sandbox.lease.email()
  const { client } = sandbox
  const { id } = await client.contacts.create({ email: email.address })
  await client.consent.record(id, {
    channel_type: 'EMAIL',
    message_type: 'NEWSLETTER',
    status: 'GRANTED',
    source: 'form',
  })
  await client.contacts.create({ email: 'ada@example.com' })
  await client.contacts.delete(id)
  const { events } = await email.events.list()
  expect(events.map(({ event }) => event)).toEqual(['contact.created', 'consent.created', 'contact.deleted'])
})

test('a rule of a lease decides about its messages only', async () => {
  await using sandbox = await createSandbox()
  const mine = await sandbox.lease.phone({ consent: true })
  const yours = await sandbox.lease.phone({ consent: true })
  await mine.rules.add({ behaviour: { outcome: 'failed', failure_reason: 'REJECTED_SPAM' } })
  for (const { address } of [mine, yours]) await sandbox.client.messages.send({ ...rcsText, to: address })
  await sandbox.clock.advance('1m')
  expect((await mine.messages())[0]).toMatchObject({ status: 'failed', failure_reason: 'REJECTED_SPAM' })
  expect((await yours.messages())[0]!.status).not.toBe('failed')
  expect(await yours.rules.list()).toEqual([])
  await mine.rules.clear()
  expect((await sandbox.client.rules.list()).rules).toEqual([])
})

test('a fault of a lease meets calls that name its address, its message or its contact, and no others', async () => {
  await using sandbox = await createSandbox()
  const mine = await sandbox.lease.phone({ consent: true })
  const yours = await sandbox.lease.phone({ consent: true })
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: mine.address })
  const other = await client.messages.send({ ...rcsText, to: yours.address })
  await mine.faults.add({ routes: ['*'], status: 503 })
  const refused = { status: 503, code: 'service_unavailable' }
  await expect(client.messages.send({ ...rcsText, to: mine.address })).rejects.toMatchObject(refused)
  await expect(client.messages.get(message_id)).rejects.toMatchObject(refused)
  await expect(client.messages.list({ to: mine.address })).rejects.toMatchObject(refused)
  await expect(client.contacts.get(mine.contactId!)).rejects.toMatchObject(refused)
  await expect(client.contacts.create({ phone: mine.address })).rejects.toMatchObject(refused)
  await client.messages.send({ ...rcsText, to: yours.address })
  await client.messages.get(other.message_id)
  await client.contacts.get(yours.contactId!)
  await client.billing.balance()
  expect((await mine.faults.list())[0]).toMatchObject({ seen: 5, hits: 5 })
  await mine.faults.clear()
  await client.messages.get(message_id)
})

test('webhooks say which lease they concern, and a fault of a lease meets its own', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await sandbox.receiver({ events: ['message.queued', 'contact.created'] })
  await sandbox.client.contacts.create({ phone: '+4915112345677' })
  await sandbox.settle()
  const [before] = receiver.deliveries
  expect(before!.headers['x-sandbox-lease']).toBeUndefined()
  receiver.clear()
  const mine = await sandbox.lease.phone({ consent: true })
  const yours = await sandbox.lease.phone({ consent: true })
  await mine.faults.add({ events: ['message.queued'], drop: true })
  for (const { address } of [mine, yours]) await sandbox.client.messages.send({ ...rcsText, to: address })
  await sandbox.client.contacts.create({ phone: '+4915112345678' })
  await sandbox.settle()
  expect(receiver.deliveries.map(({ event, headers }) => [event.event, headers['x-sandbox-lease']])).toEqual([
    ['message.queued', yours.id],
    ['contact.created', undefined],
  ])
  await mine.faults.clear()
  await sandbox.clock.advance('1m')
  expect(receiver.deliveries.at(-1)?.headers['x-sandbox-lease']).toBe(mine.id)
})

test('releasing a lease deletes its data, releases its holds and keeps its charges', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await sandbox.receiver({ events: ['message.*'], status: 500 })
  const { client } = sandbox
  const phone = await sandbox.lease.phone({ consent: true })
  const bystander = await sandbox.lease.phone({ consent: true })
  const content = { text: 'Coming?', suggestions: [suggestion] }
  const { message_id } = await client.messages.send({ ...rcsText, to: phone.address, content })
  await client.messages.send({ ...rcsText, to: bystander.address })
  await sandbox.clock.advance('30s')
  await phone.handset.tap()
  await phone.handset.set({ on: false })
  await client.messages.send({ ...rcsText, to: phone.address })
  await sandbox.clock.advance('1s')
  await phone.rules.add({ behaviour: { read: false } })
  await phone.faults.add({ routes: ['messages.send'], latency: '1ms' })
  const { reserved } = await client.billing.balance()
  expect(reserved).toBe(0.05)
  const spent = (await client.billing.balance()).total

  await phone.release()
  await phone.release()

  expect(await client.billing.balance()).toEqual({ free: spent, reserved: 0, total: spent })
  await expect(client.messages.get(message_id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(client.contacts.get(phone.contactId!)).rejects.toMatchObject({ code: 'not_found' })
  expect((await client.rules.list()).rules).toEqual([])
  expect((await client.faults.list()).faults).toEqual([])
  expect(await client.handsets.show(phone.address)).toMatchObject({ on: true, sessions: [], waiting: 0 })
  expect(await phone.inbox()).toEqual([])
  expect((await client.leases.list()).leases.map(({ id }) => id)).toEqual([bystander.id])
  const { events } = await phone.events.list()
  expect(events.map(({ event }) => event)).toContain('conversation.started')
  const { data } = await client.events.deliveries({ limit: 200 })
  const own = data.filter(({ event_id }) => events.some(({ id }) => id === event_id))
  expect(new Set(own.map(({ status }) => status))).toEqual(new Set(['cancelled']))
  expect(data.some(({ status }) => status === 'pending')).toBe(true)
  receiver.clear()
  await sandbox.clock.advance('30d')
  expect(receiver.deliveries.filter(({ headers }) => headers['x-sandbox-lease'] === phone.id)).toEqual([])
  expect(await bystander.messages()).toHaveLength(1)
})

test('a lease has the messages that come after others were deleted', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const send = (to: string) => client.messages.send({ ...rcsText, to })
  const lease = () => sandbox.lease.phone({ consent: true })
  const first = await lease()
  await send(first.address)
  const second = await lease()
  await first.release()
  // A restore opens the world again, which then finds no message.
  await client.snapshots.save({ name: 'empty' })
  await client.snapshots.restore('empty')
  await send(second.address)
  expect(await second.messages()).toHaveLength(1)
  const third = await lease()
  await sandbox.reset('messages')
  await send(third.address)
  expect(await third.messages()).toHaveLength(1)
  await third.release()
  expect(await client.messages.list()).toMatchObject({ messages: [] })
})

test('a campaign goes on where a leased contact of its audience is released', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const phone = await sandbox.lease.phone({ consent: true, handset: { on: false } })
  await client.contacts.update(phone.contactId!, { tags: ['leased'] })
  const send = {
    agent_id: agents.multi,
    message_type: 'MESSAGE',
    traffic_type: 'PROMOTION',
    content: { text: 'Hi' },
  } as const
  const { campaign_id } = await client.campaigns.define({
    name: 'leased',
    trigger: 'API',
    audience: { tag: 'leased' },
    flow: [
      { id: 'send', node: 'SEND', ...send },
      { id: 'wait', node: 'WAIT', for: '1h' },
      { id: 'read', node: 'CONDITION', when: 'read', yes: 'end', no: 'end' },
      { id: 'end', node: 'END' },
    ],
  })
  await client.campaigns.trigger(campaign_id)
  await sandbox.clock.advance('1m')
  await phone.release()
  await sandbox.clock.advance('2h')
  expect((await client.campaigns.status(campaign_id)).status).toMatch(/^COMPLETED/)
})

test('a lease that a killed process left is listed, released by hand, or released when it expires', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox()
  const run = (...argv: string[]) =>
    sandboxCommand(argv, { env: { SANDBOX_BASE_URL: sandbox.url, SANDBOX_API_KEY: sandbox.apiKey } })
  const taken = (await run('leases', 'take', 'phone', '--consent', '--name', 'sign-up')).json
  const { leases } = (await run('leases', 'list')).json as { leases: unknown[] }
  expect(leases).toEqual([taken])
  expect((await run('lease', 'release', String(taken.id))).json).toMatchObject({ id: taken.id, messages: 0 })
  expect((await run('leases', 'show', String(taken.id))).code).toBe(5)
  expect((await run('leases', 'take', 'fax')).stderr).toContain('phone')
  const left = (await run('leases', 'take', 'email', '--consent', '--expires-in', '5m')).json
  await sandbox.client.messages.send({
    channel_id: channels.email,
    to: String(left.address),
    content: { subject: 'Hi', text: 'Hi' },
  })
  // The world's clock does not matter: tests run on the machine's.
  await sandbox.clock.advance('30d')
  expect((await sandbox.client.leases.list()).leases).toHaveLength(1)
  moveMachineClock(5 * 60_000)
  expect((await sandbox.client.leases.list()).leases).toEqual([])
  const next = await sandbox.lease.phone()
  await expect(sandbox.client.contacts.get(String(left.contact_id))).rejects.toMatchObject({ code: 'not_found' })
  expect((await run('leases', 'clear')).json).toEqual({ released: 1 })
  await next.release()
})

test('an unknown lease is refused, also by lists of events', async () => {
  await using sandbox = await createSandbox()
  const { leases, events } = sandbox.client
  const gone = { code: 'not_found', message: expect.stringContaining('There is no lease lse_x') }
  await expect(leases.messages('lse_x')).rejects.toMatchObject(gone)
  await expect(events.list({ lease: 'lse_x' })).rejects.toMatchObject(gone)
  await expect(leases.take({ kind: 'phone', expires_in: '31d' })).rejects.toMatchObject({ code: 'validation_error' })
  await expect(sandbox.lease.phone({ handset: { carrier: 'nobody' } })).rejects.toMatchObject({ status: 400 })
  expect((await leases.list()).leases).toEqual([])
})

test('a stream can follow one lease', async () => {
  await using sandbox = await createSandbox()
  const [mine, yours] = await Promise.all([0, 1].map(() => sandbox.lease.phone({ consent: true })))
  const leaving = new AbortController()
  const answer = await fetch(`${sandbox.url}/_sandbox/events/stream?lease=${mine!.id}&after=0`, {
    signal: leaving.signal,
  })
  for (const { address } of [yours!, mine!]) await sandbox.client.messages.send({ ...rcsText, to: address })
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('message.queued')) break
  }
  leaving.abort()
  expect(text).toContain(mine!.address)
  expect(text).not.toContain(yours!.address)
})

test('several processes share one emulator, and each releases what it leased', async () => {
  await using sandbox = await createSandbox()
  const { url, apiKey } = sandbox
  const workers = await Promise.all([0, 1].map(() => connectSandbox({ url, apiKey })))
  const phones = await Promise.all(workers.map(({ lease }) => lease.phone({ consent: true })))
  expect(new Set(phones.map(({ address }) => address)).size).toBe(2)
  await workers[0]!.client.messages.send({ ...rcsText, to: phones[0]!.address })
  expect(await phones[1]!.messages()).toEqual([])
  await Promise.all(phones.map((phone) => phone.release()))
  await workers[0]!.stop()
  expect((await sandbox.client.leases.list()).leases).toEqual([])
  await expect(connectSandbox({ url: 'localhost' })).rejects.toThrow(/^url: must be the URL of an emulator/)
})
