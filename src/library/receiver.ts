import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Client } from '../client/client.ts'
import { fetchApi } from '../http/fetch-api.ts'
import { serveFunction } from '../http/functions.ts'
import { answerInProcess, wholeBody } from '../http/in-process.ts'
import { sleep } from '../http/sleep.ts'
import { parseEvent, verifySignature } from '../receiving/index.ts'
import {
  failedAnswer,
  startWebhookServer,
  type WebhookAnswer,
  type WebhookRequest,
  webhookListener,
} from '../receiving/webhook-server.ts'
import type { EventSubscription, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { parseDuration } from '../words/milliseconds.ts'
import { isSuccess } from '../words/success.ts'

/** The answers of a receiver. */
export interface ReceiverAnswers {
  /** HTTP status of answers; 200 by default. */
  status?: number | undefined
  /** Delay of answers on the machine's clock: `100ms`, `6s`; none by default. */
  delay?: string | undefined
  /** The number of deliveries answered with 500 first; 0 by default. */
  failFirst?: number | undefined
}

/** A handler of the web, such as a route of Next.js, `app.fetch` of Hono or a function of a platform. */
export type WebHandler = (request: Request) => Response | Promise<Response>
/** A handler of Node, such as an Express app. */
export type NodeHandler = (req: IncomingMessage, res: ServerResponse) => unknown
export type WebhookHandler = WebHandler | NodeHandler

export interface ReceiverOptions extends ReceiverAnswers {
  /**
   * Handles the webhooks, signed, retried and under faults as a server's are: a function that takes a Request, or Node's
   * `(req, res)`. Beside an emulator of this process it needs no port.
   */
  handler?: WebhookHandler | undefined
  /** Subscription: event names, families such as `message.*`, or `*` (the default). */
  events?: EventSubscription[] | undefined
}

/** One POST that a receiver got. */
export interface ReceivedDelivery {
  event: SandboxEvent
  /** The received bytes. */
  rawBody: Uint8Array
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** The number of the attempt, from 1. */
  attempt: number
  /** True if the signature matches these bytes and the endpoint's secret. */
  verified: boolean
  /** The status of the answer. */
  status: number
}

/** Links a receiver to its world for matchers, in any build and realm. */
export const WORLD = Symbol.for('messaging-sandbox.world')

/** A webhook server on this machine, registered as an endpoint of the world. */
export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/hook` */
  readonly url: string
  readonly id: string
  /** The endpoint's secret, `whsec_…`. */
  readonly secret: string
  /** All deliveries in order, repetitions included. */
  readonly deliveries: readonly ReceivedDelivery[]
  /** Events answered with 2xx, each once. */
  readonly events: readonly SandboxEvent[]
  /** Changes the answers; `failFirst` counts from here. */
  answer: (how: ReceiverAnswers) => void
  /** Forgets all deliveries. */
  clear: () => void
  /** Removes the endpoint and closes the server; `await using` calls it. */
  stop: () => Promise<void>
}

/** How a receiver reaches its world. */
export interface ReceiverHost {
  /** Matchers read by it. */
  client: Client
  /** The emulator runs in this process, so a handler needs no port. */
  isInProcess: boolean
}

/** Starts a receiver. It keeps no process alive. */
export async function startReceiver(
  { client, isInProcess }: ReceiverHost,
  { events = ['*'], handler, ...how }: ReceiverOptions = {},
): Promise<Receiver> {
  refuseUnknownOptions(how, [...ANSWERS, 'events', 'handler'], 'a receiver')
  if (handler !== undefined && typeof handler !== 'function')
    throw brokenField('handler', 'invalid_type', "must be a function that takes a Request, or Node's (req, res)")
  const { webhooks } = client
  const script = new AnswerScript(how)
  const deliveries: ReceivedDelivery[] = []
  const stopping = new AbortController()
  let secret = ''
  const listener = webhookListener(async (webhook) => {
    const { body: rawBody, headers } = webhook
    const verified = verifySignature(rawBody, headers['x-service-signature'], secret)
    const attempt = Number(headers['x-service-delivery-attempt'] ?? 1)
    const { status, isFailure, delayMs } = script.next()
    const delivery = { event: parseEvent(rawBody), rawBody, headers, attempt, verified, status }
    deliveries.push(delivery)
    if (delayMs > 0) await sleep(delayMs, stopping.signal)
    if (handler === undefined || isFailure) return { status }
    // Its answer counts once it has arrived.
    delivery.status = NO_ANSWER
    const answer = await answerOf(handler, url, webhook).catch(failedAnswer)
    delivery.status = answer.status
    return answer
  })
  const place = handler !== undefined && isInProcess ? inThisProcess(listener) : await onAPort(listener)
  const { url } = place
  const endpoint = await webhooks.create({ url, events }).catch((error) => {
    place.close()
    throw error
  })
  secret = endpoint.secret
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      stopping.abort()
      place.close()
      // The world may be reset or gone.
      await webhooks.delete(endpoint.id).catch(() => {})
    })()
    return stopped
  }
  const receiver: Receiver = {
    url,
    id: endpoint.id,
    secret,
    deliveries,
    get events() {
      const accepted = deliveries.filter(({ status }) => isSuccess(status)).map(({ event }) => event)
      return [...new Map(accepted.map((event) => [event.id, event])).values()]
    },
    answer(next) {
      refuseUnknownOptions(next, ANSWERS, 'the answers of a receiver')
      script.set(next)
    },
    clear: () => void deliveries.splice(0),
    stop,
    [Symbol.asyncDispose]: stop,
  }
  return Object.defineProperty(receiver, WORLD, { value: client })
}

/** The status of a delivery whose handler has not answered. */
const NO_ANSWER = 0

interface Place {
  url: string
  close: () => void
}

function inThisProcess(listener: RequestListener): Place {
  const { origin, close } = serveFunction(listener)
  return { url: `${origin}/hook`, close }
}

async function onAPort(listener: RequestListener): Promise<Place> {
  const server = await startWebhookServer(listener, { isInBackground: true })
  return { url: `http://127.0.0.1:${server.port}/hook`, close: () => void server.close() }
}

