import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { keepingProcessAlive, yieldToRequests } from '../world/machine-time.ts'
import { brokenOff } from './broken-off.ts'
import { fetchApi } from './fetch-api.ts'
import { refuseFakedTicks } from './real-ticks.ts'

/** A request without a connection. */
export interface InProcessRequest {
  method: string
  /** Path with query. */
  target: string
  /** Lower-case names, including `host` and `content-length`. */
  headers: Record<string, string>
  body: Uint8Array | undefined
  signal: AbortSignal | undefined
}

export interface InProcessAnswer {
  status: number
  statusText: string
  /** Lower-case names. */
  headers: [name: string, value: string][]
  /** The whole body if its length is declared, otherwise a stream. Null without a body. */
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null
}

/**
 * Lets a node:http handler answer a request without a socket. The handler gets node:http's classes, and its output is
 * parsed as on the wire. Rejects where the connection would break, or with the signal's reason.
 */
export async function answerInProcess(handler: RequestListener, request: InProcessRequest): Promise<InProcessAnswer> {
  const { method, target, headers, body, signal } = request
  refuseFakedTicks()
  // A caller that polls for due work would otherwise keep it from its turn.
  await keepingProcessAlive(yieldToRequests)
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const wire = new InProcessConnection(method === 'HEAD', resolve, reject)
    // Keeps the process alive until the answer ends, as a connection would.
    void keepingProcessAlive(() => new Promise<void>((resolve) => wire.once('close', resolve)))
    const socket = wire as unknown as Socket
    const req = new IncomingMessage(socket)
    Object.assign(req, { method, url: target, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, headers })
    req.rawHeaders = Object.entries(headers).flat()
    const res = new ServerResponse(req)
    // The body ends with the connection, so chunked encoding is unnecessary.
    res.useChunkedEncodingByDefault = false
    res.shouldKeepAlive = false
    res.assignSocket(socket)
    wire.on('drain', () => res.emit('drain'))
    res.on('finish', () => wire.end())
    if (signal) endWith(signal, wire)
    handler(req, res)
    if (body !== undefined) req.push(body)
    req.push(null)
    req.complete = true
  })
}

function endWith(signal: AbortSignal, wire: InProcessConnection) {
  const abort = () => wire.destroy(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  wire.once('close', () => signal.removeEventListener('abort', abort))
}

/** Answers with these statuses have no body. */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304])
const HEAD_END = '\r\n\r\n'
/** Headers about the connection are left out, because there is no connection. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** Replaces the connection and parses one answer. */
class InProcessConnection extends Writable {
  readonly remoteAddress = '127.0.0.1'
  /** The parsers of Express 5 do not read a request whose connection is not readable. */
  readonly readable = true
  readonly #resolve: (answer: InProcessAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #isBodiless: boolean
  #head: Omit<InProcessAnswer, 'body'> | undefined
  readonly #chunks: (string | Buffer)[] = []
  /** Passes on a body of undeclared length, or one that was cut short. */
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined
  #goOn: (() => void) | undefined

  constructor(isBodiless: boolean, resolve: (answer: InProcessAnswer) => void, reject: (error: unknown) => void) {
    super({ decodeStrings: false })
    this.#isBodiless = isBodiless
    this.#resolve = resolve
    this.#reject = reject
    // Errors reach the caller through the promise or the body.
    this.on('error', () => {})
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void) {
    const rest = this.#head ? chunk : this.#takeHead(chunk)
    if (rest.length === 0) return done()
    if (!this.#stream) {
      this.#chunks.push(rest)
      return done()
    }
    this.#stream.enqueue(typeof rest === 'string' ? Buffer.from(rest, encoding) : rest)
    if (this.#stream.desiredSize! > 0) done()
    else this.#goOn = done
  }

  override _final(done: () => void) {
    if (this.#stream) this.#stream.close()
    else this.#answer(this.#isBodiless ? null : joined(this.#chunks))
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    if (!this.writableFinished) {
      const why = error ?? brokenOff()
      if (this.#stream) this.#stream.error(why)
      else if (this.#head && !error) this.#cutShort()
      else this.#reject(why)
    }
    done(error)
  }

  /** A request asks a readable connection for more. All of its body has arrived. */
  resume() {}

  resetAndDestroy() {
    this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }

  destroySoon() {
    // Output of this turn comes first.
    process.nextTick(() => this.destroy())
  }

  /** Node writes the head in one piece; returns the body bytes after it. */
  #takeHead(chunk: string | Buffer): string | Buffer {
    const text = typeof chunk === 'string' ? chunk : chunk.toString('latin1')
    const end = text.indexOf(HEAD_END)
    const [start, ...lines] = text.slice(0, end).split('\r\n')
    const [, status, ...words] = start!.split(' ')
    const headers = lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 2)]
    })
    this.#head = {
      status: Number(status),
      statusText: words.join(' '),
      headers: headers.filter(([name]) => !OF_CONNECTION.has(name)),
    }
    const hasLength = headers.some(([name]) => name === 'content-length')
    if (!hasLength && !this.#isBodiless && !STATUSES_WITHOUT_BODY.has(this.#head.status)) this.#answer(this.#streamed())
    return chunk.slice(end + HEAD_END.length)
  }

  #answer(body: InProcessAnswer['body']) {
    this.#resolve({ ...this.#head!, body: STATUSES_WITHOUT_BODY.has(this.#head!.status) ? null : body })
  }

  #streamed(): ReadableStream<Uint8Array> {
    return new (fetchApi().ReadableStream)({
      start: (controller) => {
        this.#stream = controller
      },
      pull: () => {
        const goOn = this.#goOn
        this.#goOn = undefined
        goOn?.()
      },
      cancel: () => void this.destroy(),
    })
  }

  /** Fails the body where it is shorter than declared. */
  #cutShort() {
    const came = Buffer.from(joined(this.#chunks))
    this.#answer(
      new (fetchApi().ReadableStream)({
        start(controller) {
          if (came.length > 0) controller.enqueue(came)
        },
        pull: (controller) => controller.error(brokenOff()),
      }),
    )
  }
}

function joined(chunks: readonly (string | Buffer)[]): string | Buffer<ArrayBuffer> {
  const [only] = chunks
  if (chunks.length === 1 && typeof only === 'string') return only
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
}

/** Names of headers ignore case. Node gives them to a handler in lower case, as HTTP/2 and many proxies write them. */
export const inLowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** The bytes of an answer, read to their end. */
export async function wholeBody({ body }: InProcessAnswer): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  if (ArrayBuffer.isView(body)) return Buffer.from(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
