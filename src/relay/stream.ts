import type { IncomingMessage } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { AnswerTo } from '../client/answers.ts'
import { Refusal, resultOf, USER_AGENT } from '../client/call.ts'
import { answerTo, bodyOf } from '../http/answer.ts'
import { Unreachable } from '../http/exchange.ts'
import { Limit } from '../http/limit.ts'
import type { ConnectionSettings } from '../http/request.ts'
import { deadline } from '../http/sleep.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'

/** The first frame of a stream; the request log has no instance. */
export interface Hello extends Pick<AnswerTo<'events.cursor'>, 'log_id' | 'last_seq'> {
  /** The position before the stream's first event. */
  after: number
  /** Distinguishes logs with the same id. */
  instance?: string
  namespace?: string
}

export interface LogEvent {
  seq: number
  event: string
  /** The webhook's body, byte for byte. */
  body: string
  /** Headers of its webhook beyond the usual ones. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The bounded log has dropped everything between the reader's position and its first entry. */
export interface Gap extends Pick<AnswerTo<'events.cursor'>, 'first_seq'> {
  after: number
}

/** The stream is alive and has reached this position. */
interface Heartbeat {
  seq: number
}

export type StreamMessage =
  | ({ kind: 'beat' } & Heartbeat)
  | ({ kind: 'hello' } & Hello)
  | ({ kind: 'dropped' } & Gap)
  | ({ kind: 'event' } & LogEvent)

/** Identifies the log when a reader reconnects. */
export const logKeyOf = ({ log_id, instance }: Hello): string => [log_id, ...(instance ? [instance] : [])].join('.')

const MAX_REFUSAL_BYTES = 64 * 1024

export const EVENTS_STREAM = '/_sandbox/events/stream'

export interface StreamOptions {
  baseUrl: string
  apiKey: string
  controlToken?: string | undefined
  network?: ConnectionSettings | undefined
  path?: string | undefined
  /** Query parameters: start and filters. */
  query?: Readonly<Record<string, string | number | undefined>> | undefined
  /** A connection without a byte for this many ms counts as dead. */
  silenceMs: number
  signal: AbortSignal
}

/**
 * Reads a log as server-sent events. Ends when the server ends it; throws where the connection breaks, goes silent or
 * is refused.
 */
export async function* openStream(options: StreamOptions): AsyncGenerator<StreamMessage> {
  const response = await connect(options)
  const waiting: StreamMessage[] = []
  let headers: LogEvent['headers']
  const parser = createParser({
    onEvent(event) {
      waiting.push(messageOf(event, headers))
      headers = undefined
    },
    onComment(comment) {
      headers = headersIn(comment) ?? headers
      waiting.push(...heartbeatOf(comment))
    },
  })
  const decoder = new TextDecoder()
  try {
    for await (const chunk of untilSilent(response, options)) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* waiting.splice(0)
    }
  } finally {
    response.destroy()
  }
}

function messageOf({ id, event, data }: EventSourceMessage, headers: LogEvent['headers']): StreamMessage {
  if (event === 'hello') return { kind: 'hello', ...(JSON.parse(data) as Hello) }
  if (event === 'dropped') return { kind: 'dropped', ...(JSON.parse(data) as Gap) }
  return { kind: 'event', seq: Number(id), event: event ?? 'message', body: data, headers }
}

function headersIn(comment: string): LogEvent['headers'] {
  const headers = /^\s*headers (\{.*\})$/.exec(comment)?.[1]
  return headers === undefined ? undefined : JSON.parse(headers)
}

function heartbeatOf(comment: string): StreamMessage[] {
  const seq = /^\s*at (\d+)$/.exec(comment)?.[1]
  return seq === undefined ? [] : [{ kind: 'beat', seq: Number(seq) }]
}

async function connect(options: StreamOptions): Promise<IncomingMessage> {
  const { baseUrl, apiKey, controlToken, network, path = EVENTS_STREAM, query = {}, silenceMs, signal } = options
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  const headers = {
    Accept: 'text/event-stream',
    'User-Agent': USER_AGENT,
    Authorization: `Bearer ${apiKey}`,
    ...(controlToken === undefined ? {} : { [CONTROL_TOKEN_HEADER]: controlToken }),
  }
  const limit = new Limit(silenceMs, signal, silent)
  try {
    const response = await answerTo({ method: 'GET', url, headers, isAlone: true, network }, limit.signal)
    if (response.statusCode !== 200) throw await refusalOf(response, limit.signal)
    limit.lift()
    return response
  } catch (error) {
    limit.end()
    if (error instanceof Refusal) throw error
    throw new Unreachable(url, (limit.signal.aborted ? limit.signal.reason : error) as NodeJS.ErrnoException)
  }
}

/** The refusal of a server that does not stream. */
async function refusalOf(response: IncomingMessage, signal: AbortSignal): Promise<Refusal> {
  const status = response.statusCode!
  const headers = response.headers as Record<string, string>
  const body = await bodyOf(response, signal, MAX_REFUSAL_BYTES)
  try {
    resultOf({ status, headers, body })
  } catch (refusal) {
    if (refusal instanceof Refusal) return refusal
  }
  return new Refusal(status, { message: `HTTP ${status} is not the begin of a stream` }, headers)
}

/** Measures silence only while reading: a slow receiver must not look like a dead sender. */
async function* untilSilent(response: IncomingMessage, { silenceMs, baseUrl }: StreamOptions): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let next: Buffer
  for (;;) {
    const callOff = deadline(silenceMs, () => response.destroy(silent(silenceMs)))
    try {
      const { done, value } = await chunks.next()
      if (done) return
      next = value
    } catch (error) {
      throw new Unreachable(new URL(baseUrl), error as NodeJS.ErrnoException)
    } finally {
      callOff()
    }
    yield next
  }
}

const silent = (ms: number) => Object.assign(new Error(`nothing heard for ${ms / 1000} s`), { code: 'ESILENT' })
