import { randomUUID } from 'node:crypto'
import type { PreparedCall, Sender } from './prepared-call.ts'

const HEADER = 'Idempotency-Key'

export const newKey = (): string => randomUUID()

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
