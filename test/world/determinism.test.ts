import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from '../../src/client/call.ts'
import { api } from '../../src/registry/api.ts'
import type { Operation } from '../../src/words/operation.ts'
import { folder } from '../folder.ts'
import { agents, campaigns, channels, contactOf, emails, phone, phones, rcsText, templates, uuid } from '../magic.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createSandbox, type SandboxOptions } from '../sandbox.ts'

/** Headers that depend on the machine's clock on purpose: the HTTP date and the windows of rate limits. */
const OF_THE_MACHINE = ['date', 'x-ratelimit-reset', 'x-ratelimit-remaining']

interface Answer {
  call: string
  status: number
  headers: Record<string, string>
  body: string
}

type Fields = Record<string, unknown>
type Ask = (
  operation: Operation,
  payload?: unknown,
  options?: { params?: Record<string, string>; key?: string },
) => Promise<Fields>
type Scene = (ask: Ask, shared: Fields) => Promise<void>

const day = { by: '24h' }
const card = { title: 'Shoes', description: 'Red', media: { url: 'https://example.com/a.png', height: 'TALL' } }
const chips = [
  { reply: { text: 'Yes', postback_data: 'eWVz' } },
  { action: { text: 'Shop', open_url: { url: 'https://example.com' } } },
]
const optIn = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', source: 'form' }
const ordinaryPhones = Array.from({ length: 12 }, (_, i) => phone(60 + i))
const id = (params: string) => ({ params: { id: params } })

/** The first part of the script. No webhooks are sent yet, so the world is idle after each call. */
const withoutWebhooks: Scene = async (ask) => {
  await ask(api.world.setRateLimits, { limits: { send: 77 } })
  await ask(api.contacts.create, { email: 'grace@example.com', external_id: 'grace' })
  for (const _ of ['sent', 'replayed'])
    await ask(api.messages.send, { ...rcsText, to: phones.after30Seconds }, { key: uuid(2) })
  await ask(api.clock.advance, { by: '10s' })
  await ask(api.messages.list)
  await ask(api.clock.advance, { by: '1m' })
  for (const operation of [api.messages.list, api.events.list, api.world.show, api.billing.transactions])
    await ask(operation)
}

