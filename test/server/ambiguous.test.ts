import { expect, test } from 'vitest'
import { operations } from '../../src/registry/api.ts'
import { ask } from '../http.ts'
import { channels, contactOf, phones, rcsText } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const rcs = { ...rcsText, to: phones.readsAll }
const KEY = '5f0c1c9e-3f0e-4e0c-9d0b-0d5b6f1c2a3b'

const send = (sandbox: Sandbox, body: unknown, headers = {}) => ask(sandbox, 'POST', '/v1/messages', { body, headers })

const asJson = JSON.stringify(rcs)

test.for([
  ['at the top', asJson.replace('{', '{"to":"+4917139200001",'), ['to']],
  ['spelled with an escape', asJson.replace('{', '{"t\\u006f":"+4917139200001",'), ['to']],
  ['with the same value', asJson.replace('{', `{"to":"${rcs.to}",`), ['to']],
  ['inside of content', asJson.replace('"text":', '"text":"a","text":'), ['content.text']],
  [
    'in a list',
    '{"contacts":[{"email":"a@b.c"},{"email":"a@b.c","tags":["x",{"y":1,"y":2}]}]}',
    ['contacts[1].tags[1].y'],
  ],
  ['twice over', '{"a":1,"a":2,"b":{"c":1,"c":[1,2]}}', ['a', 'b.c']],
  ['after text that looks like JSON', '{"a":"\\"a\\":1,{","b":"\\\\","a":1}', ['a']],
  ['with an empty name', '{"":1,"":1}', ['']],
] as const)('a field that is given twice %s is refused, not guessed', async ([, body, fields]) => {
  await using sandbox = await createSandbox()
  const { status, json } = await send(sandbox, body)
  expect({ status, error: json.error }).toEqual({ status: 400, error: 'validation_error' })
  expect(json.details).toEqual(fields.map((field) => expect.objectContaining({ field, code: 'duplicate' })))
  expect((await sandbox.client.messages.list()).messages).toEqual([])
})

test('the same name in two objects is no field given twice', async () => {
  await using sandbox = await createSandbox()
  const content = {
    text: 'Hi',
    suggestions: [{ reply: { text: 'Yes', postback_data: 'eA==' } }, { reply: { text: 'No', postback_data: 'eA==' } }],
  }
  expect(await send(sandbox, { ...rcs, content })).toMatchObject({ status: 200 })
})

test('a body that is nested so deeply that nothing can write it again is a 400, not a bug', async () => {
  await using sandbox = await createSandbox()
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  const body = `{"routes":["messages.send"],"status":503,"fields":${deep}}`
  expect(await ask(sandbox, 'POST', '/_sandbox/faults', { body })).toMatchObject({
    status: 400,
    json: { details: [{ field: '', code: 'too_deep', message: 'is nested too deeply (limit: 2048 levels)' }] },
  })
})

test('a body with a million names is checked in linear time', async () => {
  await using sandbox = await createSandbox()
  const rows = Array.from({ length: 9_000 }, (_, i) => `{"email":"u${i}@example.com","custom_fields":{${names(80)}}}`)
  const before = process.cpuUsage()
  const { status } = await ask(sandbox, 'POST', '/v1/contacts/import', { body: `{"contacts":[${rows}],"contacts":[]}` })
  expect(status).toBe(400)
  // A comparison of all pairs, or paths built for each name, would take minutes.
  expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(20)
})

const names = (many: number) => Array.from({ length: many }, (_, i) => `"k${i}":${i}`).join()

test.for([
  ['9007199254740993', 'too_big'],
  ['-9007199254740992', 'too_big'],
  ['1e+21', 'too_big'],
  ['-1.5e+300', 'too_big'],
  ['1e300', 'too_big'],
  ['1e400', 'too_big'],
  ['9'.repeat(100_000), 'too_big'],
  ['1e-400', 'too_small'],
] as const)('the number %s, which cannot be kept exactly, is refused', async ([number, code]) => {
  await using sandbox = await createSandbox()
  const body = `{"email":"ada@example.com","custom_fields":{"order":${number}}}`
  const answer = await ask(sandbox, 'POST', '/v1/contacts', { body })
  expect(answer).toMatchObject({ status: 400, json: { details: [{ field: 'custom_fields.order', code }] } })
})

test('numbers that can be kept exactly are accepted', async () => {
  await using sandbox = await createSandbox()
  const body = '{"email":"ada@example.com","custom_fields":{"a":9007199254740991,"b":-0.5,"c":1e3,"d":0e9}}'
  const answer = await ask(sandbox, 'POST', '/v1/contacts', { body })
  expect(answer.json.custom_fields).toEqual({ a: 9007199254740991, b: -0.5, c: 1000, d: 0 })
})

test('a custom field is kept or refused, whatever its name, and never lost', async () => {
  await using sandbox = await createSandbox()
  const take = (name: string) =>
    ask(sandbox, 'POST', '/v1/contacts', { body: `{"email":"ada@example.com","custom_fields":{"${name}":"x"}}` })
  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON', 'then', '0', ' '])
    expect((await take(name)).json.custom_fields).toHaveProperty([name], 'x')
  for (const name of ['__proto__', '\\u005f_proto__'])
    expect(await take(name)).toMatchObject({
      status: 400,
      json: { details: [{ field: 'custom_fields.__proto__', code: 'reserved' }] },
    })
  expect(await send(sandbox, '{"template_data":{"a":{"__proto__":1}}}')).toMatchObject({ status: 400 })
})

