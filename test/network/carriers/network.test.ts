import { expect, test } from 'vitest'
import { allItems } from '../../../src/client/pages.ts'
import { worldLikeDefault } from '../../folder.ts'
import { agents, channels, phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const COUNT = 2_000

/** One carrier whose shares all differ from the defaults. */
const mixed = () =>
  worldLikeDefault((file) => {
    file.billing.balance = 5_000
    file.carriers = [
      {
        name: 'nordfunk',
        dispatch_delay: '100ms..400ms',
        delivery_delay: '1s..3s',
        failure_delay: '5s..6s',
        read_delay: '10s..20s',
        read: 0.5,
        failed: { UNKNOWN_RCS_USER: 0.1, REJECTED_SPAM: 0.05 },
        never_delivered: 0.15,
      },
    ]
  })

async function sendMany({ client }: Sandbox, count: number) {
  const bodies = Array.from({ length: count }, (_, i) => ({ ...rcsText, to: phone(50 + (i % 20)), ttl: '1000s' }))
  for (let i = 0; i < count; i += 50)
    await Promise.all(bodies.slice(i, i + 50).map((body) => client.messages.send(body)))
}

const all = ({ client }: Sandbox) => allItems(client.messages.list, ({ messages }) => messages)

const between = (from: string | null, to: string | null) => Date.parse(to!) - Date.parse(from!)

test('outcomes of many messages follow the shares and delays of the carrier, and are the same in every run', async () => {
  await using sandbox = await createSandbox({ world: await mixed(), checkAnswers: false })
  await sendMany(sandbox, COUNT)
  await sandbox.clock.advance('1h')
  const messages = await all(sandbox)
  expect(messages).toHaveLength(COUNT)

  const shareOf = (is: (message: (typeof messages)[number]) => boolean) => messages.filter(is).length / COUNT
  const shares = {
    unknown: shareOf(({ failure_reason }) => failure_reason === 'UNKNOWN_RCS_USER'),
    spam: shareOf(({ failure_reason }) => failure_reason === 'REJECTED_SPAM'),
    lost: shareOf(({ status }) => status === 'expired'),
    delivered: shareOf(({ delivered_at }) => delivered_at !== null),
  }
  const tolerance = 0.03
  for (const [share, expected] of Object.entries({ unknown: 0.1, spam: 0.05, lost: 0.15, delivered: 0.7 }))
    expect(Math.abs(shares[share as keyof typeof shares] - expected), share).toBeLessThan(tolerance)
  const delivered = messages.filter(({ delivered_at }) => delivered_at !== null)
  const read = delivered.filter(({ status }) => status === 'read')
  expect(Math.abs(read.length / delivered.length - 0.5)).toBeLessThan(0.04)

  const spans: readonly [what: string, spans: number[], low: number, high: number][] = [
    ['dispatch', messages.map((m) => between(m.created_at, m.sent_at)), 100, 400],
    ['delivery', delivered.map((m) => between(m.sent_at, m.delivered_at)), 1_000, 3_000],
    [
      'failure',
      messages.filter(({ status }) => status === 'failed').map((m) => between(m.sent_at, m.failed_at)),
      5_000,
      6_000,
    ],
    ['read', read.map((m) => between(m.delivered_at, m.read_at)), 10_000, 20_000],
    [
      'expiry',
      messages.filter(({ status }) => status === 'expired').map((m) => between(m.created_at, m.expired_at)),
      1_000_000,
      1_000_000,
    ],
  ]
  for (const [what, times, low, high] of spans) {
    const [least, most] = [Math.min(...times), Math.max(...times)]
    expect({ what, inRange: least >= low && most <= high }).toEqual({ what, inRange: true })
    // The whole range is used, not one corner of it.
    expect(most - least, what).toBeGreaterThanOrEqual((high - low) * 0.9)
  }
})

/** The outcomes of the messages, without their ids. */
const outcomes = (messages: Awaited<ReturnType<typeof all>>) =>
  messages.map(({ to, status, failure_reason, sent_at, delivered_at, read_at }) => ({
    to,
    status,
    failure_reason,
    sent_at,
    delivered_at,
    read_at,
  }))

test('the same seed gives the same random draws, another seed different ones', async () => {
  const world = await mixed()
  const run = async (seed: string) => {
    await using sandbox = await createSandbox({ world, seed })
    for (let i = 0; i < 40; i++) await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary, ttl: '60s' })
    await sandbox.clock.advance('1h')
    return outcomes(await all(sandbox))
  }
  const first = await run('one')
  expect(await run('one')).toEqual(first)
  expect(await run('two')).not.toEqual(first)
})

test('random draws depend on the message only: other messages, reads or revokes do not change them', async () => {
  const world = await mixed()
  const run = async (disturb: (sandbox: Sandbox) => Promise<unknown>) => {
    await using sandbox = await createSandbox({ world })
    const ids = []
    for (let i = 0; i < 12; i++) {
      ids.push((await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary, ttl: '60s' })).message_id)
      // The disturbance happens before the plans are drawn, and after all ids are assigned.
    }
    await disturb(sandbox)
    await sandbox.clock.advance('1h')
    return outcomes(await Promise.all(ids.map((id) => sandbox.client.messages.get(id))))
  }
  const undisturbed = await run(async () => undefined)
  expect(await run(({ client }) => client.messages.send({ ...rcsText, to: phones.after1Hour }))).toEqual(undisturbed)
  expect(
    await run(async ({ client }) =>
      client.messages.revoke((await client.messages.send({ ...rcsText, to: phones.ordinary })).message_id),
    ),
  ).toEqual(undisturbed)
  expect(
    await run(({ client }) =>
      client.messages.send({ channel_id: channels.email, to: 'a@example.com', subject: 'Hi', content: { text: 'Hi' } }),
    ),
  ).toEqual(undisturbed)
  expect(await run(({ clock }) => clock.advance('120ms'))).toEqual(undisturbed)
})