/** Parts of the script. The sandbox can be restarted between two parts. */
const scenes: Record<string, Scene> = {
  async contacts(ask) {
    const { id: ada } = await ask(api.contacts.create, { email: 'ada@example.com', external_id: 'ada', tags: ['vip'] })
    await ask(api.contacts.create, { email: 'ada@example.com', first_name: 'Ada' })
    await ask(api.contacts.create, { emial: 'typo@example.com' })
    await ask(api.contacts.import, {
      contacts: [{ phone: '+491701234567' }, { email: 'not one' }, { email: 'bob@example.com' }],
    })
    await ask(api.contacts.update, { status: 'BLOCKED' }, id('magic-55'))
    const record = await ask(
      api.consent.record,
      { ...optIn, status: 'PENDING', enforced_doi: true, doi_channel: 'EMAIL' },
      id('ada'),
    )
    await ask(api.consent.record, { ...optIn, status: 'GRANTED', enforced_doi: true }, id('ada'))
    await ask(api.inbox.show, undefined, { params: { address: 'ada@example.com' } })
    await ask(api.consent.confirm, undefined, { params: { id: 'ada', record_id: String(record.id) } })
    await ask(api.consent.revoke, undefined, { params: { id: 'ada', record_id: String(record.id) } })
    await ask(api.consent.list, undefined, id('ada'))
    await ask(api.contacts.delete, undefined, id(String(ada)))
    await ask(api.contacts.get, undefined, id('ada'))
  },
  async sends(ask, shared) {
    const send = (change: object, key?: string) => ask(api.messages.send, { ...rcsText, ...change }, key ? { key } : {})
    for (const to of [...Object.values(phones), ...ordinaryPhones]) await send({ to })
    for (const to of Object.values(emails))
      await send({
        agent_id: undefined,
        traffic_type: undefined,
        channel_id: channels.email,
        to,
        subject: 'Hi',
        content: { html: '<a href="https://example.com">x</a>' },
      })
    await send({ to: phone(60), content: { text: 'Do you like it?', suggestions: chips } })
    await send({ to: phones.tapsFirstSuggestion, content: { text: 'And this?', suggestions: chips } })
    await send({ to: phone(61), content: { rich_card: { standalone: { orientation: 'VERTICAL', content: card } } } })
    await send({ to: phone(62), content: { rich_card: { carousel: { card_width: 'MEDIUM', cards: [card, card] } } } })
    await send({
      to: phone(63),
      content: undefined,
      template_id: templates.deliveryNotice,
      template_data: { name: 'Ada', eta: '12:00' },
    })
    await send({ to: phone(63), content: undefined, template_id: templates.deliveryNotice, template_data: {} })
    await send({ to: phone(64), message_type: 'NEWSLETTER', traffic_type: 'PROMOTION' })
    await send({ to: phone(65), message_type: 'CONVERSATION' })
    await send({ to: phone(66), agent_id: agents.draft })
    await send({ to: phone(67), agent_id: agents.regional, ttl: '90s' })
    await send({ to: 'nonsense', content: { txt: 'x' } })
    await ask(api.messages.send, { channel_id: channels.sms, to: phone(50), content: { text: 'SMS' } })
    const first = await send({ to: phone(68) }, uuid(1))
    await send({ to: phone(68) }, uuid(1))
    await send({ to: phone(69) }, uuid(1))
    await ask(api.messages.revoke, undefined, id(String(first.message_id)))
    await ask(api.messages.revoke, undefined, id(String(first.message_id)))
    shared.read = (await send({ to: phones.readsAll, content: { text: 'Tap', suggestions: chips } })).message_id
    await ask(api.messages.list, { limit: 20 })
  },
  async time(ask, shared) {
    await ask(api.clock.advance, { next: true })
    await ask(api.clock.advance, { by: '10s' })
    await ask(api.clock.advance, day)
    await ask(api.messages.list, { limit: 200 })
    const of = { params: { phone: phones.readsAll } }
    await ask(api.handsets.reply, { agent_id: agents.multi, text: 'Thanks' }, of)
    await ask(api.handsets.tap, { message_id: shared.read, index: 1 }, of)
    await ask(api.messages.send, { ...rcsText, to: phones.readsAll, message_type: 'CONVERSATION' })
    await ask(api.messages.get, undefined, id(String(shared.read)))
    await ask(api.clock.advance, { to: '2026-01-01T00:00:00Z' })
    await ask(api.clock.show)
  },
  async network(ask) {
    await ask(api.carriers.updateAll, {
      failed: { REJECTED_SPAM: '20%' },
      never_delivered: '10%',
      delivery_delay: '1s..2m',
      read: '50%',
    })
    await ask(api.rules.add, {
      match: { to: phone(70) },
      behaviour: { outcome: 'failed', failure_reason: 'ACCOUNT_SUSPENDED' },
      share: '50%',
    })
    await ask(api.rules.add, { match: { to: phones.readsAll }, behaviour: { outcome: 'never_delivered' } })
    await ask(api.handsets.set, { replies: 'Who is this?' }, { params: { phone: phone(71) } })
    await ask(api.faults.add, { routes: ['messages.send'], status: 503, share: '30%' })
    for (const to of [...ordinaryPhones, phone(70), phone(70), phone(71)])
      await ask(api.messages.send, { ...rcsText, to })
    await ask(api.clock.advance, day)
    const { messages } = (await ask(api.messages.list, { limit: 10 })) as { messages: { id: string }[] }
    for (const { id: message } of messages) await ask(api.messages.explain, undefined, id(message))
    for (const operation of [api.carriers.list, api.rules.list, api.faults.list, api.handsets.list])
      await ask(operation)
    await ask(api.world.reset, { scope: 'faults' })
    await ask(api.world.reset, { scope: 'rules' })
  },
  async account(ask) {
    const { agent_id: agent } = await ask(api.agents.create, {
      region: 'EUROPE',
      billing_category: 'CONVERSATIONAL',
      use_case: 'MULTI_USE',
      newsletter_enabled: true,
    })
    await ask(api.agents.update, { display_name: 'Demo', colour: 'red' }, id(String(agent)))
    await ask(api.agents.update, { display_name: 'Demo' }, id(String(agent)))
    await ask(api.agents.submit, {}, id(String(agent)))
    await ask(api.clock.advance, { by: '1h' })
    for (const operation of [api.agents.get, api.agents.launch]) await ask(operation, undefined, id(String(agent)))
    await ask(api.testAgent.register, { phone: phone(75) })
    const inbox = (await ask(api.inbox.show, undefined, { params: { address: phone(75) } })) as {
      messages: { text: string }[]
    }
    await ask(api.testAgent.verify, { phone: phone(75), code: '000000' })
    await ask(api.testAgent.verify, { phone: phone(75), code: /\d{6}/.exec(inbox.messages[0]!.text)![0] })
    await ask(api.testAgent.send, { to: phone(75), traffic_type: 'TRANSACTION', content: { text: 'Test' } })
    await ask(api.testAgent.send, { to: phone(76), traffic_type: 'TRANSACTION', content: { text: 'Test' } })
    await ask(api.billing.topup, { amount: 50, currency: 'EUR' }, { key: 'top-up' })
    await ask(api.billing.topup, { amount: 50, currency: 'EUR' }, { key: 'top-up' })
    await ask(api.billing.setAlerts, { enabled: true, threshold: 2_000 })
    await ask(api.billing.setAutoReload, { enabled: true, threshold: 10, amount: 100 })
    for (const operation of [api.billing.balance, api.billing.tier, api.billing.usage, api.testAgent.status])
      await ask(operation)
    await ask(api.billing.transactions, { limit: 200 })
  },
  async campaigns(ask) {
    const of = (campaign: string) => id(campaign)
    await ask(api.campaigns.trigger, {}, of(campaigns.demo))
    await ask(api.campaigns.trigger, {}, of(campaigns.demo))
    await ask(api.clock.advance, { by: '10ms' })
    await ask(api.campaigns.pause, undefined, of(campaigns.demo))
    await ask(api.campaigns.status, undefined, of(campaigns.demo))
    await ask(api.campaigns.resume, undefined, of(campaigns.demo))
    await ask(api.campaigns.trigger, {}, of(campaigns.partial))
    await ask(api.campaigns.trigger, {}, of(campaigns.scheduled))
    await ask(api.clock.advance, day)
    for (const campaign of Object.values(campaigns)) await ask(api.campaigns.status, undefined, of(campaign))
  },
  async hooks(ask) {
    const { data } = (await ask(api.webhooks.list)) as { data: { id: string }[] }
    await ask(api.webhooks.update, { rotate_secret: true }, id(data[0]!.id))
    await ask(api.webhooks.test, undefined, id(data[0]!.id))
    await ask(api.contacts.create, { email: 'carl@example.com' })
    await ask(api.clock.advance, { by: '48h' })
    await ask(api.events.deliveries, { limit: 200 })
    await ask(api.events.deliveries, { limit: 200, status: 'failed' })
    const { events } = (await ask(api.events.list, { limit: 5 })) as { events: { id: string }[] }
    await ask(api.events.replay, {}, id(events[0]!.id))
    await ask(api.clock.advance, { by: '48h' })
    await ask(api.events.show, undefined, id(events[0]!.id))
    await ask(api.events.moveCursor, { seq: 3 }, { params: { name: 'mine' } })
    await ask(api.events.secret)
  },
  async worlds(ask) {
    const of = (name: string) => ({ params: { name } })
    await ask(api.snapshots.save, { name: 'one' })
    await ask(api.messages.send, { ...rcsText, to: phone(80) })
    await ask(api.snapshots.save, {})
    await ask(api.snapshots.restore, undefined, of('one'))
    await ask(api.messages.send, { ...rcsText, to: phone(80) })
    await ask(api.snapshots.fork, { namespace: 'fork' }, of('snapshot-1'))
    for (const operation of [api.snapshots.list, api.namespaces.list, api.world.show, api.world.dump])
      await ask(operation)
    await ask(api.namespaces.delete, undefined, of('fork'))
    await ask(api.world.reset, { scope: 'balance' })
    await ask(api.clock.advance, { by: '40d' })
    const { data } = (await ask(api.billing.invoices)) as { data: { id: string }[] }
    for (const invoice of data) await ask(api.billing.invoicePdf, undefined, id(invoice.id))
  },
  async end(ask) {
    await ask(api.events.list, { limit: 1000 })
    await ask(api.world.reset, { scope: 'messages' })
    await ask(api.messages.send, { ...rcsText, to: phone(81) })
    await ask(api.world.reset, { scope: 'events' })
    await ask(api.clock.advance, day)
    await ask(api.events.list, { limit: 1000 })
    await ask(api.billing.transactions, { limit: 200 })
    await ask(api.world.reset, {})
    await ask(api.messages.send, { ...rcsText, to: phone(82) })
    await ask(api.world.show)
  },
}

