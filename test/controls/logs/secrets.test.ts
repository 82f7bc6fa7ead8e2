import { expect, test } from 'vitest'
import { redactBody, redactCommand, redactHeaders } from '../../../src/words/redact.ts'
import { ask } from '../../http.ts'
import { createSandbox } from '../../sandbox.ts'
import { openRequestStream } from './request-stream.ts'

/** The secret of a token of a shared sandbox. */
const HEX = '0123456789abcdef0123456789abcdef01234567'

test('the log contains no keys and no secrets, in any form', async () => {
  await using sandbox = await createSandbox()
  const { client } = sandbox
  await using stream = await openRequestStream(sandbox, '?full=true')
  const url = 'https://ada:hunter2@home@example.com/hook?token=tok_12345'
  const chosen = await client.webhooks.create({ url, events: ['*'], secret: 'given-secret-1' })
  const made = await client.webhooks.create({ url: 'https://example.com/', events: ['*'] })
  const rotated = await client.webhooks.update(made.id, { rotate_secret: true })
  const relay = await client.events.secret()
  await ask(sandbox, 'POST', '/v1/webhooks', { body: '{"secret": "broken-secret-2", ' })
  await ask(sandbox, 'GET', '/v1/messages', {
    headers: { Authorization: 'Bearer sk_live_4242', Cookie: 'sid=cookie3' },
  })
  await ask(sandbox, 'GET', '/_sandbox/doi/default.doi_linktoken4')
  await ask(sandbox, 'GET', '/_sandbox/clock', { headers: { 'X-Sandbox-Token': 'ct_control-token-5' } })
  await ask(sandbox, 'GET', `/_sandbox/ct_team-a_${HEX}`)
  await client.contacts.create({ email: 'ada@example.com', custom_fields: { note: `ct_${HEX}`, pwd: 'open-sesame6' } })
  const secrets = [
    HEX,
    'open-sesame6',
    chosen.secret,
    made.secret,
    rotated.secret!,
    relay.secret,
    'hunter2',
    'home',
    'tok_12345',
    'broken-secret-2',
    'sk_live_4242',
    'sk_sandbox_default',
    'cookie3',
    'linktoken4',
    'ct_control-token-5',
  ]
  const { requests } = await client.logs.list({ full: 'true' })
  expect(requests).toHaveLength(10)
  const streamed = await stream.items(10)
  const shown = await Promise.all(requests.map(({ seq }) => client.logs.show(String(seq))))
  for (const read of [requests, await client.logs.list(), streamed, shown])
    for (const secret of secrets) expect(JSON.stringify(read)).not.toContain(secret)
  expect(JSON.stringify(shown).match(/\[redacted\]/g)!.length).toBeGreaterThan(12)
})