test.for([
  ['the text of an RCS message', { ...rcs, content: { text: ' \n\t ' } }, 'content.text'],
  ['a text of characters that nobody sees', { ...rcs, content: { text: '\u200b\u3164\u00a0' } }, 'content.text'],
  [
    'the text of an email',
    { channel_id: channels.email, to: 'ada@example.com', subject: 'Hi', content: { text: '  ' } },
    'content.text',
  ],
  [
    'the subject of an email',
    { channel_id: channels.email, to: 'ada@example.com', subject: ' ', content: { text: 'x' } },
    'subject',
  ],
] as const)('%s that is blank is refused', async ([, body, field]) => {
  await using sandbox = await createSandbox()
  expect(await send(sandbox, body)).toMatchObject({ status: 400, json: { details: [{ field, code: 'blank' }] } })
})

test('a source of consent that is blank is refused, and a long one is kept whole', async () => {
  await using sandbox = await createSandbox()
  const record = (source: string) =>
    ask(sandbox, 'POST', `/v1/contacts/${contactOf(0)}/consent`, {
      body: { channel_type: 'RCS', message_type: 'MESSAGE', status: 'GRANTED', source },
    })
  expect(await record('\t ')).toMatchObject({ status: 400, json: { details: [{ field: 'source', code: 'blank' }] } })
  const long = 'x'.repeat(20_000)
  expect((await record(long)).json.source).toBe(long)
})

test.for(['\n', '\r\n', '\r', '\u2028', '\u0085'])('a subject with a line break is refused', async (lineBreak) => {
  await using sandbox = await createSandbox()
  const subject = `Hello${lineBreak}Bcc: all@example.com`
  const email = { channel_id: channels.email, to: 'ada@example.com' }
  for (const body of [
    { ...email, subject, content: { text: 'x' } },
    { ...email, content: { subject, text: 'x' } },
  ])
    expect(await send(sandbox, body)).toMatchObject({
      status: 400,
      json: { details: [{ field: expect.stringMatching(/subject$/), code: 'line_break' }] },
    })
})

test('a PATCH that changes nothing is refused, on every route that takes one', async () => {
  await using sandbox = await createSandbox()
  const patches = operations.filter(({ method }) => method === 'patch')
  expect(patches.length).toBeGreaterThan(5)
  for (const operation of patches) {
    const path = operation.path.replace(/\{\w+\}/g, 'x')
    const { status, json } = await ask(sandbox, 'PATCH', path, { body: {} })
    expect({ path, status, error: json.error }).toEqual({ path, status: 400, error: 'validation_error' })
  }
})

test('an unencoded + is refused with the correct spelling, instead of an empty list', async () => {
  await using sandbox = await createSandbox()
  await send(sandbox, rcs)
  const list = (query: string) => ask(sandbox, 'GET', `/v1/messages?${query}`)
  const phone = rcs.to.slice(1)
  expect(await list(`to=+${phone}`)).toMatchObject({
    status: 400,
    json: {
      message: expect.stringContaining(`to=%2B${phone}`),
      details: [{ field: 'to', code: 'unencoded_plus' }],
    },
  })
  expect(await list(`limit=1&to=+${phone}&limit=1`)).toMatchObject({ status: 400 })
  expect(await list('to=ada+label@example.com')).toMatchObject({ status: 400 })
  expect(await list('to=ada+label%40example.com')).toMatchObject({ status: 400 })
  expect((await list(`to=%2B${phone}`)).json.messages).toHaveLength(1)
  expect((await list('to=ada%2Blabel@example.com')).json.messages).toEqual([])
})

test('a percent escape in a query that is not UTF-8 is named as such', async () => {
  await using sandbox = await createSandbox()
  for (const to of ['%zz', '%ff%fe', '%2B49%'])
    expect(await ask(sandbox, 'GET', `/v1/messages?to=${to}`)).toMatchObject({
      status: 400,
      json: { details: [{ field: 'to', code: 'invalid_escape', message: expect.stringContaining(to) }] },
    })
})

test('an idempotency key is the same UUID in any case', async () => {
  await using sandbox = await createSandbox()
  const upper = KEY.toUpperCase()
  const first = await send(sandbox, rcs, { 'Idempotency-Key': KEY })
  const again = [
    await send(sandbox, rcs, { 'Idempotency-Key': upper }),
    await send(sandbox, { ...rcs, idempotency_key: upper }),
    await send(sandbox, { ...rcs, idempotency_key: upper }, { 'Idempotency-Key': KEY }),
  ]
  for (const answer of again) {
    expect(answer.text).toBe(first.text)
    expect(answer.headers['idempotent-replayed']).toBe('true')
  }
  // A key that is not a UUID is an ordinary text.
  const topup = (key: string) =>
    ask(sandbox, 'POST', '/v1/billing/topup', { body: { amount: 10 }, headers: { 'Idempotency-Key': key } })
  expect((await topup('order-a')).text).not.toBe((await topup('ORDER-A')).text)
})
