import { randomUUID } from 'node:crypto'
import { setTimeout as rest } from 'node:timers/promises'
import { allItems, logAfter } from '../../src/client/pages.ts'
import { createClient } from '../../src/index.ts'
import { apiKeyOf } from '../../src/words/api-key.ts'
import type { FinalWorld, History } from './history.ts'
import { CONTROL_TOKEN } from './nodes.ts'

export interface Reply {
  readonly status: number
  readonly json: Record<string, unknown>
}

/** A suspended node answers nothing; another one is asked. */
const PATIENCE_MS = 5_000

/** One request. Rejects if no answer arrives. */
export async function call(
  url: string,
  namespace: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const answer = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      authorization: `Bearer ${apiKeyOf(namespace)}`,
      'x-sandbox-token': CONTROL_TOKEN,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: JSON.parse((await answer.text()) || '{}') }
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

/** fetch wraps the error of the connection. */
const codeOf = ({ cause, message }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code ?? message

const MESSAGE = {
  agent_id: 'ag_live_00000000-0000-4000-8000-000000000001',
  message_type: 'MESSAGE',
  traffic_type: 'TRANSACTION',
  content: { text: 'Your order is on its way' },
  to: '+491713920000',
}

/** Reads everything that a world contains. */
export async function finalWorld(url: string, namespace: string): Promise<FinalWorld> {
  const client = createClient({ baseUrl: url, apiKey: apiKeyOf(namespace), controlToken: CONTROL_TOKEN })
  const messages = await allItems(client.messages.list, (page) => page.messages)
  const events = await Array.fromAsync(logAfter(0, client.events.list, (page) => page.events))
  return {
    messages: messages.filter(({ direction }) => direction === 'OUTBOUND').map(({ id }) => id),
    events,
    firstSeq: events[0]?.seq ?? 0,
    transactions: await allItems(client.billing.transactions, (page) => page.data),
    total: (await client.billing.balance()).total,
  }
}
