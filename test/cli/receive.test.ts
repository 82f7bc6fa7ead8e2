import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verify } from '@octokit/webhooks-methods'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { folder } from '../folder.ts'
import { startReceiver } from '../receiver.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import { startService } from '../stand-in/service.ts'
import { startCommand } from './process.ts'
import { sandboxCommand, startHere } from './terminal.ts'

/** Listening at a service without a control plane, with a tunnel that leads straight to this machine. */
async function tunnelTo(sandbox: Sandbox) {
  const service = await startService({ of: sandbox })
  onTestFinished(() => service[Symbol.asyncDispose]())
  // Where a tunnel would end.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/from-the-tunnel`
  return { url, argv: ['listen', '--live', '--base-url', service.url, '--public-url', url, '--port', String(port)] }
}

async function listening(more: readonly string[], sandbox: Sandbox, cwd?: string) {
  const { url, argv } = await tunnelTo(sandbox)
  return { ...startHere([...argv, ...more], cwd === undefined ? {} : { cwd }), url }
}

test('webhooks of a service arrive through the tunnel with its bytes and signature, and the endpoint is removed at the end', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const cwd = await folder()
  const argv = [
    '--forward-to',
    receiver.url,
    '--events',
    'contact.*',
    '--not',
    'contact.deleted',
    '--write-env',
    '.env',
  ]
  const listener = await listening([...argv, '--header', 'X-Team: shop'], sandbox, cwd)
  const ready = await listener.line(1)
  expect(ready).toMatchObject({ type: 'ready', public_url: listener.url, targets: [{ url: receiver.url }] })
  const { data } = await sandbox.client.webhooks.list()
  expect(data).toMatchObject([{ id: ready.endpoint_id, url: listener.url, events: ['contact.*'] }])
  const { id } = await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.clock.advance('0s')
  await sandbox.client.contacts.delete(id)
  await sandbox.clock.advance('0s')
  const [got] = await receiver.until(1)
  expect(got!.body).toBe((await sandbox.client.events.show('1')).body)
  const [, secret] = /^SANDBOX_WEBHOOK_SECRET=(.*)$/m.exec(await readFile(join(cwd, '.env'), 'utf8'))!
  expect(await verify(secret!, got!.body, got!.headers['x-service-signature']!)).toBe(true)
  expect(got!.headers).toMatchObject({
    'x-service-delivery-attempt': '1',
    'x-service-event-id': got!.event.id,
    'x-team': 'shop',
  })
  expect(await listener.line(2)).toMatchObject({ type: 'event', id: got!.event.id, delivered: true, status: 200 })
  listener.stop('SIGINT')
  expect(await listener.ended).toBe(0)
  expect(await listener.line(3)).toMatchObject({ type: 'stopped', forwarded: 1, refused: 0 })
  expect((await sandbox.client.webhooks.list()).data).toEqual([])
  expect(receiver.received).toHaveLength(1)
})

test('the service gets the answer of your server, so it retries a failed delivery', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  receiver.answer((_, n) => (n === 1 ? { status: 500, body: 'boom' } : 200))
  const listener = await listening(['--forward-to', receiver.url], sandbox)
  await listener.line(1)
  await sandbox.client.contacts.create({ email: 'ada@example.com' })
  await sandbox.clock.advance('0s')
  expect(await listener.line(2)).toMatchObject({ delivered: false, refused: true, status: 500, answer: 'boom' })
  const { deliveries } = await sandbox.client.events.show('1')
  expect(deliveries).toMatchObject([{ status: 'pending', attempts: [{ status_code: 500 }] }])
  await sandbox.clock.advance('1m')
  const received = await receiver.until(2)
  expect(received[1]!.headers['x-service-delivery-attempt']).toBe('2')
})

test('a request without a valid signature is not forwarded', async () => {
  await using sandbox = await createSandbox()
  await using receiver = await startReceiver()
  const listener = await listening(['--forward-to', receiver.url], sandbox)
  await listener.line(1)
  const body = '{"id":"evt_1","event":"message.read","timestamp":"2026-01-01T00:00:00.000Z","data":{}}'
  const post = (headers: Record<string, string>) => fetch(listener.url, { method: 'POST', body, headers })
  expect((await post({})).status).toBe(401)
  expect((await post({ 'X-Service-Signature': `sha256=${'0'.repeat(64)}` })).status).toBe(401)
  expect((await fetch(listener.url)).status).toBe(405)
  expect(receiver.received).toEqual([])
  expect(listener.stderr()).toContain('"type":"refused"')
})

test('the endpoint of a killed listener is reported and pruned; that of a running one is not', async () => {
  await using sandbox = await createSandbox()
  const tunnel = await tunnelTo(sandbox)
  const killed = startCommand(tunnel.argv)
  await killed.line(1)
  killed.child.kill('SIGKILL')
  await killed.ended
  const running = await listening([], sandbox)
  const { endpoint_id } = await running.line(1)
  expect(running.stderr()).toContain('--prune removes')
  const pruned = await sandboxCommand(['listen', '--prune', '--base-url', sandbox.url])
  expect(pruned).toMatchObject({ code: 0, json: { type: 'pruned', endpoints: [{ url: tunnel.url }] } })
  expect((await sandbox.client.webhooks.list()).data.map(({ id }) => id)).toEqual([endpoint_id])
})

test('contradictory options are refused before anything is registered', async () => {
  await using sandbox = await createSandbox()
  const base = ['listen', '--base-url', sandbox.url]
  const codeOf = async (...argv: string[]) => (await sandboxCommand([...base, ...argv])).code
  expect(await codeOf('--public-url', 'abc.example.dev')).toBe(2)
  expect(await codeOf('--public-url', 'https://abc.example.dev', '--cursor', 'dev')).toBe(2)
  expect(await codeOf('--public-url', 'https://abc.example.dev', '--port', new URL(sandbox.url).port)).toBe(2)
  expect(await codeOf('--public-url', 'https://abc.example.dev', '--port', '0', '--events', 'message.deliverd')).toBe(2)
  const plain = await sandboxCommand([...base, '--public-url', 'http://abc.example.dev', '--port', '0'], { tty: true })
  expect(plain).toMatchObject({ code: 4, stderr: expect.stringContaining('--public-url: must begin with https') })
  expect((await sandbox.client.webhooks.list()).data).toEqual([])
})
