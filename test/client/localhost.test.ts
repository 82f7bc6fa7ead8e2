import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import { lookupFor, lookupOnce } from '../../src/http/lookup.ts'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')

test.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
  'localhost reaches a server that listens on %s only',
  async (host) => {
    const server = createServer((_, response) => void response.end('here'))
    await listen(server, 0, host)
    // Another process may have the same port at the other address.
    while (!(await isFree((server.address() as AddressInfo).port, host === '::1' ? '127.0.0.1' : '::1'))) {
      await new Promise((closed) => server.close(closed))
      await listen(server, 0, host)
    }
    const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const { body } = await exchange({ method: 'GET', url, headers: {}, timeoutMs: 5_000 })
    expect(body.toString()).toBe('here')
    server.closeAllConnections()
    server.close()
  },
)

const listen = (server: Server, port: number, host: string) =>
  new Promise<void>((listening, refused) => server.once('error', refused).listen(port, host, listening))

async function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer()
  const refusal = await listen(probe, port, host).catch((error: NodeJS.ErrnoException) => error.code)
  probe.close()
  return refusal !== 'EADDRINUSE'
}

test('only names of this machine are resolved without a lookup', () => {
  for (const url of ['http://localhost:7270', 'http://app.localhost'])
    expect(lookupFor(new URL(url)).lookup).not.toBe(lookupOnce)
  for (const url of ['http://localhost.example.com', 'http://mylocalhost', 'https://api.example.com'])
    expect(lookupFor(new URL(url))).toEqual({ lookup: lookupOnce })
})
