import { expect, test } from 'vitest'
import { folder, worldLikeDefault } from '../../folder.ts'
import { ask, everythingOf } from '../../http.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox, type Sandbox } from '../../sandbox.ts'

const KEY = '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'
const OTHER = '6a0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'
const rcs = { ...rcsText, to: phones.readsAll }
const inHeader = { 'Idempotency-Key': KEY }

const post = (sandbox: Sandbox, body: unknown, headers: Record<string, string> = {}) =>
  ask(sandbox, 'POST', '/v1/messages', { body, headers })
const sent = async ({ client }: Sandbox) => (await client.messages.list()).messages.length

test('a repetition gets the first answer, byte for byte, and nothing is sent or charged again', async () => {
  await using sandbox = await createSandbox()
  const first = await post(sandbox, rcs, inHeader)
  expect(first.status).toBe(200)
  expect(first.headers).not.toHaveProperty('idempotent-replayed')
  await sandbox.clock.advance('1h')
  await post(sandbox, { ...rcs, to: phones.neverReads })
  const before = await everythingOf(sandbox.client)

  const again = await post(sandbox, rcs, inHeader)
  expect(again).toMatchObject({
    status: 200,
    headers: { 'idempotent-replayed': 'true', 'content-type': first.headers['content-type'] },
  })
  expect(again.bytes.equals(first.bytes)).toBe(true)
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(await everythingOf(sandbox.client)).toEqual(before)
})

test('the key may be in the header, in the body, or the same in both', async () => {
  await using sandbox = await createSandbox()
  const inBody = { ...rcs, idempotency_key: KEY }
  const first = await post(sandbox, inBody)
  for (const again of [
    await post(sandbox, inBody),
    await post(sandbox, rcs, inHeader),
    await post(sandbox, inBody, inHeader),
  ])
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { 'idempotent-replayed': 'true' } })
  expect(await sent(sandbox)).toBe(1)
})

test('two different keys in one request are a 400, whether one of them is known or not', async () => {
  await using sandbox = await createSandbox()
  const refusal = {
    status: 400,
    json: { error: 'validation_error', details: [{ field: 'Idempotency-Key', code: 'conflict' }] },
  }
  expect(await post(sandbox, { ...rcs, idempotency_key: OTHER }, inHeader)).toMatchObject(refusal)
  expect(await sent(sandbox)).toBe(0)
  expect((await post(sandbox, rcs, inHeader)).status).toBe(200)
  expect(await post(sandbox, { ...rcs, idempotency_key: OTHER }, inHeader)).toMatchObject(refusal)
  expect(await post(sandbox, { ...rcs, idempotency_key: KEY }, { 'Idempotency-Key': OTHER })).toMatchObject(refusal)
  for (const idempotency_key of [5, null, {}])
    expect(await post(sandbox, { ...rcs, idempotency_key }, inHeader)).toMatchObject({ status: 400 })
  expect(await sent(sandbox)).toBe(1)
})

test('a key in the header that is not a UUID is a 400', async () => {
  await using sandbox = await createSandbox()
  for (const key of ['key', '5f0c1c9e3f0e4e0c9d0b0d5b6f1c2a3b', `${KEY},${OTHER}`, 'x'.repeat(300), ''])
    expect(await post(sandbox, rcs, { 'Idempotency-Key': key })).toMatchObject({
      status: 400,
      json: { details: [{ field: 'Idempotency-Key' }] },
    })
  expect(await sent(sandbox)).toBe(0)
})

test('the same key with another body is a 409', async () => {
  await using sandbox = await createSandbox()
  await post(sandbox, rcs, inHeader)
  const deep = `{"content":${'['.repeat(2_000)}${']'.repeat(2_000)}}`
  for (const body of [
    { ...rcs, ttl: '60s' },
    { ...rcs, to: phones.neverReads },
    { ...rcs, content: { text: 'Other' } },
    {},
    deep,
  ])
    expect(await post(sandbox, body, inHeader)).toMatchObject({
      status: 409,
      json: { error: 'idempotency_key_reused', details: [] },
    })
  expect(await sent(sandbox)).toBe(1)
})

