import { exchange } from '../http/exchange.ts'
import { sign } from '../http/signature.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { webhookHeaders } from '../http/webhook-headers.ts'
import type { LogEvent } from './stream.ts'

export interface Target {
  url: URL
  /** Key of the signature. */
  secret: string
  /** How long it may take to answer, in ms; 0 without end. */
  timeoutMs: number
}

/** What came of one try. */
export interface Attempt {
  /** null when no answer came. */
  status: number | null
  durationMs: number
  error: string | null
  /** Nobody listens there: the event is not to blame. */
  isDown: boolean
}

/** Posts the bytes as they are, with the headers of a webhook (interface §5). */
export async function forward(
  { url, secret, timeoutMs }: Target,
  { body }: LogEvent,
  attempt: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const elapsed = stopwatch()
  const durationMs = () => Math.round(elapsed())
  const headers = webhookHeaders(eventId(body), sign(secret, body), attempt)
  try {
    const { status } = await exchange({ method: 'POST', url, headers, body, timeoutMs, signal, mayRepeat: true })
    return { status, durationMs: durationMs(), error: null, isDown: false }
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = error as { code?: string; message: string }
    return { status: null, durationMs: durationMs(), error: message, isDown: code !== undefined && DOWN.has(code) }
  }
}

/** What the system says when nobody listens at an address. */
export const DOWN: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
])

export const isSuccess = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300

/** The id that receivers know repetitions by. */
export const eventId = (body: string): string => String((JSON.parse(body) as { id?: unknown }).id)
