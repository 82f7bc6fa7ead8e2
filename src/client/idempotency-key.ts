import { randomUUID } from 'node:crypto'
import type { PreparedCall, Sender } from './prepared-call.ts'

const HEADER = 'Idempotency-Key'

export const newKey = (): string => randomUUID()

/** The idempotency key of a call, from header or body (interface §2.3). */
export function idempotencyKeyOf({ operation, payload, request }: PreparedCall): string | undefined {
  const inBody = operation.body && (payload as { idempotency_key?: unknown } | null | undefined)?.idempotency_key
  return request.headers[HEADER] ?? (typeof inBody === 'string' ? inBody : undefined)
}

/**
 * Adds an idempotency key to every call that can carry one, so that it can be repeated. A temporary refusal carries the key
 * among its headers, because its caller does not know a generated one.
 */
export const withIdempotencyKey =
  (send: Sender): Sender =>
  async (call) => {
    const { operation, request } = call
    if (!operation.idempotency) return send(call)
    const ownKey = idempotencyKeyOf(call)
    const key = ownKey ?? newKey()
    const headers = ownKey === undefined ? { ...request.headers, [HEADER]: key } : request.headers
    const answer = await send({ ...call, request: { ...request, headers, mayRepeat: true } })
    if (answer.status !== 503) return answer
    return { ...answer, headers: { ...answer.headers, [HEADER.toLowerCase()]: key } }
  }

/** True for reads, and for writes with an idempotency key. */
export const isRepeatable = (call: PreparedCall): boolean => isRead(call) || idempotencyKeyOf(call) !== undefined

export const isRead = ({ request }: PreparedCall): boolean => request.method === 'GET' || request.method === 'HEAD'
