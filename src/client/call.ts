import { exchange, type HttpAnswer } from '../http/exchange.ts'
import type { ConnectionSettings } from '../http/request.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import { isRecord } from '../words/json.ts'
import { acrossCopies } from '../words/kinds.ts'
import { parseDuration } from '../words/milliseconds.ts'
import { LOOKUP, OBSERVER_HEADER } from '../words/observer.ts'
import { isControl } from '../words/operation.ts'
import { targetOf } from '../words/request-target.ts'
import { isSuccess } from '../words/success.ts'
import { VERSION } from '../words/version.ts'
import { withCheckedAnswers } from './answer-check.ts'
import { InvalidAnswer } from './invalid-answer.ts'
import { isJsonType, jsonBodyOf, MAX_FILE_BYTES, MAX_JSON_BYTES } from './json-body.ts'
import type { OperationInfo, Sender } from './prepared-call.ts'

export type { OperationInfo, PreparedCall, Sender } from './prepared-call.ts'

export interface ClientOptions {
  /** The address of any service with this interface, such as `http://localhost:7270`. */
  baseUrl: string
  /** The API key, `sk_sandbox_<namespace>` for a sandbox. Without it no key is sent. */
  apiKey?: string | undefined
  /** The token of a sandbox whose control plane other machines can reach. */
  controlToken?: string | undefined
  /** Time limit of a complete answer in ms, 30,000 by default; 0 means no limit. */
  timeoutMs?: number | undefined
  /** By operation id: paths that differ at this service. Path parameters keep their names. */
  paths?: Readonly<Record<string, string>> | undefined
  /** Proxies and certificates; direct connections by default. */
  network?: ConnectionSettings | undefined
  /** GET calls to a sandbox meet no faults, count against no rate limit and stay out of its request log. */
  isObserver?: boolean | undefined
  /** Middleware such as retries; by default calls are sent directly. */
  send?: Sender | undefined
}

/** Sends a call once. */
export const sendDirectly: Sender = withCheckedAnswers(({ request }) => exchange(request))

export interface CallOptions {
  /** The service repeats its answer to a known key, without another effect (interface §4.2). */
  idempotencyKey?: string | undefined
  /** The call only prepares another one: a dry run sends it, and a sandbox treats it as observing. */
  isLookup?: boolean | undefined
  /** The caller examines the answer itself: a success that differs from the interface is not refused. */
  isUnchecked?: boolean | undefined
  /** The caller expects a refusal, so a temporary one is not retried. */
  expectsRefusal?: boolean | undefined
  /** Aborts the call, which then rejects with `Unreachable`. */
  signal?: AbortSignal | undefined
  /** Time limit of a complete answer in ms; replaces the client's. */
  timeoutMs?: number | undefined
}

/**
 * A refusal of the service: the error envelope of interface §7. Its message names the route, the status and the request
 * id: `POST /v1/messages: 422 missing_consent (req_…): There is no consent …`.
 */
export class Refusal extends Error {
  static {
    acrossCopies(Refusal, 'Refusal')
  }

  /** HTTP status: 422. */
  readonly status: number
  /** Code of interface §7, such as `missing_consent`; `http_<status>` where the answer has no envelope. */
  readonly code: string
  /** The route, such as `POST /v1/messages`; undefined if it is unknown. */
  readonly route: string | undefined
  /** `X-Request-Id` of the answer, which the request log knows. */
  readonly requestId: string | undefined
  /** The service's message, without route, code and request id. */
  readonly reason: string
  /** The whole envelope: `{ error, message, details?, … }`. */
  readonly body: Record<string, unknown>
  /** Response headers with lower-case names. */
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

  /** The invalid fields of a 400, otherwise empty: `{ field: 'content.text', code: 'too_long', message: '…' }`. */
  get details(): { field: string; code: string; message: string }[] {
    return Array.isArray(this.body.details) ? this.body.details.filter(isRecord).map(detailOf) : []
  }
}

