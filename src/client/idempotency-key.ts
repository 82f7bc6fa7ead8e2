import type { PreparedCall, Sender } from './prepared-call.ts'

const HEADER = 'Idempotency-Key'

let keys = 0

/**
 * A new UUID. It must be unique, not secret, and node:crypto would take 6 ms of a `send`. Process and number keep keys
 * apart where a test has replaced Math.random.
 */
export const newKey = (): string =>
  `${hex(process.pid, 8)}-${hex(++keys, 4)}-4${randomHex(3)}-8${randomHex(3)}-${randomHex(12)}`

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0').slice(-digits)

const randomHex = (digits: number): string => hex(Math.floor(Math.random() * 16 ** digits), digits)

/** The idempotency key of a call, from header or body (interface §2.3). */
export function idempotencyKeyOf({ operation, payload, request }: PreparedCall): string | undefined {
  const inBody = operation.body && (payload as { idempotency_key?: unknown } | null | undefined)?.idempotency_key
  return request.headers[HEADER] ?? (typeof inBody === 'string' ? inBody : undefined)
}

/** Adds an idempotency key to every call that can carry one, so that it can be repeated. */
export const withIdempotencyKey =
  (send: Sender): Sender =>
  (call) => {
    const { operation, request } = call
    if (!operation.idempotency) return send(call)
    const headers = idempotencyKeyOf(call) === undefined ? { ...request.headers, [HEADER]: newKey() } : request.headers
    return send({ ...call, request: { ...request, headers, mayRepeat: true } })
  }

/** True for reads, and for writes with an idempotency key. */
export const isRepeatable = (call: PreparedCall): boolean => isRead(call) || idempotencyKeyOf(call) !== undefined

export const isRead = ({ request }: PreparedCall): boolean => request.method === 'GET' || request.method === 'HEAD'
