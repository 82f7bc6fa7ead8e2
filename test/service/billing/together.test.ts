import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/index.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, campaigns, channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

type Client = Sandbox['client']

const phone = fc.constantFrom(
  phones.readsAll,
  phones.readsAll,
  phones.unknownUser,
  phones.off,
  phones.after1Hour,
  phones.repliesHello,
)
const amount = fc.constantFrom(0.5, 1.25, 3)

const step = fc.oneof(
  fc.record({ does: fc.constant('send' as const), phone, type: fc.constantFrom('MESSAGE', 'NEWSLETTER') }),
  fc.record({ does: fc.constant('mail' as const), to: fc.constantFrom(emails.delivered, emails.bounced) }),
  fc.record({ does: fc.constant('test send' as const), phone }),
  fc.record({
    does: fc.constant('campaign' as const),
    id: fc.constantFrom(campaigns.demo, campaigns.partial),
    verb: fc.constantFrom('trigger' as const, 'trigger' as const, 'pause' as const, 'resume' as const),
  }),
  fc.record({ does: fc.constant('outage' as const), outage: fc.boolean() }),
  fc.record({ does: fc.constant('revoke' as const), which: fc.nat(20) }),
  fc.record({ does: fc.constant('reply' as const), phone: fc.constant(phones.readsAll) }),
  fc.record({ does: fc.constant('top up' as const), amount }),
  fc.record({ does: fc.constant('reload' as const), enabled: fc.boolean(), amount }),
  fc.record({ does: fc.constant('advance' as const), by: fc.constantFrom('40ms', '1s', '2m', '2h', '31d') }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take({ client, clock }: Sandbox, step: Step): Promise<unknown> {
  switch (step.does) {
    case 'send':
      return client.messages.send({ ...rcsText, to: step.phone, message_type: step.type as 'MESSAGE' })
    case 'mail':
      return client.messages.send({ channel_id: channels.email, to: step.to, subject: 'Hi', content: { text: 'Hi' } })
    case 'test send':
      return sendByTestAgent(client, step.phone)
    case 'campaign':
      return client.campaigns[step.verb](step.id)
    case 'outage':
      return client.carriers.update('nordfunk', { outage: step.outage })
    case 'revoke':
      return client.messages.revoke((await messagesOf(client))[step.which]?.id ?? 'none')
    case 'reply':
      return client.handsets.reply(step.phone, { agent_id: agents.multi, text: 'Hi' })
    case 'top up':
      return client.billing.topup({ amount: step.amount, currency: 'EUR' })
    case 'reload':
      return client.billing.setAutoReload({ enabled: step.enabled, threshold: 0.3, amount: step.amount })
    case 'advance':
      return clock.advance(step.by)
  }
}

/** Registers a phone, reads the code there, and then sends to it. */
async function sendByTestAgent(client: Client, phone: string) {
  await client.testAgent.register({ phone })
  const code = /\d{6}/.exec((await client.inbox.show(phone)).messages[0]!.text)![0]
  await client.testAgent.verify({ phone, code })
  return client.testAgent.send({ to: phone, traffic_type: 'TRANSACTION', content: { text: 'Hi' } })
}

type Ledger = Awaited<ReturnType<Client['billing']['transactions']>>['data']
type Messages = Awaited<ReturnType<Client['messages']['list']>>['messages']

async function ledgerOf(client: Client, cursor?: string): Promise<Ledger> {
  const { data, next_cursor } = await client.billing.transactions({ limit: 200, cursor })
  return next_cursor ? [...data, ...(await ledgerOf(client, next_cursor))] : data
}

async function messagesOf(client: Client, cursor?: string): Promise<Messages> {
  const { messages, next_cursor } = await client.messages.list({ limit: 200, cursor, direction: 'OUTBOUND' })
  return next_cursor ? [...messages, ...(await messagesOf(client, next_cursor))] : messages
}

/** 1/10,000 EUR, so that sums are exact. */
const units = (euros: number) => Math.round(euros * 10_000)

/** Invariants that hold after every operation. */
async function audit({ client }: Sandbox) {
  const { free, reserved, total } = await client.billing.balance()
  const ledger = await ledgerOf(client)
  const of = (...types: string[]) =>
    ledger.filter(({ type }) => types.includes(type)).reduce((sum, { amount }) => sum + units(amount), 0)
  expect(units(free) + units(reserved)).toBe(units(total))
  expect(Math.min(free, reserved)).toBeGreaterThanOrEqual(0)
  expect(units(total)).toBe(of('opening', 'topup') - of('charge'))
  expect(units(reserved)).toBe(of('hold') - of('charge', 'release'))

  const messages = await messagesOf(client)
  const charged = messages.reduce((sum, { cost }) => sum + units(Number(cost ?? 0)), 0)
  expect(charged).toBe(of('charge'))
  const moves = Map.groupBy(
    ledger.filter(({ message_id }) => message_id !== null),
    ({ message_id }) => message_id!,
  )
  for (const { id, status, cost } of messages) {
    const types = (moves.get(id) ?? []).map(({ type }) => type).reverse()
    const isOnTheWay = status === 'queued' || status === 'dispatched'
    expect(cost === null).toBe(isOnTheWay)
    // What is already paid for, as in a month of newsletters, changes nothing.
    if (types.length > 0)
      expect(types).toEqual(isOnTheWay ? ['hold'] : ['hold', cost === '0.0000' ? 'release' : 'charge'])
  }
  expect([...moves.keys()].filter((id) => !messages.some((message) => message.id === id))).toEqual([])
  return { reserved }
}

test('sends, campaigns, the Test Agent, outages, top-ups and reloads together neither create nor lose money', async () => {
  const world = await worldLikeDefault((file) => {
    file.billing = { ...file.billing, balance: 1.5, topup: { min: 0.5, max_balance: 8 } }
  })
  const done = new Set<string>()
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
    await using sandbox = await createSandbox({ world })
    for (const step of steps) {
      const refusal = await take(sandbox, step).then(
        () => void done.add(step.does),
        (error) => error as unknown,
      )
      if (refusal && !(refusal instanceof Refusal)) throw refusal
      await audit(sandbox)
    }
    await sandbox.client.carriers.update('nordfunk', { outage: false })
    await sandbox.clock.advance('40d')
    expect(await audit(sandbox)).toEqual({ reserved: 0 })
  })
  await fc.assert(property, { numRuns: 10, seed: 4711 })
  // Each kind of step succeeded at least once.
  expect([...done].sort()).toEqual([
    'advance',
    'campaign',
    'mail',
    'outage',
    'reload',
    'reply',
    'revoke',
    'send',
    'test send',
    'top up',
  ])
})
