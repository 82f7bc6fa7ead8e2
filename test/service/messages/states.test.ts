import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { startEmulator } from '../../../src/server/emulator.ts'
import { loadWorldFile } from '../../../src/server/world-source.ts'
import { emailMessage } from '../../../src/service/messages/channels/email.states.ts'
import { rcsMessage } from '../../../src/service/messages/channels/rcs.states.ts'
import type { Machine, Row } from '../../../src/words/machine.ts'
import { ask } from '../../http.ts'
import { channels, emails, phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'

type Expectation = Record<string, Record<string, readonly [to: string, ...effects: string[]]>>

/** Interface §3.2, copied by hand: what each state answers to each trigger. What is not here is refused. */
const RCS: Expectation = {
  queued: {
    dispatch: ['dispatched'],
    fail: ['failed', 'release hold', 'emit'],
    expire: ['expired', 'release hold', 'emit'],
    revoke: ['revoked', 'release hold', 'emit'],
  },
  dispatched: {
    deliver: ['delivered', 'charge hold', 'emit'],
    fail: ['failed', 'release hold', 'emit'],
    expire: ['expired', 'release hold', 'emit'],
  },
  delivered: { read: ['read', 'emit'] },
  read: {},
  failed: {},
  expired: {},
  revoked: {},
}

/**
 * The same with email's own words (§3.2 and §6): a bounce releases the hold, a complaint and an unsubscription move
 * nothing but the contact, and an email can be opened and clicked again.
 */
const EMAIL: Expectation = {
  queued: {
    dispatch: ['dispatched'],
    expire: ['expired', 'release hold', 'emit'],
    revoke: ['revoked', 'release hold', 'emit'],
  },
  dispatched: {
    deliver: ['delivered', 'charge hold', 'emit'],
    bounce: ['bounced', 'release hold', 'emit', 'suppress'],
    expire: ['expired', 'release hold', 'emit'],
  },
  delivered: {
    open: ['opened', 'emit'],
    click: ['clicked', 'emit'],
    complain: ['delivered', 'emit', 'suppress'],
    unsubscribe: ['delivered', 'emit', 'suppress'],
  },
  opened: {
    open: ['opened', 'emit'],
    click: ['clicked', 'emit'],
    complain: ['opened', 'emit', 'suppress'],
    unsubscribe: ['opened', 'emit', 'suppress'],
  },
  clicked: {
    open: ['clicked', 'emit'],
    click: ['clicked', 'emit'],
    complain: ['clicked', 'emit', 'suppress'],
    unsubscribe: ['clicked', 'emit', 'suppress'],
  },
  bounced: {},
  expired: {},
  revoked: {},
}

const TRIGGERS = [
  'dispatch',
  'deliver',
  'read',
  'fail',
  'expire',
  'revoke',
  'bounce',
  'open',
  'click',
  'complain',
  'unsubscribe',
]

describeTable('RCS', rcsMessage, RCS)
describeTable('email', emailMessage, EMAIL)

function describeTable<R extends Row>(name: string, table: Machine<R>, expected: Expectation) {
  const cases = Object.keys(expected).flatMap((state) => TRIGGERS.map((trigger) => ({ name, state, trigger })))

  test.each(cases)('$name: $trigger in $state follows the interface', ({ state, trigger }) => {
    const step = table.next(state, trigger as R[1])
    expect(step && [step.to, ...step.effects]).toEqual(expected[state]![trigger])
  })

  test(`${name}: the table has no other state or trigger`, () => {
    expect([...table.states].sort()).toEqual(Object.keys(expected).sort())
    expect(table.triggers.filter((trigger) => !TRIGGERS.includes(trigger))).toEqual([])
  })
}

const email = (to: string) => ({
  channel_id: channels.email,
  to,
  subject: 'Hello',
  content: { html: '<a href="https://example.com">x</a>' },
})

type Status =
  | 'queued'
  | 'dispatched'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'expired'
  | 'revoked'
  | 'bounced'
  | 'opened'
  | 'clicked'
  | 'received'

/** One message in each status, by the outcomes of magic recipients. */
async function messagesInEachStatus({
  client,
  clock,
}: Pick<Sandbox, 'client'> & { clock: Pick<Sandbox['clock'], 'advance'> }): Promise<Record<Status, string>> {
  const rcs = async (to: string, ttl?: string) => (await client.messages.send({ ...rcsText, to, ttl })).message_id
  const mail = async (to: string) => (await client.messages.send(email(to))).message_id
  const revoked = await rcs(phones.readsAll)
  await client.messages.revoke(revoked)
  const ids = {
    revoked,
    delivered: await rcs(phones.neverReads),
    read: await rcs(phones.readsAll),
    failed: await rcs(phones.unknownUser),
    expired: await rcs(phones.off, '60s'),
    dispatched: await rcs(phones.off),
    bounced: await mail(emails.bounced),
    opened: await mail(emails.opened),
    clicked: await mail(emails.clicked),
  }
  await rcs(phones.repliesHello)
  await clock.advance('2m')
  const received = (await client.messages.list({ direction: 'INBOUND' })).messages[0]!.id
  return { ...ids, received, queued: await rcs(phones.readsAll) }
}

test('only a queued message can be revoked; in every other status that is a 409 which names the status', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const ids = await messagesInEachStatus(sandbox)
  for (const [status, id] of Object.entries(ids)) expect(await client.messages.get(id)).toMatchObject({ status })

  for (const [status, id] of Object.entries(ids)) {
    if (status === 'queued') continue
    const before = [
      await client.messages.get(id),
      await client.billing.balance(),
      await client.events.list({ limit: 1000 }),
    ]
    expect(await ask(sandbox, 'DELETE', `/v1/messages/${id}`)).toMatchObject({
      status: 409,
      json: {
        error: 'message_not_revocable',
        message: expect.stringContaining(status),
        details: [],
        message_status: status,
      },
    })
    expect([
      await client.messages.get(id),
      await client.billing.balance(),
      await client.events.list({ limit: 1000 }),
    ]).toEqual(before)
  }

  const held = (await client.billing.balance()).reserved
  expect(await client.messages.revoke(ids.queued)).toEqual({
    id: ids.queued,
    status: 'revoked',
    revoked_at: '2026-01-01T00:02:00.000Z',
  })
  expect((await client.billing.balance()).reserved).toBeCloseTo(held - 0.05, 4)
  expect(await client.messages.get(ids.queued)).toMatchObject({
    status: 'revoked',
    cost: '0.0000',
    revoked_at: '2026-01-01T00:02:00.000Z',
    events: [{ type: 'queued' }, { type: 'revoked' }],
  })
  await sandbox.clock.advance('31d')
  expect(await client.messages.get(ids.queued)).toMatchObject({ status: 'revoked', sent_at: null })
})

