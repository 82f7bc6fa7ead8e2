import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** What it was asked to reach: `api.service.test:443`. */
  readonly asked: readonly string[]
}

/** A proxy as companies have them. Whatever it is asked for lies on one port of this machine, so names may be made up. */
export async function startProxy(port: number, { refuses = false } = {}): Promise<Proxy> {
  const asked: string[] = []
  const tunnels = new Set<Duplex>()
  const server = createServer((req, res) => {
    asked.push(new URL(req.url!).host)
    const { pathname, search } = new URL(req.url!)
    const onward = { host: '127.0.0.1', port, path: pathname + search, method: req.method!, headers: req.headers }
    req.pipe(request(onward, (upstream) => upstream.pipe(res.writeHead(upstream.statusCode!, upstream.headers))))
  })
  server.on('connect', (req, socket) => {
    asked.push(req.url!)
    if (refuses) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    // The server does not count these among its connections.
    tunnels.add(socket)
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    for (const end of [upstream, socket])
      end.on('close', () => void [upstream.destroy(), socket.destroy()]).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      for (const tunnel of tunnels) tunnel.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
