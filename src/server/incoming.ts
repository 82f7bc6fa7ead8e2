import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../world/noun.ts'
import type { AdmittedRequest, AnswerHead } from './admission.ts'
import { leaving } from './answer.ts'
import { refuseBrokenEscapes, refusePlus, refuseRepeated } from './query.ts'

/** The parameters of a request without any. */
export const NOTHING = Object.freeze({})

// Classes, because a getter in an object literal gives every object its own hidden class, which keeps everything in the
// getter's scope alive until the next full garbage collection.

export interface CallerOptions {
  /** Aborts when the server stops. */
  signal: AbortSignal
  /** The address in links, where the Host header of a caller is not trusted. */
  publicUrl?: (() => string) | undefined
}

/** A request before validation. */
export class Incoming {
  readonly body: unknown
  readonly caller: Caller
  readonly #req: AdmittedRequest

  constructor(
    req: AdmittedRequest,
    res: ServerResponse,
    head: AnswerHead,
    body: unknown,
    { signal, publicUrl }: CallerOptions,
  ) {
    this.#req = req
    this.body = body
    this.caller = new HttpCaller(req, res, head, { signal, publicUrl })
  }

  get params(): Record<string, string> {
    return (this.#req.params ?? NOTHING) as Record<string, string>
  }

  get hasQuery(): boolean {
    return this.#req.url!.includes('?')
  }

  /** Parsed when it is asked for, because few operations take one. */
  get query(): unknown {
    refusePlus(this.#req.url!)
    refuseBrokenEscapes(this.#req.url!)
    const query = (this.#req.query ?? NOTHING) as Record<string, unknown>
    refuseRepeated(query)
    return query
  }

  get idempotencyKey(): string | undefined {
    return headerOf(this.#req, 'idempotency-key')
  }
}

class HttpCaller implements Caller {
  readonly ip: string
  readonly requestId: string
  readonly baseUrl: string
  readonly isBrowser: boolean
  readonly lastEventId: string | undefined
  readonly accept: string | undefined
  readonly tenant: string | undefined
  readonly #res: ServerResponse
  readonly #stopping: AbortSignal

  constructor(req: AdmittedRequest, res: ServerResponse, head: AnswerHead, { signal, publicUrl }: CallerOptions) {
    this.ip = req.socket.remoteAddress ?? ''
    this.requestId = String(head['X-Request-Id'])
    this.baseUrl = `${publicUrl?.() ?? `http://${req.headers.host}`}${req.prefix === undefined ? '' : `/ns/${req.prefix}`}`
    this.isBrowser = req.method !== 'POST' && asksAsBrowser(req)
    this.lastEventId = headerOf(req, 'last-event-id')
    this.accept = req.headers.accept
    this.tenant = req.identity?.tenant
    this.#res = res
    this.#stopping = signal
  }

  get signal(): AbortSignal {
    return leaving(this.#res, this.#stopping)
  }
}

/** A page cannot change these headers of a browser. Sec-Fetch-Mode is not checked, because Node's fetch sends it too. */
const asksAsBrowser = ({ method, headers }: IncomingMessage): boolean =>
  method === 'HEAD' ||
  headers['sec-fetch-site'] !== undefined ||
  headers['sec-fetch-dest'] !== undefined ||
  /^Mozilla\//.test(headers['user-agent'] ?? '')

function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return typeof value === 'string' ? value : undefined
}
