import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { fileURLToPath } from 'node:url'
import { close, listen } from '../servers.ts'

const pem = (name: string) => fileURLToPath(new URL(`${name}.pem`, import.meta.url))
/** Signs the certificate of a service that speaks TLS. */
export const AUTHORITY = pem('authority')
export const identity = () => ({ key: readFileSync(pem('key')), cert: readFileSync(pem('certificate')) })

/** Faults of the connection that a request meets. */
type Mishap =
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The connection breaks before anything is done. */
  | 'broken off'
  /** It is done, and the connection breaks before the answer. */
  | 'answer lost'
  /** It is done, and no answer ever comes. */
  | 'silent'
  /** It is done, and the answer drips in, 20 ms a byte. */
  | 'dripping'

interface Seen {
  method: string
  /** The requested path, with its prefix. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface Service extends AsyncDisposable {
  /** With its prefix. */
  readonly url: string
  readonly port: number
  /** The requests, in order. */
  readonly requests: readonly Seen[]
  /** Bytes of slow answers that were sent so far. */
  readonly dripped: number
  /** The faults of the next requests, one each. */
  next(...mishaps: Mishap[]): void
}

interface ServiceOptions {
  /** The emulator behind it, whose /v1 it serves. */
  of: { url: string }
  prefix?: string
  tls?: boolean
}

/** A real service, as far as callers can see: an emulator's /v1 under an address of its own, without a control plane. */
export async function startService({ of, prefix = '', tls = false }: ServiceOptions): Promise<Service> {
  const requests: Seen[] = []
  const mishaps: Mishap[] = []
  let dripped = 0
  const drip = async (upstream: IncomingMessage, res: ServerResponse) => {
    for await (const chunk of upstream)
      for (const byte of chunk as Buffer) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (res.destroyed) return
        res.write(Buffer.of(byte))
        dripped++
      }
    res.end()
  }
  const listener = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    requests.push({ method: req.method!, path: req.url!, headers: req.headers, body: body.toString() })
    if (!req.url!.startsWith(`${prefix}/v1/`)) return answer(res, { status: 404, body: { error: 'no_such_page' } })
    const mishap = mishaps.shift()
    if (mishap === 'broken off') return req.socket.destroy()
    if (typeof mishap === 'object') return answer(res, mishap)
    const forwarded = { method: req.method!, path: req.url!.slice(prefix.length), headers: req.headers, body }
    await passOn(of.url, forwarded, (upstream) => {
      if (mishap === 'answer lost') req.socket.destroy()
      else if (mishap === 'dripping') void drip(upstream, res.writeHead(upstream.statusCode!, upstream.headers))
      else if (mishap === undefined) upstream.pipe(res.writeHead(upstream.statusCode!, upstream.headers))
      else upstream.resume()
    })
  }
  // A caller that was killed, or an emulator that has stopped before this service, breaks the connection.
  const answering = (req: IncomingMessage, res: ServerResponse) =>
    void listener(req, res).catch(() => req.socket.destroy())
  const server = tls ? createSecureServer(identity(), answering) : createServer(answering)
  const port = Number(new URL(await listen(server)).port)
  return {
    url: `${tls ? 'https' : 'http'}://localhost:${port}${prefix}`,
    port,
    requests,
    get dripped() {
      return dripped
    },
    next: (...more) => void mishaps.push(...more),
    async [Symbol.asyncDispose]() {
      await close(server)
    },
  }
}

function answer(res: ServerResponse, { status, headers, body }: Extract<Mishap, object>) {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  res.end(JSON.stringify(body ?? { error: `http_${status}`, message: 'The stand-in says so.' }))
}

const passOn = (
  base: string,
  { method, path, headers, body }: Omit<Seen, 'body'> & { body: Buffer },
  answered: (upstream: IncomingMessage) => void,
) =>
  new Promise<void>((resolve, reject) => {
    const outgoing = request(base + path, { method, headers: { ...headers, host: new URL(base).host } }, (upstream) => {
      answered(upstream)
      upstream.on('end', resolve).on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
