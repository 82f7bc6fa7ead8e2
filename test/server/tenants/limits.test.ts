import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { targetListOf } from '../../../src/http/target-list.ts'
import { MAX_COPIES, MAX_STREAMS } from '../../../src/server/tenants/open-calls.ts'
import { sandboxCommand } from '../../cli/terminal.ts'
import { holdMachineClock, moveMachineClock } from '../../machine-clock.ts'
import { phones, rcsText } from '../../magic.ts'
import { startReceiver } from '../../receiver.ts'
import { shared } from './shared.ts'

const send = { ...rcsText, to: phones.readsAll }

test('a namespace keeps no more messages than its limit, until some are removed or the limit is raised', async () => {
  const { create, admin } = await shared()
  const team = await create('team-a', { max_messages: 2 })
  for (const status of [200, 200, 422, 422])
    expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status })
  expect((await team.ask('POST', '/v1/messages', send)).json).toMatchObject({
    error: 'limit_exceeded',
    max_messages: 2,
  })
  expect((await team.ask('GET', '/v1/messages')).json.messages).toHaveLength(2)
  await admin('PUT', '/_sandbox/namespaces/team-a', { max_messages: 3 })
  for (const status of [200, 422]) expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status })
  await team.ask('POST', '/_sandbox/reset', { scope: 'messages' })
  expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
})

test('messages that were deleted with their lease do not count against the limit', async () => {
  const { create } = await shared()
  const team = await create('team-a', { max_messages: 2 })
  for (let n = 0; n < 3; n++) {
    const { id, address } = (await team.ask('POST', '/_sandbox/leases', { kind: 'phone', consent: true })).json
    for (const status of n < 2 ? [200] : [200, 200, 422])
      expect(await team.ask('POST', '/v1/messages', { ...send, to: address })).toMatchObject({ status })
    await team.ask('DELETE', `/_sandbox/leases/${id}`)
  }
})

test('a namespace sends no faster than its limit, whatever its own rate limits say', async () => {
  holdMachineClock()
  const { create } = await shared()
  const [team, other] = [await create('team-a', { max_sends_per_minute: 2 }), await create('team-b')]
  await team.ask('PUT', '/_sandbox/rate-limits', { enabled: false })
  for (const status of [200, 200, 429]) expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status })
  // No other team sees what was refused.
  const { requests } = (await team.ask('GET', '/_sandbox/requests?status=429')).json
  expect(requests).toMatchObject([{ status: 429, operation: 'messages.send' }])
  expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({
    json: { error: 'rate_limit_exceeded', retry_after: 30 },
    headers: { 'retry-after': '30', 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' },
  })
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(await other.ask('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
  moveMachineClock(60_000)
  expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
})

test('a namespace that has used up its storage stores nothing more, and can free some', async () => {
  const { create, admin } = await shared()
  const team = await create('team-a', { max_storage_bytes: 10_000_000 })
  const snapshot = async (name: string) =>
    (await team.ask('POST', '/_sandbox/snapshots', { name })).json.bytes as number
  const bytes = await snapshot('one')
  await admin('PUT', '/_sandbox/namespaces/team-a', { max_storage_bytes: Math.round(bytes * 2.5) })
  await snapshot('two')
  const { namespaces } = (await admin('GET', '/_sandbox/namespaces')).json as {
    namespaces: { name: string; tenant?: { storage_bytes: number } }[]
  }
  const used = namespaces.find(({ name }) => name === 'team-a')?.tenant?.storage_bytes
  for (const [path, body] of [
    ['/v1/messages', send],
    ['/_sandbox/snapshots', { name: 'three' }],
  ] as const)
    expect(await team.ask('POST', path, body)).toMatchObject({
      status: 503,
      json: { error: 'storage_unavailable', message: expect.stringContaining(`uses ${used} bytes of its limit`) },
    })
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect(await team.ask('DELETE', '/_sandbox/snapshots/two')).toMatchObject({ status: 200 })
  expect(await team.ask('POST', '/v1/messages', send)).toMatchObject({ status: 200 })
})

test('one long call stops where the storage is used up, and says what it has stored', async () => {
  const { create, admin, url } = await shared()
  const team = await create('team-a', { max_storage_bytes: 10_000_000 })
  const { bytes } = (await team.ask('POST', '/_sandbox/snapshots', { name: 'one' })).json as { bytes: number }
  await admin('PUT', '/_sandbox/namespaces/team-a', { max_storage_bytes: 2 * bytes + 400_000 })
  const before = (await team.ask('GET', '/_sandbox/contacts')).json.total as number
  const { status, json } = await team.ask('POST', '/_sandbox/contacts/generate', { count: 20_000 })
  expect([status, json.error]).toEqual([503, 'storage_unavailable'])
  const { total } = (await team.ask('GET', '/_sandbox/contacts')).json
  const made = Number(/(\S+) contacts were generated/.exec(String(json.message))?.[1]?.replace(',', ''))
  expect(total).toBe(before + made)
  expect(made).toBeGreaterThan(0)
  expect(json.message).not.toMatch(/nothing was changed/i)
  // The command makes several calls.
  await admin('PUT', '/_sandbox/namespaces/team-a', { max_storage_bytes: 2 * bytes + 5_000_000 })
  const env = { SANDBOX_BASE_URL: url, SANDBOX_API_KEY: team.api_key, SANDBOX_CONTROL_TOKEN: team.control_token }
  expect(await sandboxCommand(['contacts', 'generate', '40000'], { env })).toMatchObject({
    code: 11,
    stderr: expect.stringMatching(/Earlier parts of this command generated \d0,000 contacts\./),
  })
})

test('a namespace has a limited number of open streams, and others are not affected', async () => {
  const { create, url } = await shared()
  const [team, other] = [await create('team-a'), await create('team-b')]
  const open = async ({ control_token }: { control_token: string }) => {
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const headers = { 'X-Sandbox-Token': control_token }
    return { answer: await fetch(`${url}/_sandbox/events/stream`, { headers, signal: stop.signal }), stop }
  }
  const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => open(team)))
  expect(streams.every(({ answer }) => answer.status === 200)).toBe(true)
  const refused = (await open(team)).answer
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({
    error: 'too_many_open_files',
    message: expect.stringContaining('200 open streams'),
  })
  expect(await team.ask('GET', '/v1/messages')).toMatchObject({ status: 200 })
  expect((await open(other)).answer.status).toBe(200)
  streams[0]!.stop.abort()
  await expect.poll(async () => (await open(team)).answer.status).toBe(200)
})

