import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as rest } from 'node:timers/promises'
import type { FinalWorld, History } from './history.ts'
import { CONTROL_TOKEN } from './nodes.ts'

export interface Reply {
  readonly status: number
  readonly json: Record<string, unknown>
}

/** A suspended node answers nothing; another one is asked. */
const PATIENCE_MS = 5_000
const agent = new Agent({ keepAlive: true })

/** One request. Rejects if no answer arrives. */
export function call(url: string, namespace: string, method: string, path: string, body?: unknown): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = request(url + path, {
      method,
      agent,
      timeout: PATIENCE_MS,
      headers: {
        authorization: `Bearer sk_sandbox_${namespace}`,
        'x-sandbox-token': CONTROL_TOKEN,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.once('error', reject)
    sent.once('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        try {
          resolve({ status: answer.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString() || '{}') })
        } catch (error) {
          reject(error)
        }
      })
    })
    sent.end(text)
  })
}

interface LoadOptions {
  readonly namespaces: readonly string[]
  readonly history: History
  /** The URL of any node. */
  anyUrl(): string
  /** Time between two sends of a writer, ms. */
  readonly everyMs: number
}

/** Sends to each world, and reads its events, until it is stopped. Each send is repeated until it is acknowledged. */
export class Load {
  readonly #options: LoadOptions
  readonly #work: Promise<void>[]
  #isOver = false
  /** Answers other than a success. */
  readonly refused = new Map<string, number>()
  /** The time of the last answer, by namespace. */
  readonly answeredAt = new Map<string, number>()

  constructor(options: LoadOptions) {
    this.#options = options
    this.#work = options.namespaces.flatMap((namespace) => [this.#write(namespace), this.#read(namespace)])
  }

  async stop() {
    this.#isOver = true
    await Promise.all(this.#work)
  }

  async #write(namespace: string) {
    while (!this.#isOver) {
      const key = randomUUID()
      const { json } = await this.#untilDone(namespace, 'POST', '/v1/messages', { ...MESSAGE, idempotency_key: key })
      this.#options.history.sent({ namespace, key, messageId: String(json.message_id) })
      await rest(this.#options.everyMs)
    }
  }

  async #read(namespace: string) {
    for (let after = 0; !this.#isOver; ) {
      const { json } = await this.#untilDone(namespace, 'GET', `/_sandbox/events?after=${after}&limit=200`)
      for (const event of json.events as { seq: number; id: string }[]) {
        this.#options.history.saw(namespace, event)
        after = event.seq
      }
      await rest(this.#options.everyMs)
    }
  }

  async #untilDone(namespace: string, method: string, path: string, body?: unknown): Promise<Reply> {
    for (;;) {
      const outcome = await call(this.#options.anyUrl(), namespace, method, path, body).catch((error: Error) => error)
      if (!(outcome instanceof Error) && outcome.status === 200) {
        this.answeredAt.set(namespace, performance.now())
        return outcome
      }
      const why =
        outcome instanceof Error ? `no answer (${codeOf(outcome)})` : `${outcome.status} ${outcome.json.message}`
      this.refused.set(why, (this.refused.get(why) ?? 0) + 1)
      if (!(outcome instanceof Error) && outcome.status !== 503)
        this.#options.history.findings.push(`${namespace}: ${method} ${path} was ${JSON.stringify(outcome)}`)
      await rest(50)
    }
  }
}

const codeOf = (error: Error) => (error as NodeJS.ErrnoException).code ?? error.message

const MESSAGE = {
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
  to: '+491713920000',
}

/** Reads everything that a world contains. */
export async function finalWorld(url: string, namespace: string): Promise<FinalWorld> {
  const get = async (path: string) => {
    const { status, json } = await call(url, namespace, 'GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(json)}`)
    return json
  }
  async function pages<T>(path: string, field: string): Promise<T[]> {
    const all: T[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const json = await get(`${path}?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      all.push(...(json[field] as T[]))
      cursor = json.next_cursor as string | null
    }
    return all
  }
  const events: { seq: number; id: string }[] = []
  for (;;) {
    const json = await get(`/_sandbox/events?after=${events.at(-1)?.seq ?? 0}&limit=1000`)
    events.push(...(json.events as typeof events))
    if ((json.events as unknown[]).length < 1000) break
  }
  return {
    messages: (await pages<{ id: string; direction: string }>('/v1/messages', 'messages'))
      .filter(({ direction }) => direction === 'OUTBOUND')
      .map(({ id }) => id),
    events,
    firstSeq: events[0]?.seq ?? 0,
    transactions: await pages('/v1/billing/transactions', 'data'),
    total: Number((await get('/v1/billing/balance')).total),
  }
}
