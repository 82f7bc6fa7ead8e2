import { redactBody, redactHeaders, redactLooks } from '../../words/redact.ts'
import { isoTime } from '../../world/time/clock.ts'

/** What is kept of a body, in bytes. */
export const KEPT_BYTES = 16 * 1024

type Content = string | Buffer | undefined

/** One request and its answer, as they lay in memory when it was answered; nothing is worked out before it is read. */
export interface Recorded {
  requestId: string
  /** Instant of the world at which it came. */
  at: number
  durationMs: number
  method: string
  /** Path and query. */
  url: string
  operation: string | null
  requestHeaders: Readonly<Record<string, unknown>>
  /** What is kept of its body, and how long all of it was. */
  sent: Content
  sentBytes: number
  status: number | null
  responseHeaders: Readonly<Record<string, unknown>>
  answer: Content
  fault: string | null
}

export type Logged = Recorded & { seq: number }

/** Of a long body its beginning is copied, so that the rest can go. */
export function kept(content: Content): Content {
  if (content === undefined || isShort(content)) return content
  const bytes = typeof content === 'string' ? Buffer.from(content.slice(0, KEPT_BYTES)) : content
  return Buffer.from(bytes.subarray(0, KEPT_BYTES))
}

// A character takes up to three bytes; how many is counted only where it matters.
const isShort = (content: string | Buffer) =>
  content.length * (typeof content === 'string' ? 3 : 1) <= KEPT_BYTES || Buffer.byteLength(content) <= KEPT_BYTES

/** The error code of a refusal: it stands first in its envelope (interface §7). */
export function errorOf({ status, answer }: Recorded): string | null {
  if (status === null || status < 400 || answer === undefined) return null
  return /^\{"error":"(\w+)"/.exec(answer.toString())?.[1] ?? null
}

/** Shapes an entry for readers of the log. Every way to read it goes through here, so secrets are taken out here. */
export function toAnswer(logged: Logged, { full }: { full: boolean }) {
  const { seq, requestId, at, durationMs, method, url, operation, status, fault } = logged
  return {
    seq,
    request_id: requestId,
    at: isoTime(at),
    duration_ms: Math.round(durationMs * 10) / 10,
    method,
    path: redactLooks(url),
    operation,
    status,
    error: errorOf(logged),
    idempotency_key: idempotencyKeyOf(logged),
    replayed: logged.responseHeaders['Idempotent-Replayed'] === 'true',
    fault,
    ...(full ? { request: requestOf(logged), response: responseOf(logged) } : {}),
  }
}

export const toFullAnswer = (logged: Logged) => ({
  ...toAnswer(logged, { full: false }),
  request: requestOf(logged),
  response: responseOf(logged),
})

const requestOf = ({ requestHeaders, sent, sentBytes }: Recorded) => partOf(requestHeaders, sent, sentBytes)
const responseOf = ({ responseHeaders, answer }: Recorded) =>
  partOf(responseHeaders, answer, Number(responseHeaders['Content-Length'] ?? 0))

const partOf = (headers: Readonly<Record<string, unknown>>, content: Content, bytes: number) => ({
  headers: redactHeaders(headers),
  body: textOf(content),
  bytes,
  truncated: content !== undefined && Buffer.byteLength(content) < bytes,
})

function textOf(content: Content): string | null {
  if (content === undefined || content.length === 0) return null
  const text = content.toString()
  // A PDF is nothing to read.
  return text.includes('\u0000') || text.startsWith('%PDF') ? null : redactBody(text)
}

function idempotencyKeyOf({ requestHeaders, sent }: Recorded): string | null {
  const inHeader = requestHeaders['idempotency-key']
  if (typeof inHeader === 'string') return redactLooks(inHeader)
  const inBody = sent && /"idempotency_key"\s*:\s*"([^"\\]{1,255})"/.exec(sent.toString())?.[1]
  return inBody ? redactLooks(inBody) : null
}
