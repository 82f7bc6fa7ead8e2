import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/index.ts'
import { phones, rcsText } from '../../magic.ts'
import { createSandbox } from '../../sandbox.ts'
import { messageCount, send } from './sends.ts'

const body = JSON.stringify({ ...rcsText, to: phones.readsAll })
const headersOf = ({ apiKey }: Sandbox) => ({ Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' })

/** The outcome of a send by fetch: a status, or the code of the underlying error. */
async function fetched(sandbox: Sandbox): Promise<string> {
  try {
    const answer = await fetch(`${sandbox.url}/v1/messages`, { method: 'POST', headers: headersOf(sandbox), body })
    await answer.text()
    return String(answer.status)
  } catch (error) {
    return `${(error as Error).message}: ${((error as Error).cause as { code?: string })?.code}`
  }
}

/** The error of node:http, with the received bytes. */
function requested(sandbox: Sandbox, method = 'POST', path = '/v1/messages', sent = body) {
  return new Promise<{ error?: string; status?: number; promised?: number; came: string }>((resolve) => {
    let came = ''
    const outgoing = request(sandbox.url + path, { method, headers: headersOf(sandbox), agent: false })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code!, came }))
    outgoing.on('response', (incoming) => {
      const head = { status: incoming.statusCode!, promised: Number(incoming.headers['content-length']) }
      incoming.on('data', (chunk) => {
        came += chunk
      })
      incoming.on('error', (error: NodeJS.ErrnoException) => resolve({ ...head, error: error.code!, came }))
      incoming.on('end', () => resolve({ ...head, came }))
    })
    outgoing.end(method === 'POST' ? sent : undefined)
  })
}

test('a reset before the call breaks the connection, and nothing has changed', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], reset: 'before', times: 2 })
  expect(await fetched(sandbox)).toBe('fetch failed: ECONNRESET')
  expect(await requested(sandbox)).toEqual({ error: 'ECONNRESET', came: '' })
  expect(await messageCount(sandbox)).toBe(0)
  expect(await fetched(sandbox)).toBe('200')
})

test('a call that a reset leaves without an answer is named in the evidence', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], reset: 'before', times: 1 })
  await expect(send(sandbox)).rejects.toThrow('closed the connection')
  const { lines } = await sandbox.client.evidence.show()
  expect(lines.join('\n')).toMatch(/POST \/v1\/messages → no answer was sent \(fault: /)
})

test('a reset after the call loses only the answer, and the same idempotency key returns it', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], reset: 'after', times: 1 })
  const key = { 'Idempotency-Key': randomUUID() }
  await expect(send(sandbox, key)).rejects.toThrow('closed the connection')
  const [made] = (await sandbox.client.messages.list()).messages
  const again = await send(sandbox, key)
  expect(again).toMatchObject({ status: 200, json: { message_id: made!.id } })
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(await messageCount(sandbox)).toBe(1)
  expect(await sandbox.client.billing.balance()).toMatchObject({ reserved: 0.05 })
})

test('a reset after the call loses a refusal as well', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], reset: 'after', times: 1 })
  expect(await requested(sandbox, 'POST', '/v1/messages', '{}')).toEqual({ error: 'ECONNRESET', came: '' })
  expect(await requested(sandbox, 'POST', '/v1/messages', '{}')).toMatchObject({ status: 400 })
})

test.each([
  ['50%', (bytes: number) => Math.floor(bytes / 2)],
  [20, () => 20],
  [0, () => 0],
  ['120000', (bytes: number) => bytes - 1],
] as const)('an answer cut to %s promises all of its bytes and ends early', async (truncate, keptOf) => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], truncate, times: 2 })
  const { error, status, promised, came } = await requested(sandbox)
  expect({ error, status }).toEqual({ error: 'ECONNRESET', status: 200 })
  expect(came).toHaveLength(keptOf(promised!))
  expect(await fetched(sandbox)).toMatch(/^terminated: (UND_ERR_SOCKET|ECONNRESET)$/)
  // Both were done; only their answers are broken.
  expect(await messageCount(sandbox)).toBe(2)
})

test('refusals and answers without a body are cut as well', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.webhooks.create({ url: 'http://127.0.0.1:9/hook', events: ['*'] })
  await sandbox.client.faults.add({ routes: ['messages.send', 'webhooks.delete'], truncate: '10%' })
  expect(await requested(sandbox, 'POST', '/v1/messages', '{}')).toMatchObject({ status: 400, error: 'ECONNRESET' })
  expect(await requested(sandbox, 'DELETE', `/v1/webhooks/${id}`)).toEqual({ error: 'ECONNRESET', came: '' })
  expect((await sandbox.client.webhooks.list()).data).toEqual([])
})

test('latency makes a call wait on the machine, and a client that gives up has done nothing', async () => {
  await using sandbox = await createSandbox()
  const { id } = await sandbox.client.faults.add({ routes: ['messages.send'], latency: '300ms', times: 1 })
  const from = performance.now()
  const answer = await send(sandbox)
  expect(performance.now() - from).toBeGreaterThanOrEqual(295)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-sandbox-fault': id } })
  await sandbox.client.faults.add({ routes: ['messages.send'], latency: '1h' })
  const signal = AbortSignal.timeout(100)
  await expect(
    fetch(`${sandbox.url}/v1/messages`, { method: 'POST', headers: headersOf(sandbox), body, signal }),
  ).rejects.toThrow()
  expect(await messageCount(sandbox)).toBe(1)
})

test('a stop does not wait for latency', async () => {
  const sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], latency: '1h' })
  const waiting = send(sandbox)
  while ((await sandbox.client.faults.list()).faults[0]!.hits === 0);
  await sandbox.stop()
  // A stop that waits does end; a request that does not wait is answered.
  expect(await waiting).toMatchObject({ status: 503, json: { error: 'shutting_down' } })
})

test('latencies of several faults add up, also with the fault that refuses', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['*'], latency: '100ms' })
  await sandbox.client.faults.add({ routes: ['messages.*'], latency: '50ms..60ms', status: 503 })
  await sandbox.client.faults.add({ routes: ['*'], latency: '1h' })
  const from = performance.now()
  expect((await send(sandbox)).status).toBe(503)
  expect(performance.now() - from).toBeGreaterThanOrEqual(145)
  expect((await sandbox.client.faults.list()).faults.map(({ seen }) => seen)).toEqual([1, 1, 0])
})

test('a broken connection does not affect requests on other connections', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['messages.send'], reset: 'before', share: 0.5 })
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => fetched(sandbox)))
  const taken = outcomes.filter((outcome) => outcome === '200').length
  const [fault] = (await sandbox.client.faults.list()).faults
  expect(await messageCount(sandbox)).toBe(taken)
  // fetch repeats a request that a reused connection lost before an answer.
  expect(fault!.seen - fault!.hits).toBe(taken)
  expect(taken).toBeGreaterThan(5)
  expect(taken).toBeLessThan(40)
})

test('two requests on one connection: the first cut, the second never answered', async () => {
  await using sandbox = await createSandbox()
  await sandbox.client.faults.add({ routes: ['billing.balance'], truncate: 5 })
  const call = `GET /v1/billing/balance HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sandbox.apiKey}\r\n\r\n`
  const text = await new Promise<string>((resolve) => {
    let came = ''
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1', () => socket.write(call + call))
    socket.on('data', (chunk) => {
      came += chunk
    })
    socket.on('close', () => resolve(came))
    socket.on('error', () => resolve(came))
  })
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
  expect(text.split('\r\n\r\n')[1]).toBe('{"fre')
})
