import { isOfKind } from '../words/kinds.ts'
import { answerTo, bodyOf, type Outgoing, type RequestFailure, wasStale } from './answer.ts'
import { Limit } from './limit.ts'

export interface HttpRequest extends Omit<Outgoing, 'isAlone'> {
  /** Milliseconds until the answer must be complete; 0 waits without end. */
  timeoutMs: number
  /** How much of the answer's body is kept; all of it unless given. */
  keepBytes?: number | undefined
  signal?: AbortSignal | undefined
  /** The server knows a repetition as one. Without a word on it, that is so of methods that are idempotent (RFC 9110 §9.2.2). */
  mayRepeat?: boolean | undefined
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

const UNREACHABLE = Symbol.for('messaging-sandbox.Unreachable')

/** The server could not be reached, or broke off. */
export class Unreachable extends Error {
  static {
    Object.defineProperty(Unreachable.prototype, UNREACHABLE, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, UNREACHABLE)
  }

  /** As the system has it: `ECONNREFUSED`, `ETIMEDOUT`, `ECONNRESET`. */
  readonly code: string
  /** Somebody took the connection, so that what was asked for may have been done. */
  readonly wasConnected: boolean
  /** What to do about it, where whoever sent it knows. */
  hint: string | undefined

  constructor(url: URL, cause: NodeJS.ErrnoException, wasConnected = true) {
    super(`${url.origin} ${wasConnected ? describeFailure(cause) : `cannot be reached: ${reasonOf(cause)}`}`)
    this.name = 'Unreachable'
    this.code = cause.code ?? 'UNKNOWN'
    this.cause = cause
    this.wasConnected = wasConnected
  }
}

/** One HTTP exchange over node:http: no redirects followed, bytes as they are. Ends within its limit, whatever comes back. */
export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  const { url, body, timeoutMs, keepBytes } = request
  const headers = { ...request.headers }
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))
  const limit = new Limit(timeoutMs, request.signal)
  try {
    const incoming = await answerOf({ ...request, headers }, limit.signal)
    const answer = await bodyOf(incoming, limit.signal, keepBytes)
    return { status: incoming.statusCode!, headers: flat(incoming.headers), body: answer }
  } catch (error) {
    // Node refuses such a header before anything is sent.
    if ((error as RequestFailure).code === 'ERR_INVALID_CHAR') throw error
    const { wasConnected = true } = error as RequestFailure
    const cause = limit.signal.aborted ? (limit.signal.reason as Error) : (error as Error)
    throw new Unreachable(url, cause, wasConnected)
  } finally {
    limit.end()
  }
}

const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])

/** A server closes connections that it has kept long enough, perhaps at this moment. Each try takes one of those away. */
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

/** What became of a request that arrived: a reset, an answer that ends early, or none. */
function describeFailure(cause: NodeJS.ErrnoException): string {
  if (typeof cause === 'string') return 'had not answered when it was called off'
  if (cause.code === 'ETIMEDOUT') return `gave ${reasonOf(cause)}`
  return `${cause.code === 'ECONNRESET' ? 'broke the connection off' : 'cannot be reached'}: ${reasonOf(cause)}`
}

/** With two loopback addresses tried, Node wraps both errors and leaves its own message empty. */
function reasonOf(cause: NodeJS.ErrnoException): string {
  const inner = (cause as Partial<AggregateError>).errors?.[0]?.message as string | undefined
  return cause.message || inner || cause.code || 'unknown reason'
}
