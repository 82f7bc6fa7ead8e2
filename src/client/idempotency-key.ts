import type { PreparedCall, Sender } from './prepared-call.ts'

const HEADER = 'Idempotency-Key'

/** A UUID that is unique and no secret: node:crypto would take 3 ms to load, a ninth of the whole start of Node. */
export const newKey = (): string =>
  '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) =>
    (Number(digit) + Math.floor(Math.random() * (digit === '8' ? 4 : 16))).toString(16),
  )

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
