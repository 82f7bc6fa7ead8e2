import { expect, test } from 'vitest'
import type { TriggerName } from '../../../src/controls/triggers/table.ts'
import type { TriggerFields } from '../../../src/index.ts'
import { Refusal } from '../../../src/index.ts'
import { emailMessage } from '../../../src/service/messages/channels/email.states.ts'
import { rcsMessage } from '../../../src/service/messages/channels/rcs.states.ts'
import { smsMessage } from '../../../src/service/messages/channels/sms.states.ts'
import { worldLikeDefault } from '../../folder.ts'
import { everythingOf } from '../../http.ts'
import { channels, contactOf, emails, phone, phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const EVENTS = [
  'message.delivered',
  'message.read',
  'message.failed',
  'message.expired',
  'email.delivered',
  'email.bounced',
  'email.opened',
  'email.clicked',
  'email.complained',
  'email.unsubscribed',
] as const

const WITH: Partial<Record<TriggerName, TriggerFields>> = { 'message.failed': { failure_reason: 'REJECTED_SPAM' } }

/** By hand: the triggers on the way, or which precondition fails. What is not here is `wrong_state`. */
type Expected = Record<string, Record<string, string>>

const PHONE = {
  'message.delivered': { queued: 'dispatch deliver', dispatched: 'deliver', delivered: 'already' },
  'message.expired': { queued: 'expire', dispatched: 'expire', expired: 'already' },
}
const OF_EMAIL = { queued: 'dispatch deliver', dispatched: 'deliver', delivered: '', opened: '', clicked: '' }
const andThen = (trigger: string) =>
  Object.fromEntries(Object.entries(OF_EMAIL).map(([state, way]) => [state, `${way} ${trigger}`.trim()]))

const EXPECTED: Record<'RCS' | 'SMS' | 'EMAIL', Expected> = {
  RCS: {
    ...PHONE,
    'message.read': { queued: 'dispatch deliver read', dispatched: 'deliver read', delivered: 'read', read: 'already' },
    'message.failed': { queued: 'fail', dispatched: 'fail', failed: 'already' },
  },
  SMS: {
    ...PHONE,
    'message.failed': { queued: 'dispatch fail', dispatched: 'fail', failed: 'already' },
  },
  EMAIL: {
    'message.expired': PHONE['message.expired'],
    'email.delivered': PHONE['message.delivered'],
    'email.bounced': { queued: 'dispatch bounce', dispatched: 'bounce', bounced: 'already' },
    'email.opened': andThen('open'),
    'email.clicked': andThen('click'),
    'email.complained': andThen('complain'),
    'email.unsubscribed': andThen('unsubscribe'),
  },
}

/** The event of each trigger on the way, and whether the message has cost anything after it. */
const EVENT_OF: Record<string, Record<string, string>> = {
  phone: { deliver: 'message.delivered', read: 'message.read', fail: 'message.failed', expire: 'message.expired' },
  EMAIL: {
    deliver: 'email.delivered',
    bounce: 'email.bounced',
    expire: 'message.expired',
    open: 'email.opened',
    click: 'email.clicked',
    complain: 'email.complained',
    unsubscribe: 'email.unsubscribed',
  },
}

const html = { html: '<a href="https://example.com/a">A</a> <a href="https://example.com/b">B</a>' }

/** One message in every state of its table, in progress or at its end; the newest one is queued. */
const MAKE: Record<'RCS' | 'SMS' | 'EMAIL', (sandbox: Sandbox) => Promise<Record<string, string>>> = {
  async RCS({ client, clock }) {
    const send = async (to: string, ttl?: string) => (await client.messages.send({ ...rcsText, to, ttl })).message_id
    const revoked = await send(phones.readsAll)
    await client.messages.revoke(revoked)
    const ids = {
      revoked,
      delivered: await send(phones.neverReads),
      read: await send(phones.readsAll),
      failed: await send(phones.unknownUser),
      expired: await send(phones.off, '60s'),
      dispatched: await send(phones.off),
    }
    await clock.advance('2m')
    return { ...ids, queued: await send(phones.off) }
  },
  async SMS({ client, clock }) {
    for (const nn of [0, 13, 20])
      await client.consent.record(contactOf(nn), {
        channel_type: 'SMS',
        message_type: 'MESSAGE',
        status: 'GRANTED',
        source: 'test',
      })
    const sms = { channel_id: channels.sms, message_type: 'MESSAGE', content: { text: 'Hello' } } as const
    const send = async (to: string, ttl?: string) => (await client.messages.send({ ...sms, to, ttl })).message_id
    const revoked = await send(phones.readsAll)
    await client.messages.revoke(revoked)
    const ids = {
      revoked,
      delivered: await send(phones.readsAll),
      failed: await send(phones.rejectedAsSpam),
      expired: await send(phones.off, '60s'),
      dispatched: await send(phones.off),
    }
    await clock.advance('2m')
    return { ...ids, queued: await send(phones.off) }
  },
  async EMAIL({ client, clock }) {
    const send = async (to: string, ttl?: string) =>
      (await client.messages.send({ channel_id: channels.email, to, subject: 'Hi', content: html, ttl })).message_id
    const revoked = await send(emails.delivered)
    await client.messages.revoke(revoked)
    const ids = {
      revoked,
      bounced: await send(emails.softBounced),
      delivered: await send(emails.delivered),
      opened: await send(emails.opened),
      clicked: await send(emails.clicked),
    }
    await clock.advance('1m')
    await client.mailboxes.set('slow@example.com', { delivery_delay: '1h' })
    const late = { expired: await send('slow@example.com', '60s'), dispatched: await send('slow@example.com') }
    await clock.advance('2m')
    return { ...ids, ...late, queued: await send(emails.delivered) }
  },
}

const TABLES = { RCS: rcsMessage, SMS: smsMessage, EMAIL: emailMessage }

test.each(['RCS', 'SMS', 'EMAIL'] as const)(
  'every trigger on a message in every state of %s moves it by the rows of the table, or names the precondition',
  async (channel) => {
    const world = await worldLikeDefault((file) => {
      file.preview = { sms: true }
    })
    await using sandbox = await createSandbox({ world })
    const { client } = sandbox
    const ids = await MAKE[channel](sandbox)
    expect(Object.keys(ids).sort()).toEqual([...TABLES[channel].states].sort())
    for (const [status, id] of Object.entries(ids)) expect(await client.messages.get(id)).toMatchObject({ status })
    const start = await sandbox.snapshot()
    let before = await everythingOf(client)
    let moved = 0
    for (const event of EVENTS)
      for (const [state, id] of Object.entries(ids)) {
        const expected =
          EXPECTED[channel][event]?.[state] ?? (EXPECTED[channel][event] ? 'wrong_state' : 'wrong_channel')
        const refused = /^[a-z]+_[a-z]+$|^already$/.test(expected)
        const about = `${event} on ${state}`
        const attempt = () => sandbox.trigger(event, { message_id: id, ...WITH[event] })
        if (refused) {
          const refusal = (await attempt().catch((error) => error)) as Refusal
          expect(refusal, about).toBeInstanceOf(Refusal)
          expect(refusal.body, about).toMatchObject({
            error: 'trigger_precondition_failed',
            details: [{ field: 'message_id', code: expected }],
            event,
            subject: id,
            state,
            needs: expected === 'wrong_channel' ? [] : expect.arrayContaining(['queued', 'dispatched']),
          })
          expect(refusal.message, about).toContain(id)
          continue
        }
        // The refusals since the last step have changed nothing.
        expect(await everythingOf(client), about).toEqual(before)
        moved++
        const way = expected.split(' ')
        const answer = await attempt()
        expect(
          answer.steps.map(({ trigger }) => trigger),
          about,
        ).toEqual(way)
        // Each step is a row of the table, and begins where the one before ended.
        let at = state
        for (const { trigger, from, to } of answer.steps) {
          expect(from, about).toBe(at)
          expect(TABLES[channel].next(from, trigger as never)?.to, about).toBe(to)
          at = to
        }
        const log = await client.messages.get(id)
        expect(answer, about).toMatchObject({ event, subject_type: 'message', subject: id, from: state, to: at })
        expect(log.status, about).toBe(at)
        const announced = way
          .map((trigger) => EVENT_OF[channel === 'EMAIL' ? channel : 'phone']![trigger])
          .filter(Boolean)
        const { events } = await client.events.list({ subject: id, limit: 1000 })
        const last = events.slice(-announced.length)
        expect(
          last.map((one) => one.event),
          about,
        ).toEqual(announced)
        expect(
          last.map((one) => one.timestamp),
          about,
        ).toEqual(announced.map(() => answer.at))
        const ofIt = answer.events.filter(({ seq }) => last.some((one) => one.seq === seq))
        expect(ofIt, about).toEqual(last.map(({ seq, id: evt, event: name }) => ({ seq, id: evt, event: name })))
        await settled(sandbox, id, about)
        await sandbox.restore(start)
        before = await everythingOf(client)
      }
    expect(await everythingOf(client)).toEqual(before)
    expect(moved).toBe(
      Object.values(EXPECTED[channel])
        .flatMap((states) => Object.values(states))
        .filter((way) => !/already/.test(way)).length,
    )
  },
)

/** All work in progress ends; the message was charged at most once, and the balance is consistent. */
async function settled({ client, clock }: Sandbox, id: string, about: string) {
  const status = (await client.messages.get(id)).status
  await clock.advance('31d')
  const log = await client.messages.get(id)
  if (/failed|expired|revoked|bounced/.test(status)) {
    expect(log.status, about).toBe(status)
    expect(log.cost, about).toBe('0.0000')
  } else expect(Number(log.cost), about).toBeGreaterThan(0)
  const { free, reserved, total } = await client.billing.balance()
  expect(reserved, about).toBe(0)
  expect(free, about).toBe(total)
  const { messages } = await client.messages.list({ direction: 'OUTBOUND', limit: 200 })
  const spent = messages.reduce((sum, { cost }) => sum + Number(cost), 0)
  expect(1000 - total, about).toBeCloseTo(spent, 4)
  const charges = (await client.billing.transactions({ limit: 200 })).data.filter(
    (one) => JSON.stringify(one).includes(id) && Number(one.amount) !== 0,
  )
  expect(charges.length, about).toBeGreaterThan(0)
}

test('each kind of refusal says what would be right', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  const rcs = (await client.messages.send({ ...rcsText, to: phones.repliesHello })).message_id
  const mail = (
    await client.messages.send({ channel_id: channels.email, to: 'ada@example.com', subject: 'Hi', content: html })
  ).message_id
  const refused = (event: TriggerName, fields: TriggerFields) =>
    sandbox.trigger(event, fields).then(
      () => 'done',
      (error: Refusal) => error.message,
    )
  expect(await refused('message.read', { message_id: mail })).toContain('email.opened')
  expect(await refused('message.failed', { message_id: mail, failure_reason: 'REJECTED_SPAM' })).toContain(
    'email.bounced',
  )
  expect(await refused('email.clicked', { message_id: rcs })).toContain('conversation.started')
  expect(await refused('email.unsubscribed', { message_id: rcs })).toContain('STOP')
  expect(await refused('email.clicked', { message_id: mail, url: 'https://example.com/c' })).toContain(
    'https://example.com/a, https://example.com/b',
  )
  await clock.advance('1m')
  const inbound = (await client.messages.list({ direction: 'INBOUND' })).messages[0]!.id
  expect(await refused('message.read', { message_id: inbound })).toContain('came from a user')
  const plain = await client.messages.send({
    channel_id: channels.email,
    to: 'ada@example.com',
    subject: 'Hi',
    content: { text: 'No link' },
  })
  expect(await refused('email.clicked', { message_id: plain.message_id })).toContain('no link')
  expect(await client.messages.get(plain.message_id)).toMatchObject({ status: 'queued' })
  await expect(
    sandbox.trigger('message.read', { message_id: 'msg_00000000-0000-4000-8000-00000000dead' }),
  ).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('a recipient bounces, complains and unsubscribes once, and opens and clicks any number of times', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const request = { channel_id: channels.email, to: 'ada@example.com', subject: 'Hi', content: html }
  for (const event of ['email.complained', 'email.unsubscribed'] as const) {
    await client.world.reset()
    const { message_id } = await client.messages.send(request)
    const done = await sandbox.trigger(event, { message_id })
    expect(done.events.map((one) => one.event)).toEqual(['email.delivered', event, 'contact.updated'])
    await expect(sandbox.trigger(event, { message_id })).rejects.toMatchObject({
      body: { details: [{ code: 'already' }] },
    })
    await expect(client.messages.send(request)).rejects.toMatchObject({ code: 'recipient_suppressed' })
  }
  await client.world.reset()
  const { message_id } = await client.messages.send(request)
  await sandbox.trigger('email.clicked', { message_id, index: 1 })
  await sandbox.trigger('email.clicked', { message_id, url: 'https://example.com/a' })
  await sandbox.trigger('email.opened', { message_id })
  const { events } = await client.events.list({ subject: message_id, event: 'email.clicked,email.opened' })
  expect(events.map(({ event, data }) => [event, (data as { url?: string }).url])).toEqual([
    ['email.clicked', 'https://example.com/b'],
    ['email.clicked', 'https://example.com/a'],
    ['email.opened', undefined],
  ])
})

test('an email bounces hard by default, and a hard bounce suppresses', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const send = async () =>
    (await client.messages.send({ channel_id: channels.email, to: emails.opened, subject: 'Hi', content: html }))
      .message_id
  const soft = await sandbox.trigger('email.bounced', { message_id: await send(), bounce_type: 'soft' })
  expect(soft.events.map(({ event }) => event)).toEqual(['email.bounced'])
  const hard = await sandbox.trigger('email.bounced', { message_id: await send() })
  expect(hard.events.map(({ event }) => event)).toEqual(['email.bounced', 'contact.updated'])
  const { events } = await client.events.list({ event: 'email.bounced' })
  expect(
    events.map(({ data }) => {
      const { bounce_type, bounce_code } = data as { bounce_type: string; bounce_code: string }
      return [bounce_type, bounce_code]
    }),
  ).toEqual([
    ['soft', '4.2.2'],
    ['hard', '5.1.1'],
  ])
  await expect(send()).rejects.toMatchObject({ code: 'recipient_suppressed' })
})

