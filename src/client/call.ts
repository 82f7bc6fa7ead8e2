import { exchange, type HttpAnswer, type HttpRequest } from '../http/exchange.ts'
import type { Network } from '../http/request.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import { isOfKind } from '../words/kinds.ts'
import { isControl, type Operation } from '../words/operation.ts'
import { VERSION } from '../words/version.ts'

export interface ClientOptions {
  /** `http://localhost:7270` or the address of any service with this interface. */
  baseUrl: string
  /** `sk_sandbox_<namespace>` of a sandbox; nothing is sent without one. */
  apiKey?: string | undefined
  /** For the control plane of a sandbox that is open to others. */
  controlToken?: string | undefined
  /** Milliseconds until an answer must be complete, else 30,000; 0 waits without end. */
  timeoutMs?: number | undefined
  /** By operation: where its path is another one at this service. It has the same names in braces. */
  paths?: Readonly<Record<string, string>> | undefined
  /** How other machines are reached; directly unless given. */
  network?: Network | undefined
  /** What every call goes through on its way out, such as retries; it goes out as it is unless given. */
  send?: Sender | undefined
}

/** One call, ready to be sent. */
export interface Call {
  readonly operation: OperationInfo
  /** The body, or the query where the operation takes none. */
  readonly payload: unknown
  readonly request: HttpRequest
  /** It only finds out what the call that is meant needs. */
  readonly isLookup: boolean
}

/** Sends a call, and answers what came back; no status is an error. */
export type Sender = (call: Call) => Promise<HttpAnswer>

const sendDirectly: Sender = ({ request }) => exchange(request)

/** What a caller needs to know of an operation. That it takes a body or a query is enough, whatever may be in them. */
export type OperationInfo = Pick<
  Operation,
  'id' | 'summary' | 'method' | 'path' | 'bodyOptional' | 'idempotency' | 'accepts' | 'media' | 'section'
> & { readonly body?: unknown; readonly query?: unknown }

export interface CallOptions {
  /** The same key again repeats the answer, and does nothing a second time (interface §4.2). */
  idempotencyKey?: string | undefined
  /** It only finds out what the call that is meant needs. */
  isLookup?: boolean | undefined
  /** Breaks the call off; it rejects with `Unreachable` then. */
  signal?: AbortSignal | undefined
  /** Milliseconds until the answer must be complete, instead of what the client was made with. */
  timeoutMs?: number | undefined
}

const REFUSAL = Symbol.for('messaging-sandbox.Refusal')

/**
 * The service refused: the error envelope of interface §7. Its message says what was asked, how it was answered and how to
 * find the request again: `POST /v1/messages: 422 missing_consent (req_…): There is no consent …`.
 */
export class Refusal extends Error {
  static {
    Object.defineProperty(Refusal.prototype, REFUSAL, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, REFUSAL)
  }

  /** HTTP status: 422. */
  readonly status: number
  /** Code of interface §7, such as `missing_consent`; `http_<status>` where the answer has no envelope. */
  readonly code: string
  /** What was asked: `POST /v1/messages`; undefined where that is not known. */
  readonly route: string | undefined
  /** `X-Request-Id` of the answer, by which the logs know the request. */
  readonly requestId: string | undefined
  /** What the service says of it, without route, code and request id. */
  readonly reason: string
  /** The envelope as it came: `{ error, message, details?, … }`. */
  readonly body: Record<string, unknown>
  /** Headers of the answer, their names in small letters. */
  readonly headers: Record<string, string>

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string>, route?: string) {
    const code = String(body.error ?? `http_${status}`)
    const reason = String(body.message ?? `HTTP ${status}`)
    const requestId = headers['x-request-id']
    super(`${route ? `${route}: ` : ''}${status} ${code}${requestId ? ` (${requestId})` : ''}: ${reason}`)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.route = route
    this.requestId = requestId
    this.reason = reason
    this.body = body
    this.headers = headers
  }

  /** The broken fields of a 400, empty otherwise: `{ field: 'content.text', code: 'too_long', message: '…' }`. */
  get details(): { field: string; code: string; message: string }[] {
    return (this.body.details as []) ?? []
  }
}

/** What is to name a record names none, and the address would be that of another operation: `rules remove ""` would clear all. */
export class MissingPathParameter extends TypeError {}

/** The bare exchange behind a client call: no status is an error. Throws {@link MissingPathParameter}. */
export function call(
  { baseUrl, apiKey, controlToken, timeoutMs, paths, network, send = sendDirectly }: ClientOptions,
  operation: OperationInfo,
  params: Record<string, string>,
  payload: unknown,
  options: CallOptions = {},
): Promise<HttpAnswer> {
  const path = paths?.[operation.id] ?? operation.path
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled(path, params))
  if (!operation.body)
    for (const [name, value] of Object.entries(payload ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
  const body = bodyOf(operation, payload)
  const request = {
    method: operation.method.toUpperCase(),
    url,
    headers: {
      Accept: operation.media ?? 'application/json',
      'User-Agent': USER_AGENT,
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(controlToken !== undefined && isControl(operation) ? { [CONTROL_TOKEN_HEADER]: controlToken } : {}),
      ...(body === undefined ? {} : { 'Content-Type': operation.accepts ?? 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    },
    body,
    timeoutMs: options.timeoutMs ?? timeoutMs ?? 30_000,
    signal: options.signal,
    network,
  }
  return send({ operation, payload, request, isLookup: options.isLookup ?? false })
}

/** By which a service knows us. */
export const USER_AGENT = `messaging-sandbox/${VERSION}`

/** `GET /v1/messages/msg_…` */
export const routeOf = (operation: OperationInfo, params: Record<string, string>): string =>
  `${operation.method.toUpperCase()} ${filled(operation.path, params)}`

const filled = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]))

/** One step of a path. Dots alone would be taken for a way through the folders. */
function segment(name: string, value = ''): string {
  if (/^\.{0,2}$/.test(value)) throw new MissingPathParameter(`${name}: ${value || 'an empty text'} names nothing.`)
  return encodeURIComponent(value)
}

function bodyOf(operation: OperationInfo, payload: unknown): string | Buffer | undefined {
  if (!operation.body || payload === undefined) return undefined
  return operation.accepts === undefined ? JSON.stringify(payload) : Buffer.from(payload as Uint8Array)
}

/** The body of a success; throws the {@link Refusal} of anything else, which names the route that is given. */
export function resultOf({ status, headers, body }: HttpAnswer, route?: string): unknown {
  const type = headers['content-type'] ?? ''
  const isJson = /^application\/([\w.-]+\+)?json/.test(type) && body.length > 0
  const isGood = status >= 200 && status < 300
  // A PDF is bytes, and would not survive being read as text.
  if (isGood && !isJson) return body.length === 0 ? undefined : /^text\/|yaml/.test(type) ? body.toString() : body
  const content = isJson ? JSON.parse(body.toString()) : undefined
  if (isGood) return content
  throw new Refusal(status, content ?? { message: `HTTP ${status}: ${body.toString().slice(0, 200)}` }, headers, route)
}
