import { exchange } from '../src/http/exchange.ts'
import type { Client, Sandbox } from '../src/index.ts'

/** An answer, byte by byte. */
export interface RawAnswer {
  status: number
  headers: Record<string, string>
  bytes: Buffer
  text: string
  /** The parsed body; {} without one or if it is not JSON. */
  json: Record<string, unknown>
}

interface RawOptions {
  /** Sent as JSON; a string or buffer is sent unchanged. */
  body?: unknown
  headers?: Record<string, string | undefined>
}

/** A request with the key only and, for a body, its type; both can be overridden. */
export async function ask(
  { url, apiKey }: Pick<Sandbox, 'url' | 'apiKey'>,
  method: string,
  path: string,
  { body, headers = {} }: RawOptions = {},
): Promise<RawAnswer> {
  const sent = {
    Authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  }
  const answer = await exchange({
    method,
    url: new URL(url + path),
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
    body: body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    timeoutMs: 10_000,
  })
  const text = answer.body.toString()
  return { status: answer.status, headers: answer.headers, bytes: answer.body, text, json: parsed(text) }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Everything in a world that a caller can see changing: two equal readings mean that nothing happened in between. */
export async function everythingOf(client: Client) {
  const [balance, tier, transactions, messages, events] = [
    await client.billing.balance(),
    await client.billing.tier(),
    await client.billing.transactions({ limit: 200 }),
    await client.messages.list({ limit: 200 }),
    await client.events.list({ limit: 1000 }),
  ]
  return { balance, tier, transactions, messages, events }
}
