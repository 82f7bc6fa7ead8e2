import { exchange } from '../http/exchange.ts'
import type { ConnectionSettings } from '../http/request.ts'
import { sign } from '../http/signature.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { webhookHeaders } from '../http/webhook-headers.ts'
import { isSuccess } from '../words/success.ts'
import type { LogEvent } from './stream.ts'

export interface ForwardTarget {
  url: URL
  /** The signing secret. */
  secret: string
  /** Time limit in ms; 0 means none. */
  timeoutMs: number
  /** Additional headers; they take precedence over ours. */
  headers?: Readonly<Record<string, string>>
  /** Proxies and certificates for other machines. */
  network?: ConnectionSettings | undefined
  /** Uses a new connection for each attempt. */
  isAlone?: boolean | undefined
}

/** The outcome of one attempt. */
export interface Attempt {
  /** null without an answer. */
  status: number | null
  durationMs: number
  error: string | null
  /** The system's code of a failed connection. */
  code?: string | undefined
  /** The first bytes of the answer's body. */
  answer: string
  /** Nothing listens there, so the event is not the cause. */
  isDown: boolean
}

/** Kept bytes of an answer. */
const KEPT_BYTES = 2 * 1024

/** Posts the bytes unchanged, signed, with the headers of a webhook (interface §5) and those that this one carries beyond them. */
export const forward = (
  { secret, ...target }: ForwardTarget,
  body: string | Buffer,
  attempt: number,
  signal: AbortSignal,
  more: LogEvent['headers'] = {},
): Promise<Attempt> =>
  post(target, body, { ...webhookHeaders(eventId(body), sign(secret, body), attempt), ...more }, signal)

/** Posts bytes with headers; those of the target take precedence. */
export async function post(
  { url, timeoutMs, headers = {}, network, isAlone = false }: Omit<ForwardTarget, 'secret'>,
  body: string | Buffer,
  usual: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Attempt> {
  const elapsed = stopwatch()
  const durationMs = () => Math.round(elapsed())
  const request = { method: 'POST', url, headers: merged(usual, headers), body, timeoutMs, signal, network, isAlone }
  try {
    const { status, body: answer } = await exchange({ ...request, keepBytes: KEPT_BYTES, mayRepeat: true })
    return { status, durationMs: durationMs(), error: null, answer: answer.toString(), isDown: false }
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = error as { code?: string; message: string }
    const isDown = code !== undefined && DOWN.has(code)
    return { status: null, durationMs: durationMs(), error: message, code, answer: '', isDown }
  }
}

/** Error codes where nothing listens at an address. */
export const DOWN: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
])

export const isAccepted = ({ status }: Pick<Attempt, 'status'>): boolean => status !== null && isSuccess(status)

/** The event id, by which receivers recognise repetitions. */
export const eventId = (body: string | Buffer): string => String((JSON.parse(body.toString()) as { id?: unknown }).id)

/** Merges headers; names ignore case. */
function merged(usual: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(usual).filter(([name]) => !replaced.has(name.toLowerCase()))), ...own }
}
