import type { RequestListener } from 'node:http'
import { acrossCopies } from '../words/kinds.ts'
import { answerTo, bodyOf, type Outgoing, type RequestFailure, wasStale } from './answer.ts'
import { functionAt } from './functions.ts'
import { answerInProcess, inLowerCase, wholeBody } from './in-process.ts'
import { Limit } from './limit.ts'
import { refuseFakedTicks } from './real-ticks.ts'

export interface HttpRequest extends Outgoing {
  /** Time limit of the whole answer in ms; 0 means none. */
  timeoutMs: number
  /** Bytes of the body to keep; all by default. */
  keepBytes?: number | undefined
  signal?: AbortSignal | undefined
  /** A repetition is harmless. By default true for idempotent methods (RFC 9110 §9.2.2). */
  mayRepeat?: boolean | undefined
  /** Answers in place of a server, without a connection, which would double the cost of a call. */
  handler?: RequestListener | undefined
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** The server could not be reached, or broke the connection. */
export class Unreachable extends Error {
  static {
    acrossCopies(Unreachable, 'Unreachable')
  }

  /** The system's code: `ECONNREFUSED`, `ETIMEDOUT`, `ECONNRESET`. */
  readonly code: string
  /** The connection was established, so the request may have been carried out. */
  readonly wasConnected: boolean
  /** Advice, set by the sender. */
  hint: string | undefined

  constructor(url: URL, cause: NodeJS.ErrnoException, wasConnected = true) {
    super(`${url.origin} ${wasConnected ? describeFailure(cause) : `cannot be reached: ${reasonOf(cause)}`}`)
    this.name = 'Unreachable'
    this.code = cause.code ?? 'UNKNOWN'
    this.cause = cause
    this.wasConnected = wasConnected
  }
}

/** Makes one HTTP exchange with node:http: no redirects, bytes unchanged, always within its limit. */
export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  refuseFakedTicks()
  const { url, body, timeoutMs, keepBytes } = request
  const headers = { ...request.headers }
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
  const limit = new Limit(timeoutMs, request.signal)
  try {
    const handler = request.handler ?? functionAt(url.origin)
    if (handler) return await answerOfFunction(handler, { ...request, headers }, limit.signal)
    const incoming = await answerOf({ ...request, headers }, limit.signal)
    const answer = await bodyOf(incoming, limit.signal, keepBytes)
    return { status: incoming.statusCode!, headers: flat(incoming.headers), body: answer }
  } catch (error) {
    if ((error as RequestFailure).code === 'ERR_INVALID_CHAR') throw error
    const { wasConnected = true } = error as RequestFailure
    const cause = limit.signal.aborted ? (limit.signal.reason as Error) : (error as Error)
    throw new Unreachable(url, cause, wasConnected)
  } finally {
    limit.end()
  }
}

async function answerOfFunction(
  handler: RequestListener,
  { method, url, headers, body, keepBytes }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const answer = await answerInProcess(handler, {
    method,
    target: url.pathname + url.search,
    headers: { host: url.host, ...inLowerCase(headers) },
    body: typeof body === 'string' ? Buffer.from(body) : body,
    signal,
  })
  const bytes = await wholeBody(answer)
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: bytes.subarray(0, keepBytes),
  }
}

const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/**
 * Repeats requests on stale connections: a server may close a kept connection at any moment. Each attempt removes one
 * of them.
 */
async function answerOf(request: HttpRequest, signal: AbortSignal) {
  const mayRepeat = request.mayRepeat ?? IDEMPOTENT.has(request.method)
  for (;;)
    try {
      return await answerTo(request, signal)
    } catch (error) {
      if (!mayRepeat || !wasStale(error) || signal.aborted) throw error
    }
}

const flat = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!]),
  )

/** Describes the failure of a request that arrived: a reset, a truncated answer, or none. */
function describeFailure(cause: NodeJS.ErrnoException): string {
  if (typeof cause === 'string') return 'had not answered when the call was cancelled'
  if (cause.code === 'ETIMEDOUT' || cause.code === 'ESILENT') return `gave ${reasonOf(cause)}`
  if (cause.code?.startsWith('HPE_')) return `gave an answer that is not valid HTTP: ${reasonOf(cause)}`
  return `${cause.code === 'ECONNRESET' ? 'closed the connection' : 'cannot be reached'}: ${reasonOf(cause)}`
}

/** OpenSSL: `write EPROTO 40BD4A250E7F0000:error:0A00010B:SSL routines:function:reason:file:line:`. The number differs in each run. */
const OPENSSL = /^.*:error:[0-9A-F]+:[^:]*:[^:]*:([^:]*):.*$/s

/** After trying two loopback addresses Node wraps both errors in one without a message. */
function reasonOf(cause: NodeJS.ErrnoException): string {
  const inner = (cause as Partial<AggregateError>).errors?.[0]?.message as string | undefined
  const reason = cause.message || inner || cause.code || 'unknown reason'
  return reason.replace(/^Parse Error: /, '').replace(OPENSSL, 'TLS failed: $1')
}
