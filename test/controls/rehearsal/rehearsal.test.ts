import { expect, test } from 'vitest'
import { channels, phone, rcsText, uuid } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const email = { channel_id: channels.email, subject: 'Hello', content: { text: 'Hello' } }

test('a rehearsal predicts each send, counting the sends before it', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  const key = uuid(900)
  const sent = await client.messages.send({ ...rcsText, to: phone(60), idempotency_key: key })
  const newsletter = { ...rcsText, to: phone(61), message_type: 'NEWSLETTER' } as const
  const sends = [
    newsletter,
    // The subscriber is paid for by the one before.
    newsletter,
    { ...rcsText, to: phone(60), idempotency_key: key.toUpperCase() },
    { ...rcsText, to: phone(62), idempotency_key: key },
    { ...rcsText, to: phone(11) },
    { ...rcsText, to: phone(50), agent_id: undefined },
  ]
  const { sends: rehearsed, total } = await client.messages.rehearse({ sends })
  expect(rehearsed).toMatchObject([
    { outcome: 'accepted', classification: 'mau', hold_amount: 0.2 },
    { outcome: 'accepted', classification: 'mau', hold_amount: 0 },
    { outcome: 'repeated', hold_amount: 0 },
    { outcome: 'refused', refusal: { http_status: 409, error: 'idempotency_key_reused' } },
    { outcome: 'accepted' },
    { outcome: 'refused', refusal: { http_status: 400, error: 'validation_error', details: [{ field: 'agent_id' }] } },
  ])
  const { free } = sent.billing.balance
  expect(total).toMatchObject({ accepted: 3, repeated: 1, refused: 2, free_before: free, missing: 0 })
  expect(total.free_after).toBeCloseTo(free - total.hold_amount, 4)
})

test('sends get the outcomes that a rehearsal predicts', async () => {
  await using sandbox = await createSandbox({ world: 'low-balance' })
  const { client } = sandbox
  const sends = Array.from({ length: 9 }, (_, i) => ({ ...rcsText, to: phone(50 + i) }))
  const { sends: rehearsed } = await client.messages.rehearse({ sends })
  const got = []
  for (const send of sends)
    got.push(
      await client.messages.send(send).then(
        ({ billing }) => ({ outcome: 'accepted', hold_amount: billing.hold_amount, free_after: billing.balance.free }),
        ({ code }: { code: string }) => ({ outcome: 'refused', refusal: { error: code } }),
      ),
    )
  expect(rehearsed).toMatchObject(got)
  expect(new Set(got.map(({ outcome }) => outcome)).size).toBe(2)
})

test('a rehearsal leaves nothing behind: not an event, a contact, an id or a delivery', async () => {
  await using plain = await createSandbox({ seed: 'same' })
  await using rehearsed = await createSandbox({ seed: 'same' })
  const story = async ({ client, clock }: Sandbox) => {
    const { message_id } = await client.messages.send({ ...rcsText, to: phone(50) })
    await client.messages.send({ ...email, to: 'new@example.com' })
    await clock.advance('1h')
    return {
      message: await client.messages.get(message_id),
      messages: (await client.messages.list()).messages,
      events: (await client.events.list()).events,
      balance: await client.billing.balance(),
      usage: await client.billing.usage(),
    }
  }
  await rehearsed.client.messages.rehearse({
    sends: [
      { ...rcsText, to: phone(50) },
      { ...email, to: 'new@example.com' },
      { ...email, to: 'none' },
    ],
  })
  expect((await rehearsed.client.events.list()).events).toEqual([])
  expect(await story(rehearsed)).toEqual(await story(plain))
})
