import { exchange, type HttpAnswer } from '../http/exchange.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import { isControl, type Operation } from '../words/operation.ts'

export interface ClientOptions {
  /** `http://localhost:7270` or the address of any service with this interface. */
  baseUrl: string
  apiKey?: string | undefined
  /** For the control plane of a sandbox that is open to others. */
  controlToken?: string | undefined
  /** Milliseconds until an answer must be complete, else 30,000; 0 waits without end. */
  timeoutMs?: number | undefined
}

/** What a caller needs to know of an operation. That it takes a body or a query is enough, whatever may be in them. */
export type Called = Pick<
  Operation,
  'id' | 'summary' | 'method' | 'path' | 'bodyOptional' | 'idempotency' | 'accepts' | 'media' | 'section'
> & { readonly body?: unknown; readonly query?: unknown }

export interface CallOptions {
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

/** The service refused: the error envelope of interface §7. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string>) {
    super(String(body.message ?? `HTTP ${status}`))
    this.name = 'Refusal'
    this.status = status
    this.code = String(body.error ?? `http_${status}`)
    this.body = body
    this.headers = headers
  }

  get details(): { field: string; code: string; message: string }[] {
    return (this.body.details as []) ?? []
  }
}

/** What is to name a record names none, and the address would be that of another operation: `rules remove ""` would clear all. */
export class Nameless extends TypeError {}

/** The bare exchange behind a client call: no status is an error. Throws {@link Nameless}. */
export function call(
  { baseUrl, apiKey, controlToken, timeoutMs }: ClientOptions,
  operation: Called,
  params: Record<string, string>,
  payload: unknown,
  options: CallOptions = {},
): Promise<HttpAnswer> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]))
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  if (!operation.body)
    for (const [name, value] of Object.entries(payload ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value))
  const body = bodyOf(operation, payload)
  return exchange({
    method: operation.method.toUpperCase(),
    url,
    headers: {
      Accept: operation.media ?? 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(controlToken !== undefined && isControl(operation) ? { [CONTROL_TOKEN_HEADER]: controlToken } : {}),
      ...(body === undefined ? {} : { 'Content-Type': operation.accepts ?? 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    },
    body,
    timeoutMs: options.timeoutMs ?? timeoutMs ?? 30_000,
    signal: options.signal,
  })
}

/** One step of a path. Dots alone would be taken for a way through the folders. */
function segment(name: string, value = ''): string {
  if (/^\.{0,2}$/.test(value)) throw new Nameless(`${name}: ${value || 'an empty text'} names nothing.`)
  return encodeURIComponent(value)
}

function bodyOf(operation: Called, payload: unknown): string | Buffer | undefined {
  if (!operation.body || payload === undefined) return undefined
  return operation.accepts === undefined ? JSON.stringify(payload) : Buffer.from(payload as Uint8Array)
}

/** The body of a success; throws the {@link Refusal} of anything else. */
export function resultOf({ status, headers, body }: HttpAnswer): unknown {
  const type = headers['content-type'] ?? ''
  const isJson = /^application\/([\w.-]+\+)?json/.test(type) && body.length > 0
  const isGood = status >= 200 && status < 300
  // A PDF is bytes, and would not survive being read as text.
  if (isGood && !isJson) return body.length === 0 ? undefined : /^text\/|yaml/.test(type) ? body.toString() : body
  const content = isJson ? JSON.parse(body.toString()) : undefined
  if (isGood) return content
  throw new Refusal(status, content ?? { message: `HTTP ${status}: ${body.toString().slice(0, 200)}` }, headers)
}
