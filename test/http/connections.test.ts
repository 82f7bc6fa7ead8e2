import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import { makeContact, settle, start } from '../service/webhooks/empty-world.ts'
import { urlOf } from '../url-of.ts'
import { ok, startRawServer } from './raw-server.ts'

test('an event is delivered at once though the receiver has closed the connection that was kept', async () => {
  await using sandbox = await start()
  await using receiver = await startRawServer((socket, request) =>
    request === 1 ? socket.write(ok()) : socket.destroy(),
  )
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  for (const name of ['ada', 'grace', 'alan']) {
    await makeContact(sandbox, `${name}@example.com`)
    await settle(sandbox)
  }
  const { data } = await sandbox.client.events.deliveries()
  expect(data.map(({ status, attempts }) => [status, attempts.length])).toEqual(Array(3).fill(['delivered', 1]))
  expect(receiver.connections).toBe(3)
})

test('a receiver that closes a new connection has failed, and is not called twice', async () => {
  await using sandbox = await start()
  await using receiver = await startRawServer((socket) => socket.destroy())
  await sandbox.client.webhooks.create({ url: receiver.url, events: ['contact.created'] })
  await makeContact(sandbox)
  await settle(sandbox)
  expect(receiver.requests).toBe(1)
  expect((await sandbox.client.events.deliveries()).data[0]).toMatchObject({
    status: 'pending',
    attempts: [{ number: 1 }],
  })
})

test('a send that may have arrived is not repeated by itself', async () => {
  await using service = await startRawServer((socket, request) =>
    request === 1 ? socket.write(ok()) : socket.destroy(),
  )
  const call = (method: string) =>
    exchange({ method, url: new URL(service.url), headers: {}, body: '{}', timeoutMs: 5_000 })
  await call('POST')
  await expect(call('POST')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await call('GET')
  expect((await call('GET')).status).toBe(200)
})

/** In a process of its own, since Node reads the variables at its start. */
const SCRIPT = `
  const { exchange } = await import(process.argv[1])
  for (const url of process.argv.slice(2)) {
    const { status } = await exchange({ method: 'GET', url: new URL(url), headers: {}, timeoutMs: 5000 })
    console.log(status)
  }`

test('addresses of this machine are never called through a proxy', async () => {
  const listen = async (answer: string) => {
    const requests: string[] = []
    const server = createServer((req, res) => {
      requests.push(req.url!)
      res.end(answer)
    })
    return { url: await urlOf(server), requests }
  }
  const [proxy, service] = [await listen('proxy'), await listen('service')]
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy.url,
    http_proxy: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: '',
  }
  const here = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${new URL(service.url).port}/here`)
  const module = new URL('../../src/http/exchange.ts', import.meta.url).href
  const arguments_ = ['--input-type=module', '-e', SCRIPT, module, ...here, 'http://service.example/far']
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { env })
  expect(stdout.trim().split('\n')).toEqual(['200', '200', '200'])
  expect(service.requests).toEqual(['/here', '/here'])
  // Only what lies elsewhere: the variables are in force.
  expect(proxy.requests).toEqual(['http://service.example/far'])
})
