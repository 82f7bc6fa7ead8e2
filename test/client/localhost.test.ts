import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { exchange } from '../../src/http/exchange.ts'
import { lookupFor } from '../../src/http/request.ts'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')

test.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
  'localhost reaches a server that listens on %s only',
  async (host) => {
    const server = createServer((_, response) => void response.end('here'))
    await new Promise<void>((listening) => server.listen(0, host, listening))
    const url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const { body } = await exchange({ method: 'GET', url, headers: {}, timeoutMs: 5_000 })
    expect(body.toString()).toBe('here')
    server.closeAllConnections()
    server.close()
  },
)

test('only localhost is resolved without a lookup', () => {
  expect(lookupFor(new URL('http://localhost:7270')).lookup).toBeDefined()
  expect(lookupFor(new URL('http://localhost.example.com'))).toEqual({})
  expect(lookupFor(new URL('https://api.example.com'))).toEqual({})
})
