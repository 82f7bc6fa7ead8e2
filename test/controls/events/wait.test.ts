import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'
import { sharedSandbox } from '../../shared-sandbox.ts'

const shared = sharedSandbox()

const wait = (sandbox: Sandbox, body: unknown) => ask(sandbox, 'POST', '/_sandbox/events/wait', { body })
const send = async (sandbox: Sandbox, to: string) => (await sandbox.client.messages.send({ ...rcsText, to })).message_id

test('a call waits for an event, and answers with it as the log has it', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const coming = wait(sandbox, { event: 'message.delivered', within: '1h' })
  const message_id = await send(sandbox, phones.readsAll)
  const { status, json } = await coming
  expect([status, json.event, (json.data as { message_id: string }).message_id]).toEqual([
    200,
    'message.delivered',
    message_id,
  ])
  const { events } = await sandbox.client.events.list({ event: 'message.delivered' })
  expect(json).toEqual(events[0])
  // It has happened already.
  expect((await wait(sandbox, { event: 'message.*', data: { message_id } })).json).toMatchObject({
    event: 'message.queued',
  })
  expect((await wait(sandbox, { event: 'message.*', data: { message_id }, after: json.seq })).json).toMatchObject({
    event: 'message.read',
  })
})

test('a frozen clock runs what is due now and ends the wait, and the refusal names what is near and next', async () => {
  await using sandbox = await createSandbox()
  const message_id = await send(sandbox, phones.readsAll)
  const { status, json } = await wait(sandbox, { event: 'message.read', data: { message_id }, within: '1h' })
  const { next_due_at } = await sandbox.client.clock.show()
  expect([status, json.error]).toEqual([404, 'not_arrived'])
  expect(json.message).toBe(
    'message.read did not arrive, and the clock does not advance beyond 2026-01-01T00:00:00.000Z. ' +
      `The nearest was message.queued of ${message_id}. The next work is due at ${next_due_at}: advance the clock.`,
  )
  expect(json).toMatchObject({ next_due_at, nearest: { differs: 'event', event: { event: 'message.queued' } } })
  await sandbox.clock.advance('1h')
  expect((await wait(sandbox, { event: 'message.read', data: { message_id } })).status).toBe(200)
})

test('a refusal does not advise to advance to the end of the billing month, which causes no event', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox, phones.readsAll)
  await sandbox.clock.advance('1h')
  expect(await sandbox.client.clock.due({ limit: 1 })).toMatchObject({ due: [{ what: 'billing.month' }] })
  const failed = async () => (await wait(sandbox, { event: 'message.failed' })).json.message
  expect(await failed()).toMatch(/ The nearest was message\.read of \S+ No scheduled work can cause it\.$/)
  await sandbox.client.handsets.set(phones.ordinary, { on: false })
  await sandbox.client.messages.send({ ...rcsText, to: phones.ordinary, ttl: '2592000s' })
  await sandbox.clock.advance('1m')
  expect(await failed()).toMatch(/The next work is due at 2026-01-31T01:00:00\.000Z: advance the clock\.$/)
})

test('a wait with a lease matches only its own events', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const [mine, other] = [await sandbox.lease.phone({ consent: true }), await sandbox.lease.phone({ consent: true })]
  const message_id = await send(sandbox, other.address)
  expect((await wait(sandbox, { event: 'message.delivered', lease: other.id })).json).toMatchObject({
    data: { message_id },
  })
  expect((await wait(sandbox, { event: 'message.delivered', lease: mine.id, within: '1ms' })).status).toBe(404)
})

test.each([
  // A RegExp in JSON.
  [{ event: 'message.read', data: { to: {} } }, 'data.to: is an empty object, which compares nothing.'],
  [{ event: 'message.replied' }, 'event: unknown event "message.replied", did you mean "conversation.started"?'],
  [{ event: 'message.opened' }, 'event: unknown event "message.opened", did you mean "message.read"?'],
  [{ event: 'email.received' }, 'event: unknown event "email.received"; there are email.delivered, '],
  [{ event: 'message.deliverd' }, 'event: unknown event "message.deliverd", did you mean "message.delivered"?'],
  [
    { event: 'message.read', data: { mesage_id: 'x' } },
    'data.mesage_id: message.read has no field mesage_id, did you mean "message_id"?',
  ],
  [
    { event: 'message.read', data: { status: 'sent' } },
    'data.status: status of message.read is never sent; values: read.',
  ],
  [{ event: 'message.read', within: 'long' }, 'within: must be a duration'],
  [{ event: 'message.read', withn: '1s' }, 'withn: unknown field, did you mean "within"?'],
  [{}, 'event: '],
])('%j is refused', async (body, message) => {
  const sandbox = shared()
  const { status, json } = await wait(sandbox, body)
  expect([status, json.message]).toEqual([400, expect.stringContaining(message)])
})

test('a reset ends a wait', async () => {
  await using sandbox = await createSandbox({ clock: 'real' })
  let answer: object | undefined
  void wait(sandbox, { event: 'message.read', within: '1h' }).then(({ json }) => {
    answer = json
  })
  // A reset before its arrival would not concern it.
  const answerAfterReset = async () => {
    await sandbox.reset()
    return answer
  }
  await expect.poll(answerAfterReset).toMatchObject({ error: 'world_replaced' })
})
