import type { IncomingMessage } from 'node:http'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { AnswerTo } from '../client/answers.ts'
import { Refusal, resultOf, USER_AGENT } from '../client/call.ts'
import { InvalidAnswer } from '../client/invalid-answer.ts'
import { jsonBodyOf } from '../client/json-body.ts'
import { answerTo, bodyOf } from '../http/answer.ts'
import { Unreachable } from '../http/exchange.ts'
import { Limit } from '../http/limit.ts'
import type { ConnectionSettings } from '../http/request.ts'
import { deadline } from '../http/sleep.ts'
import { CONTROL_TOKEN_HEADER } from '../words/control-token.ts'
import { isRecord } from '../words/json.ts'

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

/** A longer frame is refused, because it is kept in memory until it ends. Bodies of requests have at most 1 MiB. */
const MAX_FRAME_CHARACTERS = 16 * 1024 * 1024

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
  let unfinished = 0
  let isBegun = false
  try {
    for await (const chunk of untilSilent(response, options)) {
      parser.feed(decoder.decode(chunk, { stream: true }))
      unfinished = waiting.length > 0 ? 0 : unfinished + chunk.length
      isBegun ||= waiting.some(({ kind }) => kind === 'hello')
      if (!isBegun && waiting.length > 0) throw invalid('a stream that does not begin with its position')
      if (unfinished > MAX_FRAME_CHARACTERS)
        throw invalid(`an event of more than ${MAX_FRAME_CHARACTERS / 1024 / 1024} MiB`)
      yield* waiting.splice(0)
    }
  } finally {
    response.destroy()
  }
}

function messageOf({ id, event, data }: EventSourceMessage, headers: LogEvent['headers']): StreamMessage {
  const fields = recordIn(data)
  if (event === 'hello') return { kind: 'hello', ...helloOf(fields, data) }
  if (event === 'dropped') return { kind: 'dropped', ...(fields as unknown as Gap) }
  if (!/^\d+$/.test(id ?? '')) throw invalid('an event without a position', data)
  return { kind: 'event', seq: Number(id), event: event ?? 'message', body: data, headers }
}

function helloOf(fields: Record<string, unknown>, data: string): Hello {
  const { log_id, last_seq, after } = fields
  if (typeof log_id === 'string' && Number.isInteger(last_seq) && Number.isInteger(after))
    return fields as unknown as Hello
  throw invalid('a stream that does not begin with its position', data)
}

function recordIn(data: string): Record<string, unknown> {
  const json = jsonBodyOf({ body: Buffer.from(data) })
  if ('value' in json && isRecord(json.value)) return json.value
  throw invalid('fault' in json ? json.fault : 'JSON that is not an object', data)
}

const invalid = (fault: string, body = '') =>
  new InvalidAnswer({ status: 200, headers: {}, body: Buffer.from(body) }, fault, 'GET event stream')

function headersIn(comment: string): LogEvent['headers'] {
  const headers = /^\s*headers (\{.*\})$/.exec(comment)?.[1]
  return headers === undefined ? undefined : (recordIn(headers) as Record<string, string>)
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
  let response: IncomingMessage | undefined
  try {
    response = await answerTo({ method: 'GET', url, headers, isAlone: true, network }, limit.signal)
    if (response.statusCode !== 200) throw await refusalOf(response, limit.signal)
    const type = response.headers['content-type'] ?? ''
    if (!/^text\/event-stream\b/.test(type)) throw invalid(`${type || 'no content type'} instead of an event stream`)
    limit.lift()
    response.once('close', () => limit.end())
    return response
  } catch (error) {
    limit.end()
    // An answer that is not read to its end would keep the process alive.
    response?.destroy()
    if (error instanceof Refusal || error instanceof InvalidAnswer) throw error
    throw lost(url, (limit.signal.aborted ? limit.signal.reason : error) as NodeJS.ErrnoException)
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
  return new Refusal(status, { message: `HTTP ${status} is not the start of a stream` }, headers)
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
      throw lost(new URL(baseUrl), error as NodeJS.ErrnoException)
    } finally {
      callOff()
    }
    yield next
  }
}

function lost(url: URL, cause: NodeJS.ErrnoException): Unreachable {
  const error = new Unreachable(url, cause)
  if (cause.code === 'ESILENT')
    error.hint = 'If there is a proxy in front of the service, turn off its buffering of event streams.'
  return error
}

const silent = (ms: number) => Object.assign(new Error(`no data for ${ms / 1000} s`), { code: 'ESILENT' })
