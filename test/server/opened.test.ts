import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isOfThisMachine, isPublicAddress } from '../../src/http/public-address.ts'
import type { EmulatorOptions } from '../../src/server/emulator.ts'
import { loadWorldFile } from '../../src/server/world-source.ts'
import { worldLikeDefault } from '../folder.ts'
import { ask as askBare } from '../http.ts'
import { urlOf } from '../url-of.ts'
import { onTheWire } from './raw-request.ts'
import { reachableEmulator } from './reachable.ts'

const TOKEN = 'ct_a-token-of-this-test'

async function open(options: Partial<EmulatorOptions> = {}, world = 'default') {
  const emulator = await reachableEmulator({ world: await loadWorldFile(world), controlToken: TOKEN, ...options })
  const ask = (method: string, path: string, body?: object) =>
    askBare({ url: emulator.url, apiKey: 'sk_sandbox_default' }, method, path, {
      body,
      headers: { 'X-Sandbox-Token': TOKEN },
    })
  const deliverTo = async (url: string) => {
    const { json } = await ask('POST', '/v1/webhooks', { url, events: ['*'] })
    return (await ask('POST', `/v1/webhooks/${json.id}/test`)).json
  }
  return { ...emulator, ask, deliverTo }
}

/** Counts connections, and answers each with 200. */
async function target() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  return { port: new URL(await urlOf(server)).port, count: () => connections }
}

/** This machine in every spelling. */
const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '0x7f000001',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  'localhost',
  'LOCALHOST',
]

test('an opened sandbox connects to no loopback or private address, whatever its spelling', async () => {
  const { port, count } = await target()
  const { deliverTo } = await open()
  const hosts = [...SPELLINGS, '10.1.2.3', '172.20.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', '[fe80::1]']
  // An endpoint at another machine has to be https.
  const urls = [
    ...hosts.map((host) => `https://${host}:${port}/hook`),
    ...['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '[::1]'].map((host) => `http://${host}:${port}/hook`),
  ]
  for (const url of urls)
    expect({ url, ...(await deliverTo(url)) }).toMatchObject({
      url,
      delivered: false,
      status_code: null,
      error: expect.stringMatching(/a loopback, private, link-local or reserved address.*--allow-webhook-targets/),
    })
  expect(count()).toBe(0)
})

test('webhooks of an opened sandbox reach this machine where the start or the world file permits it', async () => {
  const permitted = await worldLikeDefault((file) => {
    file.webhooks = { private_targets: true }
  })
  for (const { deliverTo } of [
    await open({ allowWebhookTargets: true }),
    await open({}, permitted),
    await open({ host: undefined }),
  ]) {
    const { port, count } = await target()
    for (const host of ['127.0.0.1', 'localhost'])
      expect(await deliverTo(`http://${host}:${port}/hook`)).toMatchObject({ delivered: true, status_code: 200 })
    expect(count()).toBe(2)
  }
})

test('public addresses are distinguished from all others', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    '64:ff9b::7f00:1',
    '::ffff:0:127.0.0.1',
    ...['192.0.2.1', '192.88.99.1', '198.51.100.1', '203.0.113.1'],
    ...['100::1', '2001:2::1', '2001:db8::1', '3fff::1', '5f00::1'],
    'x',
  ]
  for (const address of inside) expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2001:4860::8888', '2606:4700::1111', '2a00:1450::1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
})

test('a public address of this machine is known as one', () => {
  const own = { eth0: [{ address: '8.8.8.8' }, { address: '2606:4700::1111' }] } as unknown as ReturnType<
    typeof networkInterfaces
  >
  expect(['8.8.8.8', '2606:4700::1111', '1.1.1.1'].map((address) => isOfThisMachine(address, own))).toEqual([
    true,
    true,
    false,
  ])
  expect(isOfThisMachine('127.0.0.1')).toBe(true)
})

test('the link of a double opt-in has the configured address, whatever Host the caller sends', async () => {
  const { ask, url, port } = await open()
  const body = JSON.stringify({
    ...{ channel_type: 'EMAIL', message_type: 'NEWSLETTER', status: 'PENDING', source: 'form' },
    ...{ enforced_doi: true, doi_channel: 'EMAIL' },
  })
  await ask('POST', '/v1/contacts', { email: 'ada@example.com', external_id: 'ada' })
  const head = [
    'POST /v1/contacts/ada/consent HTTP/1.1',
    'Host: evil.example',
    'Authorization: Bearer sk_sandbox_default',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  expect(await onTheWire(url, head, body)).toMatchObject({ status: 201 })
  const { json } = await ask('GET', '/_sandbox/inbox/ada@example.com')
  expect(JSON.stringify(json)).toContain(`http://localhost:${port}/_sandbox/doi/`)
  expect(JSON.stringify(json)).not.toContain('evil.example')
})

/** Opens connections and ends when all of them are open. */
const OPEN_ALL = `
  const { connect } = require('node:net')
  let missing = Number(process.argv[2])
  for (let n = missing; n > 0; n--) connect(process.argv[1], '127.0.0.1', () => --missing === 0 && process.exit())
`

// Other systems may have a lower limit.
test.runIf(process.platform === 'linux')('a thousand connections can wait while a sandbox is busy', async () => {
  const { port } = await open({ host: undefined })
  // The call blocks this process and the sandbox in it, so that it accepts nothing.
  const { status } = spawnSync(process.execPath, ['-e', OPEN_ALL, String(port), '1000'], { timeout: 60_000 })
  expect(status).toBe(0)
})