test('a revoked message has nothing left to do', async () => {
  await using sandbox = await createSandbox()
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  await sandbox.client.messages.revoke(message_id)
  const { fired } = await sandbox.clock.advance('31d')
  expect(fired.filter(({ subject }) => subject === message_id)).toEqual([])
})

test('revoking what does not exist is a 404', async () => {
  await using sandbox = await createSandbox()
  for (const id of ['msg_00000000-0000-4000-8000-00000000dead', 'nonsense', '%20'])
    expect(await ask(sandbox, 'DELETE', `/v1/messages/${id}`)).toMatchObject({
      status: 404,
      json: { error: 'not_found', details: [] },
    })
})

/** The way of a message to its end: timeline, settlement, events. */
const ways = [
  {
    to: phones.readsAll,
    timeline: ['queued', 'sent', 'delivered', 'read'],
    cost: '0.0500',
    events: ['message.queued', 'message.delivered', 'message.read'],
  },
  {
    to: phones.neverReads,
    timeline: ['queued', 'sent', 'delivered'],
    cost: '0.0500',
    events: ['message.queued', 'message.delivered'],
  },
  {
    to: phones.off,
    timeline: ['queued', 'sent', 'expired'],
    cost: '0.0000',
    events: ['message.queued', 'message.expired'],
  },
  ...(
    [
      [phones.unknownUser, 'UNKNOWN_RCS_USER'],
      [phones.carrierNotLaunched, 'CARRIER_NOT_LAUNCHED'],
      [phones.rejectedAsSpam, 'REJECTED_SPAM'],
      [phones.accountSuspended, 'ACCOUNT_SUSPENDED'],
      [phones.expiresByItself, 'MESSAGE_EXPIRED'],
    ] as const
  ).map(([to, reason]) => ({
    to,
    reason,
    timeline: ['queued', 'sent', 'failed'],
    cost: '0.0000',
    events: ['message.queued', 'message.failed'],
  })),
  {
    to: emails.delivered,
    timeline: ['queued', 'sent', 'delivered'],
    cost: '0.0050',
    events: ['message.queued', 'email.delivered'],
  },
  {
    to: emails.opened,
    timeline: ['queued', 'sent', 'delivered', 'opened'],
    cost: '0.0050',
    events: ['message.queued', 'email.delivered', 'email.opened'],
  },
  {
    to: emails.clicked,
    timeline: ['queued', 'sent', 'delivered', 'opened', 'clicked'],
    cost: '0.0050',
    events: ['message.queued', 'email.delivered', 'email.opened', 'email.clicked'],
  },
  {
    to: emails.bounced,
    timeline: ['queued', 'sent', 'bounced'],
    cost: '0.0000',
    events: ['message.queued', 'email.bounced'],
    bounce: 'hard',
  },
  {
    to: emails.softBounced,
    timeline: ['queued', 'sent', 'bounced'],
    cost: '0.0000',
    events: ['message.queued', 'email.bounced'],
    bounce: 'soft',
  },
  {
    to: emails.complained,
    timeline: ['queued', 'sent', 'delivered'],
    cost: '0.0050',
    events: ['message.queued', 'email.delivered', 'email.complained'],
  },
  {
    to: 'delivered+label@sandbox.test',
    timeline: ['queued', 'sent', 'delivered'],
    cost: '0.0050',
    events: ['message.queued', 'email.delivered'],
  },
  {
    to: 'Bounced+Other@Sandbox.Test',
    timeline: ['queued', 'sent', 'bounced'],
    cost: '0.0000',
    events: ['message.queued', 'email.bounced'],
    bounce: 'hard',
  },
]

