import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Client } from '../client/client.ts'
import { sleep } from '../http/sleep.ts'
import { parseEvent, verifySignature } from '../receiving/index.ts'
import type { EventSubscription, SandboxEvent } from '../service/events/catalogue.ts'
import { brokenField } from '../words/broken-fields.ts'
import { parseDuration } from '../words/milliseconds.ts'

/** How a receiver answers. */
export interface ReceiverAnswers {
  /** HTTP status of its answers; 200 unless given. */
  status?: number
  /** How long it takes to answer on the machine's clock: `100ms`, `6s`; at once unless given. */
  delay?: string
  /** So many deliveries are answered with 500 first; none unless given. */
  failFirst?: number
}

export interface ReceiverOptions extends ReceiverAnswers {
  /** What it is subscribed to: names, families such as `message.*`, or `*`, which it is unless given. */
  events?: EventSubscription[]
}

/** One POST that a receiver got. */
export interface ReceivedDelivery {
  event: SandboxEvent
  /** The bytes as they came. */
  rawBody: Uint8Array
  /** Their names in small letters. */
  headers: Readonly<Record<string, string>>
  /** Which attempt of this delivery it was, from 1. */
  attempt: number
  /** The signature is that of these bytes and of the secret of the endpoint. */
  verified: boolean
  /** What it was answered with. */
  status: number
}

/** By which matchers know the world of a receiver, in whichever build and realm it was made. */
export const WORLD = Symbol.for('messaging-sandbox.world')

/** A server for webhooks on this machine, registered as an endpoint of the world. */
export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>/hook` */
  readonly url: string
  /** Id of its endpoint. */
  readonly id: string
  /** Of its endpoint, `whsec_…`. */
  readonly secret: string
  /** All that came, in the order in which it came, repetitions too. */
  readonly deliveries: readonly ReceivedDelivery[]
  /** The events that it has answered with 2xx, each once. */
  readonly events: readonly SandboxEvent[]
  /** Answers otherwise from now on; `failFirst` counts from here. */
  answer(how: ReceiverAnswers): void
  /** Forgets what has come so far. */
  clear(): void
  /** Removes the endpoint and closes the server; `await using` does it by itself. */
  stop(): Promise<void>
}

/** Starts a receiver. Without anybody who stops it, it keeps no process alive. */
export async function startReceiver(
  client: Client,
  { events = ['*'], ...how }: ReceiverOptions = {},
): Promise<Receiver> {
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
      // The world may have been reset, or be gone with its sandbox.
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
    answer: (next) => script.set(next),
    clear: () => void deliveries.splice(0),
    stop,
    [Symbol.asyncDispose]: stop,
  }
  return Object.defineProperty(receiver, WORLD, { value: client })
}

/** What a receiver answers, one delivery after the other. */
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
