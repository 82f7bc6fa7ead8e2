import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { verifySignature } from '../../src/receiving/index.ts'
import { close, listen } from '../servers.ts'

/** The bugs that a shop can have. */
export type Bug =
  | 'wrong agent'
  | 'key without Bearer'
  | 'misspelled field'
  | 'verifies JSON that was serialised again'
  | 'wrong secret'
  | 'no idempotency key'
  | 'no deduplication'
  | 'STOP matched by case'
  | 'wrong traffic type in the answer'
  | 'a bounce taken as notified'
  | 'no retry on 503'
  | 'ttl without a unit'
  | 'postback that is not base64'
  | 'slow handler'

export interface Order {
  to: string
  status: 'placed' | 'notified' | 'unreachable' | 'stopped'
  notified: number
  messageId?: string
}

interface Options {
  url: string
  apiKey: string
  secret: string
  bug: Bug | undefined
}

const AGENT = 'ag_live_00000000-0000-4000-8000-000000000001'
const EMAIL_CHANNEL = 'ch_00000000-0000-4000-8000-000000000001'

/** A shop that notifies customers of their orders by RCS or email, and follows the outcome. */
export async function startShop({ url, apiKey, secret, bug }: Options) {
  const orders: Order[] = []
  const handled = new Set<string>()
  const has = (one: Bug) => bug === one

  async function send(body: object, key = crypto.randomUUID()): Promise<string | undefined> {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const answer = await fetch(`${url}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: has('key without Bearer') ? apiKey : `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...(has('no idempotency key') ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      }).catch(() => undefined)
      const mayHelp = answer === undefined || (answer.status === 503 && !has('no retry on 503'))
      if (!mayHelp) return ((await answer.json()) as { message_id?: string }).message_id
    }
    return undefined
  }

  async function place(to: string): Promise<Order> {
    const order: Order = { to, status: 'placed', notified: 0 }
    orders.push(order)
    const text = 'Your order is ready.'
    const rcs = {
      agent_id: has('wrong agent') ? AGENT.replace(/1$/, '9') : AGENT,
      to,
      message_type: 'MESSAGE',
      ...(has('misspelled field') ? { trafic_type: 'TRANSACTION' } : { traffic_type: 'TRANSACTION' }),
      ttl: has('ttl without a unit') ? '3600' : '3600s',
      content: {
        text,
        suggestions: [
          { reply: { text: 'OK', postback_data: has('postback that is not base64') ? '#ok!' : btoa('ok') } },
        ],
      },
    }
    const email = { channel_id: EMAIL_CHANNEL, to, content: { subject: 'Order', text } }
    const messageId = await send(to.includes('@') ? email : rcs)
    if (messageId !== undefined) order.messageId = messageId
    return order
  }

  async function take({ event, data }: { event: string; data: Record<string, unknown> }) {
    const order = orders.find(({ messageId, to }) => messageId === data.message_id || to === data.from)
    if (!order) return
    if (event === 'message.delivered' || event === 'email.delivered') {
      order.status = 'notified'
      order.notified++
    }
    if (event === 'email.bounced') order.status = has('a bounce taken as notified') ? 'notified' : 'unreachable'
    if (event === 'conversation.started') {
      const { text = '' } = data.user_message as { text?: string }
      if (has('STOP matched by case') ? text === 'STOP' : text.trim().toUpperCase() === 'STOP') order.status = 'stopped'
      await send({
        ...{ agent_id: AGENT, to: order.to, message_type: 'CONVERSATION', content: { text: 'Thank you' } },
        traffic_type: has('wrong traffic type in the answer') ? 'CHAT' : 'TRANSACTION',
      })
    }
  }

  const server = createServer(async (req, res) => {
    const rawBody = await bodyOf(req)
    if (has('slow handler')) await wait(400)
    const body = has('verifies JSON that was serialised again') ? JSON.stringify(JSON.parse(rawBody)) : rawBody
    const key = has('wrong secret') ? `${secret}x` : secret
    if (!verifySignature(body, req.headers['x-service-signature'], key))
      return void res.writeHead(401).end('bad signature: check the exact body bytes and the secret')
    const event = JSON.parse(rawBody) as { id: string; event: string; data: Record<string, unknown> }
    if (!handled.has(event.id) || has('no deduplication')) await take(event)
    handled.add(event.id)
    res.writeHead(204).end()
  })
  return {
    hook: `${await listen(server)}/hook`,
    orders,
    place,
    stop: () => close(server),
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