/** Next.js and others pass a context to their routes too, so a second parameter alone proves nothing. */
function isOfNode(handler: WebhookHandler): handler is RequestListener {
  if (handler.length > 2) return true
  const [, second = ''] = /^[^(]*\(\s*[\w$]+\s*,\s*_?(\w+)/.exec(String(handler)) ?? []
  // Hono's getRequestListener calls it outgoing, srvx nodeRes.
  return handler.length === 2 && /^(res|nodeRes|outgoing)/.test(second)
}

/** Has a handler answer a webhook: one of the web, which takes a Request, or one of Node, which takes (req, res). */
async function answerOf(handler: WebhookHandler, url: string, webhook: WebhookRequest): Promise<WebhookAnswer> {
  const { body, headers, target } = webhook
  if (!isOfNode(handler)) {
    const request = new (fetchApi().Request)(new URL(target, url), {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    })
    const answer = await handler(request)
    // Response.error() has the status 0, which no server can send.
    if (!(answer?.status >= 200))
      throw new TypeError(`The handler of the receiver must return a Response, or name its parameters (req, res).`)
    return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) }
  }
  const signal = new AbortController().signal
  const answer = await answerInProcess(handler, { method: 'POST', target, headers, body, signal })
  return { status: answer.status, body: await wholeBody(answer) }
}

const ANSWERS: readonly (keyof ReceiverAnswers)[] = ['status', 'delay', 'failFirst']

/** The answers of a receiver in their order. */
class AnswerScript {
  #status = 200
  #delayMs = 0
  #failures = 0

  constructor(how: ReceiverAnswers) {
    this.set(how)
  }

  set({ status = 200, delay = '0ms', failFirst = 0 }: ReceiverAnswers) {
    const delayMs = parseDuration(delay)
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw brokenField('status', 'invalid_value', 'must be an HTTP status from 200 to 599')
    if (delayMs === undefined) throw brokenField('delay', 'invalid_format', 'must be a duration such as 100ms or 6s')
    this.#status = status
    this.#delayMs = delayMs
    this.#failures = failFirst
  }

  next() {
    const isFailure = this.#failures-- > 0
    return { status: isFailure ? 500 : this.#status, isFailure, delayMs: this.#delayMs }
  }
}
