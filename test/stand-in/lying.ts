import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that is not the service: it gives every request the same answer. */
export interface LyingServer extends AsyncDisposable {
  readonly url: string
  /** The requests: `POST /v1/messages`. */
  readonly requests: readonly string[]
  /** The `Authorization` headers of the requests. */
  readonly keys: readonly (string | undefined)[]
}

export type Lie = { type: string; body: string; status?: number } | ((res: ServerResponse) => void)

export async function startLyingServer(lie: Lie): Promise<LyingServer> {
  const requests: string[] = []
  const keys: (string | undefined)[] = []
  const server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`)
    keys.push(req.headers.authorization)
    req.resume()
    if (typeof lie === 'function') return lie(res)
    res.writeHead(lie.status ?? 200, { 'Content-Type': lie.type })
    res.end(lie.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    keys,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