test('the order of fields and white space do not make a different body', async () => {
  await using sandbox = await createSandbox()
  const body = { ...rcs, content: { text: 'Hi', suggestions: [{ reply: { text: 'Yes', postback_data: 'eWVz' } }] } }
  const first = await post(sandbox, body, inHeader)
  const reversed = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(reversed)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, inner]) => [key, reversed(inner)]),
          )
        : value
  expect(await post(sandbox, JSON.stringify(reversed(body), null, 4), inHeader)).toMatchObject({
    status: 200,
    text: first.text,
  })
  expect(await sent(sandbox)).toBe(1)
})

test('a refused send leaves its key free', async () => {
  await using sandbox = await createSandbox()
  const refused = { ...rcs, to: phones.consentRevoked }
  expect((await post(sandbox, refused, inHeader)).status).toBe(422)
  expect((await post(sandbox, { ...rcs, ttl: '1h' }, inHeader)).status).toBe(400)
  expect((await post(sandbox, '{', inHeader)).status).toBe(400)
  const first = await post(sandbox, rcs, inHeader)
  expect(first.status).toBe(200)
  expect(first.headers).not.toHaveProperty('idempotent-replayed')
})

test('a send that was refused for an insufficient balance succeeds with the same key after a top-up', async () => {
  await using sandbox = await createSandbox({
    world: await worldLikeDefault((file) => Object.assign(file.billing, { balance: 0.05 })),
  })
  const blocking = await post(sandbox, { ...rcs, to: phones.off })
  expect((await post(sandbox, rcs, inHeader)).status).toBe(402)
  await sandbox.client.messages.revoke(String((await sandbox.client.messages.list()).messages[0]?.id))
  expect(blocking.status).toBe(200)
  expect((await post(sandbox, rcs, inHeader)).status).toBe(200)
})

test("a key is remembered for 24 hours of the world's time, and then free", async () => {
  await using sandbox = await createSandbox()
  const first = await post(sandbox, rcs, inHeader)
  await sandbox.clock.advance('86399999ms')
  expect((await post(sandbox, rcs, inHeader)).text).toBe(first.text)
  await sandbox.clock.advance('1ms')
  const other = await post(sandbox, { ...rcs, ttl: '60s' }, inHeader)
  expect(other.status).toBe(200)
  expect(other.json.message_id).not.toBe(first.json.message_id)
  expect((await post(sandbox, rcs, inHeader)).status).toBe(409)
})

test('keys are kept across a restart', async () => {
  const data = await folder()
  let first: string
  {
    await using sandbox = await createSandbox({ data })
    first = (await post(sandbox, rcs, inHeader)).text
  }
  await using sandbox = await createSandbox({ data })
  expect(await post(sandbox, rcs, inHeader)).toMatchObject({
    status: 200,
    text: first,
    headers: { 'idempotent-replayed': 'true' },
  })
  expect(await sent(sandbox)).toBe(1)
})

test('each world has its own keys', async () => {
  await using sandbox = await createSandbox()
  await post(sandbox, rcs, inHeader)
  const elsewhere = await ask({ url: sandbox.url, apiKey: 'sk_sandbox_elsewhere' }, 'POST', '/v1/messages', {
    body: rcs,
    headers: inHeader,
  })
  expect(elsewhere.status).toBe(200)
  expect(elsewhere.headers).not.toHaveProperty('idempotent-replayed')
})

test('equal requests at the same time are one send with one charge', async () => {
  await using sandbox = await createSandbox()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(sandbox, rcs, inHeader)))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
  expect(await sandbox.client.billing.balance()).toEqual({ free: 999.95, reserved: 0.05, total: 1000 })
})

test('without a key each request is a send of its own', async () => {
  await using sandbox = await createSandbox()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(sandbox, rcs)))
  expect(new Set(answers.map(({ json }) => json.message_id)).size).toBe(20)
  expect((await sandbox.client.billing.balance()).reserved).toBe(1)
})
