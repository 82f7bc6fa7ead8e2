import { createServer, type ServerResponse } from 'node:http'
import { close, listen } from '../servers.ts'

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
  return {
    url: await listen(server),
    requests,
    keys,
    async [Symbol.asyncDispose]() {
      await close(server)
    },
  }
}
