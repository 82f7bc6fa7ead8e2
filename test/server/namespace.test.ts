import { expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { sandboxCommand } from '../cli/terminal.ts'
import { ask } from '../http.ts'
import { phone, rcsText } from '../magic.ts'
import { createSandbox } from '../sandbox.ts'
import { onTheWire } from './raw-request.ts'

const namesOf = async ({ client }: Awaited<ReturnType<typeof createSandbox>>) =>
  (await client.namespaces.list()).namespaces.map(({ name }) => name)

test('a base URL with /ns/<name> chooses the namespace for every call, whatever the key says', async () => {
  await using sandbox = await createSandbox()
  const there = createClient({ baseUrl: `${sandbox.url}/ns/suite-1`, apiKey: sandbox.apiKey })
  for (let i = 0; i < 3; i++) await there.messages.send({ ...rcsText, to: phone(50 + i) })
  expect((await sandbox.client.messages.list({})).messages).toEqual([])
  const { messages, next_cursor } = await there.messages.list({ limit: 2 })
  const rest = await there.messages.list({ limit: 2, cursor: next_cursor! })
  expect([...messages, ...rest.messages].map(({ to }) => to)).toEqual([phone(52), phone(51), phone(50)])
  expect(await sandbox.as('suite-1').messages.get(messages[0]!.id)).toMatchObject({ to: phone(52) })
  await there.clock.advance({ by: '1h' })
  expect((await there.clock.show()).now).toBe('2026-01-01T01:00:00.000Z')
  expect((await sandbox.client.clock.show()).now).toBe('2026-01-01T00:00:00.000Z')
  const { id } = await there.contacts.create({ email: 'ada@example.com' })
  await there.consent.record(id, {
    channel_type: 'EMAIL',
    message_type: 'NEWSLETTER',
    status: 'PENDING',
    enforced_doi: true,
    doi_channel: 'EMAIL',
    source: 'form',
  })
  const link = (await there.inbox.show('ada@example.com')).messages[0]!.link!
  expect(link).toContain(`${sandbox.url}/ns/suite-1/_sandbox/doi/`)
  expect((await fetch(link)).status).toBe(200)
  expect((await there.contacts.get(id)).consent_records[0]).toMatchObject({ status: 'GRANTED' })
  const document = await fetch(`${sandbox.url}/ns/suite-1/_sandbox/openapi.json`)
  expect(await document.json()).toMatchObject({ servers: [{ url: `${sandbox.url}/ns/suite-1` }] })
})

test('the command line takes such a base URL', async () => {
  await using sandbox = await createSandbox()
  const env = { SANDBOX_BASE_URL: `${sandbox.url}/ns/shell`, SANDBOX_API_KEY: sandbox.apiKey }
  const sent = await sandboxCommand(['send', phone(50), '--text', 'Hi'], { env })
  expect(sent.code).toBe(0)
  expect((await sandbox.as('shell').messages.get(String(sent.json.message_id))).to).toBe(phone(50))
})

test('baggage chooses the namespace where the URL does not, and the key where neither does', async () => {
  await using sandbox = await createSandbox()
  const seenBy = async (path: string, baggage?: string) => {
    const headers = { Authorization: 'Bearer sk_sandbox_key', ...(baggage === undefined ? {} : { baggage }) }
    const answer = await ask(sandbox, 'GET', path, { headers })
    return answer.json.namespace
  }
  const world = '/_sandbox/world'
  expect(await seenBy(world)).toBe('key')
  expect(await seenBy(world, 'userId=alice')).toBe('key')
  expect(await seenBy(world, 'userId=alice , sandbox.ns = test-1;ttl=5,isProduction=false')).toBe('test-1')
  expect(await seenBy(world, 'sandbox.ns=test%2D1')).toBe('test-1')
  expect(await seenBy(`/ns/url${world}`, 'sandbox.ns=test-1')).toBe('url')
})

test('an invalid name, two names, and a misspelled key are refused and create nothing', async () => {
  await using sandbox = await createSandbox()
  const request = (path: string, headers: Record<string, string> = {}) =>
    ask(sandbox, 'GET', path, { headers: { Authorization: 'Bearer sk_sandbox_default', ...headers } })
  const refusal = (message: RegExp) => ({
    status: 400,
    json: { error: 'validation_error', message: expect.stringMatching(message) },
  })
  for (const name of ['Suite', 'a%62', 'a.b', '%zz', 'x'.repeat(65)])
    for (const path of ['/v1/messages', '/_sandbox/clock', '/_sandbox/health'])
      expect(await request(`/ns/${name}${path}`)).toMatchObject(
        refusal(/^namespace: must name a namespace with 1 to 64/),
      )
  expect(await request('/ns//v1/messages')).toMatchObject(refusal(/^namespace: /))
  for (const baggage of ['sandbox.ns=', 'sandbox.ns=A', 'sandbox.ns=%zz', 'sandbox.ns'])
    expect(await request('/v1/messages', { baggage })).toMatchObject(refusal(/^baggage: must name a namespace/))
  expect(await request('/v1/messages', { baggage: 'sandbox.ns=a,sandbox.ns=b' })).toMatchObject(refusal(/a, b/))
  expect(await request('/v1/messages', { baggage: 'sandbox.namespace=a' })).toMatchObject(refusal(/sandbox\.ns/))
  for (const path of ['/ns/a', '/ns/a/', '/ns/a/ns/b/v1/messages', '/ns/a/v1', '/ns/a//_sandbox/clock'])
    expect((await request(path)).status).toBe(404)
  expect(await namesOf(sandbox)).toEqual(['default'])
})

test('a namespace in the URL changes neither the need for a key nor the protection from web pages', async () => {
  await using sandbox = await createSandbox()
  const page = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const status = async (method: string, path: string, headers: Record<string, string>) => {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
    return (await onTheWire(sandbox.url, [`${method} ${path} HTTP/1.1`, ...lines])).status
  }
  expect(await status('GET', '/ns/a/v1/messages', {})).toBe(401)
  expect(await status('GET', '/ns/a/v1/messages', { Authorization: 'Bearer sk_live_x' })).toBe(401)
  expect(await status('POST', '/ns/a/_sandbox/reset', page)).toBe(403)
  expect(await status('GET', '/ns/a/_sandbox/clock', { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  expect(await status('GET', '/ns/a/_sandbox/clock', { Host: 'evil.example' })).toBe(403)
  // Requests that any page can make create no namespace.
  for (const path of [
    '/_sandbox/health',
    '/_sandbox/doi/x',
    '/v1/../_sandbox/reset',
    '/v1/nothing',
    '/_sandbox/nothing',
  ])
    await status('GET', `/ns/a${path}`, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' })
  expect(await namesOf(sandbox)).toEqual(['default'])
})

test('device names of Windows name no namespace', async () => {
  await using sandbox = await createSandbox()
  for (const name of ['con', 'nul', 'aux', 'prn', 'com1', 'lpt9'])
    expect(
      await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: `Bearer sk_sandbox_${name}` } }),
    ).toMatchObject({ status: 401, json: { message: expect.stringContaining('device names of Windows') } })
  for (const name of ['console', 'con-1', 'nul_', 'com10'])
    expect(
      await ask(sandbox, 'GET', '/v1/messages', { headers: { Authorization: `Bearer sk_sandbox_${name}` } }),
    ).toMatchObject({ status: 200 })
})
