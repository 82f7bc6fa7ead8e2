import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { holdMachineClock } from '../machine-clock.ts'
import { agents, phone, rcsText, uuid } from '../magic.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

const key = { authorization: 'Bearer sk_sandbox_default' }
const json = { ...key, 'content-type': 'application/json' }
const sending = (body: unknown, headers: Record<string, string> = json): RequestInit => ({
  method: 'POST',
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Headers of a connection, and values that differ at each moment. */
const PASSING = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'x-ratelimit-reset']

async function answered(reach: typeof fetch, url: string, init?: RequestInit) {
  const answer = await reach(url, init)
  const headers = [...answer.headers].filter(([name]) => !PASSING.includes(name))
  const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
  return { status: answer.status, statusText: answer.statusText, headers, body }
}

/** In this order, because each request depends on the ones before it. */
const requests: readonly [path: string, init?: RequestInit][] = [
  ['/_sandbox/health'],
  ['/_sandbox/world', { headers: key }],
  ['/_sandbox/clock', { method: 'HEAD' }],
  ['/v1/messages', sending({ ...rcsText, to: phone(50), idempotency_key: uuid(7) })],
  ['/v1/messages', sending({ ...rcsText, to: phone(50), idempotency_key: uuid(7) })],
  ['/v1/messages', sending({ ...rcsText, to: phone(10) })],
  ['/v1/messages', sending({ ...rcsText, to: phone(43), extra: 'ü' })],
  ['/v1/messages', sending('{ "to": ')],
  ['/v1/messages', sending('')],
  ['/v1/messages', sending('to=x', { ...key, 'content-type': 'application/x-www-form-urlencoded' })],
  ['/v1/messages', sending('{}', key)],
  ['/v1/messages', sending(`"${'x'.repeat(1024 * 1024)}"`)],
  ['/v1/messages', { method: 'POST', headers: json, body: new Blob(['{}']) }],
  ['/v1/messages', { method: 'POST', headers: json }],
  ['/v1/messages', { method: 'PUT', headers: json, body: '{}' }],
  ['/v1/messages?limit=2&to=%2B491713920050', { headers: key }],
  ['/v1/messages?to=+491713920050', { headers: key }],
  ['/v1/messages?limit=x', { headers: key }],
  ['/v1/messages'],
  ['/v1/messages', { headers: { authorization: 'Bearer sk_live_1' } }],
  ['/v1/contacts/magic-50', { headers: key }],
  ['/v1/contacts/%zz', { headers: key }],
  ['/v1/contact', { headers: key }],
  ['/v1/webhooks', sending({ url: 'https://example.com/hook', events: ['*'], secret: 'whsec_of_this_test' })],
  [`/v1/rcs/agents/${agents.multi}`, { headers: key }],
  ['/_sandbox/clock/advance', sending({ by: '24h' })],
  ['/_sandbox/events?limit=3', { headers: key }],
  ['/ns/other/v1/billing/balance', { headers: key }],
  ['/v1/billing/balance', { headers: { ...key, baggage: 'sandbox.ns=other' } }],
  ['/_sandbox/clock', { headers: { origin: 'https://evil.example' } }],
  ['/_sandbox/reset', sending({})],
  ['/docs', { headers: { accept: 'text/html' } }],
  ['/', { headers: { accept: 'text/html' } }],
  ['/openapi.json'],
]

test('fetch of a sandbox answers every request as its socket does', async () => {
  holdMachineClock()
  const seed = { seed: 'fetch', now: '2026-01-01T00:00:00Z' }
  await using inside = await createSandbox(seed)
  await using outside = await createSandbox(seed)
  for (const [path, init] of requests) {
    // Each names its own host, which some answers repeat.
    const theirs = await answered(fetch, outside.url + path, init)
    const ours = await answered(inside.fetch as typeof fetch, inside.url + path, init)
    const repeated = (text: string, { url }: Sandbox) =>
      Buffer.from(text, 'base64').toString().replaceAll(new URL(url).host, 'localhost')
    const answer = { path, ...ours, body: repeated(ours.body, inside) }
    expect(answer).toEqual({ path, ...theirs, body: repeated(theirs.body, outside) })
  }
})

test('sandbox.fetch accepts paths, URLs and requests, but no other server', async () => {
  await using sandbox = await createSandbox()
  const health = async (input: string | URL | Request) => (await sandbox.fetch(input)).status
  const { port } = new URL(sandbox.url)
  expect(await health('/_sandbox/health')).toBe(200)
  expect(await health(new URL(`http://127.0.0.1:${port}/_sandbox/health`))).toBe(200)
  expect(await health(new Request(`http://[::1]:${port}/_sandbox/health`))).toBe(200)
  for (const url of ['https://example.com/v1/messages', 'http://localhost:1/', `https://localhost:${port}/`])
    await expect(health(url)).rejects.toThrow(/^sandbox\.fetch can call http:\/\/localhost:\d+ only/)
  const request = new Request(`${sandbox.url}/v1/messages`, sending({ ...rcsText, to: phone(50) }))
  expect((await sandbox.fetch(request)).status).toBe(200)
})

test('limits and faults apply to requests by fetch, and broken connections break', async () => {
  holdMachineClock()
  await using sandbox = await createSandbox({ rateLimits: true, limits: { send: 2 } })
  const reach = sandbox.fetch as typeof fetch
  const send = () => reach('/v1/messages', sending({ ...rcsText, to: phone(50) }))
  expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([200, 200, 429])
  const { faults } = sandbox
  const balance = () => reach('/v1/billing/balance', { headers: key })
  await faults.add({ routes: ['billing.balance'], reset: 'before', times: 1 })
  await expect(balance()).rejects.toThrow(TypeError)
  await faults.add({ routes: ['billing.balance'], reset: 'after', times: 1 })
  await expect(balance()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await faults.add({ routes: ['billing.balance'], truncate: 10, times: 1 })
  const cut = await balance()
  expect(cut.status).toBe(200)
  await expect(cut.text()).rejects.toThrow()
  await faults.add({ routes: ['billing.balance'], latency: '5ms', times: 1 })
  expect(await (await balance()).json()).toMatchObject({ total: 1000 })
})

test('a stream comes as it is written, and ends when its reader leaves', async () => {
  await using sandbox = await createSandbox()
  const answer = await sandbox.fetch('/_sandbox/events/stream?after=0')
  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (word: string) => {
    while (!text.includes(word)) text += (await reader.read()).value
  }
  await until('hello')
  await sandbox.client.messages.send({ ...rcsText, to: phone(50) })
  await until('message.queued')
  await reader.cancel()
  // No reader follows the world any more, so it can be restored at once.
  await sandbox.reset()
})

test('an abort cancels a request without an answer, and an answer that is being read', async () => {
  await using sandbox = await createSandbox()
  const reach = sandbox.fetch as typeof fetch
  await expect(reach('/_sandbox/health', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  await sandbox.faults.add({ routes: ['billing.balance'], latency: '1h' })
  const leaving = new AbortController()
  const waiting = reach('/v1/billing/balance', { headers: key, signal: leaving.signal })
  await sleep(0)
  leaving.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  const reading = new AbortController()
  const stream = await reach('/_sandbox/events/stream', { signal: reading.signal })
  const reader = stream.body!.getReader()
  await reader.read()
  reading.abort()
  await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' })
})

test('repeated polling by fetch does not delay scheduled work', async () => {
  await using sandbox = await createSandbox({ clock: 'auto' })
  const { message_id } = await sandbox.client.messages.send({ ...rcsText, to: phone(50) })
  const status = async () => {
    const answer = await sandbox.fetch(`/v1/messages/${message_id}`, { headers: key })
    return ((await answer.json()) as { status: string }).status
  }
  while ((await status()) === 'queued');
  expect(await status()).not.toBe('queued')
})

test('a sandbox that has stopped answers no fetch', async () => {
  const sandbox = await createSandbox()
  await sandbox.stop()
  await expect(sandbox.fetch('/_sandbox/health')).rejects.toThrow('fetch failed')
})

test('parallel requests each get their own answer', async () => {
  await using sandbox = await createSandbox()
  const externalId = async (nn: number) => {
    const answer = await sandbox.fetch(`/v1/contacts/magic-${nn}`, { headers: key })
    return ((await answer.json()) as { external_id: string }).external_id
  }
  const numbers = Array.from({ length: 40 }, (_, i) => 50 + i)
  expect(await Promise.all(numbers.map(externalId))).toEqual(numbers.map((nn) => `magic-${nn}`))
})

test('a process that waits for nothing else lives until its request is answered', async () => {
  const script = `
    const { createSandbox } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)})
    const sandbox = await createSandbox()
    await sandbox.faults.add({ routes: ['billing.balance'], latency: '50ms' })
    const headers = { authorization: 'Bearer ' + sandbox.apiKey }
    console.log((await sandbox.fetch('/v1/billing/balance', { headers })).status)
    console.log((await sandbox.client.billing.balance()).total)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('200\n1000\n')
})

test('a Request that keeps the case of header names, as that of happy-dom, is answered', async () => {
  await using sandbox = await createSandbox()
  class CasedRequest extends Request {
    override headers = new Map([['Authorization', key.authorization]]) as unknown as Headers
  }
  vi.stubGlobal('Request', CasedRequest)
  try {
    expect((await sandbox.fetch('/v1/billing/balance')).status).toBe(200)
  } finally {
    vi.unstubAllGlobals()
  }
})