test('a namespace has a limited number of exports that their callers have not read', async () => {
  const { create, url } = await shared()
  const [team, other] = [await create('team-a'), await create('team-b')]
  // More than the system buffers for a connection.
  for (let i = 0; i < 4; i++) await team.ask('POST', '/_sandbox/contacts/generate', { count: 10_000 })
  for (const { ask } of [team, other])
    expect(await ask('POST', '/_sandbox/snapshots', { name: 'full' })).toMatchObject({ status: 201 })
  const open = async ({ control_token }: { control_token: string }) => {
    const headers = { 'X-Sandbox-Token': control_token }
    const request = get(`${url}/_sandbox/snapshots/full/export`, { headers, agent: false })
    onTestFinished(() => void request.destroy())
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, stop: () => request.on('error', () => {}).destroy() }
  }
  const exports = []
  for (let i = 0; i < MAX_COPIES; i++) exports.push(await open(team))
  expect(exports.map(({ status }) => status)).toEqual(exports.map(() => 200))
  for (const [method, path] of [
    ['POST', '/_sandbox/snapshots'],
    ['GET', '/_sandbox/snapshots/full/export'],
    ['GET', '/_sandbox/world/dump'],
  ] as const)
    expect(await team.ask(method, path)).toMatchObject({
      status: 503,
      json: { error: 'too_many_open_files', max_copies: MAX_COPIES },
    })
  expect((await open(other)).status).toBe(200)
  exports[0]!.stop()
  await expect.poll(async () => (await open(team)).status).toBe(200)
})

test('webhooks reach the listed targets only', async () => {
  await using receiver = await startReceiver()
  const allowWebhookTargets = targetListOf('127.0.0.1')
  if (typeof allowWebhookTargets === 'string') throw new Error(allowWebhookTargets)
  const { create } = await shared({ allowWebhookTargets })
  const team = await create('team-a')
  const deliver = async (url: string) => {
    const { json } = await team.ask('POST', '/v1/webhooks', { url, events: ['*'] })
    return (await team.ask('POST', `/v1/webhooks/${json.id}/test`)).json
  }
  const { port } = new URL(receiver.url)
  expect(await deliver(`http://127.0.0.1:${port}/`)).toMatchObject({ delivered: true })
  for (const host of ['localhost', '[::1]', '10.0.0.1'])
    expect(await deliver(`http://${host}:${port}/`)).toMatchObject({
      delivered: false,
      error: expect.stringContaining('--allow-webhook-targets'),
    })
  expect(receiver.received).toHaveLength(1)
})
