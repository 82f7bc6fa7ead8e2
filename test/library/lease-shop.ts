import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Client, createClient, Refusal } from '../../src/index.ts'
import { close, listen } from '../servers.ts'

/** An application under test, with one base URL and one key. It sends messages for orders and keeps its webhook's events. */
export interface Shop {
  url: string
  stop(): Promise<void>
}

/** A webhook event that the shop got about a message or conversation, with its lease. */
export interface Heard {
  event: string
  lease: string | undefined
}

export interface Order {
  to: string
  text: string
}

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const CHANNEL = 'ch_00000000-0000-4000-8000-000000000001'

export async function startShop(baseUrl: string, apiKey: string): Promise<Shop> {
  const client = createClient({ baseUrl, apiKey })
  const heard = new Map<string, Heard[]>()
  const server = createServer((req, res) => {
    void answer(req, res).catch((error) => res.writeHead(500).end(String(error)))
  })
  async function answer(req: IncomingMessage, res: ServerResponse) {
    const say = (status: number, body: unknown) => res.writeHead(status).end(JSON.stringify(body))
    const [, what, id] = req.url!.split('/')
    if (req.method === 'GET') return say(200, heard.get(id!) ?? [])
    const body = await bodyOf(req)
    if (what === 'orders') return order(client, body as Order, say)
    const { event, data } = body as { event: string; data: Record<string, string> }
    const about = data.message_id ?? data.from ?? ''
    heard.set(about, [...(heard.get(about) ?? []), { event, lease: req.headers['x-sandbox-lease'] as string }])
    return say(200, {})
  }
  // A connection that closes at the moment of its reuse would fail a test without cause.
  server.keepAliveTimeout = 600_000
  const url = await listen(server)
  const { id } = await client.webhooks.create({
    url: `${url}/hook`,
    events: ['message.*', 'email.*', 'conversation.*'],
  })
  return {
    url,
    async stop() {
      await client.webhooks.delete(id).catch(() => undefined)
      await close(server)
    },
  }
}

async function order(client: Client, { to, text }: Order, say: (status: number, body: unknown) => void) {
  try {
    const { message_id } = to.includes('@')
      ? await client.messages.send({ channel_id: CHANNEL, to, content: { subject: 'Your order', text } })
      : await client.messages.send({
          agent_id: AGENT,
          to,
          message_type: 'MESSAGE',
          traffic_type: 'TRANSACTION',
          content: { text },
        })
    say(201, { message_id })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.status, { error: error.code })
  }
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of req) text += chunk
  return JSON.parse(text)
}
