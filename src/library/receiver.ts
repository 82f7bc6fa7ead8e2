import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Client } from '../client/client.ts'
import { sleep } from '../http/sleep.ts'
import { parseEvent, verifySignature } from '../receiving/index.ts'
import type { EventSubscription, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { refuseUnknownOptions } from '../words/known-options.ts'
import { parseDuration } from '../words/milliseconds.ts'

/** The answers of a receiver. */
export interface ReceiverAnswers {
  /** HTTP status of answers; 200 by default. */
  status?: number
  /** Delay of answers on the machine's clock: `100ms`, `6s`; none by default. */
  delay?: string
  /** The number of deliveries answered with 500 first; 0 by default. */
  failFirst?: number
}

export interface ReceiverOptions extends ReceiverAnswers {
  /** Subscription: event names, families such as `message.*`, or `*` (the default). */
  events?: EventSubscription[]
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
  /** True where the signature matches these bytes and the endpoint's secret. */
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
  answer(how: ReceiverAnswers): void
  /** Forgets all deliveries. */
  clear(): void
  /** Removes the endpoint and closes the server; `await using` calls it. */
  stop(): Promise<void>
}

/** Starts a receiver, whose matchers read by this client. It keeps no process alive. */
export async function startReceiver(
  client: Client,
  { events = ['*'], ...how }: ReceiverOptions = {},
): Promise<Receiver> {
  refuseUnknownOptions(how, [...ANSWERS, 'events'], 'a receiver')
  const { webhooks } = client
  const script = new AnswerScript(how)
  const deliveries: ReceivedDelivery[] = []
  const stopping = new AbortController()
  let secret = ''
  const server = createServer((req, res) => {
    void receive(req, res).catch(() => res.destroy())
  })
  async function receive(req: IncomingMessage, res: ServerResponse) {
    const rawBody = await bytesOf(req)
    const headers = req.headers as Record<string, string>
    const verified = verifySignature(rawBody, headers['x-service-signature'], secret)
    const attempt = Number(headers['x-service-delivery-attempt'] ?? 1)
    const { status, delayMs } = script.next()
    deliveries.push({ event: parseEvent(rawBody), rawBody, headers, attempt, verified, status })
    if (delayMs > 0) await sleep(delayMs, stopping.signal)
    res.writeHead(status).end()
  }
  const url = `http://127.0.0.1:${await listen(server)}/hook`
  const endpoint = await webhooks.create({ url, events })
  secret = endpoint.secret
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (async () => {
      stopping.abort()
      server.closeAllConnections()
      server.close()
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
      const taken = deliveries.filter(({ status }) => status >= 200 && status < 300).map(({ event }) => event)
      return [...new Map(taken.map((event) => [event.id, event])).values()]
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
    if (delayMs === undefined) throw brokenField('delay', 'invalid_format', 'must be a duration such as 100ms or 6s')
    this.#status = status
    this.#delayMs = delayMs
    this.#failures = failFirst
  }

  next() {
    const status = this.#failures-- > 0 ? 500 : this.#status
    return { status, delayMs: this.#delayMs }
  }
}

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.unref()
      server.on('connection', (socket) => socket.unref())
      resolve((server.address() as { port: number }).port)
    })
  })
}