/** Which worlds are open depends on the limit, and the namespace `default` is not one of the script. */
const withoutStates = (list: string) =>
  JSON.stringify(
    (JSON.parse(list) as { namespaces: Fields[] }).namespaces.map(({ state: _, ...one }) =>
      one.name === 'default' ? one.name : one,
    ),
  )

/**
 * Runs the script in a namespace and returns the bytes of every answer and every webhook. Where one world may be open at a
 * time, it sleeps whenever it is surely idle. A sandbox with a data folder is restarted between two scenes.
 */
async function runScript(receiver: Receiver, options: SandboxOptions, script = Object.values(scenes)) {
  const start = () => createSandbox({ seed: 'again', ...options })
  let sandbox = await start()
  const answers: Answer[] = []
  const states: (string | undefined)[] = []
  const shared: Fields = {}
  let hasWebhooks = false
  receiver.received.length = 0
  const ask: Ask = async (operation, payload, { params = {}, key } = {}) => {
    const endpoint = { baseUrl: sandbox.url, apiKey: 'sk_sandbox_suite' }
    const { status, headers, body } = await call(endpoint, operation, params, payload, { idempotencyKey: key })
    const isText = !operation.media || operation.media.startsWith('text/')
    let content = isText
      ? body.toString().replaceAll(sandbox.url, 'http://sandbox')
      : createHash('sha256').update(body).digest('hex')
    if (operation === api.namespaces.list) content = withoutStates(content)
    for (const name of OF_THE_MACHINE) delete headers[name]
    answers.push({ call: `${operation.id} ${JSON.stringify(payload)}`, status, headers, body: content })
    if (options.maxOpenNamespaces === 1 && (!hasWebhooks || operation === api.clock.advance)) {
      const { namespaces } = await sandbox.client.namespaces.list()
      states.push(namespaces.find(({ name }) => name === 'suite')?.state)
    }
    return isText && content.startsWith('{') ? (JSON.parse(content) as Fields) : {}
  }
  await withoutWebhooks(ask, shared)
  hasWebhooks = true
  await ask(api.webhooks.create, { url: receiver.url, events: ['*'] })
  await ask(api.webhooks.create, {
    url: receiver.url.replace('/hook', '/other'),
    events: ['message.*'],
    secret: 'mine',
  })
  for (const scene of script) {
    await scene(ask, shared)
    // A stopped sandbox repeats attempts in flight, so this waits until none are.
    await ask(api.clock.advance, { by: '1s' })
    if (!options.data) continue
    await sandbox.stop()
    sandbox = await start()
  }
  await sandbox[Symbol.asyncDispose]()
  // Deliveries for different records are concurrent, so only the events of one record have a fixed order.
  const webhooks = receiver.received
    .map(({ path, headers: { connection: _, ...headers }, body }) => ({ path, headers, body }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { answers, webhooks, states }
}

test('the same calls give the same bytes in every answer and webhook, also in a world that sleeps or is restarted', async () => {
  await using receiver = await startReceiver()
  // Failures depend on the content of the request, not on its time.
  receiver.answer(({ path, event, headers }) =>
    path === '/other'
      ? 500
      : event.event === 'message.failed' && headers['x-service-delivery-attempt'] === '1'
        ? 503
        : 200,
  )
  const first = await runScript(receiver, {})
  const asleep = await runScript(receiver, { maxOpenNamespaces: 1 })
  const restarted = await runScript(receiver, { maxOpenNamespaces: 1, data: await folder() })
  const other = await runScript(receiver, { seed: 'another' }, Object.values(scenes).slice(0, 1))

  // The script covers all kinds of answers.
  const statuses = new Set(first.answers.map(({ status }) => status))
  expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 201, 202, 400, 403, 404, 409, 422, 503]))
  expect(first.answers.length).toBeGreaterThan(180)
  expect(first.webhooks.length).toBeGreaterThan(300)
  expect(first.answers.every(({ headers }) => /^req_/.test(headers['x-request-id']!))).toBe(true)

  for (const { states, ...run } of [asleep, restarted]) {
    expect(states.length).toBeGreaterThan(30)
    expect(new Set(states)).toEqual(new Set(['asleep']))
    for (const [i, answer] of first.answers.entries()) expect(run.answers[i]?.call).toBe(answer.call)
    const different = first.answers.filter((answer, i) => JSON.stringify(run.answers[i]) !== JSON.stringify(answer))
    expect(different.map(({ call }) => call)).toEqual([])
    const strange = run.webhooks.filter((webhook, i) => JSON.stringify(webhook) !== JSON.stringify(first.webhooks[i]))
    expect(strange.slice(0, 3)).toEqual([])
    expect([run.answers.length, run.webhooks.length]).toEqual([first.answers.length, first.webhooks.length])
  }
  const sameCalls = first.answers.slice(0, other.answers.length)
  expect(other.answers.map(({ call }) => call.split(' ')[0])).toEqual(sameCalls.map(({ call }) => call.split(' ')[0]))
  expect(JSON.stringify(other.answers) === JSON.stringify(sameCalls)).toBe(false)
})

test('an exported snapshot after the same calls has the same bytes', async () => {
  const exported = async () => {
    await using sandbox = await createSandbox({ seed: 'again' })
    await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
    await sandbox.client.contacts.update(contactOf(50), { first_name: 'Ada' })
    await sandbox.clock.advance('1h')
    await sandbox.snapshot('one')
    return Buffer.from(await sandbox.client.snapshots.export('one'))
  }
  expect((await exported()).equals(await exported())).toBe(true)
})