test('the carrier of a number stays the same, and the numbers spread over the carriers by weight', async () => {
  const world = await worldLikeDefault((file) => {
    // The pace shows which carrier was used.
    for (const [i, carrier] of file.carriers.entries()) Object.assign(carrier, { dispatch_delay: `${i + 1}s`, read: 0 })
  })
  await using sandbox = await createSandbox({ world })
  const numbers = Array.from({ length: 50 }, (_, i) => phone(50 + i))
  for (const to of [...numbers, ...numbers]) await sandbox.client.messages.send({ ...rcsText, to })
  await sandbox.clock.advance('1m')
  const carriers = (await all(sandbox)).reverse().map(({ created_at, sent_at }) => between(created_at, sent_at) / 1000)
  expect(carriers.slice(0, 50)).toEqual(carriers.slice(50))
  const count = (n: number) => carriers.slice(0, 50).filter((carrier) => carrier === n).length
  expect([count(1), count(2), count(3)].every((n) => n > 0)).toBe(true)
  expect(count(3)).toBeLessThan(Math.min(count(1), count(2)))
})

test('an agent that is live on one carrier reaches only its phones', async () => {
  const world = await worldLikeDefault((file) => {
    for (const [i, carrier] of file.carriers.entries()) Object.assign(carrier, { dispatch_delay: `${i + 1}s` })
  })
  await using sandbox = await createSandbox({ world })
  for (let nn = 50; nn < 70; nn++)
    await sandbox.client.messages.send({ ...rcsText, agent_id: agents.regional, to: phone(nn) })
  await sandbox.clock.advance('1h')
  const seen = new Set<string>()
  for (const message of await all(sandbox)) {
    const isNordfunk = between(message.created_at, message.sent_at) === 1000
    seen.add(`${isNordfunk} ${message.status === 'failed'} ${message.failure_reason}`)
  }
  expect([...seen].sort()).toEqual(['false true CARRIER_NOT_LAUNCHED', 'true false null'])
})

test('traffic that the use_case does not permit is accepted, and rejected at the carrier', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const permitted: Readonly<Record<string, readonly string[]>> = {
    [agents.otp]: ['AUTHENTICATION'],
    [agents.transactional]: ['TRANSACTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
    [agents.promotional]: ['PROMOTION'],
    [agents.multi]: ['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'],
  }
  const sent = []
  for (const agent_id of Object.keys(permitted))
    for (const traffic_type of [
      'AUTHENTICATION',
      'TRANSACTION',
      'PROMOTION',
      'SERVICEREQUEST',
      'ACKNOWLEDGEMENT',
    ] as const)
      sent.push({
        agent_id,
        traffic_type,
        ...(await client.messages.send({ ...rcsText, agent_id, traffic_type, to: phones.neverReads })),
      })
  await clock.advance('1m')
  for (const { agent_id, traffic_type, message_id } of sent) {
    const { status, failure_reason } = await client.messages.get(message_id)
    const isPermitted = permitted[agent_id]!.includes(traffic_type)
    expect({ agent_id, traffic_type, status, failure_reason }).toEqual({
      agent_id,
      traffic_type,
      status: isPermitted ? 'delivered' : 'failed',
      failure_reason: isPermitted ? null : 'REJECTED_SPAM',
    })
  }
})

test('any other number is a phone too, after consent', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const { id } = await client.contacts.create({ phone: '+33612345678' })
  await client.consent.record(id, { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source: 'test' })
  const { message_id } = await client.messages.send({ ...rcsText, to: '+33612345678' })
  await clock.advance('1h')
  expect(await client.messages.get(message_id)).toMatchObject({
    to: '+33612345678',
    contact_id: id,
    status: expect.stringMatching(/delivered|read/),
  })
})

test('a world file with shares that do not add up, or reversed ranges, is refused', async () => {
  const faulty = (change: object) =>
    worldLikeDefault((file) => {
      Object.assign(file.carriers[1], change)
    })
  const faults: readonly [change: object, field: string][] = [
    [{ failed: { REJECTED_SPAM: 0.6 }, never_delivered: 0.5 }, 'carriers[1]'],
    [{ delivered: 0.5 }, 'carriers[1]'],
    [{ failed: { NO_REASON: 0.1 } }, 'carriers[1].failed'],
    [{ read: 1.1 }, 'carriers[1].read'],
    [{ read_delay: '3s..1s' }, 'carriers[1].read_delay'],
    [{ dispatch_delay: 'soon' }, 'carriers[1].dispatch_delay'],
    [{ raed: 1 }, 'carriers[1].raed'],
  ]
  for (const [change, field] of faults)
    await expect(createSandbox({ world: await faulty(change) })).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: expect.stringContaining(field) }],
    })
})
