import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import type { EmulatorOptions } from '../../src/server/emulator.ts'
import { folder } from '../folder.ts'
import { ask as askBare } from '../http.ts'
import { follow } from '../relay/follow.ts'
import { onTheWire } from './raw-request.ts'
import { reachableEmulator } from './reachable.ts'

const TOKEN = 'ct_a-token-of-this-test'
const KEY = { apiKey: 'sk_sandbox_default' }

async function open(options: Partial<EmulatorOptions> = {}) {
  const emulator = await reachableEmulator(options)
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    askBare({ url: emulator.url, ...KEY }, method, path, { headers })
  return { ...emulator, ask }
}

test('an opened sandbox requires the token for its whole control plane', async () => {
  const { ask } = await open({ controlToken: TOKEN })
  const wanted = [
    ['GET', '/_sandbox/events'],
    ['GET', '/_sandbox/events/stream'],
    ['GET', '/_sandbox/events/secret'],
    ['GET', '/_sandbox/requests'],
    ['GET', '/_sandbox/world'],
    ['GET', '/_sandbox/inbox/ada@example.com'],
    ['POST', '/_sandbox/reset'],
    ['POST', '/_sandbox/clock/mode'],
  ] as const
  for (const [method, path] of wanted)
    for (const headers of [
      {},
      { 'X-Sandbox-Token': 'wrong' },
      { 'X-Sandbox-Token': '' },
      { 'X-Sandbox-Token': `${TOKEN}x` },
    ])
      expect({ path, ...(await ask(method, path, headers as Record<string, string>)) }).toMatchObject({
        path,
        status: 401,
        json: { error: 'control_token_required', message: expect.stringContaining('X-Sandbox-Token') },
      })
  for (const path of ['/_sandbox/events', '/_sandbox/world'])
    expect((await ask('GET', path, { 'X-Sandbox-Token': TOKEN })).status).toBe(200)
})

test('the service itself, its documents, health and the link of a double opt-in need none', async () => {
  const { ask } = await open({ controlToken: TOKEN })
  for (const path of [
    '/v1/messages',
    '/_sandbox/health',
    '/docs',
    '/openapi.json',
    '/_sandbox/docs',
    '/_sandbox/openapi.json',
  ])
    expect({ path, status: (await ask('GET', path)).status }).toEqual({ path, status: 200 })
  expect((await ask('GET', '/_sandbox/doi/default.doi_unknown')).json).toMatchObject({ error: 'not_found' })
  expect((await ask('GET', '/nothing')).status).toBe(404)
})

test('a call from the same machine needs the token too, because it may come from a proxy', async () => {
  const { ask } = await open({ controlToken: TOKEN })
  expect((await ask('GET', '/_sandbox/world', { Host: 'localhost' })).status).toBe(401)
})

test('a web page cannot use the control plane even with the token', async () => {
  const { ask } = await open({ controlToken: TOKEN })
  const page = { 'X-Sandbox-Token': TOKEN, Origin: 'https://evil.example' }
  expect((await ask('GET', '/_sandbox/world', page)).status).toBe(403)
})

test('a token can be required on loopback as well', async () => {
  const { ask } = await open({ controlToken: TOKEN, host: undefined })
  expect((await ask('GET', '/_sandbox/world')).status).toBe(401)
  expect((await ask('GET', '/_sandbox/world', { 'X-Sandbox-Token': TOKEN })).status).toBe(200)
})

test('a sandbox that is not opened has no token', async () => {
  const { controlToken, ask } = await open({ host: undefined })
  expect(controlToken).toBeUndefined()
  expect((await ask('GET', '/_sandbox/world')).status).toBe(200)
})

test('the token is random, and the data folder keeps it for the next start', async () => {
  const data = await folder()
  const first = await open({ folder: data, seed: 'one' })
  await first.stop()
  const again = await open({ folder: data, seed: 'one' })
  const other = await open({ seed: 'one' })
  expect(first.controlToken).toMatch(/^ct_[\w-]{32}$/)
  expect(again.controlToken).toBe(first.controlToken)
  expect(other.controlToken).not.toBe(first.controlToken)
  const file = join(data, 'control-token')
  expect((await readFile(file, 'utf8')).trim()).toBe(first.controlToken)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the client and the relay send the token', async () => {
  const { url } = await open({ controlToken: TOKEN })
  await expect(createClient({ baseUrl: url, ...KEY }).clock.show()).rejects.toMatchObject({
    code: 'control_token_required',
  })
  const client = createClient({ baseUrl: url, ...KEY, controlToken: TOKEN })
  await using relay = follow({ url, ...KEY }, { controlToken: TOKEN })
  await relay.until('connected')
  await client.contacts.create({ email: 'ada@example.com' })
  await relay.until('event contact.created')
  await using stranger = follow({ url, ...KEY })
  await stranger.until('failed')
})

test('the token is sent to the control plane only, and no log contains it', async () => {
  const { url } = await open({ controlToken: TOKEN })
  const client = createClient({ baseUrl: url, ...KEY, controlToken: TOKEN })
  await client.messages.list()
  await client.clock.show()
  const { requests } = await client.logs.list({ full: 'true' })
  expect(requests[0]!.request!.headers).not.toHaveProperty('x-sandbox-token')
  expect(requests[1]!.request!.headers).toHaveProperty('x-sandbox-token', '[redacted]')
  expect(JSON.stringify(requests)).not.toContain(TOKEN)
})

test.for([
  ['sandbox.internal:7270', 200],
  ['192.168.1.5', 200],
  ['[fe80::1]:80', 200],
  ['evil.example"><script>', 403],
  ['a b', 403],
  ['user@host', 403],
  ['host/path', 403],
] as const)(
  'an opened sandbox answers the Host %s with %i, and creates no link from an invalid name',
  async ([host, status]) => {
    const { url } = await open({ controlToken: TOKEN })
    const lines = ['GET /_sandbox/clock HTTP/1.1', `Host: ${host}`, `X-Sandbox-Token: ${TOKEN}`]
    expect((await onTheWire(url, lines)).status).toBe(status)
  },
)
