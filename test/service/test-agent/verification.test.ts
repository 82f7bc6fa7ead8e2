import { expect, test } from 'vitest'
import { ask } from '../../http.ts'
import { phones } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { codeOn, otherThan, verified } from './phone.ts'

const phone = phones.readsAll
const nothing = {
  phone: null,
  verified: false,
  code_expires_at: null,
  verified_at: null,
  messages_used: 0,
  messages_left: 5,
}

test('a phone is registered, gets six digits, and is verified by them', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  expect(await client.testAgent.status()).toEqual(nothing)

  const registered = await ask(sandbox, 'POST', '/v1/test/register', { body: { phone } })
  const pending = { ...nothing, phone, code_expires_at: '2026-01-01T00:10:00.000Z' }
  expect(registered).toMatchObject({ status: 202, json: pending })
  expect(registered.text).not.toMatch(await codeOn(client, phone))
  expect((await client.inbox.show(phone)).messages).toEqual([
    {
      at: '2026-01-01T00:00:00.000Z',
      channel_type: 'SMS',
      kind: 'VERIFICATION_CODE',
      subject: null,
      text: expect.stringMatching(/^\d{6} is your code/),
      link: null,
    },
  ])

  await clock.advance('1m')
  const done = { ...nothing, phone, verified: true, verified_at: '2026-01-01T00:01:00.000Z' }
  expect(await client.testAgent.verify({ phone, code: await codeOn(client, phone) })).toEqual(done)
  expect(await client.testAgent.status()).toEqual(done)
  // The answer may have been lost: repeating the call changes nothing.
  await clock.advance('1m')
  expect(await client.testAgent.verify({ phone, code: await codeOn(client, phone) })).toEqual(done)
})

test('a code follows from the seed, and the next one is another', async () => {
  const codes = async () => {
    await using sandbox = await createSandbox({ seed: 'codes' })
    const seen = []
    for (let i = 0; i < 3; i++) {
      await sandbox.client.testAgent.register({ phone })
      seen.push(await codeOn(sandbox.client, phone))
    }
    return seen
  }
  const first = await codes()
  expect(new Set(first).size).toBe(3)
  expect(await codes()).toEqual(first)
})

test('a wrong code is a 422 that counts the attempts; after five, even the right code is refused', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await client.testAgent.register({ phone })
  const code = await codeOn(client, phone)
  const verify = (code: string) => ask(sandbox, 'POST', '/v1/test/verify', { body: { phone, code: code } })
  for (const tries_left of [4, 3, 2, 1, 0])
    expect(await verify(otherThan(code))).toMatchObject({
      status: 422,
      json: { error: 'invalid_code', tries_left, details: [{ field: 'code' }] },
    })
  expect(await verify(code)).toMatchObject({ status: 422, json: { error: 'code_expired' } })
  expect(await client.testAgent.status()).toMatchObject({ verified: false })

  await client.testAgent.register({ phone })
  expect(await verify(await codeOn(client, phone))).toMatchObject({ status: 200, json: { verified: true } })
})

test('a code is valid for ten minutes of world time', async () => {
  await using sandbox = await createSandbox()
  const { client, clock } = sandbox
  await client.testAgent.register({ phone })
  const first = await codeOn(client, phone)
  await clock.advance('10m')
  await expect(client.testAgent.verify({ phone, code: first })).rejects.toMatchObject({
    status: 422,
    code: 'code_expired',
  })

  await client.testAgent.register({ phone })
  await expect(client.testAgent.verify({ phone, code: first })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_code',
  })
  await clock.advance('599999ms')
  expect(await client.testAgent.verify({ phone, code: await codeOn(client, phone) })).toMatchObject({ verified: true })
})

test('a code proves its own number only, and nothing before there is one', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await expect(client.testAgent.verify({ phone, code: '000000' })).rejects.toMatchObject({
    status: 422,
    code: 'invalid_code',
  })
  await client.testAgent.register({ phone })
  const code = await codeOn(client, phone)
  await expect(client.testAgent.verify({ phone: phones.neverReads, code })).rejects.toMatchObject({
    code: 'invalid_code',
  })
  expect(await client.testAgent.status()).toMatchObject({ phone, verified: false })
})

test('one number at a time: another one takes its place and must be verified itself', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await verified(client, phone)
  await client.testAgent.register({ phone: phones.neverReads })
  expect(await client.testAgent.status()).toMatchObject({
    phone: phones.neverReads,
    verified: false,
    verified_at: null,
  })
})

test('each key has a number of its own', async () => {
  await using sandbox = await createSandbox()
  await verified(sandbox.client, phone)
  expect(await sandbox.as('other').testAgent.status()).toEqual(nothing)
})

test('an invalid phone or code is a 400 that names the field', async () => {
  await using sandbox = await createSandbox()
  const cases: readonly [path: string, body: object, field: string][] = [
    ['register', {}, 'phone'],
    ['register', { phone: '0171 3920000' }, 'phone'],
    ['register', { phone, name: 'x' }, 'name'],
    ['verify', { phone, code: '12345' }, 'code'],
    ['verify', { phone, code: 123456 }, 'code'],
    ['verify', { code: '123456' }, 'phone'],
  ]
  for (const [path, body, field] of cases)
    expect(await ask(sandbox, 'POST', `/v1/test/${path}`, { body }), JSON.stringify(body)).toMatchObject({
      status: 400,
      json: { error: 'validation_error', details: [{ field }] },
    })
})
