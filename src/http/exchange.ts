import { lookupFor, requestFor } from './request.ts'

export interface HttpRequest {
  method: string
  url: URL
  headers: Record<string, string>
  body?: string | Buffer | undefined
  /** Milliseconds until the answer must be complete; 0 waits without end. */
  timeoutMs: number
  /** How much of the answer's body is kept; all of it unless given. */
  keepBytes?: number | undefined
  signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** The server could not be reached, or broke off. */
export class Unreachable extends Error {
  readonly code: string

  constructor(url: URL, cause: NodeJS.ErrnoException) {
    super(`${url.origin} ${isBrokenOff(cause) ? 'broke the connection off' : 'cannot be reached'}: ${reasonOf(cause)}`)
    this.name = 'Unreachable'
    this.code = cause.code ?? 'UNKNOWN'
    this.cause = cause
  }
}

/** One HTTP exchange over node:http: no redirects followed, bytes as they are. */
export function exchange({
  method,
  url,
  headers,
  body,
  timeoutMs,
  keepBytes,
  signal,
}: HttpRequest): Promise<HttpAnswer> {
  const send = requestFor(url)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const outgoing = send(url, { method, headers: { ...headers, ...length }, signal, ...lookupFor(url) })
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(limit)
      reject(new Unreachable(url, error))
    }
    const limit = timeoutMs > 0 ? setTimeout(() => outgoing.destroy(timedOut(timeoutMs)), timeoutMs) : undefined
    outgoing.on('error', fail)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let left = keepBytes ?? Number.POSITIVE_INFINITY
      incoming.on('data', (chunk: Buffer) => {
        if (left > 0) chunks.push(chunk.subarray(0, left))
        left -= chunk.length
      })
      incoming.on('error', fail)
      incoming.on('end', () => {
        clearTimeout(limit)
        resolve({ status: incoming.statusCode!, headers: flat(incoming.headers), body: Buffer.concat(chunks) })
      })
    })
    outgoing.end(body)
  })
}

const flat = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!]),
  )

const timedOut = (ms: number) => Object.assign(new Error(`no answer within ${ms} ms`), { code: 'ETIMEDOUT' })

/** It was reached and may have done what it was asked for: a reset, or an answer that ends early. */
const isBrokenOff = ({ code }: NodeJS.ErrnoException) => code === 'ECONNRESET'

/** With two loopback addresses tried, Node wraps both errors and leaves its own message empty. */
function reasonOf(cause: NodeJS.ErrnoException): string {
  const inner = cause instanceof AggregateError ? (cause.errors[0] as Error | undefined)?.message : undefined
  return cause.message || inner || cause.code || 'unknown reason'
}