test('a message fails for the reason that is given', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const { message_id } = await client.messages.send({ ...rcsText, to: phones.readsAll })
  const { events } = await sandbox.trigger('message.failed', { message_id, failure_reason: 'ACCOUNT_SUSPENDED' })
  expect(await client.messages.get(message_id)).toMatchObject({
    status: 'failed',
    failure_reason: 'ACCOUNT_SUSPENDED',
    error_message: expect.any(String),
  })
  const event = await client.events.show(events[0]!.id)
  expect(event.data).toMatchObject({ failure_reason: 'ACCOUNT_SUSPENDED', message_id })
})

test('an SMS does not fail for what only RCS can fail for', async () => {
  const world = await worldLikeDefault((file) => {
    file.preview = { sms: true }
  })
  await using sandbox = await createSandbox({ world })
  const { queued } = await MAKE.SMS(sandbox)
  for (const failure_reason of ['UNKNOWN_RCS_USER', 'CARRIER_NOT_LAUNCHED'] as const)
    await expect(sandbox.trigger('message.failed', { message_id: queued!, failure_reason })).rejects.toMatchObject({
      body: { details: [{ field: 'failure_reason', code: 'of_rcs_alone' }] },
    })
  expect(await sandbox.client.messages.get(queued!)).toMatchObject({ status: 'queued' })
})

test('a message that is answered but not read can still be read, and nothing else is disturbed by it', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  // The month begins with the first message; what is due next takes the lowest free place in the table of timers.
  await client.messages.send({ ...rcsText, to: phones.readsAll })
  await clock.advance('1h')
  await client.handsets.set(phone(50), { read_receipts: false, replies: 'Hello' })
  const answered = await client.messages.send({ ...rcsText, to: phone(50) })
  await clock.advance('1h')
  await sandbox.trigger('conversation.ended', { phone: phone(50) })
  const other = await client.messages.send({ ...rcsText, to: phones.readsAll })
  await clock.next()
  await clock.next()
  await sandbox.trigger('message.read', { message_id: answered.message_id })
  await clock.advance('1h')
  expect((await client.messages.get(answered.message_id)).status).toBe('read')
  expect((await client.messages.get(other.message_id)).status).toBe('read')
})
