import { expect, test } from 'vitest'
import { undocumented } from '../../src/server/perform.ts'
import { sendMessage } from '../../src/service/messages/contract.ts'
import { problem } from '../../src/words/problem.ts'
import { ask } from '../http.ts'
import { createSandbox } from '../sandbox.ts'

test('a refusal that its operation does not document is a bug where answers are checked', () => {
  expect(undocumented(sendMessage, problem('consent_not_pending'))?.message).toMatch(
    /^messages\.send does not document consent_not_pending: /,
  )
  // Its own refusals, those of any call, those of idempotency keys, and an answer that is not a refusal.
  for (const one of [
    problem('missing_consent'),
    problem('unauthorized'),
    problem('idempotency_key_reused'),
    new Error('a bug'),
  ])
    expect(undocumented(sendMessage, one)).toBeUndefined()
})

test('a query parameter is refused where an operation takes none, by its name', async () => {
  await using sandbox = await createSandbox()
  for (const [method, path] of [
    ['GET', '/v1/billing/balance?verbose=1'],
    ['POST', '/v1/messages?verbose=1'],
    ['GET', '/_sandbox/health?verbose=1'],
  ] as const)
    expect(await ask(sandbox, method, path)).toMatchObject({
      status: 400,
      json: { error: 'validation_error', details: [{ field: 'verbose', code: 'unknown_field' }] },
    })
})

test('a page ignores query parameters, which a browser in an editor adds', async () => {
  await using sandbox = await createSandbox()
  for (const page of ['/', '/docs', '/_sandbox/docs'])
    expect(
      await ask(sandbox, 'GET', `${page}?vscodeBrowserReqId=1`, { headers: { Accept: 'text/html' } }),
    ).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
  const contact = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  const consent = { channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'PENDING', source: 'form' } as const
  await sandbox.client.consent.record(contact.id, { ...consent, enforced_doi: true, doi_channel: 'EMAIL' })
  const { messages } = await sandbox.client.inbox.show('ada@example.com')
  expect(await ask(sandbox, 'GET', `${new URL(messages[0]!.link!).pathname}?utm_source=mail`)).toMatchObject({
    status: 200,
  })
})

test('a flag in a query is true or false in small letters, as the documents say', async () => {
  await using sandbox = await createSandbox()
  for (const path of ['/_sandbox/handsets?contacts=', '/_sandbox/world/dump?secrets=', '/_sandbox/events?count=']) {
    expect(await ask(sandbox, 'GET', `${path}true`)).toMatchObject({ status: 200 })
    expect(await ask(sandbox, 'GET', `${path}TRUE`)).toMatchObject({ status: 400 })
  }
})
