import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { resultOf } from '../client/call.ts'
import { Unreachable } from '../client/transport.ts'

/** What the log says of itself at the begin of a stream. */
export interface Hello {
  log_id: string
  last_seq: number
  namespace?: string
}

export interface LogEvent {
  seq: number
  event: string
  /** The body of the webhook, byte for byte. */
  body: string
}

export type Message = ({ kind: 'hello' } & Hello) | ({ kind: 'event' } & LogEvent)

export interface StreamOptions {
  baseUrl: string
  apiKey: string
  /** Only what lies beyond this position; from now on unless given. */
  after?: number | undefined
  /** Names and families, separated by commas. */
  events?: string | undefined
  /** After so long without a byte the connection counts as dead, in ms. */
  silenceMs: number
  signal: AbortSignal
}

/** The log as server-sent events. Ends when the server ends it; throws when the connection breaks, goes silent or is refused. */
export async function* openStream(options: StreamOptions): AsyncGenerator<Message> {
  const response = await connect(options)
  const waiting: Message[] = []
  const parser = createParser({ onEvent: (event) => void waiting.push(messageOf(event)) })
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

function messageOf({ id, event, data }: EventSourceMessage): Message {
  if (event === 'hello') return { kind: 'hello', ...(JSON.parse(data) as Hello) }
  return { kind: 'event', seq: Number(id), event: event ?? 'message', body: data }
}

function connect({ baseUrl, apiKey, after, events, silenceMs, signal }: StreamOptions): Promise<IncomingMessage> {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/_sandbox/events/stream`)
  if (after !== undefined) url.searchParams.set('after', String(after))
  if (events !== undefined) url.searchParams.set('events', events)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${apiKey}` },
      agent: false,
      signal,
    })
    const limit = setTimeout(() => outgoing.destroy(silent(silenceMs)), silenceMs)
    outgoing.on('error', (error) => {
      clearTimeout(limit)
      reject(new Unreachable(url, error))
    })
    outgoing.on('response', (response) => {
      clearTimeout(limit)
      if (response.statusCode === 200) resolve(response)
      else refusalOf(response).then(reject, reject)
    })
    outgoing.end()
  })
}

async function refusalOf(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  try {
    return resultOf({
      status: response.statusCode!,
      headers: response.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    })
  } catch (refusal) {
    return refusal
  }
}

/** Silence counts only while we wait: a slow receiver must not look like a dead sender. */
async function* untilSilent(response: IncomingMessage, { silenceMs, baseUrl }: StreamOptions): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let next: Buffer
  for (;;) {
    const limit = setTimeout(() => response.destroy(silent(silenceMs)), silenceMs)
    try {
      const { done, value } = await chunks.next()
      if (done) return
      next = value
    } catch (error) {
      throw new Unreachable(new URL(baseUrl), error as NodeJS.ErrnoException)
    } finally {
      clearTimeout(limit)
    }
    yield next
  }
}

const silent = (ms: number) => Object.assign(new Error(`nothing heard for ${ms / 1000} s`), { code: 'ESILENT' })
