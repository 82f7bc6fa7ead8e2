import { isRecord, jsonOr } from '../../words/json.ts'
import { redactBody, redactHeaders, redactSecrets } from '../../words/redact.ts'
import { isoTime } from '../../world/time/clock.ts'

/** Bodies are cut to this many bytes. */
const MAX_BODY_BYTES = 16 * 1024

type Content = string | Buffer | undefined

/** One request and its answer. Nothing is computed before it is read. */
export interface ExchangeRecord {
  requestId: string
  /** The world's time of the request. */
  at: number
  /** The machine's time of the request. */
  machineAt: number
  durationMs: number
  method: string
  /** Path with query. */
  url: string
  operation: string | null
  requestHeaders: Readonly<Record<string, unknown>>
  /** The body, perhaps cut, and its full length. */
  sent: Content
  sentBytes: number
  status: number | null
  responseHeaders: Readonly<Record<string, unknown>>
  answer: Content
  fault: string | null
}

export type LogEntry = ExchangeRecord & { seq: number }

/** Copies the beginning of a long body, so that the rest can be freed. */
export function truncated(content: Content): Content {
  if (content === undefined || isShort(content)) return content
  const bytes = typeof content === 'string' ? Buffer.from(content.slice(0, MAX_BODY_BYTES)) : content
  return Buffer.from(bytes.subarray(0, MAX_BODY_BYTES))
}

// A character has up to three bytes; they are counted only near the limit.
const isShort = (content: string | Buffer) =>
  content.length * (typeof content === 'string' ? 3 : 1) <= MAX_BODY_BYTES ||
  Buffer.byteLength(content) <= MAX_BODY_BYTES

export const errorOf = (recorded: ExchangeRecord): string | null => envelopeOf(recorded)[1] ?? null

function messageOf(recorded: ExchangeRecord): string | null {
  const [, , message] = envelopeOf(recorded)
  return message === undefined ? null : redactSecrets(JSON.parse(message) as string)
}

/** The recipient of a send, as it was written. */
export function recipientOf({ operation, sent }: ExchangeRecord): string | null {
  if (!SENDS.includes(operation ?? '') || sent === undefined) return null
  const text = sent.toString()
  const body = jsonOr(text, undefined)
  // A long body is cut, which leaves no valid JSON.
  const to = isRecord(body) ? body.to : /"to"\s*:\s*"([^"\\]{1,320})"/.exec(text)?.[1]
  return typeof to === 'string' ? redactSecrets(to) : null
}

const SENDS: readonly string[] = ['messages.send', 'testAgent.send']

/** Matches code and message of a refusal, as JSON, which are the first fields of its envelope (interface §7). */
const envelopeOf = ({ status, answer }: ExchangeRecord): readonly (string | undefined)[] =>
  status === null || status < 400 || answer === undefined
    ? []
    : (/^\{"error":"(\w+)"(?:,"message":("(?:[^"\\]|\\.)*"))?/.exec(answer.toString()) ?? [])

/** Builds the answer for an entry. All readers go through here, so secrets are removed here. */
export function toAnswer(logged: LogEntry) {
  const { seq, requestId, at, machineAt, durationMs, method, url, operation, status, fault } = logged
  return {
    seq,
    request_id: requestId,
    at: isoTime(at),
    machine_at: isoTime(machineAt),
    duration_ms: Math.round(durationMs * 10) / 10,
    method,
    path: redactSecrets(url),
    operation,
    to: recipientOf(logged),
    status,
    error: errorOf(logged),
    message: messageOf(logged),
    idempotency_key: idempotencyKeyOf(logged),
    replayed: logged.responseHeaders['Idempotent-Replayed'] === 'true',
    fault,
  }
}

export function toFullAnswer(logged: LogEntry) {
  const { requestHeaders, sent, sentBytes, responseHeaders, answer } = logged
  return {
    ...toAnswer(logged),
    request: contentOf(requestHeaders, sent, sentBytes),
    response: contentOf(responseHeaders, answer, Number(responseHeaders['Content-Length'] ?? 0)),
  }
}

const contentOf = (headers: Readonly<Record<string, unknown>>, content: Content, bytes: number) => ({
  headers: redactHeaders(headers),
  body: textOf(content),
  bytes,
  truncated: content !== undefined && Buffer.byteLength(content) < bytes,
})

function textOf(content: Content): string | null {
  if (content === undefined || content.length === 0) return null
  const text = content.toString()
  // A PDF is not readable as text.
  return text.includes('\u0000') || text.startsWith('%PDF') ? null : redactBody(text)
}

function idempotencyKeyOf({ requestHeaders, sent }: ExchangeRecord): string | null {
  const inHeader = requestHeaders['idempotency-key']
  if (typeof inHeader === 'string') return redactSecrets(inHeader)
  const inBody = sent && /"idempotency_key"\s*:\s*"([^"\\]{1,255})"/.exec(sent.toString())?.[1]
  return inBody ? redactSecrets(inBody) : null
}