const detailOf = ({ field = '', code = '', message = '', ...more }: Record<string, unknown>) => ({
  ...more,
  field: String(field),
  code: String(code),
  message: String(message),
})

/** Makes a call and resolves with its answer, whatever the status. Throws a `MissingPathParameter`. */
export function call(
  { baseUrl, apiKey, controlToken, timeoutMs, paths, network, isObserver, send = sendDirectly }: ClientOptions,
  operation: OperationInfo,
  params: Record<string, string>,
  payload: unknown,
  { isLookup = false, isUnchecked = false, expectsRefusal = false, ...options }: CallOptions = {},
): Promise<HttpAnswer> {
  const path = paths?.[operation.id] ?? operation.path
  const url = new URL(baseUrl.replace(/\/+$/, '') + targetOf(path, params, operation.body ? {} : payload))
  const body = bodyOf(operation, payload)
  const observer = isObserver ? 'client' : isLookup ? LOOKUP : undefined
  const request = {
    method: operation.method.toUpperCase(),
    url,
    headers: {
      Accept: operation.media ?? 'application/json',
      'User-Agent': USER_AGENT,
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...(controlToken !== undefined && isControl(operation) ? { [CONTROL_TOKEN_HEADER]: controlToken } : {}),
      ...(observer && operation.method === 'get' ? { [OBSERVER_HEADER]: observer } : {}),
      ...(body === undefined ? {} : { 'Content-Type': operation.accepts ?? 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    },
    body,
    timeoutMs: options.timeoutMs ?? timeoutFor(payload, timeoutMs ?? 30_000),
    // One more, so that a longer answer is noticed.
    keepBytes: (operation.media === undefined ? MAX_JSON_BYTES : MAX_FILE_BYTES) + 1,
    signal: options.signal,
    network,
  }
  return send({ operation, payload, request, isLookup, isUnchecked, expectsRefusal })
}

/** A call that waits itself has its time on top. */
function timeoutFor(payload: unknown, timeoutMs: number): number {
  const { within } = (payload ?? {}) as { within?: unknown }
  const waitMs = typeof within === 'string' ? parseDuration(within) : undefined
  return timeoutMs === 0 ? 0 : timeoutMs + (waitMs ?? 0)
}

export const USER_AGENT = `messaging-sandbox/${VERSION}`

/** `GET /v1/messages/msg_…` */
export const routeOf = (operation: OperationInfo, params: Record<string, string>): string =>
  `${operation.method.toUpperCase()} ${targetOf(operation.path, params)}`

function bodyOf(operation: OperationInfo, payload: unknown): string | Buffer | undefined {
  if (!operation.body || payload === undefined) return undefined
  return operation.accepts === undefined ? JSON.stringify(payload) : Buffer.from(payload as Uint8Array)
}

/** Whether the service repeated the answer to an earlier call with the same idempotency key. */
export const isReplayed = ({ headers }: HttpAnswer): boolean => headers['idempotent-replayed'] === 'true'

/**
 * Returns the content of a success. Throws a {@link Refusal}, with the given route, for any other status, and
 * {@link InvalidAnswer} for invalid JSON.
 */
export function resultOf(answer: HttpAnswer, route?: string): unknown {
  const { status, headers, body } = answer
  const type = headers['content-type'] ?? ''
  const json = isJsonType(type) && body.length > 0 ? jsonBodyOf(answer) : undefined
  if (!isSuccess(status)) {
    const isEnvelope = json && 'value' in json && isRecord(json.value)
    const unread = () => ({ message: `HTTP ${status}: ${body.toString('utf8', 0, 200)}` })
    throw new Refusal(status, isEnvelope ? (json.value as Record<string, unknown>) : unread(), headers, route)
  }
  // A PDF must stay bytes.
  if (!json) return body.length === 0 ? undefined : /^text\/|yaml/.test(type) ? body.toString() : body
  if ('fault' in json) throw new InvalidAnswer(answer, json.fault, route)
  return json.value
}
