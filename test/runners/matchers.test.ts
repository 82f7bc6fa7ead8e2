import { describe } from 'vitest'
import { connectSandbox } from '../../src/index.ts'
import { assertDelivered, assertStatus } from '../../src/runners/node-test.ts'
import { expect, test } from '../../src/runners/vitest.ts'
import { holdMachineClock } from '../machine-clock.ts'
import { agents, phone } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const text = { message_type: 'MESSAGE', traffic_type: 'TRANSACTION', content: { text: 'Hi' } } as const
const rcs = { agent_id: agents.multi, ...text }

/** Why an assertion fails. */
const whyOf = async (assertion: unknown): Promise<string> => {
  try {
    await assertion
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The assertion holds.')
}

describe('toHaveReceived', () => {
  test('names the fields in which the nearest event differs', async ({ sandbox, receiver }) => {
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(1) })
    await sandbox.clock.advance('1h')
    const why = await whyOf(expect(receiver).toHaveReceived('message.delivered', { message_id, to: phone(50) }))
    expect(why).toContain(`toHaveReceived("message.delivered", {"message_id":"${message_id}","to":"${phone(50)}"})`)
    expect(why).toContain(`  data.to  wanted "${phone(50)}", was "${phone(1)}"`)
    await expect(receiver).not.toHaveReceived('message.failed')
    expect(await whyOf(expect(receiver).not.toHaveReceived('message.delivered'))).toMatch(
      /message.delivered evt_\S+ of \S+ was received/,
    )
  })

  test('names the reason why a delivered message is never read', async ({ sandbox, receiver }) => {
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(1) })
    await sandbox.clock.advance('1h')
    const why = await whyOf(expect(receiver).toHaveReceived('message.read', { message_id }))
    expect(why).toMatch(/ {2}\S+ {2}planned: read false, which overrides all settings\n/)
    expect(why).toMatch(/ {2}\S+ {2}delivered: outcome delivered, which overrides all settings\n/)
    expect(why).toContain('No further step is scheduled for it.')
  })

  test('names the scheduled work that a frozen clock has not reached', async ({ sandbox, receiver }) => {
    await sandbox.client.messages.send({ ...rcs, to: phone(1) })
    const why = await whyOf(expect(receiver).toHaveReceived('message.delivered'))
    expect(why).toContain('No message.delivered has happened. The newest events are message.queued.')
    expect(why).toMatch(
      /The clock is frozen at \S+ The next work is due at \S+: await sandbox.clock.next\(\), or advance\('1s'\)\./,
    )
  })

  test('distinguishes an event that happened but was not delivered from one that did not happen', async ({
    sandbox,
    receiver,
  }) => {
    receiver.answer({ status: 500 })
    const deaf = await sandbox.receiver({ events: ['contact.created'] })
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(1) })
    const refused = await whyOf(expect(receiver).toHaveReceived('message.queued', { message_id }))
    expect(refused).toMatch(/The event happened: message.queued evt_\S+ of \S+\./)
    expect(refused).toContain(
      'Attempt 1 of its delivery was answered with 500; the next is at 2026-01-01T00:01:00.000Z.',
    )
    const unsubscribed = await whyOf(expect(deaf).toHaveReceived('message.queued'))
    expect(unsubscribed).toContain('It was not sent to this receiver, which is not subscribed to message.queued')
  })

  test('names the error of a handler before the time of the next attempt', async ({ sandbox }) => {
    const handler = (_: Request) => {
      throw new Error('the shop is on fire')
    }
    const shop = await sandbox.receiver({ handler })
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(1) })
    expect(await whyOf(expect(shop).toHaveReceived('message.queued', { message_id }))).toMatch(
      /event happened: .*\n.*the shop is on fire.*\nAttempt 1 of its delivery was .*next is at/,
    )
  })

  test('refuses an unknown event, and a subject that is not a receiver', async ({ sandbox, receiver }) => {
    expect(await whyOf(expect(receiver).toHaveReceived('message.deliverd' as 'message.delivered'))).toContain(
      'message.delivered',
    )
    expect(await whyOf(expect(sandbox).toHaveReceived('message.delivered'))).toContain('takes a receiver or a lease')
    expect(await whyOf(expect(receiver).not.toHaveReceived('message.deliverd' as 'message.delivered'))).toContain(
      'did you mean "message.delivered"?',
    )
  })

  test('refuses a misspelt field in a negated assertion, which would always pass', async ({ sandbox, receiver }) => {
    const { message_id } = await sandbox.client.messages.send({ ...rcs, to: phone(50) })
    await expect(receiver).toHaveReceived('message.queued', { message_id })
    const misspelt = { mesage_id: message_id } as object
    expect(await whyOf(expect(receiver).not.toHaveReceived('message.queued', misspelt))).toBe(
      'not.toHaveReceived(): message.queued has no field mesage_id, did you mean "message_id"?',
    )
    const never = { status: 'queed' } as object
    expect(await whyOf(expect(receiver).not.toHaveReceived('message.queued', never))).toBe(
      'not.toHaveReceived(): status of message.queued is never queed, did you mean "queued"?',
    )
    await expect(receiver).not.toHaveReceived('message.queued', { message_id: 'msg_another' })
  })

  test('refuses a misspelt field before any such event has happened', async ({ receiver }) => {
    const misspelt = { mesage_id: 'x' } as object
    for (const assertion of [expect(receiver), expect(receiver).not])
      expect(await whyOf(assertion.toHaveReceived('message.delivered', misspelt))).toContain(
        'message.delivered has no field mesage_id, did you mean "message_id"?',
      )
  })

  test('refuses a RegExp, which no value equals, so that a negated assertion would always pass', async ({
    receiver,
  }) => {
    const pattern = { to: /^\+49/ as never }
    const why = await whyOf(expect(receiver).not.toHaveReceived('message.failed', pattern))
    expect(why).toContain('to: is a RegExp, which no field can be: use expect.stringMatching()')
  })

  test('takes a lease: an event of its address has happened', async ({ phone, email, sandbox }) => {
    expect(await whyOf(expect(email).toHaveReceived('email.delivered'))).toContain('Nothing has happened in this world')
    await sandbox.client.messages.send({ ...rcs, to: phone.address })
    await sandbox.clock.advance('1h')
    await expect(phone).toHaveReceived('message.delivered', { to: phone.address })
    await expect(email).not.toHaveReceived('message.delivered')
    expect(await whyOf(expect(email).toHaveReceived('email.delivered'))).toContain(
      `Nothing has happened to ${email.address}. The newest message of this world is to ${phone.address}.`,
    )
    await sandbox.client.messages.send({ ...rcs, to: phone.address, ttl: '60' }).catch(() => {})
    await sandbox.client.messages.send({ ...rcs, to: '+49' }).catch(() => {})
    const why = await whyOf(expect(phone).toHaveReceived('message.read', { to: email.address }))
    // A refused call to another address is not about this lease.
    expect(why.match(/Refused in this world/g)).toHaveLength(1)
    expect(why).toContain('ttl: must be whole seconds')
  })

  test('proposes no instant of another year', async ({ sandbox, receiver }) => {
    await sandbox.client.contacts.create({ email: 'ada@example.com' })
    const why = await whyOf(expect(receiver).toHaveReceived('message.delivered'))
    expect(why).toContain('No work is due before 20')
    expect(why).not.toContain('advance(')
  })

  test('knows asymmetric matchers, and fields within fields', async ({ sandbox, receiver }) => {
    const user = sandbox.handset(phone(50))
    await sandbox.client.messages.send({ ...rcs, to: user.phone })
    await sandbox.clock.advance('1h')
    await user.reply('On my way')
    await expect(receiver).toHaveReceived('conversation.started', { user_message: { text: 'On my way' } })
    await expect(receiver).toHaveReceived('conversation.started', { from: expect.stringContaining('+49') })
    const why = await whyOf(
      expect(receiver).toHaveReceived('conversation.started', { user_message: { text: expect.stringMatching(/no/) } }),
    )
    expect(why).toContain('data.user_message.text  wanted StringMatching')
  })
})