test.for([
  ['{"secret":"abc","a":1}', '{"secret":"[redacted]","a":1}'],
  ['{ "a": "plain" }', '{ "a": "plain" }'],
  ['{"a":[{"webhookSecret":5,"b":null}]}', '{"a":[{"webhookSecret":"[redacted]","b":null}]}'],
  ['{"rotate_secret":true,"secret":null}', '{"rotate_secret":true,"secret":null}'],
  ['{"secr\\u0065t":"abc"', '{"secr\\u0065t":"[redacted]"'],
  ['{"a":1,"secret":"who', '{"a":1,"secret":"[redacted]"'],
  ['{"b":2,"secret":["a","b"],"c":3', '{"b":2,"[redacted]"'],
  ["{'password': 'abc'}", '{\'password\': "[redacted]"}'],
  ['grant=x&client_secret=abc', 'grant=x&client_secret="[redacted]"'],
  ['"the secret: whsec_abcDEF123"', '"the secret: whsec_[redacted]"'],
  ['{"text":"Bearer abc.def-ghi"}', '{"text":"Bearer [redacted]"}'],
  ['{"session":"eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln"}', '{"session":"[redacted]"}'],
  ['{"message":"Send Bearer sk_sandbox_<namespace>."}', '{"message":"Send Bearer sk_sandbox_<namespace>."}'],
  [`see /ct_team-a_${HEX}?x`, 'see /ct_[redacted]?x'],
  [`{"note":"is\\nct_${HEX}"}`, '{"note":"is\\nct_[redacted]"}'],
  ['{"note":"is\\nsk_live_4242"}', '{"note":"is\\nsk_live_[redacted]"}'],
  ['{"note":"ct_AZaz09-_AZaz09-_AZaz09-_AZaz09-_"}', '{"note":"ct_[redacted]"}'],
  [`product_${HEX} ct_id ct_image-2026_final`, `product_${HEX} ct_id ct_image-2026_final`],
  [`ct_0f8fad5b-d9cb-469f-a165-70867728950e`, `ct_0f8fad5b-d9cb-469f-a165-70867728950e`],
  ['{"jwt":"abc","auth":"abc"}', '{"jwt":"[redacted]","auth":"[redacted]"}'],
  ['{"pwd":"abc","db_passphrase":"abc"}', '{"pwd":"[redacted]","db_passphrase":"[redacted]"}'],
  ['https://example.com/?pwd=abc&page=2', 'https://example.com/?pwd=[redacted]&page=2'],
  ['{"next_page_token":"abc"}', '{"next_page_token":"abc"}'],
  ['{"secrets":["abc"],"credentials":{"a":"b"}}', '{"secrets":"[redacted]","credentials":"[redacted]"}'],
  ['https://ada:a@b@example.com/c', 'https://[redacted]@example.com/c'],
  ['https://example.com?to=ada@example.com', 'https://example.com?to=ada@example.com'],
  ['https://example.com/?access_key=abc', 'https://example.com/?access_key=[redacted]'],
  ['https://example.com/hook?code=abc&sig=def', 'https://example.com/hook?code=[redacted]&sig=[redacted]'],
  ['https://example.com/hook?key=abc', 'https://example.com/hook?key=[redacted]'],
  ['https://example.com/?zip_code=10115&monkey=1', 'https://example.com/?zip_code=10115&monkey=1'],
])('of %s remains %s', ([text, redacted]) => {
  expect(redactBody(text!)).toBe(redacted)
})

test('a command keeps its words but not its secrets', () => {
  const command = 'env DB_PASSWORD=abc CI=1 npm test -- --token abc --api-key=abc --grep password'
  expect(redactCommand(command.split(' '))).toBe(
    'env DB_PASSWORD="[redacted]" CI=1 npm test -- --token [redacted] --api-key="[redacted]" --grep password',
  )
})

test('redaction stays fast for malicious text', { timeout: 20_000 }, () => {
  // Much more than is ever kept of a body: a quadratic algorithm would exceed the time limit of the test.
  for (const text of ['"', '\\"', 'a', '[', '{"a":', '?token', '//', 'secret ', "'"])
    expect(redactBody(text.repeat(262_144 / text.length))).not.toBe('')
})

test('headers that carry keys show only that they were there', () => {
  expect(
    redactHeaders({
      Authorization: 'Basic abc',
      cookie: 'a=b',
      'x-api-key': 'k',
      'x-authorization': 'Token abc',
      'x-sandbox-token': 't',
      accept: '*/*',
    }),
  ).toEqual({
    Authorization: '[redacted]',
    cookie: '[redacted]',
    'x-api-key': '[redacted]',
    'x-authorization': '[redacted]',
    'x-sandbox-token': '[redacted]',
    accept: '*/*',
  })
})

test('a challenge without a secret stays whole beside redacted credentials', () => {
  const challenge = 'Bearer realm="messaging sandbox"'
  expect(redactHeaders({ 'www-authenticate': challenge, 'x-echo': 'Bearer sk_live_4242' })).toEqual({
    'www-authenticate': challenge,
    'x-echo': 'Bearer [redacted]',
  })
})