test('each magic recipient has its outcome in timeline, settlement and events', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const sent = []
  for (const way of ways) {
    const request = way.to.startsWith('+') ? { ...rcsText, to: way.to } : email(way.to)
    sent.push({ way, ...(await client.messages.send(request)) })
  }
  await clock.advance('31d')
  for (const { way, message_id } of sent) {
    const log = await client.messages.get(message_id)
    const { events } = await client.events.list({ subject: message_id })
    expect({
      to: way.to,
      timeline: log.events.map(({ type }) => type),
      cost: log.cost,
      events: events.map(({ event }) => event),
    }).toEqual({
      to: way.to,
      timeline: way.timeline,
      cost: way.cost,
      events: way.events,
    })
    if ('reason' in way) {
      expect(log).toMatchObject({ failure_reason: way.reason, error_message: expect.any(String) })
      expect(events[1]!.data).toMatchObject({
        to: way.to,
        status: 'failed',
        failure_reason: way.reason,
        failed_at: log.failed_at,
      })
    } else expect(log).toMatchObject({ failure_reason: null, error_message: null })
    if ('bounce' in way) expect(events[1]!.data).toMatchObject({ bounce_type: way.bounce, subject: 'Hello' })
    // The timeline rises, and its instants are those of the events.
    const times = log.events.map(({ at }) => at)
    expect(times).toEqual([...times].sort())
    expect(events.map(({ timestamp }) => timestamp)).toEqual([...events.map(({ timestamp }) => timestamp)].sort())
    expect(times).toEqual(
      expect.arrayContaining(
        events.filter(({ event }) => event !== 'email.complained').map(({ timestamp }) => timestamp),
      ),
    )
  }
})

test('a message carries its instants in the log, and its agent and phone in every event', async () => {
  await using sandbox = await createSandbox()
  const { message_id, created_at } = await sandbox.client.messages.send({ ...rcsText, to: phones.readsAll })
  expect(created_at).toBe('2026-01-01T00:00:00.000Z')
  await sandbox.clock.advance('1m')
  const log = await sandbox.client.messages.get(message_id)
  expect(log).toMatchObject({
    direction: 'OUTBOUND',
    channel: 'RCS',
    channel_id: channels.rcs,
    agent_id: rcsText.agent_id,
    to: phones.readsAll,
    created_at,
  })
  expect(log.events).toEqual([
    { type: 'queued', at: created_at },
    { type: 'sent', at: log.sent_at },
    { type: 'delivered', at: log.delivered_at },
    { type: 'read', at: log.read_at },
  ])
  const { events } = await sandbox.client.events.list({ subject: message_id })
  const head = { message_id, agent_id: rcsText.agent_id, to: phones.readsAll }
  expect(events.map(({ data }) => data)).toEqual([
    { ...head, status: 'queued', queued_at: created_at },
    { ...head, status: 'delivered', delivered_at: log.delivered_at },
    { ...head, status: 'read', read_at: log.read_at },
  ])
})

const WORK: Readonly<Record<string, string>> = {
  'message.dispatch': 'dispatch',
  'message.deliver': 'deliver',
  'message.fail': 'fail',
  'message.bounce': 'bounce',
  'message.expire': 'expire',
  'message.read': 'read',
  'message.open': 'open',
  'message.click': 'click',
  'message.complain': 'complain',
  'message.unsubscribe': 'unsubscribe',
}

test('due work that comes too late for a message changes nothing, in any status', async () => {
  const faults: unknown[] = []
  const emulator = await startEmulator({
    world: await loadWorldFile('default'),
    port: 0,
    clock: { mode: 'frozen' },
    checkAnswers: true,
    onFault: (error) => faults.push(error),
  })
  try {
    const { createClient } = await import('../../../src/index.ts')
    const client = createClient({ baseUrl: emulator.url, apiKey: 'sk_sandbox_default' })
    const clock = { advance: (by: string) => client.clock.advance({ by }) }
    const { queued: _, ...ids } = await messagesInEachStatus({ client, clock })
    const world = emulator.worlds.get('default')
    const seen = async () => [
      await client.messages.list({ limit: 200 }),
      await client.billing.balance(),
      await client.events.list({ limit: 1000 }),
    ]
    await clock.advance('1m')
    const before = await seen()
    let late = 0
    for (const [status, id] of Object.entries(ids)) {
      const table = (EMAIL[status] && !RCS[status] ? EMAIL : RCS)[status] ?? {}
      for (const [kind, trigger] of Object.entries(WORK)) {
        if (table[trigger]) continue
        world.timers.schedule(kind, id, world.now(), '0')
        late++
      }
    }
    expect((await clock.advance('1s')).total).toBe(late)
    expect(await seen()).toEqual(before)
    expect(faults).toEqual([])
  } finally {
    await emulator.stop()
  }
})