describe('toHaveBeenDelivered and toHaveStatus', () => {
  test('name the refused send when the subject is undefined', async ({ sandbox }) => {
    const send = { ...rcs, to: phone(1), trafic_type: 'x' } as unknown as Parameters<
      typeof sandbox.client.messages.send
    >[0]
    for (let i = 0; i < 3; i++) await sandbox.client.messages.send(send).catch(() => {})
    expect(await whyOf(expect(undefined).toHaveBeenDelivered())).toMatch(
      /It got undefined: was the send refused\?\nRefused in this world: POST \/v1\/messages → 400 .*trafic_type.*\(3 times\)$/,
    )
  })

  test('name calls that went to the world of another key', async ({ sandbox }) => {
    await sandbox.as('default').messages.send({ ...rcs, to: phone(1) })
    expect(await whyOf(expect(undefined).toHaveBeenDelivered())).toMatch(
      /Calls to the namespace default while this test ran \(the key of this test is sk_sandbox_\S+, in JavaScript sandbox\.apiKey\): POST \/v1\/messages → 200/,
    )
  })

  test('list the steps of a message', async ({ sandbox }) => {
    const sent = await sandbox.client.messages.send({ ...rcs, to: phone(13) })
    expect(await whyOf(expect(sent).toHaveBeenDelivered())).toMatch(
      /is queued\.\n[\s\S]*The clock is frozen at \S+ message.dispatch is due at/,
    )
    await sandbox.clock.advance('1h')
    const why = await whyOf(expect(sent).toHaveBeenDelivered())
    expect(why).toContain(`the message ${sent.message_id} is failed.`)
    expect(why).toMatch(/ {2}2026-\S+ {2}failed: .*REJECTED_SPAM/)
    await expect(sent).toHaveStatus('failed')
    await expect(sent).not.toHaveStatus('delivered')
    expect(await whyOf(expect(sent).not.toHaveStatus('failed'))).toContain('is failed.')
  })

  test('know agents and contacts by their ids, and refuse a status that these do not have', async ({ sandbox }) => {
    const contact = await sandbox.client.contacts.create({ phone: '+4915112345678' })
    await expect(contact).toHaveStatus('ACTIVE')
    await expect(rcs.agent_id).toHaveStatus('APPROVED')
    // @ts-expect-error the types refuse it too
    expect(await whyOf(expect(rcs).toHaveStatus('APROVED'))).toContain(
      'no agent has the status "APROVED", did you mean "APPROVED"?',
    )
    expect(await whyOf(expect({}).toHaveStatus('read'))).toContain('takes a message, an agent or a contact')
    expect(await whyOf(expect(contact).toHaveBeenDelivered())).toContain('takes a message')
  })

  test('look in the sandbox that is named, where the test has none of its own for it', async ({ sandbox }) => {
    await using other = await createSandbox({ clock: 'auto' })
    const sent = await other.client.messages.send({ ...rcs, to: phone(1) })
    await expect(sent).toHaveBeenDelivered(other)
    expect(await whyOf(expect(sent).toHaveBeenDelivered())).toContain('the sandbox of this test has no message msg_')
    const id = sent.message_id
    for (const [check, remedy] of [
      [() => expect(sent).toHaveBeenDelivered(), 'toHaveBeenDelivered(sandbox)'],
      [() => expect(sent).toHaveStatus('read'), "toHaveStatus('read', sandbox)"],
      [() => assertDelivered(sent), `assertDelivered('${id}', sandbox)`],
      [() => assertStatus(sent, 'read'), `assertStatus('${id}', 'read', sandbox)`],
    ] as const)
      expect(await whyOf(check())).toContain(`If it is in another one, pass it: ${remedy}.`)
    expect(sandbox.url).not.toBe(other.url)
  })
})

