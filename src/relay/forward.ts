import { exchange } from '../http/exchange.ts'
import type { Network } from '../http/request.ts'
import { sign } from '../http/signature.ts'
import { stopwatch } from '../http/stopwatch.ts'
import { webhookHeaders } from '../http/webhook-headers.ts'

export interface Target {
  url: URL
  /** Key of the signature. */
  secret: string
  /** How long it may take to answer, in ms; 0 without end. */
  timeoutMs: number
  /** Sent along; they come before ours. */
  headers?: Readonly<Record<string, string>>
  /** How it is reached, where that is not this machine, and which certificates it may have. */
  network?: Network | undefined
}

/** What came of one try. */
export interface Attempt {
  /** null when no answer came. */
  status: number | null
  durationMs: number
  error: string | null
  /** Of a connection that failed, as the system has it. */
  code?: string | undefined
  /** The beginning of the answer's body. */
  answer: string
  /** Nobody listens there: the event is not to blame. */
  isDown: boolean
}

/** What is kept of an answer. */
const KEPT_BYTES = 2 * 1024

/** Posts the bytes as they are, signed, with the headers of a webhook (interface §5). */
export const forward = (
  { secret, ...target }: Target,
  body: string | Buffer,
  attempt: number,
  signal: AbortSignal,
): Promise<Attempt> => post(target, body, webhookHeaders(eventId(body), sign(secret, body), attempt), signal)

/** Posts bytes with the headers that are given, and those of the target before them. */
export async function post(
  { url, timeoutMs, headers = {}, network }: Omit<Target, 'secret'>,
  body: string | Buffer,
  usual: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Attempt> {
  const elapsed = stopwatch()
  const durationMs = () => Math.round(elapsed())
  const request = { method: 'POST', url, headers: merged(usual, headers), body, timeoutMs, signal, network }
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
export const eventId = (body: string | Buffer): string => String((JSON.parse(body.toString()) as { id?: unknown }).id)

/** Names of headers mean the same in small letters. */
function merged(usual: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const replaced = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(usual).filter(([name]) => !replaced.has(name.toLowerCase()))), ...own }
}
