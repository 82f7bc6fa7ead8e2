import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { type Duplex, Transform } from 'node:stream'
import { listen } from '../servers.ts'

export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** Requested hosts: `api.service.test:443`. */
  readonly requests: readonly string[]
}

/** How a slow network forwards data: bytes at a time, and ms between them. */
interface Trickle {
  bytes: number
  everyMs: number
}

/** A proxy as in companies. Every requested host is one port of this machine, so names can be invented. */
export async function startProxy(
  port: number,
  { refuses = false, trickle }: { refuses?: boolean; trickle?: Trickle } = {},
): Promise<Proxy> {
  const requests: string[] = []
  const tunnels = new Set<Duplex>()
  const server = createServer((req, res) => {
    requests.push(new URL(req.url!).host)
    const { pathname, search } = new URL(req.url!)
    const onward = { host: '127.0.0.1', port, path: pathname + search, method: req.method!, headers: req.headers }
    req.pipe(request(onward, (upstream) => upstream.pipe(res.writeHead(upstream.statusCode!, upstream.headers))))
  })
  server.on('connect', (req, socket) => {
    requests.push(req.url!)
    if (refuses) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    // The server does not count these among its connections.
    tunnels.add(socket)
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      if (!trickle) return void upstream.pipe(socket).pipe(upstream)
      upstream.pipe(trickling(trickle)).pipe(socket)
      socket.pipe(trickling(trickle)).pipe(upstream)
    })
    for (const end of [upstream, socket])
      end.on('close', () => void [upstream.destroy(), socket.destroy()]).on('error', () => {})
  })
  return {
    url: await listen(server),
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      for (const tunnel of tunnels) tunnel.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Splits data at any byte, as networks do. */
const trickling = ({ bytes, everyMs }: Trickle) =>
  new Transform({
    async transform(chunk: Buffer, _, done) {
      for (let from = 0; from < chunk.length && !this.destroyed; from += bytes) {
        await new Promise((resolve) => setTimeout(resolve, everyMs))
        if (!this.destroyed) this.push(chunk.subarray(from, from + bytes))
      }
      done()
    },
  })