const readsIn = async ({ client }: Sandbox) =>
  (await client.logs.list({ method: 'GET' })).requests.map(({ operation }) => operation)

test('matchers leave a fault to the application, and nothing in the request log', async ({ sandbox, receiver }) => {
  const { client, clock, faults } = sandbox
  const { message_id } = await client.messages.send({ ...rcs, to: phone(1) })
  await clock.advance('1h')
  await faults.add({ routes: ['GET:/v1/messages/{id}'], status: 503, times: 1 })
  await expect(message_id).toHaveBeenDelivered()
  await expect(message_id).not.toHaveStatus('failed')
  await expect(receiver).toHaveReceived('message.delivered', { message_id })
  expect(await whyOf(expect(message_id).toHaveStatus('read'))).toContain('is delivered.')
  expect(await whyOf(expect(receiver).toHaveReceived('message.read', { message_id }))).toContain(
    'No further step is scheduled for it.',
  )
  expect(await readsIn(sandbox)).toEqual([])
  await expect(client.messages.get(message_id)).rejects.toThrow('503')
  expect(await readsIn(sandbox)).toEqual(['messages.get'])
})

test('matchers also work in a connected sandbox, within its rate limits', async () => {
  holdMachineClock()
  await using emulator = await createSandbox({ rateLimits: true, limits: { read: 1 } })
  const sandbox = await connectSandbox({ url: emulator.url, apiKey: 'sk_sandbox_shop' })
  const { client, clock, faults } = sandbox
  const sent = await client.messages.send({ ...rcs, to: phone(1) })
  await clock.advance('1h')
  await faults.add({ routes: ['messages.get'], status: 503, times: 1 })
  await expect(sent).toHaveBeenDelivered(sandbox)
  await expect(sent).toHaveStatus('delivered', sandbox)
  expect(await readsIn(sandbox)).toEqual([])
  await expect(client.messages.get(sent.message_id)).rejects.toThrow('503')
  await expect(client.messages.get(sent.message_id)).rejects.toThrow('429')
})

test('toBeSignedWith says what is wrong with a signature', async ({ sandbox, receiver }) => {
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await expect(receiver).toHaveReceived('contact.created')
  const [delivery] = receiver.deliveries
  expect(delivery).toBeSignedWith(receiver.secret)
  expect(delivery).not.toBeSignedWith('whsec_another')
  expect(await whyOf((async () => expect(delivery).toBeSignedWith('whsec_another'))())).toContain(
    'signed with another secret',
  )
  const { rawBody, headers } = delivery!
  const pretty = JSON.stringify(JSON.parse(Buffer.from(rawBody).toString()), null, 2)
  const whyNot = (delivery: unknown) => whyOf((async () => expect(delivery).toBeSignedWith(receiver.secret))())
  expect(await whyNot({ rawBody: pretty, headers })).toContain('pass the raw body')
  expect(await whyNot({ rawBody, headers: {} })).toContain('it has no header x-service-signature')
  expect(await whyNot({ event: 'x' })).toContain('takes a delivery')
})
